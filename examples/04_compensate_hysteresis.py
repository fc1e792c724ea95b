# SPDX-License-Identifier: MIT
"""Hysteresis compensation: the inverse operator in front of the actuator makes the chain follow its
command."""
import sys

import numpy as np
from bristle import systems

# A piezo stage as a sum of plays.
thresholds = 0.1 * np.arange(1, 21)
stage = systems.PrandtlIshlinskii(direct=0.8, thresholds=thresholds,
                                  weights=0.3 * np.exp(-0.5 * thresholds))
i = np.arange(5000)
wanted = np.sin(0.01 * i) * (1.0 - 1.5e-4 * i)

compensated = stage.follow(stage.inverse().follow(wanted))
alone = stage.follow(wanted / 1.9)  # the same stage driven without compensation
error = np.abs(compensated - wanted).max()
without = np.abs(alone - wanted).max()
print(f"largest error without compensation {without:.3f}, with it {error:.1e}")
sys.exit(0 if error < 1e-12 and without > 0.05 else 1)
