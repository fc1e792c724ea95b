# SPDX-License-Identifier: MIT
"""A body over a shaken base: its motion with measured friction, the kind of that motion, and the
friction found again from what could be measured."""
import math
import sys

import bristle
from bristle import Signal, laws, mechanisms

body = mechanisms.BaseExcitedMass(signal=Signal(amplitude=0.003, frequency=62.83))
friction = laws.HystereticStatic(roughness=0.05, roughness_decay=100.0, roughness_seed=7.0)

run = bristle.simulate(friction, body, end=3.0, samples=6001, record_from=1.0)
print(run.message)

drive = 62.83 / 6.283185307179586
for peak in bristle.spectrum(run["time"], run["position"], named=[drive]).peaks:
    if peak.name:
        print(f"{peak.name:<6} {peak.frequency:8.4f} Hz {peak.amplitude:10.3g} m")

# Position of body and base alone: velocity and acceleration are differentiated.
found = bristle.indirect_force(body, time=run["time"], position=run["position"],
                               base=run["input"], half_width=4, degree=4)
error = math.sqrt(((found.force - run["force"]) ** 2).mean())
print(f"friction from positions: {error:.2f} N off, root mean square")
sys.exit(0 if run.ok else 1)
