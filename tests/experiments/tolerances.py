#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every tolerance is one that a fault would break. Usage: tolerances.py DIRECTORY_OF_REPRODUCE_ALL

A fact that is met with less than a thousandth of its tolerance could be a thousand times wrong and
still be met: its tolerance has to be tightened, to half a unit of the last printed digit or to the
error of the reference. Tolerances of 1e-9 of the reference and less are at the level of rounding and
of the solvers; counts are whole numbers, and any tolerance below one is right for them; and nothing
tighter than the error that an oracle claims can be asked for.
"""
import json
import pathlib
import re
import sys
from decimal import Decimal

LEAST_SHARE = 1e-3
ROUNDING = 1.001e-9
NUMBERS = pathlib.Path(__file__).resolve().parents[2] / "oracle" / "numbers"


def claimed_error(source):
    """The error of the oracle that a source names, 0 if it names none."""
    named = re.search(r"oracle/(\w+)\.py -?(\w+(?:\.\w+)*)", source)
    if not named:
        return 0.0
    stored = json.loads((NUMBERS / f"{named[1]}.json").read_text())["numbers"]
    return stored.get(named[2], {}).get("error", 0.0)


def half_a_digit(number):
    """Half a unit of the last digit of a printed number."""
    return 5.0 * 10.0 ** (Decimal(number).as_tuple().exponent - 1)


def loose(fact):
    """The share of its tolerance a fact uses, if that is too small; otherwise None."""
    allowed, off = fact["absolute_tolerance"], fact["difference"]
    if allowed is None or off is None or fact["tolerance"].startswith("by more than"):
        return None
    try:
        reference = float(fact["reference"])
    except ValueError:
        return None  # compared with another case: two runs may well be the same
    counted = not fact["unit"] and reference == round(reference) and allowed < 1
    if counted or allowed <= ROUNDING * abs(reference) or (reference == 0 and allowed <= ROUNDING):
        return None
    if allowed <= 10 * claimed_error(fact["source"]):
        return None
    if fact["kind"] == "document" and allowed <= 1.001 * half_a_digit(fact["reference"]):
        return None
    share = off / allowed
    return share if share < LEAST_SHARE else None


def main():
    report = json.loads((pathlib.Path(sys.argv[1]) / "reproduce.json").read_text())
    found = 0
    for experiment in report["experiments"]:
        for fact in experiment["facts"]:
            share = loose(fact)
            if share is not None:
                found += 1
                print(f"{experiment['key']}, {fact['case']}: {fact['key']} is {fact['ours']}, its reference "
                      f"{fact['reference']} {fact['tolerance']}: {share:.0e} of the tolerance is used")
    print(f"{found} tolerances are too wide")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
