# SPDX-License-Identifier: MIT
"""Parts: the result of a fit as one file."""
import os
from types import SimpleNamespace

import numpy as np

from . import _core, laws


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
    covariance : of the fitted parameters in their order, each in its scale
    domain : dict of quantity to (least, most, unit) that the data have seen
    runs : quantity, unit, fitted and held_out (rmse, nrmse, r2, worst, samples) of each run
    warnings, unusable, version, command, licence, source : texts
    """

    def __init__(self, core):
        self._core = core

    @classmethod
    def read(cls, path):
        """Reads a part.toml; one that is not right raises InvalidInput with its line."""
        return cls(_core.Part.read(os.fspath(path)))

    def write(self, path):
        """Writes it as a file; every number reads back as it is."""
        self._core.write(os.fspath(path))

    def law(self, **changes):
        """The law with the values found; keywords change single parameters."""
        if self.kind != "law":
            raise _core.InvalidInput("the part is that of a machine: bristle.Machine reads its file")
        return laws.make(self._core.law, **{**self._core.values("law"), **changes})

    def draw(self, n=1, seed=1):
        """Draws n sets of parameters: a dict of name to array.

        The unknowns of the fit (logarithms, values, excesses over another parameter) are drawn from
        their normal distribution and clipped to the bounds of the search. Held parameters stay.
        """
        drawn = self._core.draw(int(n), int(seed))
        return {name: np.ascontiguousarray(drawn[:, i]) for i, name in enumerate(self.parameters)}

    @property
    def parameters(self):
        return {p["name"]: SimpleNamespace(**p) for p in self._core.parameters}

    @property
    def runs(self):
        return [SimpleNamespace(run=r["run"], quantity=r["quantity"], unit=r["unit"],
                                fitted=SimpleNamespace(**r["fitted"]),
                                held_out=SimpleNamespace(**r["held_out"]))
                for r in self._core.runs]

    def __getattr__(self, name):
        if name in ("kind", "machine", "mechanism", "covariance", "domain", "warnings", "unusable",
                    "version", "command", "licence", "source"):
            return getattr(self._core, name)
        raise AttributeError(f"a part has no attribute {name!r}")

    def __repr__(self):
        what = self._core.law or "a machine"
        free = ", ".join(f"{p.name} = {p.value:.6g} ({p.lower:.4g} to {p.upper:.4g})"
                         for p in self.parameters.values() if p.fitted)
        return f"<Part of {what}: {free}>"
