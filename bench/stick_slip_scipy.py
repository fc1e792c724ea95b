# SPDX-License-Identifier: MIT
"""Stick-slip by scipy: LSODA and Radau with analytic Jacobian.

    stick_slip_scipy.py REFERENCE SCANS [--short]

Reads x and F of the reference solution (stick_slip --reference), writes lines of method, tolerance,
error, seconds for stick_slip --scans.
"""
import math
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

MASS, SPRING, DRAG = 1.0, 2.0, 0.1
STIFFNESS, DAMPING, VISCOUS = 1e5, math.sqrt(1e5), 0.4
COULOMB, STATIC, STRIBECK = 1.0, 1.5, 0.001
SCALE = np.array([STATIC / SPRING, STATIC / math.sqrt(SPRING * MASS), STATIC / STIFFNESS])
TIMES = np.linspace(0.0, 40.0, 1001)


def rates(t, y):
    x, v, z = y
    ratio = v / STRIBECK
    g = COULOMB + (STATIC - COULOMB) * math.exp(-ratio * ratio)
    slip = v - STIFFNESS * abs(v) * z / g
    force = STIFFNESS * z + DAMPING * slip + VISCOUS * v
    return v, (SPRING * (DRAG * t - x) - force) / MASS, slip


def jacobian(t, y):
    x, v, z = y
    ratio = v / STRIBECK
    fall = (STATIC - COULOMB) * math.exp(-ratio * ratio)
    g = COULOMB + fall
    side = math.copysign(1.0, v) if v else 0.0
    bend = 2.0 * fall * ratio / STRIBECK
    by_velocity = 1.0 - STIFFNESS * z / g * (side + abs(v) * bend / g)
    decay = STIFFNESS * abs(v) / g
    return [[0.0, 1.0, 0.0],
            [-SPRING / MASS, -(DAMPING * by_velocity + VISCOUS) / MASS,
             -(STIFFNESS - DAMPING * decay) / MASS],
            [0.0, by_velocity, -decay]]


def forces(y):
    x, v, z = y
    g = COULOMB + (STATIC - COULOMB) * np.exp(-np.square(v / STRIBECK))
    return STIFFNESS * z + DAMPING * (v - STIFFNESS * np.abs(v) * z / g) + VISCOUS * v


def solve(method, tolerance):
    return solve_ivp(rates, (0.0, TIMES[-1]), np.zeros(3), method=method, t_eval=TIMES,
                     jac=jacobian, rtol=max(tolerance, 3e-14), atol=tolerance * SCALE)


def main():
    reference = np.loadtxt(sys.argv[1])
    short = "--short" in sys.argv
    # From a tolerance of 1e-5 on; looser ones miss slips.
    exponents = np.arange(5.0, 10.1 if short else 12.1, 1.0 if short else 0.5)
    repeats = 1 if short else 3
    with open(sys.argv[2], "w") as out:
        for method in ("LSODA",) if short else ("LSODA", "Radau"):
            for tolerance in 10.0 ** -exponents:
                seconds = math.inf
                for _ in range(repeats):
                    start = time.perf_counter()
                    found = solve(method, tolerance)
                    force = forces(found.y)
                    seconds = min(seconds, time.perf_counter() - start)
                if not found.success:
                    continue
                error = max(np.abs(a - b).max() / np.abs(b).max()
                            for a, b in zip((found.y[0], force), reference.T))
                out.write(f"{method} {tolerance:.3e} {error:.3e} {seconds:.6e}\n")


if __name__ == "__main__":
    main()
