# SPDX-License-Identifier: MIT
"""What a friction law acts on: `bristle.mechanisms.DraggedMass(mass=1.0, spring=2.0)`."""
from . import _core
from ._described import described_class, fill_module

_SIGNAL = {"signal": "the Signal that drives it"}


def _make_class(base):
    table = base._table()
    if table["signal"]:
        table["extras"] = _SIGNAL
    return described_class(base, table, base.__name__, __name__)


all = [_make_class(base) for base in _core.mechanism_classes]
_kinds = tuple(all)
__all__ = ["all"]
fill_module(__name__, all)
