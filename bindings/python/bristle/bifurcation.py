# SPDX-License-Identifier: MIT
"""Bifurcation diagrams: where a driven body is once per drive period, over one parameter."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _core
from ._described import _mapping, _pair, described_class
from .machine import source_of

_Options = described_class(_core.BifurcationOptions, _core.BifurcationOptions._table(), "Options",
                           __name__)


class Bifurcation:
    """A diagram, point by point and value by value.

    Attributes
    ----------
    values : the values of the parameter
    kinds, beats, chaos : of each value, the kind of the motion ("periodic", "chaotic", ...), the
        drive periods after which a periodic one repeats, and K of the 0-1 test where it was needed
    value, time, x, y : of each point, the value of the parameter and the section
    motions : ranges of the parameter with one kind of motion: (first, last, kind)
    """

    def __init__(self, found) -> None:
        self._x_label, self._y_label = found.pop("labels")
        self.values, self.beats, self.chaos = found["values"], found["beats"], found["chaos"]
        self.kinds = np.array(found["kinds"])
        self.value, self.time, self.x, self.y = (found[n] for n in ("value", "time", "x", "y"))

    @property
    def motions(self) -> list[tuple[float, float, str]]:
        ranges = []
        for value, kind, beats in zip(self.values, self.kinds, self.beats):
            name = f"{kind} {beats}" if beats > 1 else str(kind)
            if ranges and ranges[-1][2] == name:
                ranges[-1] = (ranges[-1][0], float(value), name)
            else:
                ranges.append((float(value), float(value), name))
        return ranges

    def plot(self, ax=None) -> Any:
        """Draws the diagram with matplotlib and returns the axes."""
        import matplotlib.pyplot as plt

        ax = plt.gca() if ax is None else ax
        ax.plot(self.value, self.x, ",k")
        ax.set_xlabel(self._x_label)
        ax.set_ylabel(self._y_label)
        return ax

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row per point."""
        import pandas

        return pandas.DataFrame({n: getattr(self, n) for n in ("value", "time", "x", "y")})

    def __repr__(self) -> str:
        return f"<Bifurcation: {len(self.value)} points at {len(self.values)} values>"


def bifurcation(source, parameter, span, *, values=1000, periods=300, keep=60, threads=0, case="",
                x="position", y="velocity", settings=None, kept=None, progress=None) -> Bifurcation:
    """Runs a driven body or machine at many values of a parameter and returns a Bifurcation.

        bifurcation("rig.toml", "input.amplitude", (0.001, 0.006), values=200)

    `source` is an experiment file or a text, `parameter` a field of it ("section.field"), `span`
    its first and last value. Each value is run from rest for `periods` drive periods, of which the
    last `keep` are looked at, once per period: columns `x` and `y`. `kept` names a file that holds
    what is done; the same call goes on from there after an interrupt. `progress` is called now and
    then with the part done; False ends the work.
    """
    text, path = source_of(source)
    first, last = _pair(span, "span")
    options = _Options(**{"from": first, "to": last, "values": values, "periods": periods,
                          "keep": keep, "threads": threads})
    return Bifurcation(_core.bifurcation(text, path, parameter, options, case, (x, y),
                                         _mapping(settings, "settings"),
                                         "" if kept is None else os.fspath(kept), progress))
