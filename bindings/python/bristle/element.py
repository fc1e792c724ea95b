# SPDX-License-Identifier: MIT
"""Friction at the fixed step of a controller or a simulator that owns the time."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._described import _numbers


class FrictionElement:
    """A law in the time loop of a host, for one joint or for an array of them.

        friction = FrictionElement(laws.FrBD(stiffness=1e4), step=1e-3)
        force, tangent = friction.force_at(velocity)      # a trial, changes nothing
        force = friction.advance(velocity)                # takes the step

    The velocity is that at the end of the step; the bristle moves with the mean of it and that of
    the last `advance`. The force belongs to the end of the step, the tangent is its derivative with
    respect to the velocity there.
    """

    def __init__(self, law, step) -> None:
        if not isinstance(law, _core.Law):
            raise TypeError(f"law = {law!r} is not allowed, it must be one of bristle.laws")
        law.advance(0.0, 0.0, _numbers(step, "step"))  # says if the law or the step is not allowed
        self.law, self.step = law, step
        self.reset()

    def reset(self, state=0.0, velocity=0.0) -> None:
        """Back to a state of the bristle and a velocity."""
        self.state = np.copy(_numbers(state, "state"))[()]
        self._velocity = np.copy(_numbers(velocity, "velocity"))[()]

    def force_at(self, velocity, *, position=0.0, load=1.0) -> tuple[Any, Any]:
        """(force, tangent) if the velocity ends the step at `velocity`."""
        velocity, at = _numbers(velocity, "velocity"), {"position": position, "load": load}
        state, _, _, by_middle, _, _ = self.law.slopes(self.state, self._middle(velocity),
                                                       self.step, **at)
        force, by_state, by_velocity = self.law.force_slopes(state, velocity, **at)
        return force, 0.5 * by_middle * by_state + by_velocity

    def advance(self, velocity, *, position=0.0, load=1.0) -> Any:
        """Takes the step and returns the force at its end."""
        velocity, at = _numbers(velocity, "velocity"), {"position": position, "load": load}
        self.state = self.law.advance(self.state, self._middle(velocity), self.step, **at)
        self._velocity = np.copy(velocity)[()]  # the caller may write to its array
        return self.law.force(self.state, velocity, **at)

    def _middle(self, velocity):
        return 0.5 * (self._velocity + velocity)
