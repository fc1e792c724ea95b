#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the numbers quoted in tests and experiments with those stored in oracle/numbers.

In C++ a quote is a literal with a comment that names its number: on the same line, or on a line of
its own before the statement it belongs to,

    EXPECT_NEAR(slips[0], 25.16711275368161, 1e-9);  // oracle: rows.fig_3_7.slip_1

several names for several literals (.slip_2 after rows.fig_3_7.slip_1 is rows.fig_3_7.slip_2), a
minus sign for the negative. In experiments the source says it:

    source = "independent computation: oracle/rows.py fig_3_7.slip_1"

A quote agrees if it is the stored number to its last digit, give or take the claimed error. Every
fact of the kind "computed" has to name its number, and every stored number has to be quoted, unless
its script marks it as reference_only. Needs Python 3.11 or newer, nothing else.
"""

import json
import pathlib
import re
import sys
from decimal import Decimal

ROOT = pathlib.Path(__file__).resolve().parents[2]
LITERAL = re.compile(r"(?<![\w.])-?(?:\d+\.\d*|\.\d+|\d+)(?:e[+-]?\d+)?(?![\w.])")
TAG = re.compile(r"//\s*oracle:\s*(.*)$")
SOURCE = re.compile(r"oracle/(\w+)\.py (-?)(\w+(?:\.\w+)*)")


def stored_numbers():
    """All stored numbers by GROUP.NAME."""
    numbers = {}
    for path in sorted((ROOT / "oracle" / "numbers").glob("*.json")):
        for name, entry in json.loads(path.read_text())["numbers"].items():
            numbers[f"{path.stem}.{name}"] = entry
    return numbers


def agrees(quote, entry, sign):
    """Whether a quoted decimal is the stored number to its last digit."""
    value = Decimal(quote)
    half_digit = Decimal(5).scaleb(value.as_tuple().exponent - 1)
    return abs(value - sign * Decimal(entry["value"])) <= half_digit + Decimal(entry["error"])


def statement(lines, start):
    """The code from a line to the end of its statement, without comments."""
    text = ""
    for line in lines[start : start + 12]:
        text += line.split("//")[0] + "\n"
        if ";" in text or text.rstrip().endswith("{"):
            break
    return text


def quotes_in_code(path):
    """(line, name, sign, literals it may be) for each name of each tag of a C++ file."""
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        tag = TAG.search(line)
        if not tag:
            continue
        names, k = tag.group(1).split(), number
        alone = not line[: tag.start()].strip()
        # A tag may go on over further comment lines.
        while alone and k + 1 < len(lines) and lines[k + 1].strip().startswith("//"):
            k += 1
            if TAG.search(lines[k]):
                break
            names += lines[k].strip().lstrip("/").split()
        code = statement(lines, k + 1) if alone else line[: tag.start()]
        literals = [text.replace("'", "") for text in LITERAL.findall(code)]
        full = ""
        for name in names:
            bare = name.lstrip("-")
            full = full.rpartition(".")[0] + bare if bare.startswith(".") else bare
            yield number + 1, full, -1 if name.startswith("-") else 1, literals


def check_code(numbers, used):
    """Sentences about tags in tests that are wrong."""
    for path in sorted((ROOT / "tests").rglob("*.[ch]pp")):
        where = path.relative_to(ROOT)
        for line, name, sign, literals in quotes_in_code(path):
            if name not in numbers:
                yield f"{where}:{line}: oracle/numbers has no {name}"
                continue
            used.add(name)
            if not any(agrees(text, numbers[name], sign) for text in literals):
                value = sign * numbers[name]["value"]
                quoted = ", ".join(literals) or "nothing"
                yield f"{where}:{line}: {name} is {value!r}, but the line quotes {quoted}"


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
            if "value" in fact and not agrees(str(fact["value"]), numbers[name], sign):
                value = sign * numbers[name]["value"]
                yield f"{where}: {name} is {value!r}, but the value is {fact['value']}"


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
