# SPDX-License-Identifier: MIT
"""Systems with an input and an output: operators with hysteresis, and others.

    stage = systems.PrandtlIshlinskii(direct=0.8, thresholds=[0.1, 0.2], weights=[0.3, 0.2])
    output = stage.follow(inputs)               # an operator is rate-independent
    inputs = stage.inverse().follow(output)     # and back
    run = systems.Duhem().respond(bristle.Signal(amplitude=2.0), end=20.0)
"""
import warnings
from types import SimpleNamespace

from . import _core
from ._described import _require, described_class, fill_module, type_name
from .analysis import loop
from .result import Result


class _System(_core.System):
    def respond(self, signal, *, progress=None, **options):
        """The response to a Signal of time as a Result; options as those of simulate()."""
        from .signals import Signal
        from .simulate import _Options

        _require(signal, Signal, "respond() takes a bristle.Signal")
        result = Result(self._respond(signal, _Options(**options), progress))
        if not result.ok:
            warnings.warn(result.message, RuntimeWarning, stacklevel=2)
        return result

    def map(self, signal, *, progress=None):
        """One period of input and output, driven until it repeats.

        Attributes: input, output, area (of the output over the input), height, closed,
        closing_error, periods.
        """
        from .signals import Signal

        _require(signal, Signal, "map() takes a bristle.Signal")
        return SimpleNamespace(**self._map(signal, progress))

    def properties(self, signal, *, progress=None):
        """What the maps of the system tell, at the amplitude and frequency of a Signal.

        Attributes: hysteretic, rate_dependent, local_memory, return_point, congruent; None where
        the maps do not tell.
        """
        from .signals import Signal

        _require(signal, Signal, "properties() takes a bristle.Signal")
        return SimpleNamespace(**self._properties(signal, progress))

    def inverse(self):
        """The system that recovers the input from the output.

        Its attribute `exact` says when it does so exactly. Raises InvalidInput if none is known.
        """
        name, values, exact = self._inverse()
        made = make(name, **values)
        object.__setattr__(made, "exact", exact)
        return made


all = [described_class(_System, table, type_name(table["name"]), __name__, key=table["name"])
       for table in _core.system_tables()]
__all__ = ["all", "fit", "make"]
fill_module(__name__, all)


def make(name, **parameters):
    """The system of a name as files write it, such as "prandtl_ishlinskii"."""
    for system in all:
        if system.name == name:
            return system(**parameters)
    raise _core.InvalidInput(_core.not_found("system", name, [system.name for system in all]))


def fit(input, output, *, elements=20, asymmetric=False):
    """A Prandtl-Ishlinskii operator fitted to a measured loop, ready to be followed or inverted.

    A loop that is run through counterclockwise (an actuator that lags) is fitted by plays under an
    envelope, a clockwise one (a damper, a structure) by stops beside a spring. The attribute
    `quality` of the system has rmse, line_rmse (of the best straight line), r2, explains and
    why_not. Do not use a fit that does not explain the data.
    """
    clockwise = loop(input, output).orientation == "clockwise"
    name, values, quality = _core.fit_operator(input, output, elements, clockwise, asymmetric)
    made = make(name, **values)
    object.__setattr__(made, "quality", SimpleNamespace(**quality))
    return made
