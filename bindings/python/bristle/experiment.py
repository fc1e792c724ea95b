# SPDX-License-Identifier: MIT
"""Experiment files: all that `bristle run` does with one."""
from __future__ import annotations

import os
import pathlib
import warnings

from . import _core
from ._described import _mapping
from .machine import source_of
from .result import Result


class Experiment:
    """The results of a file: `cases` by label, and what became of the facts it states."""

    def __init__(self, core) -> None:
        self._core = core
        self.title, self.facts, self.warnings = core.title, core.facts(), core.warnings
        self.cases = {label: Result(one) for label, one in core.cases()}

    def write(self, directory, *, figures=True, animate=False) -> None:
        """Writes what `bristle run` writes: report.html, summary.json, tables, figures, the input.

        `animate` adds a moving picture of the body over its bristles.
        """
        trouble = self._core.write(os.fspath(directory), figures, animate)
        if trouble:
            warnings.warn(trouble, RuntimeWarning, stacklevel=2)

    @property
    def result(self) -> Result:
        """The result of a file with one case, or of its first one."""
        return next(iter(self.cases.values()))

    def __repr__(self) -> str:
        return f"<Experiment {self.title!r}: {len(self.cases)} cases, {len(self.facts)} facts>"


def run_file(source, *, settings=None, part=None, progress=None) -> Experiment:
    """Runs an experiment file, or a text of that format, and judges its facts.

    `settings` changes single fields: {"mechanism.drag_velocity": 0.02}. `part` is the file of a
    part, whose law takes the place of [model], or whose values that of a machine.
    """
    text, path = source_of(source)
    settings = _mapping(settings, "settings")
    if part is not None:
        section = "model." if _core.Part.read(os.fspath(part)).kind == "law" else ""
        settings[section + "part"] = os.path.abspath(os.fspath(part))
    return Experiment(_core.run_file(text, path, settings, progress))


def experiments(folder=None) -> list[str]:
    """The names of the experiments that reproduce published figures."""
    return sorted(path.stem for path in _folder(folder).glob("*.toml"))


def reproduce(name, *, folder=None, progress=None) -> Experiment:
    """Runs one of the experiments that come with Bristle and judges its facts.

    `facts` of the result has reference, ours, tolerance and verdict of each.
    """
    place, known = _folder(folder), experiments(folder)
    if name not in known:
        raise _core.InvalidInput(_core.not_found("experiment", str(name), known))
    return run_file(place / f"{name}.toml", progress=progress)


def _folder(given):
    """The folder of experiments: that given, or the one of the package."""
    place = pathlib.Path(os.fspath(given)) if given else pathlib.Path(__file__).parent / "experiments"
    if not place.is_dir():
        raise NotADirectoryError(f"{place}: is not a directory of experiments")
    return place
