# SPDX-License-Identifier: MIT
"""Friction at the fixed step of a drive, a millisecond."""
import math
import sys

from bristle import FrictionElement, laws

step = 1e-3
friction = FrictionElement(laws.FrBD(stiffness=1e4, damping=64.5), step)

# The velocity a drive measures: back and forth, with rests.
largest = 0.0
for i in range(4000):
    velocity = 0.02 * math.sin(2.0 * math.pi * i * step)
    # force_at() is a trial that changes nothing; its tangent lets an implicit host converge.
    trial, tangent = friction.force_at(velocity)
    force = friction.advance(velocity)
    if abs(trial - force) > 1e-12:
        sys.exit(1)
    largest = max(largest, abs(force))
    if i % 250 == 0:
        print(f"t = {i * step:5.3f} s   v = {velocity:8.5f} m/s   F = {force:8.5f}   "
              f"dF/dv = {tangent:9.3f}")
print(f"largest friction force {largest:.4f} N")
sys.exit(0 if largest < 3.0 else 1)
