# SPDX-License-Identifier: MIT
"""What a simulation returns: columns, events, summary and energy ledger."""
from __future__ import annotations

from collections.abc import Iterator
from html import escape
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import _core


class _Kept:
    """What a Result has of the engine, as plain arrays: a Result that was pickled."""

    @classmethod
    def of(cls, result):
        core, kept = result._core, cls()
        kept.columns = {name: np.array(result[name]) for name in result}
        kept.ok, kept.message = core.ok, core.message
        kept.answers = {"table": core.table(), "summary": core.summary(), "ledger": core.ledger(),
                        "events": core.events()}
        return kept

    def column(self, name):
        if name not in self.columns:
            raise _core.InvalidInput(_core.not_found("column", name, list(self.columns)))
        values = self.columns[name].view()
        values.flags.writeable = False
        return values

    def table(self):
        return self.answers["table"]

    def summary(self):
        return dict(self.answers["summary"])

    def ledger(self):
        return self.answers["ledger"]

    def events(self):
        return self.answers["events"]


def _restored(kept):
    return Result(kept)


class Result:
    """Named columns as NumPy arrays, and how the run went.

    `result["position"]` is a view of the memory of the engine: nothing is copied, and it cannot be
    written to. The memory lives as long as any of its arrays. `dict(result)` has all columns. A
    Result can be pickled, so that other processes can return one.

    Attributes
    ----------
    ok : bool
        whether the run reached its end
    message : str
        how it went, in one sentence
    summary : dict
        status, method, steps, evaluations, seconds and so on
    ledger : dict
        work_in, dissipated, stored_change, closing_error and relative_error [J]; None where no
        energies are counted
    events : numpy.recarray
        one row per event: time, kind and what belongs to it
    units : dict
        unit of each column
    """

    def __init__(self, core) -> None:
        self._core = core
        self._table = core.table()
        self._names = [name for name, _, _ in self._table]

    def __getitem__(self, name) -> np.ndarray:
        if not isinstance(name, str):
            raise TypeError(f"a column goes by its name, such as {self._names[0]!r}, not by {name!r}")
        return self._core.column(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name) -> bool:
        return name in self._names

    def keys(self) -> list[str]:
        """The names of the columns."""
        return list(self._names)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _restored, (_Kept.of(self),)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column."""
        return {name: unit for name, unit, _ in self._table}

    @property
    def ok(self) -> bool:
        """Whether the run reached its end."""
        return self._core.ok

    @property
    def message(self) -> str:
        """How the run went, in one sentence."""
        return self._core.message

    @property
    def summary(self) -> dict[str, Any]:
        """Status, method, steps, evaluations, seconds and so on, as a dictionary."""
        return self._core.summary()

    @property
    def ledger(self) -> dict[str, Any] | None:
        """The energy ledger [J] as a dictionary, None where no energies are counted."""
        return self._core.ledger()

    @property
    def events(self) -> Any:
        """One row per event: time, kind and what belongs to it."""
        columns = self._core.events()
        if not columns:
            return np.recarray(0, dtype=[("time", float)])
        arrays = [np.asarray(column, dtype="U16") if isinstance(column, list) and not column
                  else np.asarray(column) for column in columns.values()]
        return np.rec.fromarrays(arrays, names=list(columns))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the columns, indexed by time where there is one."""
        import pandas

        frame = pandas.DataFrame({name: self[name] for name in self._names})
        return frame.set_index("time") if "time" in self else frame

    def plot(self, y=None, x="time", ax=None) -> Any:
        """Draws columns over another with matplotlib and returns the axes.

        Without `y`: the position, or the positions of all bodies.
        """
        import matplotlib.pyplot as plt

        if y is None:
            y = [n for n in self._names if n.rsplit(".", 1)[-1] == "position"] or self._names[1:2]
        names = [y] if isinstance(y, str) else list(y)
        ax = plt.gca() if ax is None else ax
        for name in names:
            ax.plot(self[x], self[name], label=self._label(name))
        ax.set_xlabel(self._label(x))
        ax.set_ylabel(self._label(names[0]) if len(names) == 1 else "")
        if len(names) > 1:
            ax.legend()
        return ax

    def _label(self, name):
        unit = self.units[name]
        return f"{name} [{unit}]" if unit else name

    def __repr__(self) -> str:
        rows = len(self[self._names[0]]) if self._names else 0
        return f"<Result: {rows} samples of {', '.join(self._names)}; {self.message}>"

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(unit)}</td><td>{escape(meaning)}</td>"
            f"<td>{self[name].min():.6g} to {self[name].max():.6g}</td></tr>"
            for name, unit, meaning in self._table if len(self[name]))
        ledger = self.ledger
        energies = "" if ledger is None else (f"; work in {ledger['work_in']:.6g} J, dissipated "
                                              f"{ledger['dissipated']:.6g} J")
        return (f"<p>{escape(self.message)}</p><table><tr><th>column</th><th>unit</th><th>meaning</th>"
                f"<th>range</th></tr>{rows}</table><p>{len(self.events)} events{energies}</p>")

    def limit_cycle(self, **options) -> SimpleNamespace:
        """Stick-slip of a law on a mechanism: kind, period, stick_fraction and so on.

        Options: rest_speed, rest_fraction.
        """
        return SimpleNamespace(**_core.limit_cycle(self._run("limit_cycle()"), **options))

    def work_between(self, start, end) -> float:
        """The work of the drive between two times [J], as the solver has it."""
        return _core.work_between(self._run("work_between()"), start, end)

    def _run(self, what):
        if isinstance(self._core, _Kept):
            raise _core.InvalidInput(f"{what} needs the run itself, of which a Result that was "
                                     "pickled keeps the columns only")
        return self._core
