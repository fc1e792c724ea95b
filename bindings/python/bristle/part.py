# SPDX-License-Identifier: MIT
"""Parts: the result of a fit as one file."""
from __future__ import annotations

import os
from html import escape
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import _core, laws
from ._described import _mapping, _require, _whole


def _parsed(text, path):
    part = Part(_core.Part.parse(text, path))
    part._path = path
    return part


class Part:
    """The result of a fit: a law or a machine, its parameters, and how well they are known.

        part = bristle.Part.read("part.toml")
        part.law()                          the law, ready to be used
        part.draw(1000, seed=1)["stiffness"]    a thousand draws of each parameter

    Attributes
    ----------
    kind : "law" or "machine"; `machine` is the text of its file, `mechanism` that of a fit of motion
    parameters : dict of name to value, unit, of (law, bias, terms, mechanism, machine), fitted,
        scale ("log" or "linear"), above, bounds, deviation, lower, upper (95 % interval),
        determined, at_bound
    depends : parameter, column, unit, form and reference of each dependence on a column
    covariance : of the fitted parameters in their order, each in its scale
    domain : dict of quantity to (least, most, unit) that the data have seen
    data : dict of file to the fingerprint of its bytes
    runs : quantity, unit, fitted and held_out (rmse, nrmse, r2, worst, samples) of each run
    warnings, unusable, version, command, licence, source : texts
    """

    def __init__(self, core) -> None:
        self._core, self._path = core, "part"

    @classmethod
    def read(cls, path) -> Part:
        """Reads a part.toml; one that is not right raises InvalidInput with its line."""
        part = cls(_core.Part.read(os.fspath(path)))
        part._path = os.fspath(path)
        return part

    def write(self, path) -> None:
        """Writes it as a file; every number reads back as it is."""
        self._core.write(os.fspath(path))

    def law(self, *, at=None, **changes) -> Any:
        """The law with the values found; keywords change single parameters.

        `at` ({"temperature": 40.0}) are numbers of the columns that parameters depend on; a column
        without one is at its reference.
        """
        if self.kind != "law":
            raise _core.InvalidInput("the part is that of a machine: bristle.Machine reads its file")
        return laws.make(self._core.law, **{**self._core.values("law", _mapping(at, "at")), **changes})

    def check(self) -> dict[str, str]:
        """Whether the data are those that were fitted: a dict of file to what is said of it.

        Files are looked for as they are named, and from the folder of the part upwards. The machine
        of a part is checked as a whole.
        """
        return self._core.check(self._path)

    def diff(self, other) -> list[SimpleNamespace]:
        """How far another part is from this one, parameter by parameter.

        Entries have name, unit, first, second, deviations (the difference over the combined
        standard deviation, of logarithms where these were fitted), significant and verdict.
        """
        _require(other, Part, "diff() takes a bristle.Part")
        return [SimpleNamespace(**d) for d in self._core.differences(other._core)]

    def draw(self, n=1, seed=1) -> dict[str, np.ndarray]:
        """Draws n sets of parameters: a dict of name to array.

        The unknowns of the fit (logarithms, values, excesses over another parameter) are drawn from
        their normal distribution, cut off at the bounds of the search. Held parameters stay.
        """
        drawn = self._core.draw(_whole(n, "n"), _whole(seed, "seed"))
        return {name: np.ascontiguousarray(drawn[:, i]) for i, name in enumerate(self.parameters)}

    @property
    def parameters(self) -> dict[str, SimpleNamespace]:
        """The parameters by name, with what the data say of each."""
        return {p["name"]: SimpleNamespace(**p) for p in self._core.parameters}

    @property
    def depends(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(**d) for d in self._core.depends]

    @property
    def runs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(run=r["run"], quantity=r["quantity"], unit=r["unit"],
                                fitted=SimpleNamespace(**r["fitted"]),
                                held_out=SimpleNamespace(**r["held_out"]))
                for r in self._core.runs]

    def __getattr__(self, name) -> Any:
        if name in ("kind", "machine", "mechanism", "covariance", "domain", "data", "warnings",
                    "unusable", "version", "command", "licence", "source"):
            return getattr(self._core, name)
        raise AttributeError(f"a part has no attribute {name!r}")

    def __reduce__(self) -> Any:
        return _parsed, (self._core.text(), self._path)

    def __repr__(self) -> str:
        what = self._core.law or "a machine"
        free = ", ".join(f"{p.name} = {p.value:.6g} ({p.lower:.4g} to {p.upper:.4g})"
                         for p in self.parameters.values() if p.fitted)
        return f"<Part of {what}: {free}>"

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{escape(p.name)}</td><td>{p.value:.6g}</td><td>{escape(p.unit)}</td>"
            f"<td>{f'{p.lower:.5g} to {p.upper:.5g}' if p.fitted else 'held'}</td></tr>"
            for p in self.parameters.values())
        seen = "; ".join(f"{name} {low:.5g} to {high:.5g} {unit}"
                         for name, (low, high, unit) in self.domain.items())
        return (f"<table><caption>{escape(self._core.law or 'a machine')}</caption><tr>"
                "<th>parameter</th><th>value</th><th>unit</th><th>95 % interval</th></tr>"
                f"{rows}</table><p>range: {escape(seen)}</p>")
