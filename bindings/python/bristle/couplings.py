# SPDX-License-Identifier: MIT
"""What joins the bodies of a machine: `bristle.couplings.SpringDamper(stiffness=120.0)`."""
from . import _core
from ._described import described_class, fill_module, type_name

all = [described_class(_core.Coupling, table, type_name(table["name"]), __name__,
                       key=table["name"])
       for table in _core.coupling_tables()]
__all__ = ["all"]
fill_module(__name__, all)
