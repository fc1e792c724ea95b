# SPDX-License-Identifier: MIT
"""Parts: read, drawn from, written, and made by fits."""
import pathlib

import bristle
import numpy as np
import pytest
from bristle import laws, mechanisms

PARTS = pathlib.Path(__file__).parents[3] / "parts"


def test_a_part_gives_its_law():
    part = bristle.Part.read(PARTS / "tribometer.toml")
    law = part.law()
    assert law.name == "dahl"
    assert law.coulomb_force == part.parameters["coulomb_force"].value
    assert part.law(stiffness=1e5).stiffness == 1e5
    assert part.domain["load"][2] == "N" and part.licence == "MIT"
    assert part.runs[0].held_out.rmse > 0.0
    assert "Part of dahl" in repr(part)


def test_every_part_that_comes_with_bristle_is_read():
    for path in PARTS.glob("*.toml"):
        assert bristle.Part.read(path).parameters, path


def test_draws_scatter_as_the_covariance_says():
    part = bristle.Part.read(PARTS / "tribometer.toml")
    drawn = part.draw(4000, seed=3)
    fitted = [p for p in part.parameters.values() if p.fitted]
    unknowns = np.array([np.log(drawn[p.name]) if p.scale == "log" else drawn[p.name] for p in fitted])
    deviation = np.sqrt(np.diag(part.covariance))
    # A standard deviation from n draws is off by itself over sqrt(2 n).
    assert np.std(unknowns, axis=1) == pytest.approx(deviation, rel=4.0 / np.sqrt(8000.0))
    assert np.all(drawn["exponent"] == part.parameters["exponent"].value)
    assert np.array_equal(part.draw(5, seed=2)["stiffness"], part.draw(5, seed=2)["stiffness"])


def test_a_part_reads_back_as_it_was_written(tmp_path):
    part = bristle.Part.read(PARTS / "screw-drive-1.toml")
    part.write(tmp_path / "again.toml")
    again = bristle.Part.read(tmp_path / "again.toml")
    assert np.array_equal(again.covariance, part.covariance)
    assert again.parameters == part.parameters


def test_a_fit_has_its_part(tmp_path):
    motion = mechanisms.PrescribedMotion(signal=bristle.Signal(amplitude=0.01, frequency=2.0))
    run = bristle.simulate(laws.Dahl(stiffness=2000.0), motion, end=8.0, samples=801)
    fitted = bristle.fit("dahl", **{n: run[n] for n in ("time", "position", "velocity", "force")}, starts=8)
    fitted.part.write(tmp_path / "part.toml")
    assert bristle.Part.read(tmp_path / "part.toml").law() == fitted.law


def test_what_is_no_part_is_refused(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("format = \"bristle part 1\"\nkind = \"spell\"\n")
    with pytest.raises(bristle.InvalidInput, match="must be one of law, machine"):
        bristle.Part.read(path)
    with pytest.raises(OSError):
        bristle.Part.read(tmp_path / "none.toml")
    with pytest.raises(bristle.InvalidInput, match="n = -1 is not allowed"):
        bristle.Part.read(PARTS / "tribometer.toml").draw(-1)
