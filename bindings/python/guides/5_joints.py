# SPDX-License-Identifier: MIT
# %% [markdown]
# 4096 joints at once: the friction of a batch of robots at the step of their simulator, and the
# derivative of a whole run with respect to its first velocities.
# %%
import sys

import numpy as np
from bristle import laws, vjp

law = laws.LuGre(stiffness=1e4, damping=50.0, stribeck_velocity=0.01)
joints, steps, dt, inertia = 4096, 80, 1e-3, 0.5


def roll(v):
    """Velocities of all steps, and how to go back through each."""
    z, history, pullbacks = np.zeros(joints), [v], []
    for _ in range(steps):
        z, force, pullback = vjp(law, z, v, dt)
        v = v - dt / inertia * force
        history.append(v)
        pullbacks.append(pullback)
    return np.array(history), pullbacks


# %%
start = np.linspace(-0.2, 0.2, joints)
history, pullbacks = roll(start)
print(f"{np.mean(np.abs(history[-1]) < 1e-3):.0%} of the joints have come to rest")
# %% [markdown]
# Backwards through all steps: how the last velocities depend on the first ones.
# %%
v_gradient, z_gradient = np.ones(joints), np.zeros(joints)
for pullback in reversed(pullbacks):
    z_gradient, through_force = pullback(z_gradient, -dt / inertia * v_gradient)
    v_gradient = v_gradient + through_force
h = 1e-6
difference = (roll(start + h)[0][-1] - roll(start - h)[0][-1]) / (2.0 * h)
i = joints - 1
print(f"the fastest joint: d(last velocity) / d(first velocity) = {v_gradient[i]:.4f}, "
      f"by differences {difference[i]:.4f}")
print(f"all joints: {np.median(np.abs(v_gradient - difference)):.0e} apart in the median")
# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit()
plt.plot(dt * np.arange(steps + 1), history[:, ::256])
plt.xlabel("time [s]")
plt.ylabel("velocity [m/s]")
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "joints.png")
