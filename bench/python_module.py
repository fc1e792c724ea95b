#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What calling the engine from Python costs: simulations, fits, memory, interrupts, threads.

    PYTHONPATH=build/python bench/python_module.py [--short] [COMMAND]

A simulation is compared with the time that the engine itself measures inside the call, a fit with
the command COMMAND (build/bristle) on the same file, less the time the command takes to start.
Fits and SciPy are compared by processor time, so that other work on the machine counts little.
"""
import json
import math
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

import bristle
import numpy as np
from bristle import laws, mechanisms

SHORT = "--short" in sys.argv
COMMAND = ([a for a in sys.argv[1:] if not a.startswith("--")] or ["build/bristle"])[0]


def processor_time():
    """Of this process and the ones it has waited for [s]."""
    return sum(use.ru_utime + use.ru_stime for use in
               map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def best(call, repeats):
    times = []
    for _ in range(repeats):
        began = processor_time()
        call()
        times.append(processor_time() - began)
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
    """Stick-slip of LuGre by SciPy's solve_ivp, equations in Python, at the same error.

    The error is the largest of the position at 201 times. Each run of SciPy is compared with the
    quickest of ours that is at least as accurate. The equations are written as one does who wants
    them quick: on floats of Python with math.exp, which takes half the time of numbers of NumPy.
    RK45 is what solve_ivp takes by itself.
    """
    try:
        from scipy.integrate import solve_ivp
    except ImportError:
        print("solve_ivp: SciPy is not there")
        return
    law, body = laws.LuGre(), mechanisms.DraggedMass()
    p, m = law.parameters, body.parameters
    coulomb, static, stribeck, exponent = (
        p[name] for name in ("coulomb_force", "static_force", "stribeck_velocity", "stribeck_exponent"))
    stiffness, damping, viscous = p["stiffness"], p["damping"], p["viscous"]
    mass, spring, drag = m["mass"], m["spring"], m["drag_velocity"]
    end, samples = (5.0 if SHORT else 20.0), 201
    times = np.linspace(0.0, end, samples)

    def ours(tolerance):
        return bristle.simulate(law, body, end=end, samples=samples, tolerance=tolerance)

    exact = ours(1e-12)["position"].copy()
    found = []
    for tolerance in 10.0 ** -np.arange(3.0, 10.5, 0.5):
        error = np.abs(ours(tolerance)["position"] - exact).max()
        found.append((error, best(lambda: [ours(tolerance) for _ in range(20)], 1 if SHORT else 9) / 20))

    def rates(t, y):
        x, v, z = y.tolist()
        speed = abs(v)
        g = coulomb + (static - coulomb) * math.exp(-(speed / stribeck) ** exponent)
        dz = v - stiffness * speed / g * z
        friction = stiffness * z + damping * dz + viscous * v
        return v, (spring * (drag * t - x) - friction) / mass, dz

    print(f"stick-slip to {end:g} s, solve_ivp against simulate at the same error of the position:")
    for method in ("RK45", "LSODA", "Radau", "BDF"):
        line = []
        for tolerance in 10.0 ** -np.arange(3, 6 if SHORT or method == "RK45" else 10):
            run = [None]

            def theirs():
                run[0] = solve_ivp(rates, (0.0, end), (0.0, 0.0, 0.0), method=method, t_eval=times,
                                   rtol=tolerance, atol=1e-4 * tolerance)

            took = best(theirs, 1 if SHORT or method == "RK45" else 3)
            error = np.abs(run[0].y[0] - exact).max() if run[0].success else np.inf
            quickest = min((seconds for reached, seconds in found if reached <= error), default=None)
            if quickest:
                line.append(f"{took / quickest:.0f} at {error:.0e} m")
        print(f"  {method:<6} times as long: {', '.join(line)}")


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
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    for _ in range(200):
        bristle.simulate(law, body, end=0.1, samples=11)
    before = used()
    for _ in range(count):
        bristle.simulate(law, body, end=0.1, samples=11)
    print(f"{count} short simulations: memory grew by {(used() - before) // 1024} kB")


def interrupts():
    """How long after Ctrl-C a long simulation ends."""
    law, body = laws.LuGre(), mechanisms.DraggedMass()
    late = []
    for _ in range(1 if SHORT else 10):
        pressed = []

        def press():
            time.sleep(0.2)
            pressed.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=press)
        thread.start()
        try:
            bristle.simulate(law, body, end=1e6, step_limit=1e12, samples=1001)
        except KeyboardInterrupt:
            late.append(time.perf_counter() - pressed[0])
        thread.join()
    print(f"Ctrl-C: KeyboardInterrupt after {1e3 * max(late):.1f} ms at most")


def threads():
    """Eight threads at once against one after the other; the best of several, by the clock."""
    law, body = laws.LuGre(), mechanisms.DraggedMass()

    def work():
        for _ in range(2 if SHORT else 40):
            bristle.simulate(law, body, end=40.0, samples=1001)

    gains = []
    for _ in range(1 if SHORT else 5):
        began = time.perf_counter()
        for _ in range(8):
            work()
        alone = time.perf_counter() - began
        eight = [threading.Thread(target=work) for _ in range(8)]
        began = time.perf_counter()
        [one.start() for one in eight]
        [one.join() for one in eight]
        gains.append(alone / (time.perf_counter() - began))
    print(f"eight threads: {max(gains):.2f} times as fast as one after the other, "
          f"on {os.cpu_count()} cores")


print(json.dumps({"version": bristle.__version__}))
simulations()
against_scipy()
fits()
memory()
interrupts()
threads()
