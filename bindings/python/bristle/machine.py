# SPDX-License-Identifier: MIT
"""Machines: bodies, what couples them, where they rub and what drives them."""
from __future__ import annotations

import os
from typing import Any

from . import _core
from ._described import _mapping, _require, described_class
from .own_law import coupling_of, law_of
from .signals import Signal

_SIGNAL_FIELDS = {f["name"] for f in Signal._fields} | {"times", "values"}
_settings = {base.__name__: described_class(base, base._table(), base.__name__, __name__)
             for base in (_core.Body, _core.ContactSettings, _core.InputSettings, _core.Controller)}


class Machine:
    """A machine, checked as a whole and never changed. May be shared by many runs and threads.

    Made by `Machine.from_toml(...)` or by a `MachineBuilder`. One of from_toml() can be pickled; of
    a file it is the path that is kept, and the file is read again.
    """

    def __init__(self, core) -> None:
        if not isinstance(core, _core.Machine):
            raise TypeError("a Machine is made by Machine.from_toml() or by a MachineBuilder")
        self._core = core
        self._source = None  # what from_toml() made it of

    @classmethod
    def from_toml(cls, source, *, case="", settings=None) -> Machine:
        """Reads a machine from a file, or from a text in the format of experiment files.

        A text has more than one line; anything else is a path. `case` chooses one of several cases
        by its label. `settings` changes single fields: {"body.load.inertia": 2e-3}.
        """
        text, path = source_of(source)
        settings = _mapping(settings, "settings")
        made = cls(_core.Machine.from_toml(text, path, case, settings))
        made._source = (text or os.path.abspath(path), case, settings)
        return made

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter by its path, such as "contact.bearing.stiffness"."""
        return self._core.parameters()

    @property
    def options(self) -> dict[str, Any]:
        """The options of the [solve] it was read with, or the defaults."""
        return self._core.options()

    @property
    def bodies(self) -> list[str]:
        """The names of the bodies."""
        return self._core.bodies()

    @property
    def contacts(self) -> list[str]:
        """The names of the contacts."""
        return self._core.contacts()

    @property
    def inputs(self) -> list[str]:
        """The names of the inputs."""
        return self._core.inputs()

    def __copy__(self) -> Machine:
        return self

    def __deepcopy__(self, memo) -> Machine:
        return self

    def __reduce__(self):
        if self._source is None:
            raise TypeError("a Machine of a MachineBuilder cannot be pickled: build it where it is "
                            "needed, or read it by Machine.from_toml()")
        return _read_again, self._source

    def __repr__(self) -> str:
        return f"<Machine: bodies {', '.join(self.bodies)}; contacts {', '.join(self.contacts)}>"


def _read_again(source, case, settings):
    return Machine.from_toml(source, case=case, settings=settings)


def source_of(source):
    """The text and the path of a source: of a file the text is empty."""
    if isinstance(source, str) and "\n" in source:
        return source, "text"
    return "", os.fspath(source)


class MachineBuilder:
    """Puts a machine together, part by part; each call returns the builder.

        machine = (bristle.MachineBuilder()
                   .body("motor", inertia=2e-4, motion="rotation")
                   .body("load", inertia=1.1e-3, motion="rotation")
                   .coupling("shaft", couplings.SpringDamper(stiffness=120.0, damping=0.02),
                             between=("motor", "load"))
                   .contact("bearing", laws.LuGre(stiffness=40.0), on="motor")
                   .input("torque", on="motor", amplitude=0.2, frequency=3.0)
                   .build())
    """

    def __init__(self) -> None:
        self._parts = _core.MachineParts()

    def body(self, name, **fields) -> MachineBuilder:
        """A mass or a rotor: inertia, position, velocity, motion."""
        self._parts.body(name, _settings["Body"](**fields))
        return self

    def drive(self, name, signal=None, **fields) -> MachineBuilder:
        """A body whose position is given: by a Signal, or by its fields."""
        self._parts.drive(name, _signal(signal, fields))
        return self

    def coupling(self, name, coupling, *, between=None, on=None, signals=None) -> MachineBuilder:
        """What joins two bodies, the joints of a linkage, or one body `on` its own with the ground.

        `signals` are those the coupling follows, such as {"goal": Signal(...)} of a servo.
        """
        if (between is None) == (on is None):
            raise _core.InvalidInput(f"coupling: '{name}' needs either between=(A, B) or on=A")
        coupling = coupling_of(coupling)
        _require(coupling, _core.Coupling, f"coupling: '{name}' takes one of bristle.couplings")
        signals = _mapping(signals, f"coupling: '{name}': signals")
        for signal in signals.values():
            _require(signal, Signal, f"coupling: '{name}': a signal is a bristle.Signal")
        ends = _bodies(between, f"coupling: '{name}': between") if on is None else [on, "ground"]
        self._parts.coupling(name, ends, coupling, signals)
        return self

    def contact(self, name, law, *, on=None, between=None, of=None, load_from="",
                **fields) -> MachineBuilder:
        """Where a law acts: `on` a body, `between` two, or `of` a weighted sum {A: 1.0, B: -2.0}.

        A pair of bodies as `on`, or of sums as `of`, makes a contact in the plane. Fields: load,
        state, states, forces. `load_from` names a gear: the torque it carries is the load.
        """
        law = law_of(law)
        _require(law, _core.Law, f"contact: '{name}' takes one of bristle.laws")
        path, across = _ends(name, on, between, of)
        self._parts.contact(name, path, across, law, _settings["ContactSettings"](**fields),
                            load_from)
        return self

    def load(self, name, signal=None, *, on, **fields) -> MachineBuilder:
        """A normal force that varies in time, in place of the load of the contact `on`."""
        self._parts.load(name, on, _signal(signal, fields))
        return self

    def input(self, name, signal=None, *, on, **fields) -> MachineBuilder:
        """A force or torque on a body: a Signal or its fields, with gain, bias and lag."""
        own, rest = _split(fields, "InputSettings")
        self._parts.input(name, on, _signal(signal, rest), own)
        return self

    def controller(self, name, reference=None, *, on, reads=None, **fields) -> MachineBuilder:
        """A sampled controller that pushes the body `on` and measures the body `reads`.

        The reference is a Signal, or its fields stand beside those of the controller.
        """
        own, rest = _split(fields, "Controller")
        self._parts.controller(name, on, reads or on, _signal(reference, rest), own)
        return self

    def build(self) -> Machine:
        """The machine, checked as a whole."""
        return Machine(_core.Machine(self._parts))


def _bodies(names, what):
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{what} must be a pair of names of bodies, not {names!r}")
    return list(names)


def _signal(signal, fields):
    if signal is None:
        return Signal(**fields)
    if fields:
        raise _core.InvalidInput("input: give a Signal or the fields of one, not both: "
                                 + ", ".join(fields))
    _require(signal, Signal, "input: a signal is a bristle.Signal")
    return signal


def _split(fields, settings):
    """The settings of a part, and the fields of its signal."""
    signal = {k: v for k, v in fields.items() if k in _SIGNAL_FIELDS}
    own = {k: v for k, v in fields.items() if k not in _SIGNAL_FIELDS}
    return _settings[settings](**own), signal


def _ends(name, on, between, of):
    given = [k for k, v in (("on", on), ("between", between), ("of", of)) if v is not None]
    if len(given) != 1:
        raise _core.InvalidInput(f"contact: '{name}' needs one of on, between and of, it has "
                                 + (" and ".join(given) or "none"))
    if between is not None:
        ends = _bodies(between, f"contact: '{name}': between")
        if len(ends) != 2:
            raise _core.InvalidInput(f"contact: '{name}': between names {len(ends)} bodies, it must "
                                     "name two")
        return [(ends[0], 1.0), (ends[1], -1.0)], []
    if on is not None:
        axes = [on] if isinstance(on, str) else _bodies(on, f"contact: '{name}': on")
        paths = [[(body, 1.0), ("ground", -1.0)] for body in axes]
    else:
        sums = of if isinstance(of, (list, tuple)) else [of]
        paths = [list(_mapping(axis, f"contact: '{name}': of").items()) for axis in sums]
    if len(paths) not in (1, 2):
        raise _core.InvalidInput(f"contact: '{name}' has {len(paths)} axes, it must have one, or "
                                 "two in the plane")
    return paths[0], paths[1] if len(paths) == 2 else []
