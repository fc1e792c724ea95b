# SPDX-License-Identifier: MIT
# %% [markdown]
# A hysteresis loop and its inverse: a piezo stage as a sum of plays.
# %%
import sys

import bristle
import numpy as np
from bristle import systems

thresholds = 0.1 * np.arange(1, 11)
stage = systems.PrandtlIshlinskii(direct=0.8, thresholds=thresholds,
                                  weights=0.3 * np.exp(-0.5 * thresholds))
period = 400
wanted = np.sin(2.0 * np.pi * np.arange(3 * period) / period)
# %%
moved = stage.follow(wanted)
loop = bristle.loop(wanted[-period:], moved[-period:])
print(f"the loop is {loop.orientation} with an area of {abs(loop.area):.3f}")
# %% [markdown]
# The inverse in front of the stage straightens it.
# %%
inverse = stage.inverse()
followed = stage.follow(inverse.follow(wanted))
print(f"with the inverse in front it is off by {np.abs(followed - wanted).max():.0e}: "
      f"{inverse.exact}")
# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit()
plt.plot(wanted, moved, label="stage alone")
plt.plot(wanted, followed, label="inverse in front")
plt.xlabel("wanted output")
plt.ylabel("output")
plt.legend()
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "hysteresis.png")
