# SPDX-License-Identifier: MIT
"""simulate(): a law on a mechanism, or a machine."""
from __future__ import annotations

import warnings

from . import _core
from ._described import _mapping, _paragraphs, described_class
from .machine import Machine
from .own_law import law_of
from .result import Result

_Options = described_class(_core.Options, _core.Options._table(), "Options", __name__)
_AT_REST = _core.Initial({})


def simulate(what, mechanism=None, /, *, initial=None, progress=None, **options) -> Result:
    """Simulates a law on a mechanism, or a machine, and returns a Result.

        simulate(law, mechanism, end=40.0, initial={"velocity": 0.1})
        simulate(machine, end=4.0)

    `initial` is a dictionary of the start of a law on a mechanism: position, velocity, state,
    height, height_rate; the bodies of a machine have their own. `progress` is called now and then
    with the part done; False ends the run. The interpreter's lock is free while it computes, and
    Ctrl-C raises KeyboardInterrupt. A run that does not reach its end is returned as far as it
    came, with a RuntimeWarning; a RuntimeWarning also says what a method cannot promise of a run.
    The other keywords are the options of the engine, below; a machine from a file begins with those
    of its [solve].
    """
    what = law_of(what)
    if isinstance(what, Machine):
        if mechanism is not None or initial is not None:
            raise TypeError("a machine takes no mechanism and no initial, its bodies have both")
        core = _core.simulate_machine(what._core, _core.Options({**what.options, **options}),
                                      progress)
    elif isinstance(what, _core.Law):
        start = _core.Initial(_mapping(initial, "initial")) if initial is not None else _AT_REST
        core = _core.simulate(what, _checked(mechanism), _core.Options(options), start, progress)
    else:
        raise TypeError(f"simulate() takes a law and a mechanism, or a machine, not {what!r}")
    return warned(Result(core))


def warned(result):
    """The result; what its caller should know of it is a warning."""
    doubt = result.summary["warning"] if result.ok else result.message
    if doubt:
        warnings.warn(doubt, RuntimeWarning, stacklevel=3)
    return result


def _checked(mechanism):
    from . import mechanisms

    if isinstance(mechanism, mechanisms._kinds):
        return mechanism
    known = ", ".join(m.__name__ for m in mechanisms.all)
    raise TypeError(f"mechanism = {mechanism!r} is not allowed, it must be one of {known} "
                    "of bristle.mechanisms")


simulate.__doc__ += "\n" + _paragraphs(_core.Options._table(), "simulate").split("\n\n", 1)[1]
