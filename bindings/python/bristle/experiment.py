# SPDX-License-Identifier: MIT
"""Experiment files: all that `bristle run` does with one, but for writing its results."""
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
