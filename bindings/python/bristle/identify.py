# SPDX-License-Identifier: MIT
"""Parameters of laws from measured runs."""
from __future__ import annotations

import os
from collections.abc import Iterable
from html import escape
from types import SimpleNamespace
from typing import Any

from . import _core, laws
from ._described import _mapping, _names, _require
from .machine import Machine
from .own_fit import fit_own
from .own_law import OwnLaw
from .part import Part

_COLUMNS = ("time", "position", "velocity", "force", "load", "input")
# Measured beside the motion: arrays of these names are conditions, which parts keep.
_CONDITIONS = ("temperature", "pressure", "voltage", "humidity")
_OPTIONS = ("offset", "asymmetric", "steady", "robust", "starts", "refined", "seed", "hold_out",
            "repetitions", "threads", "free", "guess", "bounds", "bandwidth", "smooth",
            "differentiate", "delay", "longest_delay", "terms", "mechanism", "output", "steps",
            "depends", "backlash", "gear", "motor_constant", "rotation")
_OF_A_FIT = ("licence", "source")
_OF_A_COMPARISON = ("forms", "nested")
_OF_A_FILE = ("run", "where", "start", "end", "skip", "join", "clock")
_OF_A_JOINT = ("position", "velocity", "force", "load", "gear", "motor_constant")


class Fit:
    """A fitted law, and what the data say about each parameter.

    Attributes
    ----------
    law : the fitted law, ready to be used
    parameters : dict of name to value, unit, lower, upper (95 % interval), free, determined, ...
    fitted, held_out : rmse, nrmse, r2, worst and samples of the agreement
    converged, message, warnings, notes : how it went; `unusable` says why to refuse the
        fit, and is empty if there is no such reason
    mechanism : dict of the parameters of the mechanism of a fit of motion
    delay : of a fit with delay="auto": delay [s], lower, upper, seen, at_limit, rmse_without,
        rmse_with; otherwise None
    part : the result as a bristle.Part, which can be written to a file; of a comparison that of the
        best law only, None for the others
    predicted : list of arrays, the force of the law along each run
    """

    def __init__(self, core) -> None:
        self._core, found = core, core.dict()
        self.law = laws.make(found["law"], **found["values"])
        self.parameters = {p["name"]: SimpleNamespace(**p) for p in found["parameters"]}
        self.fitted = SimpleNamespace(**found["fitted"])
        self.held_out = SimpleNamespace(**found["held_out"])
        self.predicted = found["predicted"]
        self.part = Part(found["part"]) if "part" in found else None
        self.converged, self.message = found["converged"], found["message"]
        self.warnings, self.notes, self.bic = found["warnings"], found["notes"], found["bic"]
        self.unusable, self.mechanism = found["unusable"], found["mechanism"]
        self.delay = SimpleNamespace(**found["delay"]) if found["delay"] else None

    def profile(self, name, *, points=21) -> SimpleNamespace:
        """The profile likelihood of a parameter: all others are fitted again at each value of it.

        Attributes: value, rise (of the sum of squares over the residual variance), lower and upper
        (95 %; None where the data set no limit).
        """
        if self._core is None:
            raise _core.InvalidInput("profile() needs the fit itself, of which one that was pickled "
                                     "keeps the results only")
        return SimpleNamespace(**self._core.profile(name, points))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_core": None}

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(p.name)}</td><td>{p.value:.6g}</td><td>{escape(p.unit)}</td><td>"
            + (f"{p.lower:.5g} to {p.upper:.5g}" if p.free else "held") + "</td></tr>"
            for p in self.parameters.values())
        said = "".join(f"<p>{escape(text)}</p>" for text in (self.message, *self.warnings))
        return (f"<table><caption>{escape(self.law.name)}</caption><tr><th>parameter</th>"
                f"<th>value</th><th>unit</th><th>95 % interval</th></tr>{rows}</table>{said}")

    def __repr__(self) -> str:
        free = ", ".join(f"{p.name} = {p.value:.6g} ({p.lower:.4g} to {p.upper:.4g})"
                         for p in self.parameters.values() if p.free)
        return f"<Fit of {self.law.name}: {free}; rmse {self.fitted.rmse:.4g}>"


def fit(law=None, data=None, *, fix=None, columns=None, start=None, **options) -> Any:
    """Finds the parameters of a law from measured runs, with confidence intervals.

        fit(laws.LuGre, time=t, position=x, force=f)        arrays
        fit("lugre", [run1, run2], hold_out=0.3)            dictionaries or pandas frames, one a run
        fit("lugre", "strokes.csv", columns={"force": "F:kN", "start": 10.0, "end": 209.0})
        fit(MyLaw, time=t, position=x, force=f, guess={"stiffness": 1e4})    a bristle.OwnLaw

    `law` is a class of bristle.laws or its name, or a class of your own (OwnLaw), whose parameters
    are those of `guess`; it takes arrays, and of the options below bounds only, and is much slower.
    Columns are time [s], position [m], velocity [m/s], force [N] and load [N]; a velocity that is
    missing is made from the position. temperature, pressure, voltage and humidity are conditions:
    a part keeps what the data have seen of them. For files `columns` says how columns are called and in which
    unit or by which factor, as the options of `bristle fit` do, also `run`, `where`, `start`,
    `end`, `skip`, `join` and `clock`. `fix` holds parameters: {"stribeck_exponent": 2.0}. `start`
    is a Part: the fit begins with its law, what it held and what it found.

    Options: free (names of held parameters to fit), guess {name: value}, bounds {name: (low,
    high)}, offset, asymmetric, steady, robust, hold_out (part of each run, or a list of runs),
    starts, refined, seed, threads, repetitions, bandwidth [Hz], smooth, differentiate ("central"),
    delay (of the force behind the motion [s], or "auto"), longest_delay, terms (a list of
    "inertia", "gravity", "viscous", "offset": the force is a torque that also does these),
    depends ({"coulomb_force": "temperature:linear"}: a parameter, or "force" for the whole force,
    as a linear, quadratic or exponential function of a column), backlash (True: a gap between the
    measured motion and the body), gear (the motion is divided by it, the force multiplied),
    motor_constant (the force is a current [A]), rotation (True: arrays are in rad and N m),
    licence and source (of the data, for the part).

    A fit of motion simulates a mechanism under a measured input: mechanism="wall_spring_mass" and
    the column `input`, with output ("position" or "velocity") and steps per sample; its parameters
    are named "mechanism.mass".
    """
    if isinstance(law, type) and issubclass(law, OwnLaw):
        return fit_own(law, _arrays(data, columns, options), fix=_mapping(fix, "fix"), **options)
    fix = _mapping(fix, "fix")
    if start is not None:
        law = _begin_from(start, law, fix, options)
    name = _name(law)
    core = _data(data, columns, options, _OF_A_FIT)
    return Fit(_core.fit(name, core, options, fix))


def _begin_from(part, law, fix, options):
    """The law of a part; puts what it held and what it found into the options that do not say it."""
    _require(part, Part, "start takes a bristle.Part")
    if part.kind != "law":
        raise _core.InvalidInput("start: is the part of a machine, fit_machine() takes its values"
                                 if part.kind == "machine" else
                                 "start: is the part of an operator, systems.fit() fits these")
    name = part._core.law
    if law is not None and _name(law) != name:
        raise _core.InvalidInput(f"start: is of the law {name}, not of {_name(law)}")
    guess = _mapping(options.get("guess"), "guess")
    free = _names(options.get("free", ()), "free")
    given = {*fix, *guess, *free}
    for choice, value in part._core.choices.items():
        if choice not in given:
            fix[choice] = value
    options.setdefault("depends", [f"{d.parameter}={d.column}:{d.form}" for d in part.depends])
    for p in part.parameters.values():
        if p.name == "backlash" and p.fitted:
            options.setdefault("backlash", True)
        other = p.of == "terms" or (p.of == "mechanism" and
                                    part.mechanism != options.get("mechanism", ""))
        if other or p.name in given:
            continue
        if not p.fitted:
            if p.of in ("law", "mechanism"):
                fix[p.name] = p.value
        elif p.of == "bias":
            options.setdefault("offset" if p.name == "offset" else "asymmetric", True)
        elif p.of == "dependence":
            guess[p.name] = p.value
        else:
            guess[p.name] = p.value
            free.append(p.name)
    options["guess"], options["free"] = guess, free
    return name


def fit_joints(law, data=None, *, joints, fix=None, columns=None, **options) -> dict[str, Fit]:
    """Fits the same law to each joint of a record of several; returns a dict of name to Fit.

        fit_joints("lugre", log, joints={"hip": {"position": "q1", "force": "i1", "gear": 50.0,
                                                 "motor_constant": 0.11},
                                         "knee": {"position": "q2", "force": "tau2"}},
                   terms=["inertia", "gravity", "friction"])

    A joint names its columns position and force, and may name velocity and load, gear and
    motor_constant. Data, columns that the joints share, and options are those of fit(); data are
    files, dictionaries or frames.
    """
    fits = {}
    for name, joint in _mapping(joints, "joints").items():
        joint = _mapping(joint, f"joint {name}")
        for key in joint:
            if key not in _OF_A_JOINT:
                raise _core.InvalidInput(f"joint {name}: " + _core.not_found(
                    "setting of a joint", key, list(_OF_A_JOINT)))
        for key in ("position", "force"):
            if key not in joint:
                raise _core.InvalidInput(f"joint {name}: {key} is missing, the name of its column")
        own = {key: joint[key] for key in ("gear", "motor_constant") if key in joint}
        named = {key: column for key, column in joint.items() if key not in own}
        try:
            fits[name] = fit(law, data, fix=fix, columns={**_mapping(columns, "columns"), **named},
                             **{**options, **own})
        except ValueError as error:
            raise _core.InvalidInput(f"joint {name}: {error}") from None
    return fits


def compare(data=None, *, models=(), columns=None, start=None, progress=None,
            **options) -> Comparison:
    """Fits several laws to the same runs and ranks them by their held-out errors.

    Returns a Comparison, a list of Fit, the best held-out error first. `models` are classes or
    names, all laws without. Data and options are those of fit(), and forms=True (each law also with
    an offset, with an asymmetry and with both, with a force that changes with a measured load, and
    with backlash), nested=5 (nested cross-validation by so many runs, or parts of runs) and
    progress. `start` is a Part: its law begins with what it held and what it found.
    """
    models = [_name(law) for law in ([models] if isinstance(models, (str, type)) else
                                     _listed(models, "models"))]
    starts = {} if start is None else _starts_of(start, models, options)
    core = _data(data, columns, options, _OF_A_COMPARISON)
    return Comparison(_core.compare(models, core, options, starts, progress))


def _starts_of(part, models, options):
    """Where the law of a part begins; adds that law to those compared."""
    own = {"fix": {}, "guess": {}, "free": []}
    begun = {name: options[name] for name in ("depends",) if name in options}
    law = _begin_from(part, None, own["fix"], begun)
    own["guess"], own["free"] = begun["guess"], begun["free"]
    for name in ("offset", "asymmetric"):
        if name in begun:
            options.setdefault(name, begun[name])
    if begun["depends"] or "backlash" in begun:
        raise _core.InvalidInput(f"start: the {law} of the part has " + (
            "parameters that depend on columns" if begun["depends"] else "backlash") +
            ", laws are compared without: fit() begins with all of it")
    if models and law not in models:
        raise _core.InvalidInput(f"start: is of the law {law}, which is not among models")
    if not models:
        models.extend(_core.compared_laws())
        if law not in models:
            models.append(law)
    return {law: own}


class Comparison(list):
    """Fits of several laws, the best held-out error first.

    Each has beside what a Fit has `name` (of the law and its form) and `error_deviation` (standard
    error of the held-out error).

    Attributes
    ----------
    refused : dict of law to the reason why it was not fitted
    simplest : the fit with the fewest unknowns within one standard error of the best
    folds : of a nested cross-validation: (held out, winner, error)
    nested_error : root mean square of these errors
    best_static, best_dynamic : held-out error of the best law without and with a state
    """

    def __init__(self, found) -> None:
        self.refused, simplest = {}, None
        for i, entry in enumerate(found["ranking"]):
            if entry["refused"]:
                self.refused[entry["name"]] = entry["refused"]
                continue
            one = Fit(entry["fit"])
            one.name, one.error_deviation = entry["name"], entry["error_deviation"]
            self.append(one)
            if i == found["simplest"]:
                simplest = one
        self.simplest, self.folds = simplest, found["folds"]
        self.nested_error = found["nested_error"] if found["folds"] else None
        self.best_static, self.best_dynamic = found["best_static"], found["best_dynamic"]

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{escape(one.name)}</td><td>{one.held_out.rmse:.4g}</td>"
                       f"<td>{one.fitted.rmse:.4g}</td></tr>" for one in self)
        return ("<table><tr><th>law</th><th>rmse held out</th><th>rmse fitted</th></tr>"
                f"{rows}</table>")


def excite(law=None, *, part=None, progress=None, **options) -> SimpleNamespace:
    """Proposes a motion from which the parameters of a law can be told (D-optimal design).

    `law` holds the values that are expected. A `part` gives its law and what its data say of the
    parameters, which counts beside the motion; stroke, speed, load and noise, unless given, are
    what its data have seen. Options: stroke [m], speed [m/s], acceleration [m/s2],
    duration [s], rate [Hz], load [N], noise [N] (standard deviation of the force), fix (names of
    parameters that are known), sines, trials, seed.

    Attributes: sines (amplitude [m], frequency [Hz], phase [rad]), time, position, velocity, force
    (expected), deviations (expected relative standard deviation of each parameter), single_sine
    (the same for the best single sine), gain (of the log of the determinant).
    """
    if part is not None:
        law = _known_from(part, law, options)
    if "fix" in options:
        options["fix"] = _names(options["fix"], "fix")
    if not isinstance(law, _core.Law) or isinstance(law, type):
        raise TypeError(f"law = {law!r} is not allowed, it must be a law with the values expected")
    return SimpleNamespace(**_core.excite(law.name, law.parameters, options, progress))


def _known_from(part, law, options):
    """The law of a part; adds what is known of its parameters, and what its data have seen."""
    _require(part, Part, "part takes a bristle.Part")
    own = part.law()
    if law is not None and law.name != own.name:
        raise _core.InvalidInput(f"part: is of the law {own.name}, not of {law.name}")
    parameters = part.parameters.values()
    options["known"] = [p.name for p in parameters if p.fitted]
    options["covariance"] = part._core.value_covariance.ravel().tolist()
    held = [p.name for p in parameters if not p.fitted and p.of == "law"]
    options["fix"] = [*options.get("fix", ()), *held]
    seen = part.domain
    if "position" in seen:
        options.setdefault("stroke", 0.5 * (seen["position"][1] - seen["position"][0]))
    if "speed" in seen:
        options.setdefault("speed", seen["speed"][1])
    if "load" in seen:
        options.setdefault("load", 0.5 * (seen["load"][0] + seen["load"][1]))
    runs = [r.fitted for r in part.runs if r.quantity == "force" and r.fitted.samples > 0]
    squares = sum(f.samples * f.rmse ** 2 for f in runs)
    if squares > 0.0:
        options.setdefault("noise", (squares / sum(f.samples for f in runs)) ** 0.5)
    return own if law is None else law


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

    def __init__(self, core, found) -> None:
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

    def __repr__(self) -> str:
        free = ", ".join(f"{p.name} = {p.value:.6g} ({p.lower:.4g} to {p.upper:.4g})"
                         for p in self.parameters.values())
        return f"<MachineFit: {free}>"


def fit_machine(machine, runs, *, free, readings=None, progress=None, **options) -> MachineFit:
    """Finds parameters of a machine from measured inputs and motions, with 95 % intervals.

        fit_machine(drive, {"time": t, "torque": tau, "motor.position": q},
                    free=["body.motor.inertia", "contact.bearing.coulomb_force"])

    A run is a dictionary or a pandas frame with `time`, one column per measured input by its name
    (the signal of a coupling is "COUPLING.SIGNAL", such as "servo.goal"), in a dictionary also
    `values` {path: value}, the parameters of the machine in this run, and readings "BODY.position"
    or "BODY.velocity"; several runs are a list of them. `readings` names the columns to be met, by
    default all that are there. `free` are paths of machine.parameters. Options: guess {path: value}, bounds {path: (low, high)}, hold_out (last
    part of each run), starts, refined (starts that are refined), steps, seed, threads, free_start
    (False: a run starts where it was measured), robust.
    """
    _require(machine, Machine, "fit_machine() takes a bristle.Machine")
    runs, readings = _runs_of_machine(runs, readings)
    core, found = _core.fit_machine(machine._core, runs, list(readings),
                                    {"free": _names(free, "free"), **options}, progress)
    return MachineFit(core, found)


def cross_validate_machine(machine, runs, groups, *, free, readings=None, progress=None,
                           **options) -> list[SimpleNamespace]:
    """Fits a machine once per group of runs, without the runs of that group, and predicts them.

    `groups` names the group of each run. Returns one entry per group with `group`, `held_out`
    (numbers of its runs) and `fit` (a MachineFit whose agreements hold all runs). Runs and options
    are those of fit_machine().
    """
    _require(machine, Machine, "cross_validate_machine() takes a bristle.Machine")
    runs, readings = _runs_of_machine(runs, readings)
    folds = _core.cross_validate_machine(machine._core, runs, list(readings),
                                         [str(group) for group in _listed(groups, "groups")],
                                         {"free": _names(free, "free"), **options}, progress)
    return [SimpleNamespace(group=group, held_out=held_out, fit=MachineFit(*found))
            for group, held_out, found in folds]


def _runs_of_machine(runs, readings):
    runs = runs if isinstance(runs, (list, tuple)) else [runs]
    runs = [{str(name): one[name] for name in _table(one).keys()} for one in runs]
    if not runs:
        raise _core.InvalidInput("runs = [] has no runs")
    if readings is not None:
        readings = _names(readings, "readings")
    else:
        readings = [name for name in runs[0] if name.endswith((".position", ".velocity"))]
    return runs, readings


def _name(law):
    if isinstance(law, str):
        return law
    if isinstance(law, _core.Law) or (isinstance(law, type) and law in laws.all):
        return law.name
    given = repr(law) if law is None or isinstance(law, (type, int, float)) else repr(type(law))
    raise TypeError(f"law = {given} is not allowed, it must be a class of bristle.laws or its name; "
                    "the data come after it")


def _depends(given):
    """Dependences as the command reads them: NAME=COLUMN:FORM."""
    if isinstance(given, dict):
        return [f"{parameter}={form}" for parameter, form in given.items()]
    return [given] if isinstance(given, str) else given


def _conditions(options, data):
    """The columns beside the motion that are asked for, and those of usual names in all runs."""
    given = options.get("depends", ())
    asked = [text.partition("=")[2].rpartition(":")[0]
             for text in (given if isinstance(given, (list, tuple)) else ()) if isinstance(text, str)]
    usual = [name for name in _CONDITIONS if all(name in run for run in data)]
    return list(dict.fromkeys([name for name in asked if name and name not in _COLUMNS] + usual))


def _data(data, columns, options, more):
    """The runs; takes the columns that are given as keywords out of the options."""
    if isinstance(options.get("terms"), str):
        options["terms"] = options["terms"].split(",")
    for name in ("free", "terms"):
        if name in options:
            options[name] = _names(options[name], name)
    if "depends" in options:
        options["depends"] = _depends(options["depends"])
    arrays = {name: options.pop(name) for name in (*_COLUMNS, *_CONDITIONS)
              if options.get(name) is not None}
    for name in options:
        if name not in _OPTIONS and name not in more:
            raise _core.InvalidInput(_core.not_found("option", name, [*_OPTIONS, *more, *_COLUMNS]))
    if (data is None) == (not arrays):
        raise TypeError("give either data or columns as keywords: time, position, force, ...")
    if data is None:
        return _core.fit_data([arrays], _conditions(options, [arrays]))
    if isinstance(data, (str, os.PathLike)):
        data = [data]
    if isinstance(data, (list, tuple)) and data and all(isinstance(one, (str, os.PathLike)) for one in data):
        known = [*_COLUMNS, *_OF_A_FILE]
        columns = _mapping(columns, "columns")
        for name in columns:
            if name not in known:
                raise _core.InvalidInput(_core.not_found("column", name, known))
        return _core.fit_files([os.fspath(one) for one in data], columns, options)
    named = _runs(data, columns)
    beside = _conditions(options, named)
    tables = [{name: one[name] for name in (*_COLUMNS, *beside) if name in one} for one in named]
    return _core.fit_data(tables, beside)


class _Renamed:
    """A table whose columns go by other names."""

    def __init__(self, table, names):
        self._table, self._names = table, names

    def __contains__(self, name):
        return self._names.get(name, name) in self._table

    def __getitem__(self, name):
        return self._table[self._names.get(name, name)]


def _runs(data, columns):
    """The runs of data, their columns by the names of fit()."""
    runs = data if isinstance(data, (list, tuple)) else [data]
    if not runs:
        raise _core.InvalidInput("data = [] has no runs")
    names = _mapping(columns, "columns")
    return [_Renamed(_table(one), names) for one in runs]


def _table(one):
    """A run, if it is a dictionary or a frame."""
    if isinstance(one, type) or not (hasattr(one, "keys") and hasattr(one, "__getitem__")):
        raise TypeError("a run must be a dictionary or a frame with columns by their names, or "
                        f"all runs the paths of files, not {type(one)!r}")
    return one


def _listed(values, what):
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{what} must be a list, not {values!r}")
    return list(values)


def _tables(data, columns):
    """One dictionary of known columns per run."""
    return [{name: one[name] for name in _COLUMNS if name in one} for one in _runs(data, columns)]


def _arrays(data, columns, options):
    """The runs of a fit of an own law: arrays only."""
    arrays = {name: options.pop(name) for name in _COLUMNS if options.get(name) is not None}
    if (data is None) == (not arrays):
        raise TypeError("give either data or columns as keywords: time, position, force, ...")
    return [arrays] if data is None else _tables(data, columns)
