# SPDX-License-Identifier: MIT
"""Sweeps: an experiment at many values of its fields, on all cores."""
from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from html import escape
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import _core
from ._described import _mapping, _names, _numbers, _pair
from .experiment import Experiment
from .machine import source_of


class Sweep:
    """The plan of a sweep: which fields take which values, and what is kept of each run.

        plan = bristle.Sweep("my.toml", vary={"mechanism.drag_velocity": np.geomspace(0.01, 1, 50)},
                             quantities=["period"])
        len(plan), plan.values(7)       # number of runs, the values of run 7
        result = plan.run()             # all of them

    `source` is an experiment file, or a text of that format. `vary` is a dictionary of field to its
    values, or to a range as the command writes it, "0.01:1:50:log"; it adds to the [[vary]] and
    [[draw]] of the file. `quantities` replaces those of the file. `settings` changes single fields,
    `case` chooses one of several cases. With `lanes` runs are stepped side by side in the lanes of
    the processor where that can be done, as `lanes = true` of [ensemble] asks for; `in_lanes` says
    whether it can. `warnings` are sentences on values outside the usual range and the like.
    """

    def __init__(self, source, *, vary=None, quantities=(), settings=None, case="",
                 lanes=False) -> None:
        text, path = source_of(source)
        quantities = _names(quantities, "quantities")
        self._core = _core.Sweep(text, path, _mapping(settings, "settings"),
                                 [_axis(*axis) for axis in _mapping(vary, "vary").items()],
                                 quantities, case, lanes)

    def __len__(self) -> int:
        return self._core.size()

    @property
    def fields(self) -> list[str]:
        """The fields that are varied or drawn."""
        return self._core.fields()

    @property
    def quantities(self) -> list[str]:
        """What is kept of each run."""
        return self._core.quantities()

    @property
    def in_lanes(self) -> bool:
        """Whether runs are stepped side by side in the lanes of the processor."""
        return self._core.in_lanes()

    @property
    def warnings(self) -> list[str]:
        """What is to be said of the values, and why runs do not go in lanes if they were to."""
        return self._core.warnings()

    def values(self, number) -> dict[str, float]:
        """The values of a run, numbered from 1, by field."""
        return dict(zip(self.fields, self._core.values(number)))

    def only(self, number, *, progress=None) -> Experiment:
        """Runs one run alone and returns an Experiment with all of its columns."""
        return Experiment(self._core.only(number, progress))

    def run(self, *, threads=0, budget=None, out=None, part=(1, 1), figures=True, fresh=False,
            progress=None) -> SweepResult:
        """Runs all of it and returns a SweepResult.

        threads: 0 for one per core. budget: stop after so many seconds, with the runs that were
        made; a sweep that would take more than a day needs one. out: a result directory, as `bristle sweep --out` writes it; what an interrupted sweep
        has done is kept beside it, and the same call goes on from there unless `fresh`. part:
        (3, 64) works on part 3 of 64. progress: called now and then with the part done; False ends
        the sweep. The interpreter's lock is free; Ctrl-C raises KeyboardInterrupt.
        """
        first, count = _pair(part, "part")
        for sentence in self.warnings:
            warnings.warn(sentence, RuntimeWarning, stacklevel=2)
        found = self._core.run("" if out is None else os.fspath(out), threads, budget or 0.0,
                               (first, count), figures, fresh, progress)
        return SweepResult(found)

    def __repr__(self) -> str:
        return (f"<Sweep: {len(self)} runs over {', '.join(self.fields)}; "
                f"keeps {', '.join(self.quantities)}>")


class SweepResult:
    """The table of a sweep: one array per column, one row per run.

    `result["period"]` is a column: `number`, the fields, the quantities (NaN where a run does not
    have one, arrays of objects for words) and `status` ("done", or why a run failed).

    Attributes
    ----------
    fields, quantities : names of columns
    statistics : by quantity mean, deviation, smallest, largest, median, low and high (2.5 % and
        97.5 %), runs, undefined, counts (of words)
    sensitivity : by quantity and field first, total and their half widths, sigma; empty without
        [sensitivity]
    planned, failed, complete : runs of the plan, runs that failed, whether all were made
    """

    def __init__(self, found) -> None:
        columns = found["columns"]
        self._columns = {name: column if isinstance(column, np.ndarray)
                         else np.array(column, dtype=object) for name, column in columns.items()}
        self.title, self.planned, self.failed = found["title"], found["planned"], found["failed"]
        self.fields, self._labels = found["fields"], found["labels"]
        self.quantities = [n for n in columns if n not in ("number", "status", *self.fields)]
        self.statistics = {name: SimpleNamespace(**s) for name, s in found["statistics"].items()}
        self.sensitivity = {name: {field: SimpleNamespace(**s) for field, s in of.items()}
                            for name, of in found["sensitivity"].items()}
        self.seconds, self.budget_spent = found["seconds"], found["budget_spent"]
        self._shape = ([found["draws"]] if found["draws"] > 1 else []) + found["axes"]
        if found["trouble"]:
            warnings.warn(found["trouble"], RuntimeWarning, stacklevel=4)
        if self.failed:
            warnings.warn(f"{self.failed} of {len(self['number'])} runs failed, the first because: "
                          f"{found['first_failure']}", RuntimeWarning, stacklevel=4)

    def __getitem__(self, name) -> np.ndarray:
        if name not in self._columns:
            raise _core.InvalidInput(_core.not_found("column", str(name), list(self._columns)))
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, name) -> bool:
        return name in self._columns

    def keys(self) -> list[str]:
        return list(self._columns)

    @property
    def complete(self) -> bool:
        return len(self["number"]) == self.planned

    def grid(self, name) -> np.ndarray:
        """A column in the shape of the plan: one axis per varied field, before them the draws."""
        if not self.complete:
            raise _core.InvalidInput(f"{len(self['number'])} of {self.planned} runs were made: an "
                                     "unfinished sweep has no grid")
        return self[name].reshape(self._shape)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row per run."""
        import pandas

        return pandas.DataFrame(self._columns).set_index("number")

    def plot(self, quantity=None, ax=None) -> Any:
        """Draws a quantity over the first field with matplotlib and returns the axes."""
        import matplotlib.pyplot as plt

        quantity, field = quantity or self.quantities[0], self.fields[0]
        ax = plt.gca() if ax is None else ax
        ax.plot(self[field], self[quantity], ".")
        ax.set_xlabel(self._labels[field])
        ax.set_ylabel(quantity)
        return ax

    def __repr__(self) -> str:
        return (f"<SweepResult: {len(self['number'])} of {self.planned} runs, {self.failed} failed; "
                f"{', '.join(self._columns)}>")

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{s.low:.6g} to {s.high:.6g}</td>"
                       f"<td>{s.median:.6g}</td></tr>" for name, s in self.statistics.items())
        return (f"<p>{escape(repr(self))}</p><table><tr><th>quantity</th><th>95 % within</th>"
                f"<th>median</th></tr>{rows}</table>")


def sweep(source, *, vary=None, quantities=(), settings=None, case="", lanes=False,
          **run) -> SweepResult:
    """Plans and runs a sweep: Sweep(source, ...).run(...), which say what the keywords are."""
    return Sweep(source, vary=vary, quantities=quantities, settings=settings, case=case,
                 lanes=lanes).run(**run)


def read_sweep(directory) -> SweepResult:
    """The SweepResult of a result directory that a sweep has written."""
    return SweepResult(_core.read_sweep(os.fspath(directory)))


def merge_sweeps(directories, out, *, figures=True) -> SweepResult:
    """Puts the parts of a sweep together in the directory `out` and returns the whole."""
    return SweepResult(_core.merge_sweeps([os.fspath(one) for one in directories], os.fspath(out),
                                          figures))


def _axis(field, values):
    """An axis as the command writes it."""
    if isinstance(values, str):
        return f"{field}={values}"
    numbers = np.asarray(_numbers(values, f"vary: {field}"))
    if numbers.ndim != 1 or not len(numbers):
        raise _core.InvalidInput(f"vary: {field} = {values!r} is not allowed, it must be a list of "
                                 "numbers, or a range such as '0.01:1:50:log'")
    return f"{field}=" + ",".join(repr(float(x)) for x in numbers)
