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


def against_scipy():
    """Stick-slip of LuGre by SciPy's solve_ivp, equations in Python, at the same error of x(T)."""
    try:
        from scipy.integrate import solve_ivp
    except ImportError:
        print("solve_ivp: SciPy is not there")
        return
    law, body = laws.LuGre(), mechanisms.DraggedMass()
    p, m = law.parameters, body.parameters
    end = 5.0 if SHORT else 20.0
    exact = bristle.simulate(law, body, end=end, samples=2, tolerance=1e-12)["position"][-1]

    def ours():
        return bristle.simulate(law, body, end=end, samples=2, tolerance=1e-6)

    allowed = abs(ours()["position"][-1] - exact)
    seconds = best(ours, 2 if SHORT else 20)

    def rates(t, y):
        x, v, z = y
        speed = abs(v)
        g = p["coulomb_force"] + (p["static_force"] - p["coulomb_force"]) * np.exp(
            -(speed / p["stribeck_velocity"]) ** p["stribeck_exponent"])
        dz = v - p["stiffness"] * speed / g * z
        friction = p["stiffness"] * z + p["damping"] * dz + p["viscous"] * v
        return v, (m["spring"] * (m["drag_velocity"] * t - x) - friction) / m["mass"], dz

    found = []
    for method in ("LSODA", "Radau", "BDF"):
        for tolerance in 10.0 ** -np.arange(3, 12):
            began = time.perf_counter()
            run = solve_ivp(rates, (0.0, end), (0.0, 0.0, 0.0), method=method, rtol=tolerance,
                            atol=1e-4 * tolerance)
            took = time.perf_counter() - began
            if run.success and abs(run.y[0, -1] - exact) <= 1.1 * allowed:
                found.append((took, method, tolerance))
                break
    assert found, "no method of SciPy reaches the error"
    took, method, tolerance = min(found)
    print(f"stick-slip to {end:g} s at an error of {allowed:.1e} m: {1e3 * seconds:.3f} ms, "
          f"solve_ivp ({method}, rtol {tolerance:.0e}) {took / seconds:.0f} times as long")


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
against_scipy()
fits()
memory()
