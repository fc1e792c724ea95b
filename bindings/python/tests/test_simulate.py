# SPDX-License-Identifier: MIT
"""simulate(): results without copies, interrupts, threads."""
import gc
import pickle
import subprocess
import sys
import threading
import warnings

import bristle
import numpy as np
import pytest
from bristle import laws, mechanisms

LONG = dict(end=1e6, step_limit=1e12, samples=1001)


def stick_slip(**options):
    return bristle.simulate(laws.LuGre(), mechanisms.DraggedMass(), **{"end": 10.0, **options})


def test_columns_are_views_that_keep_the_memory_alive():
    run = stick_slip(samples=101)
    x = run["position"]
    assert x.dtype == np.float64 and x.shape == (101,)
    assert not x.flags.owndata and not x.flags.writeable
    assert x.__array_interface__["data"] == run["position"].__array_interface__["data"]
    kept = x.copy()
    del run
    gc.collect()
    [stick_slip(samples=101) for _ in range(20)]
    assert np.array_equal(x, kept)


def test_a_result_can_be_pickled():
    run = stick_slip(samples=101, end=60.0)
    again = pickle.loads(pickle.dumps(run))
    for name in run:
        assert np.array_equal(again[name], run[name])
    assert (again.ok, again.message, again.summary) == (run.ok, run.message, run.summary)
    assert again.ledger == run.ledger and again.units == run.units
    assert np.array_equal(again.events, run.events) and len(again.events) > 0
    assert not again["position"].flags.writeable
    assert again._repr_html_() == run._repr_html_() and repr(again) == repr(run)
    assert np.array_equal(pickle.loads(pickle.dumps(again))["force"], run["force"])
    with pytest.raises(ValueError, match="there is no column 'positon', did you mean 'position'"):
        again["positon"]
    with pytest.raises(ValueError, match="limit_cycle.* needs the run itself"):
        again.limit_cycle()


def test_a_result_reads_as_a_mapping():
    run = stick_slip(samples=11)
    assert list(run)[:3] == ["time", "input", "position"] and "force" in run
    assert set(dict(run)) == set(run.keys()) and len(run) == len(run.keys())
    assert run.units["velocity"] == "m/s"
    with pytest.raises(ValueError, match="there is no column 'positon', did you mean 'position'"):
        run["positon"]
    with pytest.raises(TypeError, match="a column goes by its name, such as 'time', not by 0"):
        run[0]


def test_the_ledger_closes_and_the_summary_says_how_it_went():
    run = stick_slip()
    assert run.ok and run.ledger["closes"] and run.summary["method"] == "rosenbrock"
    assert run.message.startswith("done at t = 10 s")
    assert abs(run.ledger["work_in"] - run["work_in"][-1]) < 1e-9
    assert "work in" in run._repr_html_() and "samples of time" in repr(run)


def test_events_are_records():
    run = bristle.simulate(laws.Coulomb(), mechanisms.DraggedMass(drag_velocity=0.1), end=8.0)
    assert run.events[0].kind == "slip" and run.events.time[0] == pytest.approx(5.0)
    assert len(stick_slip(end=0.1).events) == 0


def test_options_have_the_words_of_the_command():
    with pytest.raises(ValueError, match="solve: there is no field 'tolerence'"):
        stick_slip(tolerence=1e-6)
    with pytest.raises(ValueError, match="solve: end = -1 s is not allowed"):
        stick_slip(end=-1.0)
    with pytest.raises(ValueError, match="initial: there is no field 'speed'"):
        stick_slip(initial={"speed": 1.0})
    with pytest.raises(TypeError, match="takes a law and a mechanism, or a machine"):
        bristle.simulate(1.0, mechanisms.DraggedMass())
    with pytest.raises(TypeError, match="it must be one of DraggedMass"):
        bristle.simulate(laws.LuGre(), 3.0)
    assert "local error allowed" in bristle.simulate.__doc__


def test_the_start_can_be_given():
    assert stick_slip(initial={"velocity": 0.05})["velocity"][0] == 0.05


def test_a_signal_drives_a_mechanism():
    motion = mechanisms.PrescribedMotion(signal=bristle.Signal(amplitude=0.01, frequency=2.0))
    run = bristle.simulate(laws.Dahl(), motion, end=3.0, samples=301)
    assert np.allclose(run["position"], 0.01 * np.sin(2.0 * run["time"]), atol=1e-12)
    points = bristle.Signal(times=[0.0, 1.0, 2.0], values=[0.0, 1.0, 0.0])
    assert points(1.0) == 1.0 and points.shape == "samples"
    with pytest.raises(ValueError, match="times and values belong together"):
        bristle.Signal(times=[0.0, 1.0])
    with pytest.raises(ValueError, match="times.1. = nan is not allowed"):
        bristle.Signal(times=[0.0, float("nan")], values=[0.0, 1.0])
    with pytest.raises(TypeError, match="must be a bristle.Signal"):
        mechanisms.PrescribedMotion(signal=3.0)


def test_a_run_gives_its_global_error_when_asked():
    law, body = laws.LuGre(), mechanisms.DraggedMass()
    for asked in (True, "yes"):
        run = bristle.simulate(law, body, end=5.0, verify=asked)
        assert 0.0 < run.summary["global_error"] < 1e-6
    assert "global_error" not in bristle.simulate(law, body, end=5.0, verify=False).summary
    with pytest.raises(TypeError, match="tolerance = True is not allowed, it must be a number"):
        bristle.simulate(law, body, end=5.0, tolerance=True)


def test_what_a_method_cannot_promise_is_a_warning():
    with pytest.warns(RuntimeWarning, match="the bristles may ring .* times without damping") as heard:
        run = bristle.simulate(laws.LuGre(damping=0.0), mechanisms.DraggedMass(), end=20.0, method="cvode")
    assert run.ok and str(heard[0].message) == run.summary["warning"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bristle.simulate(laws.LuGre(), mechanisms.DraggedMass(), end=20.0)


def test_a_run_that_does_not_end_is_returned_with_a_warning():
    with pytest.warns(RuntimeWarning, match="step"):
        run = stick_slip(step_limit=10)
    assert not run.ok and run.summary["status"] != "done"


def test_progress_is_told_and_can_end_a_run():
    told = []

    def progress(part):
        told.append(part)
        return len(told) < 3

    with pytest.warns(RuntimeWarning):
        run = stick_slip(progress=progress, **LONG)
    assert run.summary["status"] == "cancelled" and len(told) == 3

    with pytest.raises(ZeroDivisionError):
        stick_slip(progress=lambda part: 1 / 0, **LONG)


def test_eight_threads_simulate_at_once():
    alone = stick_slip(end=40.0)["position"].copy()
    found = [None] * 8

    def work(i):
        found[i] = stick_slip(end=40.0)["position"]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert all(np.array_equal(one, alone) for one in found)


def test_many_short_runs_leave_no_memory_behind():
    code = """
import resource, bristle
from bristle import laws, mechanisms
def work(n):
    for _ in range(n):
        run = bristle.simulate(laws.LuGre(), mechanisms.DraggedMass(), end=0.01, samples=50)
        run["position"], run.events
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
first = work(1000)
print(work(4000) - first)
"""
    grown = int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                               check=True).stdout)
    assert grown < 1024  # [kB]; one kept column of 50 numbers per run would be 1600


def test_a_frame_of_pandas_holds_the_columns():
    pandas = pytest.importorskip("pandas")
    frame = stick_slip(samples=11).to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "time"
    assert "position" in frame.columns


def test_a_result_draws_itself():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = stick_slip(samples=11)
    axes = run.plot()
    assert axes.get_xlabel() == "time [s]" and axes.get_ylabel() == "position [m]"
    both = run.plot(["position", "force"], ax=axes.figure.add_subplot())
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["position [m]", "force [N]"]
