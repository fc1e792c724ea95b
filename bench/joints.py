#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""4096 LuGre joints, 1000 steps of 1 ms: the module against NumPy by the book, and scalar calls.

    PYTHONPATH=build/python bench/joints.py [--short]

By the book is z' = v - |v| stiffness z / g(v), integrated in NumPy with the velocity of a step as
given. The rules of Euler and of Runge and Kutta need substeps, or they are unstable: the state
settles within microseconds where a joint is fast. The implicit rule of Euler is stable at any step,
but of first order. Of each rule the fewest substeps (1, 2, 4, ..., 512) are taken that keep the force
within a hundredth of the Coulomb force of the exact solution at every step. The exact update
written in NumPy is the last row: it is what one gets who knows it.
"""
import sys
import time

import bristle
import numpy as np
from bristle import laws

SHORT = "--short" in sys.argv
JOINTS, STEPS, DT = 4096, 20 if SHORT else 1000, 1e-3
TOLERANCE, MOST = 1e-2, 512  # of the force [N], the Coulomb force is 1 N; substeps


def velocities(k, amplitude):
    """Joints that swing at 1 Hz, each with a phase of its own."""
    phase = np.linspace(0.0, 2.0 * np.pi, JOINTS, endpoint=False)
    return amplitude * np.sin(2.0 * np.pi * k * DT + phase)


def rate_constant(law, v):
    g = law.coulomb_force + (law.static_force - law.coulomb_force) * np.exp(
        -(v / law.stribeck_velocity) ** 2)
    return np.abs(v) * law.stiffness / g


def force(law, z, v, a):
    return law.stiffness * z + law.damping * (v - a * z) + law.viscous * v


def euler(law, z, v, dt):
    a = rate_constant(law, v)
    z = z + dt * (v - a * z)
    return z, force(law, z, v, a)


def implicit_euler(law, z, v, dt):
    a = rate_constant(law, v)
    z = (z + dt * v) / (1.0 + dt * a)
    return z, force(law, z, v, a)


def runge_kutta(law, z, v, dt):
    a = rate_constant(law, v)
    k1 = v - a * z
    k2 = v - a * (z + 0.5 * dt * k1)
    k3 = v - a * (z + 0.5 * dt * k2)
    k4 = v - a * (z + dt * k3)
    z = z + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return z, force(law, z, v, a)


def exact(law, z, v, dt):
    """The solution at constant velocity, z -> steady + (z - steady) exp(-a dt)."""
    a = rate_constant(law, v)
    z = z * np.exp(-a * dt) - v * np.expm1(-a * dt) / np.maximum(a, 1e-300)
    return z, force(law, z, v, a)


def timed(step, motion, repeats=1 if SHORT else 3, keep=False):
    """The processor time of the quickest pass, and the force after each step if it is kept."""
    best = np.inf
    for _ in range(repeats):
        z, forces = np.zeros(JOINTS, dtype=motion[0].dtype), []
        began = time.process_time()
        for v in motion:
            z, f = step(z, v)
            if keep:
                forces.append(f)
        best = min(best, time.process_time() - began)
    return best, forces


def against_numpy(law, amplitude):
    motion = [velocities(k + 0.5, amplitude) for k in range(STEPS)]
    per = 1e9 / (JOINTS * STEPS)
    print(f"velocities up to {amplitude:g} m/s:")
    out = np.empty(JOINTS)
    ours, _ = timed(lambda z, v: law.step(z, v, DT, out=(z, out)), motion)
    print(f"  {'bristle float64, out=':<32} {ours * per:8.2f} ns a joint")
    for name, given in (("float64", motion), ("float32", [v.astype(np.float32) for v in motion])):
        seconds, _ = timed(lambda z, v: law.step(z, v, DT), given)
        print(f"  {'bristle ' + name:<32} {seconds * per:8.2f} ns a joint")
    few = motion[:max(5, STEPS // 20)]
    reference = timed(lambda z, v: law.step(z, v, DT), few, 1, keep=True)[1]
    for rule in (euler, runge_kutta, implicit_euler, exact):
        substeps = 1
        while True:
            def step(z, v):
                for _ in range(substeps):
                    z, f = rule(law, z, v, DT / substeps)
                return z, f
            with np.errstate(all="ignore"):
                seconds, found = timed(step, few, 1, keep=True)
                error = max(np.abs(a - b).max() for a, b in zip(found, reference))
            if error <= TOLERANCE or substeps == MOST:
                break
            substeps *= 2
        seconds *= STEPS / len(few)
        name = f"NumPy, {rule.__name__.replace('_', ' ')}, {substeps} substeps"
        print(f"  {name:<32} {seconds * per:8.2f} ns a joint {seconds / ours:8.1f} x, "
              f"force off by {error:.0e} N")


def main():
    law = laws.LuGre()
    print(f"{JOINTS} joints x {STEPS} steps of LuGre, kernels: {bristle._core.batch_lanes()}")
    for amplitude in (0.02, 0.5):
        against_numpy(law, amplitude)
    count = 1000 if SHORT else 200000
    for name, call in (("law.force(z, v)", lambda: law.force(1e-6, 0.01)),
                       ("law.advance(z, v, dt)", lambda: law.advance(1e-6, 0.01, DT))):
        began = time.process_time()
        for _ in range(count):
            call()
        print(f"{name:<34} {1e9 * (time.process_time() - began) / count:9.0f} ns a scalar call")


main()
