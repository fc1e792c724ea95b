# SPDX-License-Identifier: MIT
"""A mechanism of your own: a mass that slides along a turning rod. It gives its two energies, and
the equations of motion, their derivatives, stick and the energy ledger follow."""
import bristle
from bristle import MachineBuilder, laws


class SlidingCrank(bristle.OwnLinkage):
    joints = 2  # the distance of the mass from the axis, the angle of the rod
    mass = 0.5

    def kinetic(self, q, v):
        return 0.5 * self.mass * (v[0] * v[0] + q[0] * q[0] * v[1] * v[1])

    def potential(self, q):
        return 0.0


machine = (MachineBuilder()
           .body("slider", inertia=0.0, position=0.2)
           .body("rod", inertia=0.1, motion="rotation")
           .coupling("crank", SlidingCrank(), between=("slider", "rod"))
           .contact("guide", laws.Coulomb(coulomb_force=0.4), on="slider")
           # The rod is turned ever faster: the guide holds until mass times radius times speed^2
           # is 0.4 N.
           .input("torque", on="rod", shape="ramp", offset=0.12)
           .build())
run = bristle.simulate(machine, end=3.0, tolerance=1e-10)
print(run.message)
print(f"the slider lets go at {run.events[0].time:.4f} s, "
      "it should at sqrt(0.4 / (0.5 0.2)) = 2 s")
print(f"at 3 s it is {run['slider.position'][-1]:.4f} m from the axis, "
      f"the rod turns at {run['rod.velocity'][-1]:.4f} rad/s")
