# SPDX-License-Identifier: MIT
"""Experiment files: all that `bristle run` does with one, but for writing its results."""
import os
import pathlib

from . import _core
from .machine import source_of
from .result import Result


class Experiment:
    """The results of a file: `cases` by label, and what became of the facts it states."""

    def __init__(self, found):
        self.title, self.facts, self.warnings = found["title"], found["facts"], found["warnings"]
        self.cases = {label: Result(core) for label, core in found["cases"]}

    @property
    def result(self):
        """The result of a file with one case, or of its first one."""
        return next(iter(self.cases.values()))

    def __repr__(self):
        return f"<Experiment {self.title!r}: {len(self.cases)} cases, {len(self.facts)} facts>"


def run_file(source, *, settings=None, progress=None):
    """Runs an experiment file, or a text of that format, and judges its facts.

    `settings` changes single fields: {"mechanism.drag_velocity": 0.02}.
    """
    text, path = source_of(source)
    return Experiment(_core.run_file(text, path, dict(settings or {}), progress))


def experiments(folder=None):
    """The names of the experiments that reproduce published figures."""
    return sorted(path.stem for path in _folder(folder).glob("*.toml"))


def reproduce(name, *, folder=None, progress=None):
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
