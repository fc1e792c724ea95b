#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""4096 LuGre joints, 1000 steps: the module against NumPy by the book, and scalar calls.

    PYTHONPATH=build/python bench/joints.py [--short]

By the book is z' = v - |v| stiffness z / g(v) by Euler's rule in NumPy. That is unstable at the step
of a controller once stiffness |v| step / g > 2, so it takes as many substeps as keep its error in
the force at the printed level; both costs are shown. The exact update written in NumPy is the last
row: it is what one gets who knows it.
"""
import sys
import time

import bristle
import numpy as np
from bristle import laws

SHORT = "--short" in sys.argv
JOINTS, STEPS, DT = 4096, 20 if SHORT else 1000, 1e-3


def velocities(k):
    """Joints that swing with an amplitude of 2 cm/s, each with a phase of its own."""
    phase = np.linspace(0.0, 2.0 * np.pi, JOINTS, endpoint=False)
    return 0.02 * np.sin(2.0 * np.pi * k * DT + phase)


def by_the_book(law, z, v, dt):
    g = law.coulomb_force + (law.static_force - law.coulomb_force) * np.exp(
        -(v / law.stribeck_velocity) ** 2)
    rate = v - np.abs(v) * law.stiffness * z / g
    z = z + dt * rate
    return z, law.stiffness * z + law.damping * rate + law.viscous * v


def exact_in_numpy(law, z, v, dt):
    """The solution at constant velocity, z -> steady + (z - steady) exp(-a dt)."""
    g = law.coulomb_force + (law.static_force - law.coulomb_force) * np.exp(
        -(v / law.stribeck_velocity) ** 2)
    a = np.abs(v) * law.stiffness / g
    z = z * np.exp(-a * dt) - v * np.expm1(-a * dt) / np.maximum(a, 1e-300)
    return z, law.stiffness * z + law.damping * (v - a * z) + law.viscous * v


def timed(step, motion, repeats=1 if SHORT else 3):
    best, kept = np.inf, None
    for _ in range(repeats):
        z = np.zeros(JOINTS, dtype=motion[0].dtype)
        began = time.process_time()
        for v in motion:
            z, force = step(z, v)
        best = min(best, time.process_time() - began)
        kept = force
    return best, kept


def main():
    law = laws.LuGre()
    motion = [velocities(k + 0.5) for k in range(STEPS)]
    exact, force = timed(lambda z, v: law.step(z, v, DT), motion)
    per = 1e9 / (JOINTS * STEPS)
    print(f"{JOINTS} joints x {STEPS} steps of LuGre, kernels: {bristle._core.batch_lanes()}")
    print(f"{'bristle float64':<34} {1e3 * exact:9.1f} ms {exact * per:8.2f} ns a joint")
    state, out = np.empty(JOINTS), np.empty(JOINTS)
    inplace, _ = timed(lambda z, v: law.step(z, v, DT, out=(z, out)), motion)
    print(f"{'bristle float64, out=':<34} {1e3 * inplace:9.1f} ms {inplace * per:8.2f} ns a joint")
    narrow, _ = timed(lambda z, v: law.step(z, v, DT), [v.astype(np.float32) for v in motion])
    print(f"{'bristle float32':<34} {1e3 * narrow:9.1f} ms {narrow * per:8.2f} ns a joint")
    for substeps in (1, 4, 16, 64):
        def step(z, v):
            for _ in range(substeps):
                z, f = by_the_book(law, z, v, DT / substeps)
            return z, f
        with np.errstate(all="ignore"):
            few = motion if substeps == 1 else motion[:max(1, STEPS // substeps)]
            seconds, found = timed(step, few, 1)
            seconds *= STEPS / len(few)
            reference = timed(lambda z, v: law.step(z, v, DT), few, 1)[1]
            error = np.abs(found - reference).max()
        print(f"{'NumPy, Euler, %d substeps' % substeps:<34} {1e3 * seconds:9.1f} ms "
              f"{seconds * per:8.2f} ns a joint  {seconds / inplace:7.1f} x, "
              f"force off by {error:.1e} N")

    seconds, found = timed(lambda z, v: exact_in_numpy(law, z, v, DT), motion)
    print(f"{'NumPy, exact update':<34} {1e3 * seconds:9.1f} ms {seconds * per:8.2f} ns a joint  "
          f"{seconds / inplace:7.1f} x, force off by {np.abs(found - force).max():.1e} N")

    count = 1000 if SHORT else 200000
    for name, call in (("law.force(z, v)", lambda: law.force(1e-6, 0.01)),
                       ("law.advance(z, v, dt)", lambda: law.advance(1e-6, 0.01, DT))):
        began = time.process_time()
        for _ in range(count):
            call()
        print(f"{name:<34} {1e9 * (time.process_time() - began) / count:9.0f} ns a scalar call")


main()
