# SPDX-License-Identifier: MIT
"""Whatever the command can do, Python can do: one list, compared with the sources of the command."""
import functools
import pathlib
import re
import subprocess

import bristle
import pytest
from bristle import commands

ROOT = pathlib.Path(__file__).parents[3]
COMMAND = pathlib.Path(bristle.__file__).parents[2] / "bristle"


def subcommands():
    """Those of the sources; `part` tells its own apart by its first word."""
    names = set()
    for path in (ROOT / "cli").glob("*.cpp"):
        text = path.read_text()
        for match in re.finditer(r'(\w+)(?:->|\.)add_subcommand\(\s*"([a-z]+)"', text):
            under = "" if match[1] == "program" else match[1] + " "
            names.add(under + match[2])
    words = re.search(r'"action".*?one_of\(\{([^}]*)\}', (ROOT / "cli" / "part.cpp").read_text(),
                      re.DOTALL)[1]
    names.remove("part")
    return names | {f"part {word}" for word in re.findall(r'"(\w+)"', words)}


def test_every_subcommand_has_a_counterpart_and_no_counterpart_is_of_none():
    assert set(commands.COUNTERPARTS) == subcommands()


def test_the_sources_name_the_subcommands_that_the_command_knows():
    if not COMMAND.is_file():
        pytest.skip("the command is not built here")
    said = subprocess.run([COMMAND, "--help"], capture_output=True, text=True).stdout
    known = set(re.findall(r"^  (\w+)", re.search(r"\nSubcommands:\n(.*?)\n\n", said, re.DOTALL)[1], re.MULTILINE))
    assert known == {name.split()[0] for name in subcommands()}


@pytest.mark.parametrize("name, calls", commands.COUNTERPARTS.items())
def test_a_counterpart_exists_and_is_documented(name, calls):
    if isinstance(calls, str):
        assert len(calls.split()) > 3  # the reason
        return
    for call in calls:
        found = functools.reduce(getattr, call.split("."), bristle)
        assert found.__doc__, call


def test_the_table_of_the_documents_is_made_from_the_list():
    page = (ROOT / "docs" / "tasks" / "python.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| `bristle ")]
    assert rows == list(commands.rows())
