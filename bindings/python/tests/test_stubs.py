# SPDX-License-Identifier: MIT
"""The type stubs agree with the tables of the engine."""
import ast
import os
import pathlib
import subprocess
import sys

import bristle
import pytest

ROOT = pathlib.Path(__file__).parents[3]
PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(bristle.__file__)))


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


def test_stubs_agree_with_the_modules_at_run_time(tmp_path):
    pytest.importorskip("mypy")
    modules = [f"bristle.{path.stem}" for path in (ROOT / "bindings/python/bristle").glob("*.pyi")]
    out = subprocess.run([sys.executable, "-m", "mypy.stubtest", "--concise",
                          "--ignore-missing-stub", *modules], capture_output=True, text=True,
                         cwd=tmp_path, env={**os.environ, "PYTHONPATH": PACKAGES}).stdout.splitlines()
    # Classes of the engine have the metaclass of pybind11; bases of the stubs are there for them.
    bases = {"laws.Law", "systems.System", "mechanisms.Mechanism", "couplings.Coupling",
             "signals.Described"}
    known = {f"bristle.{base} is not present at runtime" for base in bases}
    assert [line for line in out if not line.endswith("metaclass differs") and line not in known] == []
    assert sum(line.endswith("metaclass differs") for line in out) > 40  # it has looked at them
