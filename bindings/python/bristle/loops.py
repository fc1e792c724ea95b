# SPDX-License-Identifier: MIT
"""Measured loops, the maps of the systems in files, series compared, tables from files."""
from __future__ import annotations

import os
from types import SimpleNamespace

import numpy as np

from . import _core
from ._described import _mapping, _require
from .machine import source_of


def loop(x, y) -> SimpleNamespace:
    """A closed loop through samples: area, width, height, closing_error, orientation.

    The area is the integral of y dx round the loop, positive if it is run through clockwise; of
    force over displacement that is the energy lost [J].
    """
    return SimpleNamespace(**_core.loop(x, y))


def loops(x, y, *, by=None) -> LoopList:
    """The loops of a record of many periods, each as loop() has it, with `label`, `first` and `end`.

    `by` numbers the loops, one number per row; without it the record is split where the input
    passes upward through its middle. The attribute `left_out` of the list says which rows are in
    no loop, and why.
    """
    if by is None:
        found, left = _core.loops(x, y)
        return LoopList([SimpleNamespace(label=f"loop {i + 1}", **one)
                         for i, one in enumerate(found)], [SimpleNamespace(**one) for one in left])
    x, y, by = np.asarray(x), np.asarray(y), np.asarray(by)
    if by.ndim != 1 or not len(by) or by.shape != x.shape or by.shape != y.shape:
        raise _core.InvalidInput(f"by, x and y have the shapes {by.shape}, {x.shape} and {y.shape}, "
                                 "they must have one dimension and as many rows")
    edges = [0, *(np.flatnonzero(by[1:] != by[:-1]) + 1), len(by)]
    return LoopList([SimpleNamespace(label=str(by[a]), first=a, end=b, **_core.loop(x[a:b], y[a:b]))
                     for a, b in zip(edges, edges[1:])], [])


class LoopList(list):
    """Loops of a record, and the rows that are in none of them."""

    def __init__(self, found, left_out) -> None:
        super().__init__(found)
        self.left_out = left_out


def butterfly(x, y, *, map="quadratic", a=1.0, each=False, falling=False, tolerance=0.01,
              elements=0, asymmetric=True) -> SimpleNamespace:
    """Classifies one period of a loop with lobes, and unfolds it into a simple loop if it can.

    A butterfly with two equal minima (or maxima) is the image of a simple loop under a map with a
    valley (or a peak): "quadratic", a (y - centre)^2, or "absolute", a |y - centre|. `each` takes a
    quadratic map of its own for each way, if the extremes differ; `falling` asks for a simple loop
    that falls with the input; `tolerance` is the part of the height by which extremes may differ
    and ways step back. With `elements` an operator of so many plays or stops is fitted.

    Attributes: kind, lobes (start, end, area, orientation), unfolds; if it does: x, y (the simple
    loop), opens, extremes_at, extreme_gap, jump and, with `elements`, system; if not: why_not, with
    a valley and with a peak.
    """
    if map not in ("quadratic", "absolute"):
        raise _core.InvalidInput(f"map = {map!r} is not allowed, it must be one of quadratic, "
                                 "absolute")
    if each and map != "quadratic":
        raise _core.InvalidInput("each has no meaning with map = 'absolute', only with quadratic")
    if not (a > 0.0 and np.isfinite(a)):
        raise _core.InvalidInput(f"a = {a} is not allowed, it must be greater than 0")
    if not 0.0 <= tolerance <= 0.5:
        raise _core.InvalidInput(f"tolerance = {tolerance} is not allowed, it must be at least 0 "
                                 "and at most 0.5")
    found = _core.butterfly(x, y, map, a, each, falling, tolerance)
    found["lobes"] = [SimpleNamespace(**lobe) for lobe in found["lobes"]]
    if elements and found["unfolds"]:
        from . import systems

        found["system"] = systems.fit(found["x"], found["y"], elements=elements,
                                      asymmetric=asymmetric)
    return SimpleNamespace(**found)


def path_forces(law, displacements) -> np.ndarray:
    """The forces of a structural loop, laws.DegradingBoucWen, along displacements [m] from rest."""
    _require(law, _core.Law, "path_forces() takes a bristle.laws.DegradingBoucWen")
    return _core.path_forces(law, displacements)


def path_displacements(law, forces) -> np.ndarray:
    """The displacements [m] at which a structural loop, laws.DegradingBoucWen, has given forces [N].

    The inverse of path_forces(); its losses and pinching are undone as well. The law may be that of
    a fit or of a Part.
    """
    _require(law, _core.Law, "path_displacements() takes a bristle.laws.DegradingBoucWen")
    return _core.path_displacements(law, forces)


def errors(time, values, other_time, other) -> SimpleNamespace:
    """How far two series are apart: samples, rmse, mean, std and max of values less other.

    The times of the first count; the second is read between its samples by cubics.
    """
    return SimpleNamespace(**_core.errors(time, values, other_time, other))


def maps(source, *, settings=None, progress=None) -> list[SimpleNamespace]:
    """The input-output maps of a file: of each case with a [system] and a periodic input.

    Each is driven until it repeats. Attributes: label, system, frequency, input, output, area,
    height, closed, closing_error, periods, properties (hysteretic, rate_dependent, local_memory,
    return_point, congruent; None where the maps do not tell).
    """
    text, path = source_of(source)
    found = _core.maps(text, path, _mapping(settings, "settings"), progress)
    for one in found:
        one["properties"] = SimpleNamespace(**one["properties"])
    return [SimpleNamespace(**one) for one in found]


class Table(dict):
    """Columns of a file by name; `units` has the units of its header, `notes` what was skipped."""

    def __init__(self, columns, units, notes) -> None:
        super().__init__(columns)
        self.units, self.notes = units, notes


def read_table(path, *, skip=0) -> Table:
    """The columns of a CSV, MATLAB or HDF5 file as arrays, their numbers as they stand.

    What is no number is NaN. `skip` is the number of lines that are not looked at.
    """
    return Table(*_core.read_table(os.fspath(path), skip))
