# SPDX-License-Identifier: MIT
"""A machine of two bodies and two contacts: a motor in a bearing turns a load through an elastic
shaft that stiffens, a coupling of our own."""
import sys

import bristle
from bristle import MachineBuilder, laws


class HardeningShaft(bristle.OwnCoupling):
    """A shaft that stiffens as it is twisted: torque = stiffness s + hardening s^3, and a damper."""

    stiffness, hardening, damping = 120.0, 3e7, 0.02

    def force(self, s, w):
        return self.stiffness * s + self.hardening * s * s * s + self.damping * w

    def stored(self, s):
        return 0.5 * self.stiffness * s * s + 0.25 * self.hardening * s * s * s * s

    def loss(self, s, w):
        return self.damping * w * w


bearing = laws.LuGre(stiffness=40.0, damping=0.02, viscous=0.0, coulomb_force=0.02,
                     static_force=0.03, stribeck_velocity=0.1)
# The machine is checked as a whole, never changes, and may be shared by many runs.
machine = (MachineBuilder()
           .body("motor", inertia=2e-4, motion="rotation")
           .body("load", inertia=1.1e-3, motion="rotation")
           .coupling("shaft", HardeningShaft(), between=("motor", "load"))
           .contact("bearing", bearing, on="motor")
           .contact("guide", laws.Coulomb(coulomb_force=0.05), on="load")
           .input("torque", on="motor", amplitude=0.2, frequency=3.0)
           .build())
run = bristle.simulate(machine, end=4.0, tolerance=1e-9, samples=401)
print(run.message)
for t, motor, load in zip(run["time"][::50], run["motor.position"][::50],
                          run["load.position"][::50]):
    print(f"t = {t:3.1f} s   motor {motor:9.4f} rad   load {load:9.4f} rad   "
          f"twist {motor - load:8.5f} rad")
for e in run.events[run.events.name == "guide"]:
    print(f"t = {e.time:8.6f} s   {e.name}: {e.kind}")
sys.exit(0 if run.ok and run.ledger["closes"] and run.events.name[0] == "guide" else 1)
