# SPDX-License-Identifier: MIT
"""Classes made from tables of parameters.

The engine describes each parameter once: name, unit, meaning, default and bounds. Everything here
(keywords, documentation, representation, comparison) is made from that table when the module is
imported, so that a new law or field appears without another line.
"""
import html
import inspect
import keyword
import operator
import sys
from collections.abc import Mapping

import numpy as np


class Described:
    """What all described objects have: named parameters that are checked and never change."""

    __slots__ = ()

    @property
    def parameters(self):
        """All parameters as a dictionary, those left at their defaults too."""
        return dict(self._parameters)

    def replace(self, **changes):
        """A copy with some parameters changed."""
        return type(self)(**{**self._parameters, **changes})

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{f['name']}</td><td>{html.escape(str(self._parameters[f['name']]))}</td>"
            f"<td>{f['unit']}</td><td>{html.escape(f['meaning'])}</td></tr>" for f in self._fields)
        return f"<table><caption>{type(self).__name__}</caption>{rows}</table>"

    def __repr__(self):
        defaults = {f["name"]: f["default"] for f in self._fields}
        given = ", ".join(f"{name}={value!r}" for name, value in self._parameters.items()
                          if name not in defaults or defaults[name] != value)
        return f"{type(self).__name__}({given})"

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self._parameters == other._parameters

    def __hash__(self):
        return hash((type(self), repr(self._parameters)))

    def __reduce__(self):
        return _rebuilt, (type(self), self._parameters)

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__}: parameters do not change; "
                             f"replace({name}=...) makes a copy")

    def __dir__(self):
        return [*super().__dir__(), *self._parameters]


def _require(value, kind, what):
    if not isinstance(value, kind):
        raise TypeError(f"{what}, not {value!r}")


def _mapping(value, what):
    """A dictionary of what is given by name; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a dictionary, not {value!r}")
    return dict(value)


def _names(value, what):
    """A list of names; a single one is a list of one."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, (list, tuple, set, frozenset)) or not all(
            isinstance(name, str) for name in names):
        raise TypeError(f"{what} must be a list of names, not {value!r}")
    return list(names)


def _pair(value, what):
    """Two things, as a tuple."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise TypeError(f"{what} must be a pair, not {value!r}")
    return tuple(value)


def _numbers(value, what):
    """A number, or an array of numbers; TypeError for what holds anything else."""
    if isinstance(value, float):
        return value
    array = np.asarray(value)
    if array.dtype.kind not in "fiu" or isinstance(value, bool):
        raise TypeError(f"{what} must be a number or an array of numbers, not {value!r}")
    if np.ma.is_masked(value):
        raise TypeError(f"{what} is a masked array in which {np.ma.count_masked(value)} numbers are "
                        "hidden: give filled() or compressed() of it")
    return array[()]


def _number(value, what):
    """A single number as a float."""
    number = _numbers(value, what)
    if np.ndim(number) != 0:
        raise TypeError(f"{what} must be a number, not {value!r}")
    return float(number)


def _whole(value, what):
    """A whole number as an int."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} = {value!r} is not allowed, it must be a whole number")
    return operator.index(value)


def _rebuilt(kind, parameters):
    return kind(**parameters)


def _paragraphs(table, name):
    """The documentation of a class: signature, summary, equations, parameters."""
    lines = [table["summary"][:1].upper() + table["summary"][1:] + ".", ""]
    if table.get("equations"):
        lines += [table["equations"].rstrip(), ""]
    lines += ["Parameters", "----------"]
    for field in table["fields"]:
        kind = "str" if field["choices"] else "sequence of float" if field["list"] else "float"
        unit = f" [{field['unit']}]" if field["unit"] else ""
        lines.append(f"{field['name']} : {kind}, default {field['default']!r}{unit}")
        limits = ", ".join(part for part in (field["allowed"], field["usual"]) if part)
        lines.append(f"    {field['meaning']}: {limits}")
    for extra, meaning in table.get("extras", {}).items():
        lines += [extra, f"    {meaning}"]
    return "\n".join(lines)


def _signature(table):
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(f["name"], kind, default=f["default"])
                  for f in table["fields"] if not keyword.iskeyword(f["name"])]
    parameters += [inspect.Parameter(extra, kind, default=None) for extra in table.get("extras", {})]
    return inspect.Signature(parameters)


def _reader(field):
    name = field["name"]
    unit = f" [{field['unit']}]" if field["unit"] else ""
    return property(lambda self: self._parameters[name], doc=field["meaning"] + unit)


def described_class(base, table, name, module, key=None):
    """A class of the compiled `base` whose keywords are the fields of the table.

    With `key` the base is one for a whole registry, and takes the name of the entry first.
    """
    def __init__(self, *unnamed, **parameters):
        if unnamed:
            first = f"{table['fields'][0]['name']}={unnamed[0]!r}" if table["fields"] else ""
            raise TypeError(f"{name} takes its parameters by name, such as {name}({first})")
        given = {k: v for k, v in parameters.items() if not (v is None and k in extras)}
        base.__init__(self, *(() if key is None else (key,)), given)
        object.__setattr__(self, "_parameters", self._values())

    extras = table.get("extras", {})
    signature = _signature(table)
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = signature.replace(parameters=[own, *signature.parameters.values()])
    members = {"__init__": __init__, "__doc__": _paragraphs(table, name), "__module__": module,
               "__signature__": signature, "_fields": tuple(table["fields"]),
               "name": table["name"], "summary": table["summary"]}
    for field in table["fields"]:
        members.setdefault(field["name"], _reader(field))
    for extra in extras:
        members.setdefault(extra, property(lambda self, extra=extra: self._parameters.get(extra),
                                           doc=extras[extra]))
    return type(name, (Described, base), members)


def type_name(name):
    """The name of a class: SpringDamper of spring_damper."""
    return "".join(word.capitalize() for word in name.split("_"))


def fill_module(module_name, classes):
    """Puts classes into a module, and lets it suggest the nearest name for one it has not."""
    from . import _core

    module = sys.modules[module_name]
    names = [c.__name__ for c in classes]
    for c in classes:
        setattr(module, c.__name__, c)
    module.__all__ = [*getattr(module, "__all__", []), *names]
    kind = {"laws": "law", "mechanisms": "mechanism", "couplings": "coupling",
            "systems": "system"}.get(
        module_name.rsplit(".", 1)[-1], "name")

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(_core.not_found(kind, name, names))

    module.__getattr__ = __getattr__
