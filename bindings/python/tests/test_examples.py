# SPDX-License-Identifier: MIT
"""Numbered examples print what their C++ twins print."""
import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"
PROGRAMS = pathlib.Path(__import__("bristle").__file__).parents[2] / "examples"


def lines_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_prints_what_its_twin_prints(path):
    printed = lines_of(sys.executable, path)
    assert printed
    twin = PROGRAMS / f"example_{path.stem}"
    if not twin.exists():
        pytest.skip(f"{twin.name} was not built: cmake --build --preset python does")
    assert printed == lines_of(twin)


def test_every_numbered_example_has_a_twin():
    stems = {kind: {path.stem for path in EXAMPLES.glob("[0-9]*" + kind)} for kind in (".cpp", ".py")}
    assert stems[".cpp"] and stems[".cpp"] == stems[".py"]
