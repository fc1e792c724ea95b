# SPDX-License-Identifier: MIT
"""Compiles the C programs of the oracles, for computations that are too slow in Python."""

import ctypes
import functools
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


@functools.cache
def load(name):
    """The shared library made of c/NAME.c."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise RuntimeError("no C compiler: cc, gcc or clang is needed")
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / f"{name}.so"
        # Without contraction of products and sums the numbers are the same on every machine.
        options = ["-O2", "-std=c11", "-ffp-contract=off", "-shared", "-fPIC", "-Wall", "-Wextra"]
        subprocess.run(
            [compiler, *options, "-o", made, HERE / "c" / f"{name}.c", "-lm"], check=True
        )
        return ctypes.CDLL(str(made))


def doubles(values):
    """A C array of doubles."""
    values = [float(v) for v in values]
    return (ctypes.c_double * max(len(values), 1))(*values)
