# SPDX-License-Identifier: MIT
"""A machine in motion, for a host that owns the time."""
from __future__ import annotations

from typing import Any

from . import _core
from .machine import Machine, _require


class Run(_core.Run):
    """A machine that is stepped from outside, and may go back to where it was.

        run = bristle.Run(machine)
        for k in range(1000):
            run.set_input("torque", 0.1)
            run.step(1e-3)
            run.position("motor"), run.force("bearing")

    Within a step the machine is integrated adaptively with its events located, so a step may be of
    any length. Bodies, contacts and inputs are named or numbered. `save()` and `restore()` go back
    bit for bit; `copy()` goes on independently.
    """

    def __init__(self, machine, *, tolerance=1e-8) -> None:
        _require(machine, Machine, "a Run takes a Machine")
        super().__init__(machine._core, tolerance)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo) -> Any:
        return self.copy()
