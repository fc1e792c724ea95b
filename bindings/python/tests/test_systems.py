# SPDX-License-Identifier: MIT
"""Operators with hysteresis and their inverses, loops and limit cycles."""
import bristle
import numpy as np
import pytest
from bristle import laws, mechanisms, systems


def test_every_system_of_the_registry_is_a_class():
    assert [s.name for s in systems.all] == [t["name"] for t in bristle._core.system_tables()]
    for system in systems.all:
        assert system() == system.__call__() and repr(system()) == f"{system.__name__}()"


def test_an_inverse_recovers_the_input():
    stage = systems.PrandtlIshlinskii(direct=0.8, thresholds=[0.1, 0.2, 0.4],
                                      weights=[0.3, 0.2, 0.1])
    u = np.sin(0.01 * np.arange(5000)) * (1.0 - 1.5e-4 * np.arange(5000))
    y = stage.follow(u)
    assert np.ptp(y - u) > 0.1
    inverse = stage.inverse()
    assert np.abs(inverse.follow(y) - u).max() < 1e-12
    assert "exact for every input" in inverse.exact


def test_a_play_lags_behind_by_its_threshold():
    play = systems.PrandtlIshlinskii(direct=0.0, thresholds=[0.5], weights=[1.0])
    assert np.allclose(play.follow([0.0, 2.0, 1.5, 1.0, 0.0]), [0.0, 1.5, 1.5, 1.5, 0.5])


def test_a_system_responds_to_a_signal():
    run = systems.make("bouc_wen").respond(bristle.Signal(amplitude=1.0), end=12.0, samples=101)
    assert run.ok and run.keys()[:3] == ["time", "input", "output"] and run.ledger is None
    assert np.allclose(run["input"], np.sin(run["time"]))
    assert "samples" in repr(run) and "<table>" in run._repr_html_() and len(run.events) == 0


def test_what_a_system_cannot_do_is_said():
    with pytest.raises(ValueError, match="no inverse is known"):
        systems.make("bouc_wen").inverse()
    with pytest.raises(ValueError, match="depends on time"):
        systems.make("bouc_wen").follow([0.0, 1.0])
    with pytest.raises(ValueError, match="inputs.1. = nan is not allowed"):
        systems.make("preisach").follow([0.0, np.nan])
    with pytest.raises(ValueError, match="inputs must have one dimension"):
        systems.make("preisach").follow(np.zeros((2, 2)))
    with pytest.raises(AttributeError, match="did you mean 'Preisach'"):
        systems.Preisah
    with pytest.raises(TypeError, match="takes a bristle.Signal"):
        systems.make("bouc_wen").respond([0.0, 1.0])


def test_loops_have_area_and_orientation():
    t = np.linspace(0.0, 2.0 * np.pi, 2001)[:-1]
    loop = bristle.loop(np.sin(t), 2.0 * np.cos(t))
    assert loop.area == pytest.approx(2.0 * np.pi, rel=1e-5) and loop.orientation == "clockwise"
    with pytest.raises(ValueError, match="as many of one as of the other"):
        bristle.loop([0.0, 1.0, 2.0], [0.0, 1.0])


def test_stick_slip_is_a_limit_cycle():
    run = bristle.simulate(laws.LuGre(), mechanisms.DraggedMass(), end=40.0)
    cycle = run.limit_cycle()
    assert cycle.kind == "exact stick-slip" or "exact" in cycle.kind
    assert cycle.period > 1.0 and 0.0 < cycle.stick_fraction < 1.0
    assert run.work_between(0.0, 40.0) == pytest.approx(run.ledger["work_in"])
    machine = bristle.MachineBuilder().body("a").contact("c", laws.Coulomb(), on="a").build()
    with pytest.raises(ValueError, match="only a run of a law on a mechanism"):
        bristle.simulate(machine, end=1.0).limit_cycle()
