# SPDX-License-Identifier: MIT
"""The fit of bench/fit with scipy's least_squares and a loop over the samples in Python."""
import math
import sys
import time

import numpy as np
from scipy.optimize import least_squares

data = np.loadtxt(sys.argv[1])
velocity, force = data[:, 0].tolist(), data[:, 1]
STEP = 1e-3


def residuals(x):
    stiffness, damping, viscous = math.exp(x[0]), x[1], x[2]
    low, high, scale = math.exp(x[3]), math.exp(x[4]), math.exp(x[5])
    predicted, z, before = [], 0.0, None
    for v in velocity:
        if before is not None:
            middle = 0.5 * (before + v)
            if middle != 0.0:
                decay = stiffness * abs(middle) / (low + (high - low) * math.exp(-((middle / scale) ** 2)))
                left = math.exp(-decay * STEP)
                z = z * left + middle / decay * (1.0 - left)
        rate = v - stiffness * abs(v) / (low + (high - low) * math.exp(-((v / scale) ** 2))) * z
        predicted.append(stiffness * z + damping * rate + viscous * v)
        before = v
    return np.array(predicted) - force


start = [math.log(5e3), 60.0, 8.0, math.log(1.5), math.log(1.9), math.log(4e-3)]
best = float("inf")
for _ in range(1 if "--short" in sys.argv else 3):
    began = time.perf_counter()
    solved = least_squares(residuals, start, x_scale="jac", bounds=([-30, 0, 0, -30, -30, -30], [30, 1e6, 1e6, 30, 30, 30]))
    best = min(best, time.perf_counter() - began)
print(f"{'scipy, loop in Python':34s} {1e3 * best:10.1f} {'':8s} {solved.cost:12.9f} {solved.nfev:6d}")
