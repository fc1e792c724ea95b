# SPDX-License-Identifier: MIT
"""Parameters of laws from measured runs."""
import os
from types import SimpleNamespace

from . import _core, laws

_COLUMNS = ("time", "position", "velocity", "force", "load")
_OPTIONS = ("offset", "asymmetric", "steady", "robust", "starts", "seed", "hold_out", "repetitions",
            "threads", "free", "guess", "bounds", "bandwidth", "smooth")


class Fit:
    """A fitted law, and what the data say about each parameter.

    Attributes
    ----------
    law : the fitted law, ready to be used
    parameters : dict of name to value, unit, lower, upper (95 % interval), free, determined, ...
    fitted, held_out : rmse, nrmse, r2, worst and samples of the agreement
    converged, message, warnings, notes : how it went
    predicted : list of arrays, the force of the law along each run
    """

    def __init__(self, found):
        self.law = laws.make(found["law"], **found["values"])
        self.parameters = {p["name"]: SimpleNamespace(**p) for p in found["parameters"]}
        self.fitted = SimpleNamespace(**found["fitted"])
        self.held_out = SimpleNamespace(**found["held_out"])
        self.predicted = found["predicted"]
        self.converged, self.message = found["converged"], found["message"]
        self.warnings, self.notes, self.bic = found["warnings"], found["notes"], found["bic"]

    def __repr__(self):
        free = ", ".join(f"{p.name} = {p.value:.6g} ({p.lower:.4g} to {p.upper:.4g})"
                         for p in self.parameters.values() if p.free)
        return f"<Fit of {self.law.name}: {free}; rmse {self.fitted.rmse:.4g}>"


def fit(law, data=None, *, fix=None, columns=None, **options):
    """Finds the parameters of a law from measured runs, with confidence intervals.

        fit(laws.LuGre, time=t, position=x, force=f)        arrays
        fit("lugre", [run1, run2], hold_out=0.3)            dictionaries or pandas frames, one a run
        fit("lugre", "strokes.csv", columns={"force": "F:kN", "start": 10.0, "end": 209.0})

    `law` is a class of bristle.laws or its name. Columns are time [s], position [m], velocity
    [m/s], force [N] and load [N]; a velocity that is missing is made from the position. For files
    `columns` says how columns are called and in which unit, as the options of `bristle fit` do,
    also `run` and `where`. `fix` holds parameters: {"stribeck_exponent": 2.0}.

    Options: free (names of held parameters to fit), guess {name: value}, bounds {name: (low,
    high)}, offset, asymmetric, steady, robust, hold_out (part of each run), starts, seed, threads,
    repetitions, bandwidth [Hz], smooth.
    """
    core = _data(data, columns, options)
    return Fit(_core.fit(_name(law), core, options, dict(fix or {})))


def compare(data=None, *, models=(), columns=None, **options):
    """Fits several laws to the same runs and ranks them by samples none of them has seen.

    Returns a list of Fit, the best held-out error first; laws that do not apply are left out.
    `models` are classes or names, all laws without. Data and options are those of fit().
    """
    core = _data(data, columns, options)
    ranking = _core.compare([_name(law) for law in models], core, options)
    return [Fit(found) for found in ranking if not found["refused"]]


def _name(law):
    if isinstance(law, str):
        return law
    if isinstance(law, _core.Law) or law in laws.all:
        return law.name
    raise TypeError(f"law = {law!r} is not allowed, it must be a class of bristle.laws or its name")


def _data(data, columns, options):
    """The runs; takes the columns that are given as keywords out of the options."""
    arrays = {name: options.pop(name) for name in _COLUMNS if options.get(name) is not None}
    for name in options:
        if name not in _OPTIONS:
            raise _core.InvalidInput(_core.not_found("option", name, [*_OPTIONS, *_COLUMNS]))
    if (data is None) == (not arrays):
        raise TypeError("give either data or columns as keywords: time, position, force, ...")
    if data is None:
        return _core.fit_data([arrays], options)
    if isinstance(data, (str, os.PathLike)):
        data = [data]
    if isinstance(data, list) and all(isinstance(one, (str, os.PathLike)) for one in data):
        return _core.fit_files([os.fspath(one) for one in data], dict(columns or {}), options)
    runs = data if isinstance(data, list) else [data]
    return _core.fit_data([{name: one[(columns or {}).get(name, name)] for name in _COLUMNS
                            if (columns or {}).get(name, name) in one} for one in runs], options)
