#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the numbers quoted in tests and experiments with those stored in oracle/numbers.

In C++ a quote is a literal with a comment that names its number: on the same line, or on a line of
its own before the statement it belongs to,

    EXPECT_NEAR(slips[0], 25.16711275368161, 1e-9);  // oracle: rows.fig_3_7.slip_1

several names for several literals (.slip_2 after rows.fig_3_7.slip_1 is rows.fig_3_7.slip_2), a
minus sign for the negative. In experiments the source says it:

    source = "independent computation: oracle/rows.py fig_3_7.slip_1"

A quote agrees if it is the stored number to its last digit, give or take the claimed error; no
test or fact may ask for more than that error. A test that expects nine digits or more and a fact of
the kind "computed" have to name their oracle, and every stored number has to be quoted, unless its
script marks it as reference_only. Needs Python 3.11 or newer, nothing else.
"""

import json
import pathlib
import re
import sys
from decimal import Decimal

ROOT = pathlib.Path(__file__).resolve().parents[2]
LITERAL = re.compile(r"(?<![\w.])-?(?:\d+\.\d*|\.\d+|\d+)(?:e[+-]?\d+)?(?![\w.])")
NEAR = re.compile(r"EXPECT_NEAR\(.*,\s*([\d.]+(?:e[+-]?\d+)?)\)", re.DOTALL)
TAG = re.compile(r"//\s*oracle:\s*(.*)$")
SOURCE = re.compile(r"oracle/(\w+)\.py (-?)(\w+(?:\.\w+)*)")


def stored_numbers():
    """All stored numbers by GROUP.NAME."""
    numbers = {}
    for path in sorted((ROOT / "oracle" / "numbers").glob("*.json")):
        for name, entry in json.loads(path.read_text())["numbers"].items():
            numbers[f"{path.stem}.{name}"] = entry
    return numbers


def digits(literal):
    """How many digits a literal says."""
    return len(Decimal(literal).as_tuple().digits)


def agrees(quote, entry, sign):
    """Whether a quoted decimal is the stored number to its last digit; few digits must be exact."""
    value = Decimal(quote)
    half_digit = Decimal(5).scaleb(value.as_tuple().exponent - 1) if digits(quote) >= 4 else 0
    return abs(value - sign * Decimal(entry["value"])) <= half_digit + Decimal(str(entry["error"]))


def statement(lines, start):
    """The lines from one to the end of its statement, without comments."""
    code = []
    for line in lines[start : start + 12]:
        code.append(line.split("//")[0].rstrip())
        if ";" in code[-1] or code[-1].endswith("{"):
            break
    return code


def tags(lines):
    """(line of the tag, names, first line of its code, code) for each tag."""
    for number, line in enumerate(lines):
        tag = TAG.search(line)
        if not tag:
            continue
        if line[: tag.start()].strip():
            yield number, tag[1].split(), number, [line[: tag.start()]]
            continue
        # A tag on a line of its own may go on over further comment lines.
        names, k = tag[1].split(), number + 1
        while lines[k].strip().startswith("//") and not TAG.search(lines[k]):
            names += lines[k].strip().lstrip("/").split()
            k += 1
        yield number, names, k, statement(lines, k)


def full_names(names):
    """(name, sign) with what a leading dot stands for."""
    full = ""
    for name in names:
        bare = name.lstrip("-")
        full = full.rpartition(".")[0] + bare if bare.startswith(".") else bare
        yield full, -1 if name.startswith("-") else 1


def check_quote(name, sign, code, numbers):
    """Sentences about one number that some code quotes."""
    entry, literals, tolerance = numbers[name], LITERAL.findall(code), NEAR.search(code)
    if not any(agrees(text, entry, sign) for text in literals):
        value, quoted = sign * entry["value"], ", ".join(literals) or "nothing"
        yield f"{name} is {value!r}, but the line quotes {quoted}"
    if tolerance and Decimal(tolerance[1]) < Decimal(str(entry["error"])):
        yield f"asks for {tolerance[1]}, but {name} is known to {entry['error']:g} only"


def check_code(numbers, used):
    """Sentences about tags in tests that are wrong or missing."""
    for path in sorted((ROOT / "tests").rglob("*.[ch]pp")):
        where, lines, tagged = path.relative_to(ROOT), path.read_text().splitlines(), set()
        for number, names, first, code in tags(lines):
            tagged.update(range(first, first + len(code)))
            for name, sign in full_names(names):
                if name not in numbers:
                    yield f"{where}:{number + 1}: oracle/numbers has no {name}"
                    continue
                used.add(name)
                for problem in check_quote(name, sign, "\n".join(code), numbers):
                    yield f"{where}:{number + 1}: {problem}"
        for number, line in enumerate(lines):
            if number in tagged or "EXPECT_NEAR" not in line:
                continue
            for literal in LITERAL.findall(line.split("//")[0]):
                if digits(literal) >= 9:
                    yield f"{where}:{number + 1}: where does {literal} come from? Name its oracle"


def facts(table, place=""):
    """(place, fact) of every expectation of an experiment, at the top and in its cases."""
    for name, fact in table.get("expect", {}).items():
        yield place + name, fact
    for case in table.get("case", []):
        yield from facts(case, f"{case.get('label', 'case')}: ")


def check_experiments(numbers, used):
    """Sentences about facts whose number is not the stored one, or that name none."""
    import tomllib

    for path in sorted((ROOT / "experiments").glob("*.toml")):
        table = tomllib.loads(path.read_text(), parse_float=Decimal)
        for place, fact in facts(table):
            where = f"{path.relative_to(ROOT)}: {place}"
            source = SOURCE.search(str(fact.get("source", "")))
            if not source:
                if fact.get("kind") == "computed":
                    said = fact.get("source")
                    yield f"{where}: a computed fact has to name its oracle, not '{said}'"
                continue
            name, sign = f"{source[1]}.{source[3]}", -1 if source[2] else 1
            if name not in numbers:
                yield f"{where}: oracle/numbers has no {name}"
                continue
            used.add(name)
            if "value" not in fact:
                continue
            if not agrees(str(fact["value"]), numbers[name], sign):
                value = sign * numbers[name]["value"]
                yield f"{where}: {name} is {value!r}, but the value is {fact['value']}"
            allowed = fact.get("within", 0) + fact.get("tolerance", 0) * abs(fact["value"])
            known = numbers[name]["error"]
            if allowed < Decimal(str(known)):
                yield f"{where}: asks for {allowed:.1g}, but {name} is known to {known:g} only"


def main():
    if sys.version_info < (3, 11):
        print("skipped: reading experiments needs Python 3.11 or newer")
        return 77
    numbers, used = stored_numbers(), set()
    problems = list(check_code(numbers, used)) + list(check_experiments(numbers, used))
    for name, entry in numbers.items():
        if name not in used and not entry.get("reference_only"):
            problems.append(f"{name} is stored, but no test or experiment quotes it")
        if name in used and entry.get("reference_only"):
            problems.append(f"{name} is quoted, so its script must not mark it as reference_only")
    print("\n".join(problems) or f"{len(used)} numbers are quoted as they are stored")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
