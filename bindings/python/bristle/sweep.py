# SPDX-License-Identifier: MIT
"""Sweeps: an experiment at many values of its fields, on all cores."""
import os
import warnings
from html import escape
from types import SimpleNamespace

import numpy as np

from . import _core
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
    `case` chooses one of several cases.
    """

    def __init__(self, source, *, vary=None, quantities=(), settings=None, case=""):
        text, path = source_of(source)
        quantities = [quantities] if isinstance(quantities, str) else list(quantities)
        self._core = _core.Sweep(text, path, dict(settings or {}),
                                 [_axis(field, values) for field, values in (vary or {}).items()],
                                 [str(name) for name in quantities], case)

    def __len__(self):
        return self._core.size()

    @property
    def fields(self):
        """The fields that are varied or drawn."""
        return self._core.fields()

    @property
    def quantities(self):
        """What is kept of each run."""
        return self._core.quantities()

    def values(self, number):
        """The values of a run, numbered from 1, by field."""
        return dict(zip(self.fields, self._core.values(number)))

    def only(self, number, *, progress=None):
        """Runs one run alone and returns an Experiment with all of its columns."""
        return Experiment(self._core.only(number, progress))

    def run(self, *, threads=0, budget=None, out=None, part=(1, 1), figures=True, fresh=False,
            progress=None):
        """Runs all of it and returns a SweepResult.

        threads: 0 for one per core. budget: stop after so many seconds, with the runs that were
        made. out: a result directory, as `bristle sweep --out` writes it; what an interrupted sweep
        has done is kept beside it, and the same call goes on from there unless `fresh`. part:
        (3, 64) works on part 3 of 64. progress: called now and then with the part done; False ends
        the sweep. The interpreter's lock is free; Ctrl-C raises KeyboardInterrupt.
        """
        first, count = part
        found = self._core.run("" if out is None else os.fspath(out), threads, budget or 0.0,
                               (first, count), figures, fresh, progress)
        return SweepResult(found)

    def __repr__(self):
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

    def __init__(self, found):
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

    def __getitem__(self, name):
        if name not in self._columns:
            raise _core.InvalidInput(_core.not_found("column", str(name), list(self._columns)))
        return self._columns[name]

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def __contains__(self, name):
        return name in self._columns

    def keys(self):
        return list(self._columns)

    @property
    def complete(self):
        return len(self["number"]) == self.planned

    def grid(self, name):
        """A column in the shape of the plan: one axis per varied field, before them the draws."""
        if not self.complete:
            raise _core.InvalidInput(f"{len(self['number'])} of {self.planned} runs were made: an "
                                     "unfinished sweep has no grid")
        return self[name].reshape(self._shape)

    def to_pandas(self):
        """A pandas.DataFrame with one row per run."""
        import pandas

        return pandas.DataFrame(self._columns).set_index("number")

    def plot(self, quantity=None, ax=None):
        """Draws a quantity over the first field with matplotlib and returns the axes."""
        import matplotlib.pyplot as plt

        quantity, field = quantity or self.quantities[0], self.fields[0]
        ax = plt.gca() if ax is None else ax
        ax.plot(self[field], self[quantity], ".")
        ax.set_xlabel(self._labels[field])
        ax.set_ylabel(quantity)
        return ax

    def __repr__(self):
        return (f"<SweepResult: {len(self['number'])} of {self.planned} runs, {self.failed} failed; "
                f"{', '.join(self._columns)}>")

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{s.low:.6g} to {s.high:.6g}</td>"
                       f"<td>{s.median:.6g}</td></tr>" for name, s in self.statistics.items())
        return (f"<p>{escape(repr(self))}</p><table><tr><th>quantity</th><th>95 % within</th>"
                f"<th>median</th></tr>{rows}</table>")


def sweep(source, *, vary=None, quantities=(), settings=None, case="", **run):
    """Plans and runs a sweep: Sweep(source, ...).run(...), which say what the keywords are."""
    return Sweep(source, vary=vary, quantities=quantities, settings=settings, case=case).run(**run)


def read_sweep(directory):
    """The SweepResult of a result directory that a sweep has written."""
    return SweepResult(_core.read_sweep(os.fspath(directory)))


def merge_sweeps(directories, out, *, figures=True):
    """Puts the parts of a sweep together in the directory `out` and returns the whole."""
    return SweepResult(_core.merge_sweeps([os.fspath(one) for one in directories], os.fspath(out),
                                          figures))


def _axis(field, values):
    """An axis as the command writes it."""
    if isinstance(values, str):
        return f"{field}={values}"
    numbers = np.asarray(values, dtype=float)
    if numbers.ndim != 1 or not len(numbers):
        raise _core.InvalidInput(f"vary: {field} = {values!r} is not allowed, it must be a list of "
                                 "numbers, or a range such as '0.01:1:50:log'")
    return f"{field}=" + ",".join(repr(float(x)) for x in numbers)
