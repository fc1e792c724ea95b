# SPDX-License-Identifier: MIT
"""Signals of time that drive mechanisms and machines."""
from . import _core
from ._described import described_class


def _make_class():
    table = _core.Signal._table()
    table["extras"] = {"times": "times of the points of a signal through points [s]",
                       "values": "its values there; monotone cubics between them"}
    return described_class(_core.Signal, table, "Signal", __name__)


Signal = _make_class()
__all__ = ["Signal"]
