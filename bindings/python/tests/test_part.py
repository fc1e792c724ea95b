# SPDX-License-Identifier: MIT
"""Parts: read, drawn from, written, and made by fits."""
import copy
import pathlib
import pickle

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


def test_fits_and_parts_can_be_pickled(tmp_path):
    time = np.linspace(0.0, 4.0, 401)
    position = 0.01 * np.sin(2.0 * time)
    fitted = bristle.fit("coulomb", time=time, position=position, force=np.sign(np.cos(2.0 * time)), starts=2)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.law == fitted.law and again.parameters == fitted.parameters
    assert np.array_equal(again.predicted[0], fitted.predicted[0])
    assert again.part.parameters == fitted.part.parameters
    with pytest.raises(bristle.InvalidInput, match="one that was pickled"):
        again.profile("coulomb_force")
    part = bristle.Part.read(PARTS / "tribometer.toml")
    assert np.array_equal(pickle.loads(pickle.dumps(part)).covariance, part.covariance)
    assert copy.deepcopy(part).check() == part.check()
    assert "coulomb_force</td>" in fitted._repr_html_() and "95 %" in fitted._repr_html_()


def test_what_is_no_part_is_refused(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("format = \"bristle part 1\"\nkind = \"spell\"\n")
    with pytest.raises(bristle.InvalidInput, match="must be one of law, machine"):
        bristle.Part.read(path)
    with pytest.raises(FileNotFoundError):
        bristle.Part.read(tmp_path / "none.toml")
    with pytest.raises(bristle.InvalidInput, match="n = -1 is not allowed"):
        bristle.Part.read(PARTS / "tribometer.toml").draw(-1)
    for n in (2.5, "3", float("inf"), True, None):
        with pytest.raises(TypeError, match="n = .* is not allowed, it must be a whole number"):
            bristle.Part.read(PARTS / "tribometer.toml").draw(n)


def test_the_data_of_a_part_are_checked(tmp_path):
    part = bristle.Part.read(PARTS / "tribometer.toml")
    assert part.data and set(part.check()) == set(part.data)
    assert set(part.check().values()) == {"the file that was fitted"}
    rows = np.column_stack([np.arange(300) * 0.01, 1e-3 * np.sin(np.arange(300) * 0.05)])
    rows = np.column_stack([rows, 2.0 * np.sign(np.gradient(rows[:, 1]))])
    path = tmp_path / "strokes.csv"
    np.savetxt(path, rows, delimiter=",", header="time,position,force", comments="")
    fitted = bristle.fit("coulomb", path, starts=4)
    fitted.part.write(tmp_path / "part.toml")
    here = bristle.Part.read(tmp_path / "part.toml")
    assert here.check() == {str(path): "the file that was fitted"}
    path.write_text(path.read_text() + "4.0,0.0,0.0\n")
    assert here.check()[str(path)] != "the file that was fitted"


def test_parts_are_told_apart_by_their_deviations():
    part = bristle.Part.read(PARTS / "tribometer.toml")
    same = {d.name: d for d in part.diff(part)}
    assert not any(d.significant for d in same.values())
    others = [bristle.Part.read(PARTS / f"screw-drive-{i}.toml") for i in (1, 2)]
    found = others[0].diff(others[1])
    for d in found:
        if d.deviations is not None:
            assert d.significant == (abs(d.deviations) > 1.96)
    with pytest.raises(ValueError):
        part.diff(others[0])
    with pytest.raises(TypeError, match="takes a bristle.Part"):
        part.diff("x")


def test_a_part_shows_itself():
    part = bristle.Part.read(PARTS / "tribometer.toml")
    assert "stiffness" in part._repr_html_() and "range: " in part._repr_html_()


def test_a_motion_for_what_a_part_does_not_know():
    part = bristle.Part.read(PARTS / "tribometer.toml")
    motion = bristle.excite(part=part, duration=5.0, rate=500.0, trials=30)
    low, high, _ = part.domain["position"]
    assert np.abs(motion.position).max() <= 0.5 * (high - low) * (1 + 1e-9)
    # What was known counts: the deviations are not larger than those before.
    for name, deviation in motion.deviations.items():
        p = part.parameters[name]
        if p.fitted and not p.at_bound:
            assert deviation <= p.deviation / abs(p.value) * (1 + 1e-6), name
    with pytest.raises(ValueError, match="is of the law dahl, not of lugre"):
        bristle.excite(laws.LuGre(), part=part)


def test_a_file_is_run_with_a_part(tmp_path):
    text = "[model]\n[mechanism]\nname = \"dragged_mass\"\n[solve]\nend = 1.0\n"
    path = PARTS / "tribometer.toml"
    given = bristle.run_file(text, part=path)
    named = bristle.run_file(text.replace("[model]", f"[model]\npart = \"{path}\""))
    assert np.array_equal(given.result["position"], named.result["position"])
    # A part without a bias is its law alone.
    own = bristle.Part.read(path)
    assert "offset" in own.parameters
    motion = mechanisms.PrescribedMotion(signal=bristle.Signal(amplitude=0.01, frequency=2.0))
    run = bristle.simulate(laws.Dahl(), motion, end=8.0, samples=401)
    part = bristle.fit("dahl", time=run["time"], position=run["position"], force=run["force"],
                       starts=8).part
    part.write(tmp_path / "part.toml")
    alone = bristle.simulate(part.law(), mechanisms.DraggedMass(), end=1.0)
    given = bristle.run_file(text, part=tmp_path / "part.toml")
    assert np.array_equal(given.result["position"], alone["position"])
