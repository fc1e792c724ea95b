# SPDX-License-Identifier: MIT
"""Sweeps: planned, run on all cores, read back as arrays, in parts, after interrupts."""
import pathlib

import bristle
import numpy as np
import pytest
from bristle import laws, mechanisms
from interrupts import seconds_until_interrupted

STICK_SLIP = """
[model]
name = "coulomb"
coulomb_force = 1.5
[mechanism]
name = "dragged_mass"
spring = 2.0
drag_velocity = 0.1
[solve]
end = 12.0
samples = 101
"""
SPEEDS = [0.05, 0.1, 0.2, 0.4]
SPRINGS = [1.0, 3.0, 9.0]
GRID = {"mechanism.drag_velocity": SPEEDS, "mechanism.spring": SPRINGS}


def test_a_plan_knows_its_runs():
    plan = bristle.Sweep(STICK_SLIP, vary=GRID, quantities=["max_force", "stick_slip"])
    assert len(plan) == 12 and plan.fields == list(GRID)
    assert plan.quantities == ["max_force", "stick_slip"]
    # The last axis is the fastest.
    assert plan.values(2) == {"mechanism.drag_velocity": 0.05, "mechanism.spring": 3.0}
    with pytest.raises(ValueError, match="number = 13 is not allowed, it must be at least 1 and at most 12"):
        plan.values(13)
    assert "12 runs over mechanism.drag_velocity" in repr(plan)


def test_a_sweep_has_the_numbers_of_runs_made_one_by_one():
    result = bristle.sweep(STICK_SLIP, vary=GRID, quantities=["max_position", "period"])
    assert result.complete and result.failed == 0 and list(result["status"]) == ["done"] * 12
    assert np.array_equal(result["number"], np.arange(1, 13))
    grid = result.grid("max_position")
    assert grid.shape == (4, 3)
    for i, speed in enumerate(SPEEDS):
        for j, spring in enumerate(SPRINGS):
            body = mechanisms.DraggedMass(spring=spring, drag_velocity=speed)
            alone = bristle.simulate(laws.Coulomb(coulomb_force=1.5), body, end=12.0, samples=101)
            assert grid[i, j] == pytest.approx(alone["position"].max(), rel=1e-9)
    assert result.statistics["max_position"].largest == grid.max()
    assert result.statistics["max_position"].median == pytest.approx(np.median(grid))


def test_threads_do_not_change_a_sweep():
    one, two = (bristle.sweep(STICK_SLIP, vary=GRID, quantities=["max_position"], threads=n)
                for n in (1, 2))
    assert np.array_equal(one["max_position"], two["max_position"])


def test_ranges_are_written_as_the_command_writes_them():
    plan = bristle.Sweep(STICK_SLIP, vary={"mechanism.spring": "1:16:3:log"}, quantities="max_force")
    assert [plan.values(i)["mechanism.spring"] for i in (1, 2, 3)] == pytest.approx([1.0, 4.0, 16.0])


def test_words_and_missing_quantities_are_kept_apart():
    result = bristle.sweep(STICK_SLIP, vary={"model.coulomb_force": [0.01, 1e3]},
                           quantities=["stick_slip", "period"])
    # Held by 1000 N the body never moves, and has no period.
    assert result["stick_slip"].dtype == object and isinstance(result["stick_slip"][0], str)
    assert np.isnan(result["period"][1]) and result.statistics["period"].undefined >= 1


DRAWN = STICK_SLIP + """
[[draw]]
field = "model.coulomb_force"
uniform = [0.9, 1.1]
[[draw]]
field = "mechanism.spring"
normal = [2.0, 0.1]
[ensemble]
quantity = ["max_position"]
draws = 40
seed = 3
"""


def test_draws_follow_their_seed_and_have_a_shape():
    result = bristle.sweep(DRAWN)
    assert len(result["number"]) == 40
    force = result["model.coulomb_force"]
    assert force.min() >= 0.9 and force.max() <= 1.1 and np.ptp(force) > 0.15
    assert np.array_equal(bristle.sweep(DRAWN)["mechanism.spring"], result["mechanism.spring"])
    both = bristle.sweep(DRAWN, vary={"mechanism.drag_velocity": [0.1, 0.2, 0.3]})
    assert both.grid("max_position").shape == (40, 3)


def test_sensitivities_come_with_a_sweep_that_asks_for_them():
    text = DRAWN.replace("draws = 40\n", "") + '[sensitivity]\nmethod = "morris"\nsamples = 4\n'
    result = bristle.sweep(text)
    of = result.sensitivity["max_position"]
    assert set(of) == {"model.coulomb_force", "mechanism.spring"}
    assert of["model.coulomb_force"].total > 0.0


def test_one_run_is_run_alone_with_all_of_its_columns():
    plan = bristle.Sweep(STICK_SLIP, vary=GRID, quantities=["max_position"])
    alone = plan.only(5)
    assert len(alone.result["position"]) == 101 and "run 5 of a sweep" in alone.title
    assert alone.result["position"].max() == pytest.approx(plan.run()["max_position"][4])


def test_results_are_written_read_and_merged(tmp_path):
    plan = bristle.Sweep(STICK_SLIP, vary=GRID, quantities=["max_position"])
    whole = plan.run(out=tmp_path / "whole", figures=False)
    again = bristle.read_sweep(tmp_path / "whole")
    assert np.array_equal(again["max_position"], whole["max_position"])
    assert again.grid("max_position").shape == (4, 3)
    parts = [tmp_path / f"part{i}" for i in (1, 2, 3)]
    for i, part in enumerate(parts):
        one = plan.run(out=part, part=(i + 1, 3), figures=False)
        assert len(one["number"]) == 4 and not one.complete
    with pytest.raises(ValueError, match="4 of 12 runs were made: an unfinished sweep has no grid"):
        one.grid("max_position")
    merged = bristle.merge_sweeps(parts, tmp_path / "all", figures=False)
    assert np.array_equal(merged["max_position"], whole["max_position"])
    whole_text, merged_text = ((tmp_path / d / "sweep.csv").read_bytes() for d in ("whole", "all"))
    assert whole_text == merged_text


LONG = STICK_SLIP.replace("end = 12.0", "end = 4000.0").replace("coulomb", "lugre").replace(
    "lugre_force", "coulomb_force").replace("1.5", "1.0")


def test_ctrl_c_stops_a_sweep_and_the_same_call_goes_on(tmp_path):
    plan = bristle.Sweep(LONG, vary={"mechanism.drag_velocity": np.linspace(0.05, 0.1, 2000)},
                         quantities=["max_position"])
    out = tmp_path / "out"
    assert seconds_until_interrupted(lambda: plan.run(out=out, figures=False), 1.0) < 0.2
    kept = pathlib.Path(str(out) + ".unfinished")
    assert not out.exists() and kept.stat().st_size > 100
    before = kept.stat().st_size
    some = plan.run(out=out, figures=False, budget=1.0)
    assert some.budget_spent and 1 < len(some["number"]) < 2000 and kept.stat().st_size > before
    # And in memory nothing is left behind.
    assert seconds_until_interrupted(plan.run) < 0.2


def test_progress_is_told_and_can_end_a_sweep():
    told = []

    def progress(part):
        told.append(part)
        return len(told) < 5

    plan = bristle.Sweep(LONG, vary={"mechanism.drag_velocity": np.linspace(0.05, 0.1, 2000)},
                         quantities=["max_position"])
    with pytest.raises(KeyboardInterrupt):
        plan.run(progress=progress)
    assert all(0.0 <= part <= 1.0 for part in told)
    # Once it has said so it is not asked again.
    assert len(told) == 5
    with pytest.raises(ZeroDivisionError):
        plan.run(progress=lambda part: 1 / 0)


def test_runs_that_fail_are_rows_with_their_reason():
    text = STICK_SLIP.replace("samples = 101", "samples = 101\nstep_limit = 20").replace(
        "coulomb\"\ncoulomb_force = 1.5", "lugre\"")
    with pytest.warns(RuntimeWarning, match="of 2 runs failed, the first because"):
        result = bristle.sweep(text, vary={"mechanism.spring": [1.0, 2.0]}, quantities="max_force")
    assert result.failed == 2 and "step" in result["status"][0]
    assert np.isnan(result["max_force"]).all()


def test_wrong_sweeps_are_refused():
    vary = {"mechanism.spring": [1.0, 2.0]}
    with pytest.raises(ValueError, match="varies nothing"):
        bristle.sweep(STICK_SLIP, quantities="max_force")
    with pytest.raises(ValueError, match="did you mean 'spring'"):
        bristle.sweep(STICK_SLIP, vary={"mechanism.sprin": [1.0]}, quantities="max_force")
    with pytest.raises(ValueError, match="there is no quantity 'max_forc', did you mean 'max_force'"):
        bristle.sweep(STICK_SLIP, vary=vary, quantities="max_forc")
    with pytest.raises(ValueError, match="must be a list of numbers, or a range"):
        bristle.sweep(STICK_SLIP, vary={"mechanism.spring": []}, quantities="max_force")
    with pytest.raises(TypeError, match="must be a number or an array of numbers, not .100000"):
        bristle.sweep(STICK_SLIP, vary={"mechanism.spring": [10 ** 400]}, quantities="max_force")
    hidden = np.ma.masked_array([1.0, 2.0], [False, True])
    with pytest.raises(TypeError, match="mechanism.spring is a masked array in which 1 numbers are hidden"):
        bristle.sweep(STICK_SLIP, vary={"mechanism.spring": hidden}, quantities="max_force")
    with pytest.raises(ValueError, match="'nan' is not a finite number"):
        bristle.sweep(STICK_SLIP, vary={"mechanism.spring": [1.0, np.nan]}, quantities="max_force")
    with pytest.raises(ValueError, match="is not allowed, it must be"):
        bristle.sweep(STICK_SLIP, vary={"mechanism.spring": [-1.0, 1.0]}, quantities="max_force")
    with pytest.raises(ValueError, match=r"part = \(0, 3\) is not allowed"):
        bristle.sweep(STICK_SLIP, vary=vary, quantities="max_force", part=(0, 3))
    with pytest.raises(ValueError, match="threads = -1 is not allowed"):
        bristle.sweep(STICK_SLIP, vary=vary, quantities="max_force", threads=-1)
    with pytest.raises(ValueError, match="there is no column 'perod', did you mean 'period'"):
        bristle.sweep(STICK_SLIP, vary=vary, quantities="period")["perod"]
    endless = {"mechanism.spring": "1:2:1000000", "mechanism.drag_velocity": "1:2:1000000"}
    with pytest.raises(ValueError, match="1000000000000 runs would take about .* give budget, such as budget=3600"):
        bristle.sweep(STICK_SLIP, vary=endless, quantities="max_force")
    with pytest.raises(OSError):
        bristle.sweep("nowhere.toml", vary=vary, quantities="max_force")
    with pytest.raises((OSError, ValueError)):
        bristle.read_sweep("nowhere")


def test_a_frame_of_pandas_holds_the_runs():
    pandas = pytest.importorskip("pandas")
    result = bristle.sweep(STICK_SLIP, vary=GRID, quantities="max_force")
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "number" and len(frame) == 12
    assert "12 of 12 runs" in result._repr_html_()


def test_a_sweep_draws_itself():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = bristle.sweep(STICK_SLIP, vary=GRID, quantities="max_force").plot()
    assert axes.get_xlabel() == "speed of the free end of the spring [m/s]"
    assert axes.get_ylabel() == "max_force"
