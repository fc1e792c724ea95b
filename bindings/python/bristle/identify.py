# SPDX-License-Identifier: MIT
"""Parameters of laws from measured runs."""
import os
from types import SimpleNamespace

from . import _core, laws
from ._described import _require
from .machine import Machine
from .own_fit import fit_own
from .own_law import OwnLaw
from .part import Part

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
    part : the result as a bristle.Part, which can be written to a file; of a comparison that of the
        best law only, None for the others
    predicted : list of arrays, the force of the law along each run
    """

    def __init__(self, found):
        self.law = laws.make(found["law"], **found["values"])
        self.parameters = {p["name"]: SimpleNamespace(**p) for p in found["parameters"]}
        self.fitted = SimpleNamespace(**found["fitted"])
        self.held_out = SimpleNamespace(**found["held_out"])
        self.predicted = found["predicted"]
        self.part = Part(found["part"]) if "part" in found else None
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
        fit(MyLaw, time=t, position=x, force=f, guess={"stiffness": 1e4})    a bristle.OwnLaw

    `law` is a class of bristle.laws or its name, or a class of your own (OwnLaw), whose parameters
    are those of `guess`; it takes arrays, and of the options below bounds only, and is much slower. Columns are time [s], position [m], velocity
    [m/s], force [N] and load [N]; a velocity that is missing is made from the position. For files
    `columns` says how columns are called and in which unit, as the options of `bristle fit` do,
    also `run` and `where`. `fix` holds parameters: {"stribeck_exponent": 2.0}.

    Options: free (names of held parameters to fit), guess {name: value}, bounds {name: (low,
    high)}, offset, asymmetric, steady, robust, hold_out (part of each run), starts, seed, threads,
    repetitions, bandwidth [Hz], smooth.
    """
    if isinstance(law, type) and issubclass(law, OwnLaw):
        return fit_own(law, _arrays(data, columns, options), fix=dict(fix or {}), **options)
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


def excite(law, *, progress=None, **options):
    """Proposes a motion from which the parameters of a law can be told (D-optimal design).

    `law` holds the values that are expected. Options: stroke [m], speed [m/s], acceleration [m/s2],
    duration [s], rate [Hz], load [N], noise [N] (standard deviation of the force), fix (names of
    parameters that are known), sines, trials, seed.

    Attributes: sines (amplitude [m], frequency [Hz], phase [rad]), time, position, velocity, force
    (expected), deviations (expected relative standard deviation of each parameter), single_sine
    (the same for the best single sine), gain (of the log of the determinant).
    """
    if not isinstance(law, _core.Law) or isinstance(law, type):
        raise TypeError(f"law = {law!r} is not allowed, it must be a law with the values expected")
    return SimpleNamespace(**_core.excite(law.name, law.parameters, options, progress))


class MachineFit:
    """A machine with the parameters that were found.

    Attributes
    ----------
    machine : the machine with the values found
    parameters : dict of path to value, unit, lower, upper (95 % interval), determined, at_bound
    agreements : one entry per run and reading with fitted and held_out (rmse, nrmse, r2) and
        mean_absolute, the mean absolute error over all samples
    predicted : one dictionary per run with an array per reading
    converged, message, warnings : how it went
    """

    def __init__(self, core, found):
        self.machine = Machine(core)
        self.parameters = {p["name"]: SimpleNamespace(**p) for p in found["parameters"]}
        self.agreements = [SimpleNamespace(run=a["run"], reading=a["reading"],
                                           fitted=SimpleNamespace(**a["fitted"]),
                                           held_out=SimpleNamespace(**a["held_out"]),
                                           mean_absolute=a["mean_absolute"])
                           for a in found["agreements"]]
        self.predicted, self.correlation = found["predicted"], found["correlation"]
        self.converged, self.message = found["converged"], found["message"]
        self.warnings = found["warnings"]

    def __repr__(self):
        free = ", ".join(f"{p.name} = {p.value:.6g} ({p.lower:.4g} to {p.upper:.4g})"
                         for p in self.parameters.values())
        return f"<MachineFit: {free}>"


def fit_machine(machine, runs, *, free, readings=None, progress=None, **options):
    """Finds parameters of a machine from measured inputs and motions, with 95 % intervals.

        fit_machine(drive, {"time": t, "torque": tau, "motor.position": q},
                    free=["body.motor.inertia", "contact.bearing.coulomb_force"])

    A run is a dictionary or a pandas frame with `time`, one column per measured input by its name
    (the signal of a coupling is "COUPLING.SIGNAL", such as "servo.goal"), in a dictionary also
    `values` {path: value}, the parameters of the machine in this run, and readings "BODY.position" or "BODY.velocity"; several runs are a list of them. `readings`
    names the columns to be met, by default all that are there. `free` are paths of
    machine.parameters. Options: guess {path: value}, bounds {path: (low, high)}, hold_out (last
    part of each run), starts, refined (starts that are refined), steps, seed, threads, free_start
    (False: a run starts where it was measured), robust.
    """
    _require(machine, Machine, "fit_machine() takes a bristle.Machine")
    runs, readings = _runs_of_machine(runs, readings)
    core, found = _core.fit_machine(machine._core, runs, list(readings),
                                    {"free": list(free), **options}, progress)
    return MachineFit(core, found)


def cross_validate_machine(machine, runs, groups, *, free, readings=None, progress=None,
                           **options):
    """Fits a machine once per group of runs, without the runs of that group, and predicts them.

    `groups` names the group of each run. Returns one entry per group with `group`, `held_out`
    (numbers of its runs) and `fit` (a MachineFit whose agreements hold all runs). Runs and options
    are those of fit_machine().
    """
    _require(machine, Machine, "cross_validate_machine() takes a bristle.Machine")
    runs, readings = _runs_of_machine(runs, readings)
    folds = _core.cross_validate_machine(machine._core, runs, list(readings),
                                         [str(group) for group in groups],
                                         {"free": list(free), **options}, progress)
    return [SimpleNamespace(group=group, held_out=held_out, fit=MachineFit(*found))
            for group, held_out, found in folds]


def _runs_of_machine(runs, readings):
    runs = runs if isinstance(runs, list) else [runs]
    runs = [{str(name): one[name] for name in one.keys()} for one in runs]
    if readings is None:
        readings = [name for name in runs[0] if name.endswith((".position", ".velocity"))]
    return runs, readings


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
    return _core.fit_data(_tables(data, columns), options)


def _tables(data, columns):
    """One dictionary of known columns per run."""
    named = {name: (columns or {}).get(name, name) for name in _COLUMNS}
    runs = data if isinstance(data, list) else [data]
    return [{name: one[column] for name, column in named.items() if column in one} for one in runs]


def _arrays(data, columns, options):
    """The runs of a fit of an own law: arrays only."""
    arrays = {name: options.pop(name) for name in _COLUMNS if options.get(name) is not None}
    if (data is None) == (not arrays):
        raise TypeError("give either data or columns as keywords: time, position, force, ...")
    return [arrays] if data is None else _tables(data, columns)
