# SPDX-License-Identifier: MIT
"""Systems with an input and an output: operators with hysteresis, and others.

    stage = systems.PrandtlIshlinskii(direct=0.8, thresholds=[0.1, 0.2], weights=[0.3, 0.2])
    output = stage.follow(inputs)               # an operator is rate-independent
    inputs = stage.inverse().follow(output)     # and back
    run = systems.BoucWen().respond(bristle.Signal(amplitude=2.0), end=20.0)
"""
from types import SimpleNamespace

from . import _core
from ._described import _mapping, _require, described_class, fill_module, type_name
from .loops import loop
from .machine import source_of
from .result import Result


class _System(_core.System):
    def respond(self, signal, *, progress=None, **options):
        """The response to a Signal of time as a Result; options as those of simulate()."""
        from .signals import Signal
        from .simulate import _Options, warned

        _require(signal, Signal, "respond() takes a bristle.Signal")
        return warned(Result(self._respond(signal, _Options(**options), progress)))

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

    def round_trip(self, low, high, *, inputs=2000, seed=1):
        """Whether the inverse undoes the system: random inputs between two values, with many turns.

        Attributes: error (largest difference of input and recovered input, over half the range) and
        inputs (how many were tried).
        """
        return SimpleNamespace(**self._round_trip(float(low), float(high), inputs, seed))

    def to_toml(self, low=-1.0, high=1.0, *, title=""):
        """The text of a file with this system, and an input between two values to try it with."""
        return self._text(title or type(self).__name__, float(low), float(high))


all = [described_class(_System, table, type_name(table["name"]), __name__, key=table["name"])
       for table in _core.system_tables()]
__all__ = ["all", "fit", "fit_relays", "from_toml", "make"]
fill_module(__name__, all)


def make(name, **parameters):
    """The system of a name as files write it, such as "prandtl_ishlinskii"."""
    for system in all:
        if system.name == name:
            return system(**parameters)
    raise _core.InvalidInput(_core.not_found("system", name, [system.name for system in all]))


def from_toml(source, *, case="", settings=None):
    """The system of a file, or of a text of that format; `case` chooses one of several.

    Its attribute `signal` is the input of the file.
    """
    from .signals import Signal

    text, path = source_of(source)
    name, values, signal = _core.system_from(text, path, case, _mapping(settings, "settings"))
    made = make(name, **values)
    object.__setattr__(made, "signal", Signal(**signal._values()))
    return made


def fit(input, output, *, elements=20, asymmetric=False):
    """A Prandtl-Ishlinskii operator fitted to measured loops, ready to be followed or inverted.

    Lists of arrays are several runs.

    A loop that is run through counterclockwise (an actuator that lags) is fitted by plays under an
    envelope, a clockwise one (a damper, a structure) by stops beside a spring. The attribute
    `quality` of the system has rmse, line_rmse (of the best straight line), r2, explains and
    why_not. Do not use a fit that does not explain the data.
    """
    runs = _runs(input, output)
    boxes = [loop(*run) for run in runs]
    area = sum(box.area / (box.width * box.height) for box in boxes if box.width * box.height > 0)
    if not 1 <= elements <= 500:
        raise _core.InvalidInput(f"elements = {elements} is not allowed, it must be at least 1 and "
                                 "at most 500")
    return _fitted(_core.fit_operator(runs, elements, area > 1e-9, asymmetric))


def fit_relays(input, output, *, levels=24, even=False):
    """A Preisach operator of relays on so many levels, fitted to one or several measured runs.

    `even` puts the levels at equal distances, otherwise where the inputs are. The attribute
    `quality` is that of fit().
    """
    return _fitted(_core.fit_preisach(_runs(input, output), levels, even))


def _runs(input, output):
    """One pair of arrays per run."""
    several = isinstance(input, (list, tuple)) and len(input) and hasattr(input[0], "__len__")
    if not several:
        return [(input, output)]
    if len(input) != len(output):
        raise _core.InvalidInput(f"there are {len(input)} inputs and {len(output)} outputs")
    return list(zip(input, output))


def _fitted(found):
    name, values, quality = found
    made = make(name, **values)
    object.__setattr__(made, "quality", SimpleNamespace(**quality))
    return made
