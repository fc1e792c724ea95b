# SPDX-License-Identifier: MIT
"""A law of your own: write the equations once, and solvers, ledger and analyses work with it.

    z' = v - |v| stiffness z / (coefficient load),    F = stiffness z

Dahl's law whose yield force grows with the normal load.
"""
import sys

import bristle
from bristle import mechanisms


class LoadedDahl(bristle.OwnLaw):
    stiffness, coefficient = 1e4, 0.3
    state_scale = coefficient / stiffness

    def rate(self, z, motion):
        return motion.velocity - motion.speed * self.stiffness * z / (self.coefficient * motion.load)

    def force(self, z, motion):
        return self.stiffness * z

    def stored(self, z, motion):
        return 0.5 * self.stiffness * z * z

    def elastic_force(self, z, motion):
        return self.stiffness * z


def loss(load):
    """The loss of one cycle, rubbed back and forth."""
    motion = mechanisms.PrescribedMotion(load=load, signal=bristle.Signal(amplitude=0.01))
    run = bristle.simulate(LoadedDahl(), motion, end=12.566370614359172)
    print(f"load {load:5.1f} N: {run.message}")
    return run.work_between(6.283185307179586, 12.566370614359172)


# Under two loads: twice the load, twice the loss.
one, two = loss(20.0), loss(40.0)
print(f"loss per cycle {one:.6f} J and {two:.6f} J, ratio {two / one:.4f}")
# Not quite two: the elastic turn-round takes a larger part of the stroke under the larger load.
sys.exit(0 if 1.8 < two / one < 2.0 else 1)
