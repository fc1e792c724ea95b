# SPDX-License-Identifier: MIT
"""All that files can name: laws, systems, mechanisms, sections, parts of machines."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from . import _core


def models(name=None) -> Any:
    """The laws, systems, mechanisms, sections, parts of machines and couplings there are.

    Without a name: a dictionary of "models", "systems", "mechanisms", "sections", "machine" and
    "couplings", each a dictionary of name to summary. With a name: a list of what has it, each with
    `name`, `kind`, `summary` and `fields` (name, unit, meaning, default, lower, upper, choices, and
    `allowed` in words). "quantities", "columns" and "units" are the quantities that [expect] may
    ask for, the columns of figures, and the units of columns.
    """
    if name is None:
        return {key: {entry["name"]: entry["summary"] for entry in entries}
                for key, entries in _core.catalogue().items()}
    if name == "quantities":
        return _core.quantity_names()
    if name == "columns":
        return _core.column_names()
    if name == "units":
        return {unit: SimpleNamespace(quantity=quantity, factor=factor, si=si)
                for unit, (quantity, factor, si) in _core.units().items()}
    return [SimpleNamespace(**{**entry, "fields": [SimpleNamespace(**f) for f in entry["fields"]]})
            for entry in _core.catalogue_entries(str(name))]
