# SPDX-License-Identifier: MIT
"""The type stubs agree with the tables of the engine."""
import ast
import os
import pathlib
import subprocess
import sys

import bristle
import pytest

PROGRAM = """
import bristle
import numpy as np
from bristle import Machine, MachineBuilder, couplings, laws, mechanisms, systems


class Own(bristle.OwnLaw):
    state_scale = 1.0

    def rate(self, z: float, motion: object) -> float:
        return -z


def main() -> None:
    law = laws.LuGre(stiffness=1e5).replace(viscous=0.1)
    run = bristle.simulate(law, mechanisms.DraggedMass(mass=1.0), end=40.0)
    print(run["position"].max(), run.message, run.events, run.ledger, Own())
    z = np.zeros(10)
    state, force = law.step(z, z, 1e-3)
    state, force, pullback = bristle.vjp(law, z, z, 1e-3)
    built = (MachineBuilder().body("motor", inertia=2e-4).contact("guide", law, on="motor")
             .coupling("spring", couplings.SpringDamper(stiffness=1.0), on="motor").build())
    stepper = bristle.Run(built)
    stepper.step(1e-3)
    host = bristle.HostFriction([law], environments=1)
    host.step(np.zeros(1), np.eye(1), 1e-3)
    print(Machine.from_toml("drive.toml").bodies, bristle.FrictionElement(law, 1e-3).advance(0.1))
    print(bristle.ContactPatch(law, load=4000.0).force(0.1), systems.PrandtlIshlinskii().inverse())
    print(bristle.fit(laws.LuGre, time=z, position=z, force=z).law, bristle.Part.read("part.toml").domain)
    print(bristle.sweep("a.toml")["period"].mean(), bristle.loop(z, z).area, state, force, pullback)
"""
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


def test_a_program_with_types_is_accepted_by_mypy_in_its_strict_mode(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", program], capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": PACKAGES})
    assert [line for line in done.stdout.splitlines() if "program.py" in line] == []


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
