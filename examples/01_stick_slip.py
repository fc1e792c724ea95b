# SPDX-License-Identifier: MIT
"""Stick-slip of a dragged mass with the LuGre law: simulate, look at the cycle, check the ledger."""
import sys

import bristle
from bristle import laws, mechanisms

# Name the parameters that differ from their defaults.
law = laws.LuGre(stiffness=1e5, viscous=0.4)
mechanism = mechanisms.DraggedMass(mass=1.0, spring=2.0, drag_velocity=0.1)

run = bristle.simulate(law, mechanism, end=40.0, tolerance=1e-9)
print(run.message)

# One line per second: the body rests, then jumps.
columns = (run[name][::50] for name in ("time", "position", "velocity", "force"))
for t, x, v, f in zip(*columns):
    print(f"t = {t:5.2f} s   x = {x:7.4f} m   v = {v:8.5f} m/s   F = {f:7.4f} N")

cycle = run.limit_cycle()
print(f"stick-slip: {cycle.kind}, period {cycle.period:.6f} s, "
      f"at rest {100.0 * cycle.stick_fraction:.0f} % of the time")
sys.exit(0 if run.ok and cycle.kind == "exact" else 1)
