# SPDX-License-Identifier: MIT
"""Fits of arrays, frames and files, and experiment files."""
import os
import pathlib
import signal
import threading
import time

import bristle
import numpy as np
import pytest
from bristle import laws, mechanisms

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
    with pytest.raises(ValueError, match="force.0. = nan is not allowed"):
        bristle.fit("dahl", {**strokes, "force": np.full(801, np.nan)})
    with pytest.raises(ValueError):
        bristle.fit("dahl", {**strokes, "force": strokes["force"][:-1]})
    with pytest.raises(OSError, match="nowhere.csv"):
        bristle.fit("dahl", "nowhere.csv")
    with pytest.raises(ValueError, match="hold_out = 2 is not allowed"):
        bristle.fit("dahl", strokes, hold_out=2.0)


def test_ctrl_c_stops_a_fit(strokes):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        bristle.fit("elasto_plastic", strokes, starts=100000)
    assert time.perf_counter() - began < 2.0
    timer.join()
    # And what comes after is not stopped.
    assert bristle.fit("dahl", strokes, starts=8).converged


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
