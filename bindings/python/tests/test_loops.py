# SPDX-License-Identifier: MIT
"""Measured loops: split, classified, unfolded, fitted; series compared; tables and catalogue."""
import pathlib

import bristle
import numpy as np
import pytest
from bristle import laws, systems

ROOT = pathlib.Path(__file__).parents[3]
PLAY = systems.PrandtlIshlinskii(direct=0.2, thresholds=[0.2, 0.5], weights=[0.5, 0.4])


def periods(n, points=400):
    return np.sin(np.linspace(0.0, 2.0 * np.pi * n, n * points + 1))


def test_displacements_of_a_structural_loop_are_found_from_its_forces():
    law = laws.DegradingBoucWen(stiffness=2e5, yield_force=1e3, elastic=1e4)
    size = law.yield_force / law.stiffness
    t = np.linspace(0.0, 12.0, 400)
    way = 3.0 * size * (np.sin(t) + 0.3 * np.sin(2.7 * t))
    forces = bristle.path_forces(law, way)
    assert np.abs(bristle.path_displacements(law, forces) - way).max() < 1e-8
    # The way of the law in the solver has the same forces.
    motion = bristle.mechanisms.PrescribedMotion(signal=bristle.Signal(times=t, values=way))
    run = bristle.simulate(law, motion, end=12.0, samples=400, tolerance=1e-9)
    assert np.abs(run["force"] - forces).max() < 0.02 * np.ptp(forces)
    with pytest.raises(ValueError, match="law: lugre is not allowed, it must be degrading_bouc_wen"):
        bristle.path_displacements(laws.LuGre(), forces)
    with pytest.raises(ValueError, match=r"forces.1. = nan is not allowed"):
        bristle.path_displacements(law, [0.0, np.nan])


def test_a_record_is_split_into_its_periods():
    u = periods(4)
    found = bristle.loops(u, PLAY.follow(u))
    assert len(found) >= 2 and all(one.orientation == "counterclockwise" for one in found)
    # A play of threshold r and weight w under amplitude 1 encloses 4 w r (1 - r).
    area = -4.0 * (0.5 * 0.2 * 0.8 + 0.4 * 0.5 * 0.5)
    # The first period begins on the virgin curve.
    assert all(one.area == pytest.approx(area, rel=1e-5) for one in found[1:])
    assert abs(found[0].area) < abs(area) and found[0].closing_error > 0.1
    covered = sum(one.end - one.first for one in found)
    assert covered + sum(left.end - left.first for left in found.left_out) >= len(u) - len(found)
    numbered = bristle.loops(u, PLAY.follow(u), by=np.arange(len(u)) // 401)
    assert [one.first for one in numbered][:2] == [0, 401] and numbered[1].label == "1"
    with pytest.raises(ValueError, match="they must have as many"):
        bristle.loops(u, u[:-1])


def butterfly_loop(points=400):
    """A simple loop folded by a quadratic map: y = (z - c)^2 with z from a play operator."""
    u = periods(3, points)
    z = PLAY.follow(u)
    return u[-points - 101:-100], z[-points - 101:-100]


def test_a_butterfly_is_unfolded_into_the_loop_it_came_from():
    u, z = butterfly_loop()
    found = bristle.butterfly(u, z ** 2, tolerance=0.02)
    assert found.kind == "butterfly" and len(found.lobes) == 2
    assert found.lobes[0].orientation != found.lobes[1].orientation
    assert found.unfolds and found.opens == "up" and found.extreme_gap < 0.02
    # Unfolded by y^2 it is z again, on the way up and on the way down.
    top = np.argmax(found.x)
    up = np.interp(0.3, found.x[:top + 1], found.y[:top + 1])
    down = np.interp(0.3, found.x[top:][::-1], found.y[top:][::-1])
    rises = np.gradient(u) > 0.0
    assert up == pytest.approx(np.interp(0.3, *np.sort([u[rises], z[rises]])), abs=0.01)
    assert down == pytest.approx(np.interp(0.3, *np.sort([u[~rises], z[~rises]])), abs=0.01)
    fitted = bristle.butterfly(u, z ** 2, tolerance=0.02, elements=6)
    assert fitted.system.quality.r2 > 0.99


def test_a_loop_that_does_not_unfold_says_why():
    u, z = butterfly_loop()
    found = bristle.butterfly(u, z)
    assert not found.unfolds and found.kind == "simple"
    assert all(found.why_not)
    with pytest.raises(ValueError, match="map = 'cubic' is not allowed"):
        bristle.butterfly(u, z, map="cubic")
    with pytest.raises(ValueError, match="a = -1.0 is not allowed"):
        bristle.butterfly(u, z, a=-1.0)
    with pytest.raises(ValueError, match="each has no meaning with map = 'absolute'"):
        bristle.butterfly(u, z, map="absolute", each=True)


def test_errors_are_those_of_closed_form_differences():
    t = np.linspace(0.0, 6.0, 301)
    found = bristle.errors(t, np.sin(t) + 0.5, np.linspace(-1.0, 7.0, 2001),
                           np.sin(np.linspace(-1.0, 7.0, 2001)))
    assert found.samples == 301
    assert found.mean == pytest.approx(0.5, abs=1e-9) and found.std < 1e-8
    assert found.rmse == pytest.approx(0.5, abs=1e-9) and found.max == pytest.approx(0.5, abs=1e-8)
    with pytest.raises(ValueError, match="none of it lies within other_time"):
        bristle.errors([10.0, 11.0], [0.0, 0.0], t, t)
    with pytest.raises(ValueError, match=r"time\[1\] = 0 does not come after 0"):
        bristle.errors([0.0, 0.0], [0.0, 0.0], t, t)


def test_maps_of_a_file_are_those_of_the_command():
    found = bristle.maps(ROOT / "experiments" / "t_1_7_maxwell_slip.toml")
    assert found and all(one.closed for one in found)
    assert found[0].properties.rate_dependent is False and found[0].properties.hysteretic
    with pytest.raises(ValueError, match="it describes no input-output map"):
        bristle.maps(ROOT / "experiments" / "t_1_4_coulomb.toml")


def test_relays_are_fitted_to_a_loop():
    u = np.concatenate([periods(2, 200), 0.5 * periods(1, 200)])
    relays = systems.fit_relays(u, PLAY.follow(u), levels=20)
    assert relays.name == "preisach" and relays.quality.explains and relays.quality.r2 > 0.99
    with pytest.raises(ValueError, match="levels = 1 is not allowed"):
        systems.fit_relays(u, u, levels=1)


def test_several_runs_are_fitted_together():
    runs = [periods(1, 200), 0.4 * periods(2, 200)]
    found = systems.fit(runs, [PLAY.follow(u) for u in runs], elements=8)
    assert found.quality.explains and found.quality.r2 > 0.999
    with pytest.raises(ValueError, match="there are 2 inputs and 1 outputs"):
        systems.fit(runs, [runs[0]])
    with pytest.raises(ValueError, match="elements = 0 is not allowed"):
        systems.fit(runs[0], runs[0], elements=0)


def test_a_system_of_a_file_is_inverted_and_verified(tmp_path):
    stage = systems.from_toml(ROOT / "experiments" / "t_5_17_magnetostriction.toml")
    inverse = stage.inverse()
    trip = stage.round_trip(-1.0, 1.0)
    assert trip.inputs == 2000 and trip.error < 1e-9 and inverse.exact
    path = tmp_path / "inverse.toml"
    path.write_text(inverse.to_toml(-0.5, 0.5, title="back"))
    assert systems.from_toml(path) == inverse
    assert bristle.run_file(path).result is not None
    with pytest.raises(ValueError, match="there is no .system. in it"):
        systems.from_toml(ROOT / "experiments" / "t_1_4_coulomb.toml")
    with pytest.raises(ValueError, match="high = 0 must be greater than low = 1"):
        stage.round_trip(1.0, 0.0)
    with pytest.raises(ValueError, match="no inverse"):
        systems.make("bouc_wen").round_trip(-1.0, 1.0)


def test_tables_are_read_with_their_units(tmp_path):
    path = tmp_path / "rig.csv"
    path.write_text("time_ms,Force [kN],name\n0,1.5,a\n1,2.5,b\n")
    table = bristle.read_table(path)
    assert list(table["time_ms"]) == [0.0, 1.0] and list(table["Force [kN]"]) == [1.5, 2.5]
    assert np.isnan(table["name"]).all() and table.units["Force [kN]"] == "kN"
    with pytest.raises(FileNotFoundError):
        bristle.read_table(tmp_path / "nowhere.csv")


def test_models_lists_all_that_files_can_name():
    all_of = bristle.models()
    assert set(all_of) == {"models", "systems", "mechanisms", "sections", "machine", "couplings"}
    assert set(all_of["models"]) == {law.name for law in bristle.laws.all}
    assert set(all_of["couplings"]) == {c.name for c in bristle.couplings.all}
    (lugre,) = bristle.models("lugre")
    assert lugre.kind == "one state"
    stiffness = next(f for f in lugre.fields if f.name == "stiffness")
    assert stiffness.unit == "N/m" and stiffness.default == bristle.laws.LuGre().stiffness
    assert "period" in bristle.models("quantities") and "position" in bristle.models("columns")
    assert bristle.models("units")["kN"].factor == 1000.0
    with pytest.raises(ValueError, match="did you mean 'lugre'"):
        bristle.models("lugr")


def test_the_kind_of_a_motion_is_told_by_its_section():
    t = np.arange(20000) * 1e-3
    found = bristle.spectrum(t, np.sin(2 * np.pi * 5.0 * t), named=[5.0], beat=0.2)
    assert found.motion.kind == "periodic" and found.motion.beats == 1 and found.dominant == 1
    # Two frequencies without a common period.
    both = np.sin(2 * np.pi * 5.0 * t) + 0.5 * np.sin(2 * np.pi * 5.0 * np.sqrt(2.0) * t)
    assert bristle.spectrum(t, both, beat=0.2).motion.kind == "quasi-periodic"
    assert bristle.spectrum(t, both).motion is None
    with pytest.raises(ValueError, match="beat = -1 s is not allowed"):
        bristle.spectrum(t, both, beat=-1.0)
