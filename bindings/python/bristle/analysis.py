# SPDX-License-Identifier: MIT
"""Analyses of samples, simulated or measured."""
from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from . import _core
from ._described import _number, _numbers, _require
from .own_law import law_of


def spectrum(time, signal, *, named=(), beat=None, velocity=None) -> SimpleNamespace:
    """The amplitude spectrum of a signal sampled at equal distances in time, with its peaks.

    `named` are driving frequencies [Hz]; peaks at them and at their combinations are named "f1",
    "3 f1", "f1 + f2". With `beat`, a drive period [s], the motion is looked at once per period, and
    `motion` says what it is: kind, beats, chaos (K of the 0-1 test), points, series_exponent (None
    where it was not needed); `velocity` is the second column of that section, by default the slope
    of the signal.

    Attributes: frequency [Hz], amplitude, power, peaks (frequency, amplitude and name, the largest
    first), dominant (how many peaks are at least a fifth of the largest), resolution [Hz],
    variance, motion.
    """
    found = _core.spectrum(time, signal, _frequencies(named))
    found["peaks"] = [SimpleNamespace(frequency=f, amplitude=a, name=n)
                      for f, a, n in found["peaks"]]
    motion = None
    if beat is not None:
        motion = SimpleNamespace(**_core.motion_kind(time, signal, velocity, _number(beat, "beat")))
    return SimpleNamespace(**found, motion=motion)


def _frequencies(named):
    return np.atleast_1d(_numbers(named, "named")).astype(float).tolist() if np.size(named) else []


def indirect_force(body, *, time, position, velocity=None, body_acceleration=None, base=None,
                   half_width=8, degree=4) -> SimpleNamespace:
    """The friction force of a mass on springs over a base, from signals that can be measured.

    `body` is a mechanisms.BaseExcitedMass; position and velocity count against the base, `base` is
    its motion. What is not given is differentiated by polynomials of a degree through 2 half_width
    + 1 samples. Attributes: time, velocity, body_acceleration, force.
    """
    given = {"time": time, "position": position, "velocity": velocity,
             "body_acceleration": body_acceleration, "base": base}
    columns = {name: values for name, values in given.items() if values is not None}
    return SimpleNamespace(**_core.indirect_force(body, columns, _number(half_width, "half_width"),
                                                   _number(degree, "degree")))


def _law(law, what):
    law = law_of(law)
    _require(law, _core.Law, f"{what} takes one of bristle.laws")
    return law


def certify(law, *, top_speed=1e3, load=1.0) -> SimpleNamespace:
    """Whether a law is passive: whether it never gives back more energy than was put in.

    Attributes: passive, speed (the law is passive below this speed [m/s], else None), proved
    (False: searched, not proved), words.
    """
    return SimpleNamespace(**_core.certify(_law(law, "certify()"), _number(top_speed, "top_speed"),
                                         _number(load, "load")))


def linearise(law, velocity, *, load=1.0) -> SimpleNamespace:
    """A law around a constant velocity: pole [1/s], input, output, direct, state and force.

    `response(frequency)` is the complex frequency response from velocity to force [N s/m] at
    angular frequencies [rad/s].
    """
    velocity, load = _number(velocity, "velocity"), _number(load, "load")
    found = SimpleNamespace(**_core.linearise(_law(law, "linearise()"), velocity, load))

    def response(frequency):
        s = 1j * np.asarray(_numbers(frequency, "frequency"), dtype=float)
        return found.output * found.input / (s - found.pole) + found.direct

    found.response = response
    return found
