# SPDX-License-Identifier: MIT
"""Systems with an input and an output: operators with hysteresis, and others.

    stage = systems.PrandtlIshlinskii(direct=0.8, thresholds=[0.1, 0.2], weights=[0.3, 0.2])
    output = stage.follow(inputs)               # an operator knows no time, only turning points
    inputs = stage.inverse().follow(output)     # and back
    run = systems.Duhem().respond(bristle.Signal(amplitude=2.0), end=20.0)
"""
import warnings

from . import _core
from ._described import described_class, fill_module, type_name
from .result import Result


class _System(_core.System):
    def respond(self, signal, *, progress=None, **options):
        """The response to a Signal of time as a Result; options as those of simulate()."""
        from .machine import _require
        from .signals import Signal
        from .simulate import _Options

        _require(signal, Signal, "respond() takes a bristle.Signal")
        result = Result(self._respond(signal, _Options(**options), progress))
        if not result.ok:
            warnings.warn(result.message, RuntimeWarning, stacklevel=2)
        return result

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
__all__ = ["all", "make"]
fill_module(__name__, all)


def make(name, **parameters):
    """The system of a name as files write it, such as "prandtl_ishlinskii"."""
    for system in all:
        if system.name == name:
            return system(**parameters)
    raise _core.InvalidInput(_core.not_found("system", name, [system.name for system in all]))
