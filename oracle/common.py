# SPDX-License-Identifier: MIT
"""How an oracle script declares its numbers.

A script makes one Group, adds functions to it that yield Number, and ends with group.main().
Run alone, it computes its numbers and prints them as JSON.
"""

import json
import sys
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Number:
    """One number: its name within the group, value, claimed error, and what it is.

    reference_only marks a number that no test or experiment quotes.
    """

    name: str
    value: float
    error: float
    what: str
    reference_only: bool = False


@dataclass
class Group:
    """The numbers of one script: their origin (equations of which source) and the method used."""

    name: str
    source: str
    method: str
    functions: list = field(default_factory=list)

    def add(self, function=None, *, quick=True):
        """Adds a function that yields numbers; quick = False leaves it out of --quick."""
        if function is None:
            return lambda f: self.add(f, quick=quick)
        self.functions.append((function, quick))
        return function

    def compute(self, only_quick=False):
        """All numbers of the group, by name."""
        numbers = {}
        for function, quick in self.functions:
            if only_quick and not quick:
                continue
            for number in function():
                if number.name in numbers:
                    raise ValueError(f"{self.name}: {number.name} is declared twice")
                numbers[number.name] = number
        return numbers

    def main(self):
        """Computes and prints; with --quick only what takes little time."""
        print(text(self, self.compute("--quick" in sys.argv[1:])), end="")


def text(group, numbers):
    """The JSON text of a group, one line per number."""
    lines = []
    for n in numbers.values():
        entry = {"value": float(n.value), "error": float(n.error), "what": n.what}
        if n.reference_only:
            entry["reference_only"] = True
        lines.append(f"    {json.dumps(n.name)}: {json.dumps(entry)}")
    head = [
        f"  {json.dumps(key)}: {json.dumps(getattr(group, key))}," for key in ("source", "method")
    ]
    return "\n".join(["{", *head, '  "numbers": {', ",\n".join(lines), "  }", "}"]) + "\n"
