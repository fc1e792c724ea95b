#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What calling the engine from Python costs: simulations, fits and memory.

    PYTHONPATH=build/python bench/python_module.py [--short] [COMMAND]

A simulation is compared with the time that the engine itself measures inside the call, a fit with
the command COMMAND (build/bristle) on the same file, less the time the command takes to start.
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import bristle
import numpy as np
from bristle import laws, mechanisms

SHORT = "--short" in sys.argv
COMMAND = ([a for a in sys.argv[1:] if not a.startswith("--")] or ["build/bristle"])[0]


def best(call, repeats):
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


def simulations():
    law, body = laws.LuGre(), mechanisms.DraggedMass()
    ratios = []
    for _ in range(2 if SHORT else 15):
        began = time.perf_counter()
        run = bristle.simulate(law, body, end=40.0, samples=100_000)
        column = run["position"]
        ratios.append((time.perf_counter() - began) / run.summary["seconds"])
        assert len(column) == 100_000
    print(f"simulate, 1e5 samples: {min(ratios):.3f} of the time in the engine")


def fits():
    rng = np.random.default_rng(1)
    motion = mechanisms.PrescribedMotion(signal=bristle.Signal(amplitude=1e-3, frequency=6.0))
    run = bristle.simulate(laws.LuGre(stiffness=2e4), motion, end=10.0, samples=10_001)
    rows = np.column_stack([run["time"], run["position"], run["velocity"],
                            run["force"] + 0.01 * rng.standard_normal(10_001)])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "record.csv"
        np.savetxt(path, rows, delimiter=",", header="time,position,velocity,force", comments="",
                   fmt="%.17g")
        repeats = 1 if SHORT else 5
        module = best(lambda: bristle.fit("lugre", path), repeats)
        if not os.path.exists(COMMAND):
            print(f"fit of a file: {module:.3f} s; {COMMAND} is not there to compare with")
            return
        whole = best(lambda: subprocess.run([COMMAND, "fit", path, "--model", "lugre", "--json"],
                                            check=True, capture_output=True), repeats)
        start = best(lambda: subprocess.run([COMMAND, "--version"], check=True,
                                            capture_output=True), repeats)
        print(f"fit of a file: {module:.3f} s, the command {whole - start:.3f} s, "
              f"ratio {module / (whole - start):.3f}")


def memory():
    law, body = laws.LuGre(), mechanisms.DraggedMass()
    count = 500 if SHORT else 100_000

    def used():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for _ in range(200):
        bristle.simulate(law, body, end=0.1, samples=11)
    before = used()
    for _ in range(count):
        bristle.simulate(law, body, end=0.1, samples=11)
    print(f"{count} short simulations: the peak of memory grew by {used() - before} kB")


print(json.dumps({"version": bristle.__version__}))
simulations()
fits()
memory()
