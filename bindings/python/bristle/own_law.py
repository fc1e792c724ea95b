# SPDX-License-Identifier: MIT
"""Laws and couplings of your own, written in Python."""
from __future__ import annotations

from . import _core


class OwnLaw:
    """A friction law with one state, for trying ideas: subclass it and write the equations.

        class LoadedDahl(bristle.OwnLaw):
            def __init__(self, stiffness=1e4, coefficient=0.3):
                self.stiffness, self.coefficient = stiffness, coefficient
                self.state_scale = coefficient / stiffness        # size of z at break-away

            def rate(self, z, motion):
                yield_force = self.coefficient * motion.load
                return motion.velocity - motion.speed * self.stiffness * z / yield_force

            def force(self, z, motion):
                return self.stiffness * z

    `motion` has position, velocity, load, time, speed (|velocity|) and direction. Write speed in
    place of abs(velocity): it stays smooth within a step. Numbers carry their derivatives, so use
    + - * / ** and NumPy's exp, log, sqrt, sin, cos, tanh and arctan, not math's.

    `stored(z, motion)` [J] with `elastic_force(z, motion)`, its derivative with respect to z, lets
    the energy ledger tell what is stored from what is lost; `steady(z, motion)` is the force at
    constant velocity. An own law works in simulate(), in machines and in fit(). Every evaluation
    calls Python: such a run takes some hundred times as long as with a law of the engine.

    Without an __init__ of its own, a law takes its numbers as keywords: LoadedDahl(stiffness=2e4)
    replaces the number `stiffness` of the class. Write `state_scale` as a property where it depends
    on them.
    """

    def __init__(self, **parameters) -> None:
        known = [name for name in dir(type(self)) if not name.startswith("_")
                 and isinstance(getattr(type(self), name), (int, float))]
        for name, value in parameters.items():
            if name not in known:
                raise _core.InvalidInput(
                    _core.not_found(f"parameter of {type(self).__name__}", name, known))
            setattr(self, name, value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: law written in Python>"


def law_of(law):
    """The law as the engine takes it: one of its own, or one written in Python."""
    return _core.own_law(law) if isinstance(law, OwnLaw) else law


class OwnCoupling:
    """A coupling of two bodies of a machine, written in Python: subclass it.

        class HardeningShaft(bristle.OwnCoupling):
            def force(self, s, w):                # against the stretch s, its rate is w
                return 120.0 * s + 3e7 * s**3 + 0.02 * w

            def stored(self, s):                  # [J]
                return 60.0 * s**2 + 0.75e7 * s**4

            def loss(self, s, w):                 # [W]: force w = d(stored)/dt + loss
                return 0.02 * w**2
    """

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: coupling written in Python>"


class OwnLinkage:
    """A linkage of two or three joints, written in Python by its energies: subclass it.

        class SlidingCrank(bristle.OwnLinkage):      # a mass that slides along a turning rod
            joints = 2
            mass = 0.5

            def kinetic(self, q, v):                 # [J], quadratic in the velocities v
                return 0.5 * self.mass * (v[0] * v[0] + q[0] * q[0] * v[1] * v[1])

            def potential(self, q):                  # [J]
                return 0.0

    The equations of motion follow from the energies, with exact derivatives. Use NumPy's sin and
    cos, not math's. Every evaluation calls Python, which is slow.
    """

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: linkage written in Python>"


def coupling_of(coupling):
    """The coupling as the engine takes it."""
    if isinstance(coupling, OwnLinkage):
        return _core.own_linkage(coupling)
    return _core.own_coupling(coupling) if isinstance(coupling, OwnCoupling) else coupling
