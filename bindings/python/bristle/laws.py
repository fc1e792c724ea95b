# SPDX-License-Identifier: MIT
"""Friction laws, one class each: `bristle.laws.LuGre(stiffness=1e5)`.

Classes, keywords and documentation are made from the tables of the engine; `help(LuGre)` shows
equations, units, bounds and defaults. `make("lugre", stiffness=1e5)` finds a law by the name that
files and the command use. `laws.all` is the list of classes.
"""
from . import _core
from ._described import described_class, fill_module, type_name


class _Law(_core.Law):
    def steady(self, v, *, load=1.0):
        """The force at constant velocity v [m/s]: a number, or an array of one dimension."""
        return _core.steady(self, v, load)


all = [described_class(_Law, table, table["type"] or type_name(table["name"]), __name__,
                       key=table["name"])
       for table in _core.law_tables()]
__all__ = ["all", "make"]
fill_module(__name__, all)


def make(name, **parameters):
    """The law of a name as files write it, such as "lugre"."""
    for law in all:
        if law.name == name:
            return law(**parameters)
    raise _core.InvalidInput(_core.not_found("model", name, [law.name for law in all]))
