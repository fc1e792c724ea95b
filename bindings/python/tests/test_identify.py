# SPDX-License-Identifier: MIT
"""Fits of arrays, frames and files, and experiment files."""
import pathlib

import bristle
import numpy as np
import pytest
from bristle import laws, mechanisms
from interrupts import seconds_until_interrupted

ROOT = pathlib.Path(__file__).parents[3]
TRUE = laws.Dahl(stiffness=2000.0)


@pytest.fixture(scope="module")
def strokes():
    motion = mechanisms.PrescribedMotion(signal=bristle.Signal(amplitude=0.01, frequency=2.0))
    run = bristle.simulate(TRUE, motion, end=8.0, samples=801, tolerance=1e-10)
    return {name: run[name] for name in ("time", "position", "velocity", "force")}


def test_a_fit_finds_the_law_that_made_the_data(strokes):
    fitted = bristle.fit(laws.Dahl, **strokes, starts=16, threads=2)
    assert fitted.converged and fitted.law.name == "dahl"
    assert fitted.fitted.rmse < 1e-3 * np.ptp(strokes["force"])
    stiffness = fitted.parameters["stiffness"]
    assert stiffness.value == pytest.approx(TRUE.stiffness, rel=0.05) and stiffness.unit == "N/m"
    assert len(fitted.predicted[0]) == len(strokes["time"])
    assert "Fit of dahl" in repr(fitted)


def test_frames_dictionaries_and_files_are_data(strokes, tmp_path):
    direct = bristle.fit("dahl", **strokes, starts=8).law
    assert bristle.fit("dahl", strokes, starts=8).law == direct
    renamed = {"t": strokes["time"], "position": strokes["position"],
               "velocity": strokes["velocity"], "force": strokes["force"]}
    assert bristle.fit("dahl", renamed, columns={"time": "t"}, starts=8).law == direct
    rows = np.column_stack([strokes[n] for n in ("time", "position", "velocity", "force")])
    path = tmp_path / "strokes.csv"
    np.savetxt(path, rows, delimiter=",", header="time,position,velocity,force", comments="",
               fmt="%.17g")
    assert bristle.fit("dahl", path, starts=8).law == direct
    pandas = pytest.importorskip("pandas")
    assert bristle.fit("dahl", pandas.DataFrame(strokes), starts=8).law == direct


def test_laws_are_ranked_by_what_they_have_not_seen(strokes):
    ranking = bristle.compare(strokes, models=[laws.Coulomb, "dahl"], starts=8)
    assert [one.law.name for one in ranking] == ["dahl", "coulomb"]
    assert ranking[0].held_out.rmse < ranking[1].held_out.rmse


def test_wrong_data_are_refused(strokes):
    with pytest.raises(ValueError, match="there is no option 'hold_uot', did you mean 'hold_out'"):
        bristle.fit("dahl", strokes, hold_uot=0.3)
    with pytest.raises(ValueError, match="there is no model 'dahll', did you mean 'dahl'"):
        bristle.fit("dahll", strokes)
    with pytest.raises(ValueError, match="dahl: there is no field 'stifness'"):
        bristle.fit("dahl", strokes, fix={"stifness": 1.0})
    with pytest.raises(TypeError, match="give either data or columns"):
        bristle.fit("dahl")
    with pytest.raises(TypeError, match="must be a class of bristle.laws or its name"):
        bristle.fit(3, strokes)
    with pytest.raises(TypeError, match="class 'dict'.* the data come after it"):
        bristle.fit(strokes, "dahl")
    for data in (3, np.zeros((4, 3)), [1.0]):
        with pytest.raises(TypeError, match="a run must be a dictionary or a frame"):
            bristle.compare(data)
    with pytest.raises(ValueError, match="has no runs"):
        bristle.compare([])
    with pytest.raises(ValueError, match="force.0. = nan is not allowed"):
        bristle.fit("dahl", {**strokes, "force": np.full(801, np.nan)})
    with pytest.raises(ValueError):
        bristle.fit("dahl", {**strokes, "force": strokes["force"][:-1]})
    with pytest.raises(FileNotFoundError, match="nowhere.csv"):
        bristle.fit("dahl", "nowhere.csv")
    with pytest.raises(ValueError, match="hold_out = 2 is not allowed"):
        bristle.fit("dahl", strokes, hold_out=2.0)


def test_experiment_files_are_run_and_judged():
    done = bristle.run_file(ROOT / "experiments" / "t_1_4_coulomb.toml")
    assert done.cases and done.facts
    assert all("not" not in fact["verdict"] for fact in done.facts)
    assert len(done.result["force"]) > 10 and "cases" in repr(done)


def test_a_text_is_run_with_settings():
    text = '[model]\nname = "lugre"\n[mechanism]\nname = "dragged_mass"\n[solve]\nend = 2.0\n'
    done = bristle.run_file(text, settings={"solve.samples": 11})
    assert len(done.result["time"]) == 11 and done.result.limit_cycle().cycles == 0
    with pytest.raises(ValueError, match="contradict|did you mean 'solve'"):
        bristle.run_file(text, settings={"solv.samples": 11})


def test_a_fit_can_begin_with_the_result_of_another(strokes):
    first = bristle.fit("dahl", strokes, starts=16)
    again = bristle.fit(data=strokes, start=first.part, starts=0)
    assert again.law.name == "dahl"
    assert again.law.stiffness == pytest.approx(first.law.stiffness, rel=1e-4)
    with pytest.raises(ValueError, match="start: is of the law dahl, not of lugre"):
        bristle.fit("lugre", strokes, start=first.part)
    with pytest.raises(TypeError, match="start takes a bristle.Part"):
        bristle.fit(data=strokes, start="part.toml")


def test_a_profile_has_its_minimum_at_the_value_found(strokes):
    rng = np.random.default_rng(2)
    noisy = {**strokes, "force": strokes["force"] + 0.01 * rng.standard_normal(801)}
    fitted = bristle.fit("dahl", noisy, starts=8)
    profile = fitted.profile("stiffness", points=11)
    value = fitted.parameters["stiffness"].value
    assert profile.lower < value < profile.upper
    assert profile.rise.min() >= -1e-6 and abs(profile.value[profile.rise.argmin()] - value) < 0.2 * value
    with pytest.raises(ValueError, match="there is no fitted parameter 'stifness', did you mean 'stiffness'"):
        fitted.profile("stifness")


def test_a_delay_of_the_force_is_found_and_taken_out(strokes):
    t = strokes["time"]
    delayed = {**strokes, "force": np.interp(t - 0.025, t, strokes["force"])}
    del delayed["velocity"]
    found = bristle.fit("dahl", delayed, starts=8, delay="auto")
    assert found.delay.seen and found.delay.delay == pytest.approx(0.025, abs=0.005)
    assert found.delay.rmse_with < 0.5 * found.delay.rmse_without
    given = bristle.fit("dahl", delayed, starts=8, delay=0.025)
    assert given.delay is None and given.fitted.rmse < 0.5 * found.delay.rmse_without
    with pytest.raises(ValueError, match="delay = soon is not allowed"):
        bristle.fit("dahl", delayed, delay="soon")


def test_mechanics_are_fitted_beside_the_law(strokes):
    t = strokes["time"]
    acceleration = -4.0 * strokes["position"]
    torque = {**strokes, "force": strokes["force"] + 50.0 * acceleration + 0.3}
    found = bristle.fit("dahl", torque, starts=8, terms=["inertia", "offset", "friction"])
    assert found.parameters["inertia"].value == pytest.approx(50.0, rel=0.05)
    assert found.parameters["offset"].value == pytest.approx(0.3, abs=0.05)
    assert len(t) == 801
    with pytest.raises(ValueError, match="there is no term 'inerta', did you mean 'inertia'"):
        bristle.fit("dahl", torque, terms="inerta,friction")


def test_motion_under_an_input_is_fitted():
    body = mechanisms.WallSpringMass(signal=bristle.Signal(amplitude=6.0, frequency=3.0))
    true = laws.Dahl(stiffness=500.0, coulomb_force=2.0)
    run = bristle.simulate(true, body, end=4.0, samples=401, tolerance=1e-10)
    data = {name: run[name] for name in ("time", "position", "input")}
    found = bristle.fit("dahl", data, mechanism="wall_spring_mass", steps=4, starts=4)
    assert found.law.coulomb_force == pytest.approx(2.0, rel=1e-2)
    assert found.law.stiffness == pytest.approx(500.0, rel=5e-2) and found.mechanism["mass"] == 1.0
    heavier = bristle.fit("dahl", data, mechanism="wall_spring_mass", steps=4, starts=4,
                          fix={"mechanism.mass": 2.0})
    assert heavier.mechanism["mass"] == 2.0 and heavier.fitted.rmse > 10.0 * found.fitted.rmse
    with pytest.raises(ValueError, match="did you mean 'wall_spring_mass'"):
        bristle.fit("dahl", data, mechanism="wall_spring_mas")


def test_whole_runs_are_held_out_by_name(strokes):
    half = {name: values[:400] for name, values in strokes.items()}
    found = bristle.fit("dahl", [strokes, half], starts=8, hold_out=["2"])
    assert found.held_out.samples == 400 and found.held_out.rmse < 1e-3 * np.ptp(strokes["force"])


def test_a_force_of_the_wrong_sign_is_doubted(strokes):
    found = bristle.fit("coulomb", {**strokes, "force": -strokes["force"]}, starts=4)
    assert any("is its sign reversed?" in warning for warning in found.warnings)
    right = bristle.fit("coulomb", strokes, starts=4)
    assert not any("is its sign reversed?" in warning for warning in right.warnings)


def test_a_load_that_the_law_has_no_use_for_is_noted(strokes):
    found = bristle.fit("dahl", {**strokes, "load": np.full(801, 5.0)}, starts=4)
    assert any("load: not used" in note for note in found.notes)


def test_parameters_may_depend_on_a_column(strokes, tmp_path):
    oil = np.linspace(20.0, 60.0, 801)
    warm = {**strokes, "force": strokes["force"] * (1.0 - 5e-3 * (oil - 40.0)), "oil": oil}
    found = bristle.fit("dahl", warm, depends={"force": "oil:linear"}, starts=8)
    slope = found.parameters["force.oil"]
    assert slope.free and slope.value == pytest.approx(-5e-3, rel=0.02)
    [depends] = found.part.depends
    assert (depends.parameter, depends.column, depends.form) == ("force", "oil", "linear")
    hot = found.part.law(at={"oil": 60.0}).coulomb_force / found.part.law(at={"oil": 20.0}).coulomb_force
    assert hot == pytest.approx(0.9 / 1.1, rel=0.01) and found.part.domain["oil"][:2] == (20.0, 60.0)
    again = bristle.fit(data=warm, start=found.part, starts=0)
    assert again.parameters["force.oil"].value == pytest.approx(slope.value, rel=1e-3)
    path = tmp_path / "warm.csv"
    np.savetxt(path, np.column_stack(list(warm.values())), delimiter=",", header=",".join(warm),
               comments="", fmt="%.17g")
    filed = bristle.fit("dahl", path, depends=["force=oil:linear"], starts=8)
    assert filed.parameters["force.oil"].value == pytest.approx(slope.value, rel=1e-6)
    for depends, sentence in (({"force": "oil"}, "must read NAME=COLUMN:FORM"),
                              ({"force": "oil:linaer"}, "did you mean 'linear'"),
                              ({"forse": "oil:linear"}, "did you mean 'force'"),
                              ({"force": "water:linear"}, "run 1 has no column water")):
        with pytest.raises(ValueError, match=sentence):
            bristle.fit("dahl", warm, depends=depends)
    with pytest.raises(TypeError, match="depends = 3 is not allowed, it must be a list of names"):
        bristle.fit("dahl", warm, depends=3)
    with pytest.raises(ValueError, match="at: there is no column 'iol', did you mean 'oil'"):
        found.part.law(at={"iol": 20.0})
    with pytest.raises(ValueError, match="has parameters that depend on columns"):
        bristle.compare(warm, start=found.part)


def test_conditions_of_usual_names_are_in_the_domain_of_the_part(strokes):
    warm = {**strokes, "temperature": np.linspace(20.0, 60.0, 801)}
    assert bristle.fit("dahl", warm, starts=4).part.domain["temperature"][:2] == (20.0, 60.0)
    renamed = {**strokes, "T": warm["temperature"]}
    found = bristle.fit("dahl", renamed, columns={"temperature": "T"}, starts=4)
    assert found.part.domain["temperature"][:2] == (20.0, 60.0)


def pushed_through_a_gap(position, gap, stiffness, coulomb):
    """The force of Dahl on a drive that pushes with either side of a gap, and never pulls."""
    force, side, place, forces = 0.0, 1.0, gap, [0.0]
    for way in np.diff(position):
        if side:
            end = np.sign(way) * coulomb
            bent = end + (force - end) * np.exp(-stiffness * abs(way) / coulomb)
            if bent * side >= 0.0:
                force = bent
                forces.append(force)
                continue
            way *= 1.0 - force / (force - bent)
            side = 0.0
        place, force = place + way, 0.0
        if abs(place) > gap:
            side = np.sign(place)
            force = side * coulomb * (1.0 - np.exp(-stiffness * (abs(place) - gap) / coulomb))
            place = side * gap
        forces.append(force)
    return np.array(forces)


def test_backlash_is_found_between_the_motion_and_the_body(strokes):
    force = pushed_through_a_gap(strokes["position"], 4e-4, TRUE.stiffness, TRUE.coulomb_force)
    data = {**strokes, "force": force}
    found = bristle.fit("dahl", data, backlash=True, starts=16, smooth=False)
    assert found.parameters["backlash"].value == pytest.approx(4e-4, rel=0.05)
    assert found.fitted.rmse < 0.5 * bristle.fit("dahl", data, starts=16, smooth=False).fitted.rmse
    again = bristle.fit(data=data, start=found.part, starts=0, smooth=False)
    assert again.parameters["backlash"].value == pytest.approx(4e-4, rel=0.05)
    with pytest.raises(TypeError, match="backlash = 'yes' is not allowed, it must be True or False"):
        bristle.fit("dahl", data, backlash="yes")


def test_joints_of_one_record_are_fitted_one_by_one(strokes):
    arm = {"time": strokes["time"], "q1": 50.0 * strokes["position"],
           "i1": strokes["force"] / 50.0 / 0.1, "q2": strokes["position"],
           "tau2": 2.0 * strokes["force"]}
    joints = {"shoulder": {"position": "q1", "force": "i1", "gear": 50.0, "motor_constant": 0.1},
              "elbow": {"position": "q2", "force": "tau2"}}
    found = bristle.fit_joints("dahl", arm, joints=joints, starts=8, rotation=True)
    assert list(found) == ["shoulder", "elbow"]
    assert found["shoulder"].law.coulomb_force == pytest.approx(TRUE.coulomb_force, rel=0.01)
    assert found["elbow"].law.coulomb_force == pytest.approx(2.0 * TRUE.coulomb_force, rel=0.01)
    assert found["elbow"].parameters["coulomb_force"].unit == "N m"
    with pytest.raises(ValueError, match="joint a: there is no setting of a joint 'gaer', did you mean 'gear'"):
        bristle.fit_joints("dahl", arm, joints={"a": {"position": "q1", "force": "i1", "gaer": 2.0}})
    with pytest.raises(ValueError, match="joint a: force is missing"):
        bristle.fit_joints("dahl", arm, joints={"a": {"position": "q1"}})
    with pytest.raises(ValueError, match="gear = 0 is not allowed, it must be finite and not 0"):
        bristle.fit_joints("dahl", arm, joints={"a": {"position": "q1", "force": "i1", "gear": 0.0}})


def test_a_comparison_can_begin_with_a_part(strokes):
    held = bristle.fit("dahl", strokes, fix={"exponent": 1.2}, starts=8)
    ranking = bristle.compare(strokes, models=["coulomb", "dahl"], start=held.part, starts=8)
    assert ranking[0].law.name == "dahl" and ranking[0].law.exponent == 1.2
    with pytest.raises(ValueError, match="start: is of the law dahl, which is not among models"):
        bristle.compare(strokes, models=["coulomb"], start=held.part)


def test_a_load_is_tried_as_a_form_of_a_comparison(strokes):
    load = 5.0 + 2.0 * np.sin(0.7 * strokes["time"])
    pressed = {**strokes, "force": strokes["force"] * load / 5.0, "load": load}
    ranking = bristle.compare(pressed, models=["dahl"], forms=True, starts=8)
    assert ranking[0].name == "dahl + load"
    assert ranking[0].held_out.rmse < 0.5 * next(f for f in ranking if f.name == "dahl").held_out.rmse


def test_forms_and_nested_cross_validation_of_a_comparison(strokes):
    shifted = {**strokes, "force": strokes["force"] + 0.2}
    found = bristle.compare(shifted, models=["coulomb", "dahl"], starts=4, forms=True, nested=2)
    assert found[0].name.startswith("dahl + offset") and found.simplest in list(found)
    assert len(found.folds) == 2 and found.nested_error > 0.0
    assert found.best_dynamic < found.best_static
    with pytest.raises(ValueError, match="nested = 1 is not allowed"):
        bristle.compare(strokes, models=["dahl"], nested=1)


def test_ctrl_c_stops_fits_and_comparisons(strokes):
    many = [strokes] * 3
    assert seconds_until_interrupted(
        lambda: bristle.fit("elasto_plastic", many, starts=100000)) < 2.0
    assert seconds_until_interrupted(lambda: bristle.compare(many, starts=100000)) < 2.0
    # And what comes after is not stopped.
    assert bristle.fit("dahl", strokes, starts=8).converged


def test_results_of_a_file_are_written_as_the_command_writes_them(tmp_path):
    done = bristle.run_file(ROOT / "experiments" / "t_1_4_coulomb.toml")
    done.write(tmp_path / "out", figures=False)
    assert {"report.html", "summary.json", "experiment.toml"} <= {
        p.name for p in (tmp_path / "out").iterdir()}


def test_options_of_the_wrong_kind_or_out_of_range_are_refused(strokes):
    for options, error, sentence in (
            ({"free": 1.0}, TypeError, "free must be a list of names, not 1.0"),
            ({"guess": [1.0]}, TypeError, "it must be a dictionary of name to number"),
            ({"bounds": {"stiffness": 1.0}}, TypeError, "a dictionary of name to a pair of numbers"),
            ({"starts": 1.5}, TypeError, "starts = 1.5 is not allowed, it must be a whole number"),
            ({"starts": -1}, ValueError, "starts = -1 is not allowed, it must be at least 0"),
            ({"threads": 0}, ValueError, "threads = 0 is not allowed, it must be at least 1"),
            ({"bandwidth": "wide"}, TypeError, "bandwidth = 'wide' is not allowed, it must be a number"),
            ({"hold_out": ["3"]}, ValueError, "there is no run '3'")):
        with pytest.raises(error, match=sentence):
            bristle.fit("dahl", strokes, **options)
    # And a name is taken, or a list of them.
    for free in ("exponent", ["exponent"]):
        assert bristle.fit("dahl", strokes, starts=8, free=free).parameters["exponent"].free
