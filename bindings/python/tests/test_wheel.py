# SPDX-License-Identifier: MIT
"""A wheel is built without a network, installed and imported; versions are those of the engine."""
import importlib
import pathlib
import re
import subprocess
import sys
import tarfile
import zipfile

import bristle
import pytest

ROOT = pathlib.Path(__file__).parents[3]
BUILD = pathlib.Path(bristle.__file__).parents[2]


def test_the_version_is_that_of_the_engine():
    text = (ROOT / "include" / "bristle" / "version.hpp").read_text()
    numbers = [re.search(rf"#define BRISTLE_VERSION_{part} (\d+)", text)[1]
               for part in ("MAJOR", "MINOR", "PATCH")]
    assert bristle.__version__ == ".".join(numbers)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Made by pip from pyproject.toml, out of the directory in which the module was built."""
    pytest.importorskip("pip")
    if not (BUILD / "build.ninja").is_file():
        pytest.skip("the module that is tested was not built by CMake here")
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "--quiet",
                           "--config-settings", f"build-dir={BUILD}", "--wheel-dir", folder, ROOT],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (made,) = folder.iterdir()
    return made


def test_a_source_distribution_holds_the_sources_and_its_metadata(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bindings" / "python")
    backend = importlib.import_module("backend")
    stem = f"bristle-{bristle.__version__}"
    # The sources that are under version control, and those of a tarball without it.
    for listed in (backend._sources(), ["pyproject.toml", "include/bristle/version.hpp"]):
        monkeypatch.setattr(backend, "_sources", lambda: [name for name in listed if "data/" not in name])
        assert backend.build_sdist(tmp_path) == stem + ".tar.gz"
        with tarfile.open(tmp_path / f"{stem}.tar.gz") as made:
            names = made.getnames()
            assert f"Version: {bristle.__version__}\n" in made.extractfile(f"{stem}/PKG-INFO").read().decode()
        assert {f"{stem}/pyproject.toml", f"{stem}/include/bristle/version.hpp"} <= set(names)
    # A tree without version control is listed but for what builds leave.
    for name in ("src/a.cpp", "build/a.o", "build-wheel/b.o", "out/c.svg", ".git-like/d", "src/__pycache__/e.pyc"):
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text("")
    monkeypatch.undo()
    monkeypatch.setattr(backend, "ROOT", tmp_path / "tree")
    assert backend._sources() == ["src/a.cpp"]


def test_a_wheel_holds_module_stubs_experiments_and_metadata(wheel):
    assert wheel.name.startswith(f"bristle-{bristle.__version__}-cp")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"bristle/__init__.py", "bristle/laws.pyi", "bristle/py.typed",
            "bristle/experiments/r_8_stick_slip.toml"} <= names
    assert any(re.fullmatch(r"bristle/_core\..*\.so", name) for name in names)
    info = f"bristle-{bristle.__version__}.dist-info"
    metadata = zipfile.ZipFile(wheel).read(f"{info}/METADATA").decode()
    assert f"Version: {bristle.__version__}\n" in metadata and "Requires-Dist: numpy" in metadata
    record = zipfile.ZipFile(wheel).read(f"{info}/RECORD").decode()
    assert {line.split(",")[0] for line in record.splitlines()} == names


def test_pip_installs_the_wheel_without_a_network(wheel, tmp_path):
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet",
                           "--target", tmp_path, wheel], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    code = ("import bristle; run = bristle.simulate(bristle.laws.LuGre(), "
            "bristle.mechanisms.DraggedMass(), end=1.0); print(bristle.__file__, run.ok, "
            "bristle.__version__, len(bristle.experiments()) > 20)")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path,
                         env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin"}).stdout.split()
    assert out == [str(tmp_path / "bristle" / "__init__.py"), "True", bristle.__version__, "True"]
