# SPDX-License-Identifier: MIT
"""Fits of laws written in Python: the law is simulated along the measured motion."""
import warnings
from types import SimpleNamespace

import numpy as np

from . import _core
from ._described import _mapping, _number, _numbers, _pair

_STEP = 1e-4  # relative, of the differences that stand for derivatives


class OwnFit:
    """A fitted law of your own.

    Attributes: law, parameters (name to value, lower, upper: the 95 % interval), fitted (rmse,
    nrmse, r2, worst, samples), predicted (one array per run), converged, message.
    """

    def __init__(self, law, parameters, fitted, predicted, found):
        self.law, self.parameters, self.fitted = law, parameters, fitted
        self.predicted = predicted
        self.converged, self.message = found["converged"], found["message"]

    def __repr__(self):
        free = ", ".join(f"{p.name} = {p.value:.6g} ({p.lower:.4g} to {p.upper:.4g})"
                         for p in self.parameters.values())
        return f"<Fit of {type(self.law).__name__}: {free}; rmse {self.fitted.rmse:.4g}>"


def fit_own(law, runs, *, fix, guess=None, bounds=None, iterations=50, tolerance=1e-7):
    """Least squares on the force of a law written in Python, from the values of `guess`.

    A parameter with a positive guess and no bound at or below zero is searched by its logarithm.
    The state begins at zero in each run, at a velocity as the position has it.
    """
    guess, bounds = _mapping(guess, "guess"), _mapping(bounds, "bounds")
    if not guess:
        raise _core.InvalidInput(f"guess: a fit of {law.__name__} needs a value for each parameter "
                                 "to begin with, such as guess={'stiffness': 1e4}")
    records = [_record(run, number) for number, run in enumerate(runs)]
    names = list(guess)
    start = np.array([_number(guess[name], f"guess: {name}") for name in names])
    limits = np.array([[_number(limit, f"bounds: {name}") for limit in
                        _pair(bounds.get(name, (-np.inf, np.inf)), f"bounds: {name}")]
                       for name in names])
    positive = np.array([value > 0.0 and (name not in bounds or low > 0.0)
                         for name, value, (low, _) in zip(names, start, limits)])
    forces = np.concatenate([run["force"] for run in records])

    def decoded(x):
        with np.errstate(over="ignore"):
            return np.where(positive, np.exp(np.where(positive, x, 0.0)), x)

    def encoded(values):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(positive, np.log(np.where(positive, np.maximum(values, 0.0), 1.0)),
                            values)

    def made(x):
        return law(**dict(zip(names, decoded(np.asarray(x)).tolist())), **fix)

    def predict(x):
        return np.concatenate([_force_along(made(x), run, tolerance) for run in records])

    def slopes(x, here):
        columns = []
        for i in range(len(x)):
            step = _STEP if positive[i] else _STEP * max(abs(x[i]), abs(start[i]), 1e-12)
            moved = np.array(x, dtype=float)
            moved[i] += step if x[i] + step <= encoded(limits[:, 1])[i] else -step
            columns.append((predict(moved) - here) / (moved[i] - x[i]))
        return np.column_stack(columns)

    def residuals(x, with_slopes):
        here = predict(x)
        return here - forces, slopes(x, here) if with_slopes else None

    found = _core.minimise(residuals, encoded(start).tolist(), encoded(limits[:, 0]).tolist(),
                           encoded(limits[:, 1]).tolist(), iterations)
    x = np.array(found["x"])
    here = predict(x)
    off = here - forces
    return OwnFit(made(x), _parameters(names, x, positive, decoded, slopes(x, here), off),
                  _agreement(forces, off), np.split(here, np.cumsum([len(run["force"])
                                                                     for run in records])[:-1]),
                  found)


def _record(run, number):
    missing = [name for name in ("time", "position", "force") if name not in run]
    if missing:
        raise _core.InvalidInput(f"run {number + 1} has no column {missing[0]}: a law of your own "
                                 "is fitted to time, position and force")
    record = {name: np.asarray(_numbers(run[name], name), dtype=float)
              for name in ("time", "position", "force")}
    if any(column.ndim != 1 or len(column) != len(record["time"]) for column in record.values()):
        raise _core.InvalidInput(f"run {number + 1}: time, position and force must have one "
                                 "dimension and the same length")
    for name, column in record.items():
        if not np.isfinite(column).all():
            at = int(np.flatnonzero(~np.isfinite(column))[0])
            raise _core.InvalidInput(f"{name}[{at}] = {column[at]} is not allowed, it must be a "
                                     "finite number")
    record["load"] = float(np.mean(_numbers(run["load"], "load"))) if "load" in run else 1.0
    return record


def _force_along(law, run, tolerance):
    """The force of a law along a measured motion, at the times of its samples."""
    from .mechanisms import PrescribedMotion
    from .signals import Signal
    from .simulate import simulate

    time = run["time"] - run["time"][0]
    motion = PrescribedMotion(signal=Signal(times=time, values=run["position"]), load=run["load"])
    even = len(time) > 2 and np.allclose(np.diff(time), time[-1] / (len(time) - 1), rtol=1e-6)
    samples = len(time) if even else 4 * len(time)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # those of trial values
        result = simulate(law, motion, end=time[-1], samples=samples, tolerance=tolerance)
    if not result.ok:
        return np.full(len(time), np.nan)
    return result["force"] if even else np.interp(time, result["time"], result["force"])


def _parameters(names, x, positive, decoded, slopes, off):
    """Values with 95 % intervals; variances are multiplied by the correlation time of residuals."""
    spare = max(len(off) - len(x), 1)
    centred = off - off.mean()
    variance = float(centred @ centred) or 1e-300
    time = 1.0
    for lag in range(1, min(len(off) // 4, 200)):
        rho = float(centred[:-lag] @ centred[lag:]) / variance
        if rho < 0.05:
            break
        time += 2.0 * rho
    try:
        covariance = np.linalg.inv(slopes.T @ slopes) * float(off @ off) / spare * time
        deviations = np.sqrt(np.diag(covariance))
    except np.linalg.LinAlgError:
        deviations = np.full(len(x), np.inf)
    values, low, high = decoded(x), decoded(x - 1.96 * deviations), decoded(x + 1.96 * deviations)
    return {name: SimpleNamespace(name=name, value=values[i], lower=low[i], upper=high[i], free=True,
                                  determined=bool(deviations[i] < (np.log(2.0) if positive[i]
                                                                   else abs(x[i]))))
            for i, name in enumerate(names)}


def _agreement(forces, off):
    rmse = float(np.sqrt(np.mean(off * off)))
    spread = float(np.sum((forces - forces.mean()) ** 2)) or 1e-300
    return SimpleNamespace(samples=len(off), rmse=rmse, nrmse=rmse / (float(np.ptp(forces)) or 1.0),
                           r2=1.0 - float(off @ off) / spread, worst=float(np.abs(off).max()))
