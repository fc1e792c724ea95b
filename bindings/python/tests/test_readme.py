# SPDX-License-Identifier: MIT
"""The Python of the README runs and prints what the README shows."""

import pathlib
import re

README = pathlib.Path(__file__).resolve().parents[3] / "README.md"


def test_the_readme_prints_what_it_shows(capsys):
    blocks = re.findall(r"```python\n(.*?)```\s*```text\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
    assert blocks
    for code, shown in blocks:
        exec(code, {})
        # Counts of steps depend on the compiler, what comes out does not.
        assert capsys.readouterr().out.splitlines()[-1] == shown.splitlines()[-1]
