# SPDX-License-Identifier: MIT
"""The guides run, say what they claim and make their figures."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

GUIDES = pathlib.Path(__file__).parents[1] / "guides"
CLAIMS = {"1_machine": r"breaks away at 0\.1065 s",
          "2_fit": r"dahl +held out: rmse 0\.0[12]\d+ N\ncoulomb",
          "3_hunting": r"period of 7\.93 s",
          "4_hysteresis": r"off by \de-1[5-9]: exact for every input",
          "5_joints": r"first velocity\) = (\S+), by differences \1\n.* \de-\d+ apart"}


@pytest.mark.parametrize("path", sorted(GUIDES.glob("*.py")), ids=lambda path: path.stem)
def test_a_guide_runs_and_makes_its_figure(path, tmp_path):
    figure = tmp_path / "figure.png"
    done = subprocess.run([sys.executable, path, figure], capture_output=True, text=True,
                          env={**os.environ, "MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    assert re.search(CLAIMS[path.stem], done.stdout), done.stdout
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return
    assert figure.stat().st_size > 5000
