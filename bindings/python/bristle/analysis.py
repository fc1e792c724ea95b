# SPDX-License-Identifier: MIT
"""Analyses of samples, simulated or measured."""
from types import SimpleNamespace

from . import _core


def loop(x, y):
    """A closed loop through samples: area, width, height, closing_error, orientation.

    The area is the integral of y dx round the loop, positive if it is run through clockwise; of
    force over displacement that is the energy lost [J].
    """
    return SimpleNamespace(**_core.loop(x, y))
