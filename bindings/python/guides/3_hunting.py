# SPDX-License-Identifier: MIT
# %% [markdown]
# A PID loop that hunts: integral action and friction that falls with speed.
# %%
import sys

import bristle
import numpy as np
from bristle import MachineBuilder, laws


def axis(start, integral_gain):
    return (MachineBuilder()
            .body("axis", inertia=1.0, position=start)
            .contact("guide", laws.Stribeck(coulomb_force=1.0, static_force=1.5,
                                            stribeck_velocity=0.01), on="axis")
            .controller("pid", on="axis", step=1e-3, position_gain=100.0, velocity_gain=10.0,
                        integral_gain=integral_gain, sensing="exact", shape="ramp", rate=0.0)
            .build())


# %%
hunts = bristle.simulate(axis(-0.1, 200.0), end=80.0)
slips = hunts.events.time[(hunts.events.kind == "slip") & (hunts.events.after > 0)]
print(f"with integral action it hunts with a period of {slips[-1] - slips[-2]:.2f} s, "
      f"{1e3 * np.abs(hunts['axis.position'][1000:]).max():.1f} mm off")
# %% [markdown]
# Without it the axis stays where friction holds it.
# %%
rests = bristle.simulate(axis(-0.1, 0.0), end=80.0)
print(f"without it the axis rests {1e3 * abs(rests['axis.position'][-1]):.1f} mm off")
# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit()
hunts.plot("axis.position")
rests.plot("axis.position", ax=plt.gca())
plt.legend(["with integral action", "without"])
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "hunting.png")
