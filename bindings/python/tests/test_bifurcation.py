# SPDX-License-Identifier: MIT
"""Bifurcation diagrams as arrays, after interrupts, from files and texts."""
import pathlib

import bristle
import numpy as np
import pytest
from interrupts import seconds_until_interrupted

EXPERIMENTS = pathlib.Path(__file__).parents[3] / "experiments"
RIG = """
[model]
name = "dahl"
stiffness = 1e5
coulomb_force = 5.0
[mechanism]
name = "base_excited_mass"
[input]
amplitude = 0.003
frequency = 62.83185307179586
[solve]
tolerance = 1e-8
"""
SPAN = ("input.amplitude", (0.002, 0.004))


def test_a_diagram_has_the_points_of_the_motion_once_per_period():
    found = bristle.bifurcation(RIG, *SPAN, values=4, periods=60, keep=10)
    assert np.allclose(found.values, [0.002, 0.002 + 2e-3 / 3, 0.002 + 4e-3 / 3, 0.004])
    assert list(found.kinds) == ["periodic"] * 4 and list(found.beats) == [1] * 4
    assert found.motions == [(0.002, 0.004, "periodic")]
    assert found.x.shape == found.y.shape == found.value.shape
    # The same motion simulated from the same rest, looked at once per drive period.
    body = bristle.mechanisms.BaseExcitedMass(
        signal=bristle.Signal(amplitude=0.004, frequency=62.83185307179586))
    period = 2.0 * np.pi / 62.83185307179586
    run = bristle.simulate(bristle.laws.Dahl(stiffness=1e5, coulomb_force=5.0), body,
                           end=60 * period, samples=61, tolerance=1e-8)
    last = found.x[found.value == 0.004]
    assert np.allclose(last, run["position"][-len(last):], atol=1e-7)
    assert "4 values" in repr(found)


def test_threads_do_not_change_a_diagram():
    one, two = (bristle.bifurcation(RIG, *SPAN, values=4, periods=30, keep=5, threads=n)
                for n in (1, 2))
    assert np.array_equal(one.x, two.x) and np.array_equal(one.y, two.y)


def test_ctrl_c_stops_a_diagram_and_the_same_call_goes_on(tmp_path):
    kept = tmp_path / "kept.csv"
    call = dict(values=400, periods=200, keep=5, kept=kept)
    assert seconds_until_interrupted(lambda: bristle.bifurcation(RIG, *SPAN, **call), 1.0) < 0.2
    assert kept.read_text().count("\n") > 2
    told = []
    with pytest.raises(KeyboardInterrupt):
        bristle.bifurcation(RIG, *SPAN, **call, progress=lambda part: told.append(part) or False)
    # It began with what was there.
    assert told[0] > 0.0 or kept.read_text().count("\n") > 2


def test_a_kept_diagram_ends_as_one_made_at_once(tmp_path):
    kept = tmp_path / "kept.csv"
    call = dict(values=5, periods=30, keep=5)
    whole = bristle.bifurcation(RIG, *SPAN, **call, kept=kept)
    lines = kept.read_text().splitlines()
    # All but the last value is there.
    last = [line for line in lines if line.startswith("4,")]
    kept.write_text("\n".join(line for line in lines if line not in last) + "\n")
    again = bristle.bifurcation(RIG, *SPAN, **call, kept=kept)
    assert np.array_equal(again.x, whole.x) and list(again.kinds) == list(whole.kinds)
    with pytest.raises(ValueError, match="belongs to another diagram"):
        bristle.bifurcation(RIG, SPAN[0], (0.001, 0.004), **call, kept=kept)


def test_wrong_diagrams_are_refused():
    with pytest.raises(ValueError, match="to = 0.001 must be greater than from = 0.002"):
        bristle.bifurcation(RIG, "input.amplitude", (0.002, 0.001))
    with pytest.raises(ValueError, match="values = 1.5 is not allowed"):
        bristle.bifurcation(RIG, *SPAN, values=1.5)
    with pytest.raises(ValueError, match="did you mean 'amplitude'"):
        bristle.bifurcation(RIG, "input.amplitud", (0.001, 0.002))
    with pytest.raises(ValueError, match="there is no column 'positon', did you mean 'position'"):
        bristle.bifurcation(RIG, *SPAN, x="positon")
    with pytest.raises(ValueError, match="a bifurcation diagram needs"):
        bristle.bifurcation(EXPERIMENTS / "t_1_4_coulomb.toml", "solve.end", (1.0, 2.0))
    with pytest.raises(TypeError):
        bristle.bifurcation(RIG, "input.amplitude", 0.002)
    with pytest.raises(OSError):
        bristle.bifurcation("nowhere.toml", *SPAN)


def test_a_diagram_draws_itself():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = bristle.bifurcation(RIG, *SPAN, values=3, periods=10, keep=3).plot()
    assert axes.get_xlabel().startswith("input.amplitude [") and "[m]" in axes.get_ylabel()
