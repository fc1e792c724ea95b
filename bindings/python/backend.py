# SPDX-License-Identifier: MIT
"""Builds a wheel of the Python module: the hooks that pip calls (PEP 517), with CMake.

It needs nothing but what the C++ build needs, pybind11 and NumPy, so `pip install .` works without
a network. `pyproject.toml` names this file. `--config-settings build-dir=build` takes a directory
that is configured already (preset python) in place of one of its own.
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "bristle"


def version():
    """The version of the engine: it stands in version.hpp alone."""
    text = (ROOT / "include" / "bristle" / "version.hpp").read_text()
    return ".".join(re.findall(r"^#define BRISTLE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.M))


def _metadata():
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version()}\n"
            "Summary: Friction and hysteresis engine\nLicense: MIT\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\n")


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def _build(prefix, build):
    if build == ROOT / "build-wheel":
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja",
                        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON",
                        "-DBRISTLE_BUILD_PYTHON=ON", "-DBRISTLE_BUILD_TESTS=OFF",
                        "-DBRISTLE_BUILD_CLI=OFF", f"-DPython3_EXECUTABLE={sys.executable}",
                        f"-DPYTHON_EXECUTABLE={sys.executable}"], check=True)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    subprocess.run(["cmake", "--build", build, "--target", "bristle_python", "-j", jobs], check=True)
    subprocess.run(["cmake", "--install", build, "--component", "python", "--strip",
                    "--prefix", prefix], check=True)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = (ROOT / (config_settings or {}).get("build-dir", "build-wheel")).resolve()
    prefix = build / "package"
    shutil.rmtree(prefix, ignore_errors=True)
    _build(prefix, build)
    stem = f"{NAME}-{version()}"
    info = f"{stem}.dist-info"
    files = {str(path.relative_to(prefix)): path.read_bytes()
             for path in sorted(prefix.rglob("*")) if path.is_file()}
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: bristle\nRoot-Is-Purelib: false\n"
                              f"Tag: {_tag()}\n").encode()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = f"{stem}-{_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)
    return wheel


def _sources():
    """The files under version control; without it, as in a tarball, all but what builds leave."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True)
    if (ROOT / ".git").exists() and listed.returncode == 0:
        return listed.stdout.splitlines()
    left = re.compile(r"(build|out|\.)")
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
                  if path.is_file() and "__pycache__" not in path.parts
                  and path.name != "PKG-INFO" and not left.match(path.relative_to(ROOT).parts[0]))


def build_sdist(sdist_directory, config_settings=None):
    stem = f"{NAME}-{version()}"
    metadata = _metadata().encode()
    with tarfile.open(pathlib.Path(sdist_directory) / f"{stem}.tar.gz", "w:gz") as out:
        for name in _sources():
            out.add(ROOT / name, f"{stem}/{name}")
        entry = tarfile.TarInfo(f"{stem}/PKG-INFO")
        entry.size = len(metadata)
        out.addfile(entry, io.BytesIO(metadata))
    return f"{stem}.tar.gz"
