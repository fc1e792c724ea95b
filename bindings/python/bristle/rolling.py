# SPDX-License-Identifier: MIT
"""Rolling contact: bristles distributed over a patch."""
from __future__ import annotations

from . import _core
from ._described import _paragraphs
from .machine import _require


class ContactPatch(_core.ContactPatch):
    """Bristles of a law distributed over a rolling contact, at the step of a host.

        tyre = bristle.ContactPatch(laws.FrBD(stiffness=252.0), load=4000.0)
        tyre.advance(1e-4, slip, transport)
        tyre.force(slip)
    """

    def __init__(self, law, **shape) -> None:
        _require(law, _core.Law, "a ContactPatch takes one of bristle.laws")
        super().__init__(law, shape)


ContactPatch.__doc__ += "\n" + _paragraphs(_core.ContactPatch._table(), "").split("\n\n", 1)[1]
