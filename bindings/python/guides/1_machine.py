# SPDX-License-Identifier: MIT
# %% [markdown]
# Simulate a machine: a motor turns a load through an elastic shaft, each in a bearing of its own.
# %%
import sys

import bristle
from bristle import MachineBuilder, couplings, laws

bearing = laws.LuGre(stiffness=40.0, damping=0.02, viscous=0.0, coulomb_force=0.02,
                     static_force=0.03, stribeck_velocity=0.1)
machine = (MachineBuilder()
           .body("motor", inertia=2e-4, motion="rotation")
           .body("load", inertia=1.1e-3, motion="rotation")
           .coupling("shaft", couplings.SpringDamper(stiffness=120.0, damping=0.02),
                     between=("motor", "load"))
           .contact("bearing", bearing, on="motor")
           .contact("guide", laws.Coulomb(coulomb_force=0.05), on="load")
           .input("torque", on="motor", amplitude=0.2, frequency=3.0)
           .build())
# %%
run = bristle.simulate(machine, end=4.0)
print(run.message)
# %% [markdown]
# The load stays in stick until the shaft carries its friction of 0.05 N m.
# %%
guide = run.events[run.events.name == "guide"]
print(f"the load breaks away at {guide.time[0]:.4f} s and sticks again at {guide.time[1]:.4f} s")
# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit()
figure, (above, below) = plt.subplots(2, sharex=True)
run.plot(["motor.velocity", "load.velocity"], ax=above)
run.plot(["bearing.force", "guide.force"], ax=below)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "machine.png")
