# SPDX-License-Identifier: MIT
# %% [markdown]
# Fit a log: friction measured along strokes, with noise, and the laws that could explain it.
# %%
import sys

import bristle
import numpy as np
from bristle import laws, mechanisms

true = laws.Dahl(stiffness=2000.0, coulomb_force=1.5)
strokes = mechanisms.PrescribedMotion(signal=bristle.Signal(amplitude=0.01, frequency=2.0))
made = bristle.simulate(true, strokes, end=8.0, samples=801)
noise = np.random.default_rng(1).normal(scale=0.02, size=801)
log = {"time": made["time"], "position": made["position"], "velocity": made["velocity"],
       "force": made["force"] + noise}
# %%
fitted = bristle.fit(laws.Dahl, log, hold_out=0.3, starts=16)
for p in fitted.parameters.values():
    if p.free:
        print(f"{p.name:<15} {p.value:10.4g} {p.unit:<6} ({p.lower:.4g} to {p.upper:.4g})")
print(f"held out: rmse {fitted.held_out.rmse:.4f} N, the noise is 0.02 N")
# %% [markdown]
# Which law is it? Samples that none of them has seen decide.
# %%
for one in bristle.compare(log, models=["coulomb", "dahl"], starts=16):
    print(f"{one.law.name:<10} held out: rmse {one.held_out.rmse:.4f} N")
# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit()
plt.plot(log["position"], log["force"], ".", label="measured")
plt.plot(log["position"], fitted.predicted[0], label="fitted")
plt.xlabel("position [m]")
plt.ylabel("force [N]")
plt.locator_params(axis="x", nbins=5)
plt.legend()
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "fit.png")
