# SPDX-License-Identifier: MIT
"""The type stubs agree with the tables of the engine."""
import ast
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[3]


def test_stubs_are_those_of_the_tables():
    subprocess.run([sys.executable, ROOT / "scripts" / "python-stubs", "--check"], check=True)


@pytest.mark.parametrize("path", sorted((ROOT / "bindings" / "python" / "bristle").glob("*.pyi")), ids=lambda p: p.name)
def test_stubs_are_python(path):
    ast.parse(path.read_text())


def test_mypy_accepts_right_and_refuses_wrong_keywords(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text("from bristle import laws\nlaws.LuGre(stiffness=1e5)\n"
                       "laws.LuGre(stifness=1e5)\n")
    out = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", program],
                         capture_output=True, text=True).stdout
    assert "program.py:3" in out and "program.py:2" not in out
