# SPDX-License-Identifier: MIT
"""Excitation design, fits of machines and of own laws, spectra, certificates, maps, experiments."""
import bristle
import numpy as np
import pytest
from bristle import MachineBuilder, OwnLaw, Signal, couplings, laws, mechanisms, systems


def test_an_excitation_stays_within_its_limits():
    motion = bristle.excite(laws.LuGre(stiffness=1e5), stroke=0.002, speed=0.02, duration=5.0,
                            rate=500.0, trials=50)
    assert np.abs(motion.position).max() <= 0.002 * (1 + 1e-9)
    assert np.abs(motion.velocity).max() <= 0.02 * (1 + 1e-9)
    assert 1 <= len(motion.sines) <= 3 and motion.deviations["stiffness"] > 0.0
    # The motion proposed is at least as good as the best single sine.
    assert motion.gain >= 0.0
    with pytest.raises(ValueError, match="there is no option 'strok', did you mean 'stroke'"):
        bristle.excite(laws.LuGre(), strok=0.1)
    with pytest.raises(ValueError, match="did you mean 'stiffness'"):
        bristle.excite(laws.LuGre(), fix=["stifness"])
    with pytest.raises(TypeError, match="must be a law with the values expected"):
        bristle.excite("lugre")


def axis(inertia=2.0, coulomb=1.5):
    return (MachineBuilder().body("slide", inertia=inertia)
            .coupling("drag", couplings.SpringDamper(damping=3.0), on="slide")
            .contact("guide", laws.Coulomb(coulomb_force=coulomb), on="slide")
            .input("force", on="slide", amplitude=6.0, frequency=4.0).build())


def test_a_fit_of_a_machine_finds_the_machine_that_made_the_data():
    run = bristle.simulate(axis(), end=6.0, samples=1201, tolerance=1e-10)
    rng = np.random.default_rng(5)
    t = run["time"]
    measured = {"time": t, "force": 6.0 * np.sin(4.0 * t),
                "slide.position": run["slide.position"] + 1e-5 * rng.standard_normal(len(t))}
    found = bristle.fit_machine(axis(1.0, 1.0), measured, starts=8,
                                free=["body.slide.inertia", "contact.guide.coulomb_force"])
    assert found.converged
    inertia = found.parameters["body.slide.inertia"]
    assert inertia.unit == "kg" and inertia.lower < 2.0 < inertia.upper
    friction = found.parameters["contact.guide.coulomb_force"]
    assert friction.lower < 1.5 < friction.upper and friction.upper - friction.lower < 0.05
    assert found.machine.parameters["body.slide.inertia"] == inertia.value
    assert len(found.predicted[0]["slide.position"]) == 1201
    with pytest.raises(ValueError, match="there is no input or reading 'forc'"):
        bristle.fit_machine(axis(), {**measured, "forc": t}, free=["body.slide.inertia"])
    with pytest.raises(ValueError, match="must be BODY.position or BODY.velocity"):
        bristle.fit_machine(axis(), measured, free=["body.slide.inertia"], readings=["slide"])
    with pytest.raises(ValueError, match="there is no option 'start', did you mean 'starts'"):
        bristle.fit_machine(axis(), measured, free=["body.slide.inertia"], start=1)


class Dahl(OwnLaw):
    stiffness, level = 1000.0, 2.0

    @property
    def state_scale(self):
        return self.level / self.stiffness

    def rate(self, z, motion):
        return motion.velocity - motion.speed * self.stiffness * z / self.level

    def force(self, z, motion):
        return self.stiffness * z


def test_a_law_written_in_python_is_fitted():
    motion = mechanisms.PrescribedMotion(signal=Signal(amplitude=0.01, frequency=2.0))
    true = laws.Dahl(stiffness=2000.0, coulomb_force=3.0, exponent=1.0)
    run = bristle.simulate(true, motion, end=4.0, samples=201, tolerance=1e-10)
    force = run["force"] + 0.01 * np.random.default_rng(3).standard_normal(201)
    found = bristle.fit(Dahl, time=run["time"], position=run["position"], force=force,
                        guess={"stiffness": 1000.0, "level": 2.0})
    assert found.converged and found.fitted.rmse < 0.02
    assert found.parameters["stiffness"].value == pytest.approx(2000.0, rel=0.02)
    level = found.parameters["level"]
    assert level.lower < 3.0 < level.upper and level.upper - level.lower < 0.02
    assert isinstance(found.law, Dahl) and "Fit of Dahl" in repr(found)
    with pytest.raises(ValueError, match="needs a value for each parameter to begin with"):
        bristle.fit(Dahl, time=run["time"], position=run["position"], force=force)
    with pytest.raises(ValueError, match="run 1 has no column position"):
        bristle.fit(Dahl, time=run["time"], force=force, guess={"level": 1.0})
    with pytest.raises(ValueError, match="did you mean 'stiffness'"):
        Dahl(stifness=1.0)


def test_a_spectrum_has_the_peak_of_its_sine():
    t = np.arange(4000) * 1e-3
    found = bristle.spectrum(t, 0.3 * np.sin(2 * np.pi * 12.34 * t), named=[12.34])
    assert found.peaks[0].frequency == pytest.approx(12.34, abs=1e-3)
    assert found.peaks[0].amplitude == pytest.approx(0.3, rel=1e-3) and found.peaks[0].name == "f1"


def test_frbd_is_certified_and_lugre_loses_its_passivity_at_speed():
    assert bristle.certify(laws.FrBD()).passive
    # LuGre is passive while damping^2 v < 4 (damping + viscous) g(v), g being 1 N at speed.
    law = laws.LuGre(damping=300.0, viscous=0.0, coulomb_force=1.0, static_force=1.0)
    found = bristle.certify(law)
    assert not found.passive and found.speed == pytest.approx(4.0 / 300.0, rel=1e-6)


def test_a_linearised_law_has_the_slope_of_its_steady_curve_at_low_frequency():
    law = laws.LuGre(stiffness=1e4, damping=10.0, viscous=0.4)
    found = bristle.linearise(law, 0.05)
    slope = (law.steady(0.05 + 1e-6) - law.steady(0.05 - 1e-6)) / 2e-6
    assert found.response(0.0).real == pytest.approx(slope, rel=1e-4)


def test_maps_of_operators_and_what_they_tell():
    play = systems.PrandtlIshlinskii(direct=0.0, thresholds=[0.5], weights=[1.0])
    loop = play.map(Signal(amplitude=2.0))
    # A play of threshold r under amplitude A encloses (A - r) 2 r 2, counterclockwise.
    assert loop.closed and loop.area == pytest.approx(-4.0 * 0.5 * 1.5, rel=1e-6)
    told = play.properties(Signal(amplitude=2.0))
    assert told.hysteretic and told.rate_dependent is False and told.return_point


def test_an_operator_is_fitted_to_a_measured_loop_of_either_orientation():
    u = np.concatenate([np.sin(np.linspace(0.0, 4 * np.pi, 801)),
                        0.5 * np.sin(np.linspace(0.0, 2 * np.pi, 401))])
    lagging = systems.PrandtlIshlinskii(direct=0.6, thresholds=[0.2, 0.5], weights=[0.3, 0.2])
    found = systems.fit(u, lagging.follow(u))
    assert found.quality.explains and found.quality.r2 > 0.999
    y = found.follow(u)
    assert np.abs(found.inverse().follow(y) - u).max() < 1e-9
    damper = systems.PrandtlIshlinskii(direct=1.2, thresholds=[0.1, 0.4], weights=[-0.5, -0.4])
    stopped = systems.fit(u, damper.follow(u))
    assert stopped.quality.explains and stopped.quality.r2 > 0.999
    straight = systems.fit(u, 2.0 * u)
    assert not straight.quality.explains and straight.quality.why_not


def test_published_experiments_are_reproduced():
    assert "r_8_stick_slip" in bristle.experiments()
    done = bristle.reproduce("t_1_4_coulomb")
    assert done.facts and all("not" not in fact["verdict"] for fact in done.facts)
    with pytest.raises(ValueError, match="did you mean 't_1_4_coulomb'"):
        bristle.reproduce("t_1_4_coulmb")
    with pytest.raises(OSError, match="is not a directory of experiments"):
        bristle.experiments("nowhere")


def test_text_of_a_result_is_escaped_in_html():
    machine = MachineBuilder().body("a").contact("c", laws.Coulomb(), on="a").build()
    result = bristle.simulate(machine, end=0.1, samples=3)
    result._table = [("<script>", "m", "x & y")]
    result._core = type("Core", (), {
        "column": lambda s, n: np.zeros(1), "message": "<b>", "ledger": lambda s: None,
        "events": lambda s: {}, "ok": True})()
    html = result._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html and "&lt;b&gt;" in html


def test_signals_of_couplings_and_unknown_ones_are_told_apart():
    builder = bristle.MachineBuilder().body("a", inertia=1.0, motion="rotation")
    with pytest.raises(ValueError, match="did you mean 'goal'"):
        builder.coupling("servo", bristle.couplings.Servo(), on="a",
                         signals={"gaol": bristle.Signal()})
    with pytest.raises(TypeError, match="a signal is a bristle.Signal"):
        builder.coupling("servo", bristle.couplings.Servo(), on="a", signals={"goal": 1.0})


def test_the_indirect_force_is_that_of_the_run_where_all_is_measured():
    body = bristle.mechanisms.BaseExcitedMass(
        signal=bristle.Signal(amplitude=0.003, frequency=30.0))
    run = bristle.simulate(bristle.laws.Dahl(stiffness=1e5, coulomb_force=10.0), body, end=1.0,
                           samples=4001)
    found = bristle.indirect_force(body, time=run["time"], position=run["position"],
                                   velocity=run["velocity"], base=run["input"])
    scale = abs(run["force"]).max()
    assert abs(found.force - run["force"])[20:-20].max() < 0.02 * scale
    with pytest.raises(ValueError, match="degree"):
        bristle.indirect_force(body, time=run["time"], position=run["position"],
                               base=run["input"], half_width=1, degree=4)
