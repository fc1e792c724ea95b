# SPDX-License-Identifier: MIT
"""Steps of laws on numbers and on arrays of joints."""
import os
import subprocess
import sys
import tempfile
import threading

import bristle
import numpy as np
import pytest
from bristle import laws

# Laws with one state that a step at a given velocity knows: rotating bristles remember their side.
STATE_LAWS = [law for law, table in zip(laws.all, bristle._core.law_tables())
              if table["single"] and not table["set_valued"] and law.name != "rotating_bristle"]
DT = 1e-3


def joints(law, n=37, seed=1):
    """States and velocities of n joints: in stick, around break-away and in fast slip."""
    random = np.random.default_rng(seed)
    z = random.uniform(-0.9, 0.9, n) * law.state_scale
    v = 10.0 ** random.uniform(-6, 0, n) * random.choice([-1.0, 1.0], n)
    return z, v


@pytest.mark.parametrize("kind", STATE_LAWS, ids=lambda law: law.name)
def test_arrays_equal_single_calls(kind):
    law = kind()
    z, v = joints(law)
    state, force = law.step(z, v, DT)
    assert np.array_equal(state, law.advance(z, v, DT))
    for i in range(len(z)):
        one = law.step(float(z[i]), float(v[i]), DT)
        assert isinstance(one[0], float)
        assert state[i] == pytest.approx(one[0], rel=1e-9, abs=1e-9 * law.state_scale)
        assert force[i] == pytest.approx(one[1], rel=1e-7, abs=1e-7 * abs(force).max())
    single = [law.force(float(a), float(b)) for a, b in zip(z, v)]
    assert np.allclose(law.force(z, v), single, rtol=1e-9, atol=1e-12)
    assert np.allclose(law.rate(z, v), [law.rate(float(a), float(b)) for a, b in zip(z, v)],
                       rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", STATE_LAWS, ids=lambda law: law.name)
def test_slopes_are_the_derivatives_of_a_step(kind):
    law = kind()
    z, v = joints(law, n=11)
    state, force, zz, zv, fz, fv = law.slopes(z, v, DT)
    step = law.step(z, v, DT)
    assert np.allclose(state, step[0], rtol=1e-12) and np.allclose(force, step[1], rtol=1e-9)
    h = 1e-6
    for by, dz, dv in ((0, h * law.state_scale, 0.0), (1, 0.0, h * abs(v))):
        up, down = law.step(z + dz, v + dv, DT), law.step(z - dz, v - dv, DT)
        size = 2.0 * (dz + dv)
        for slope, a, b in (((zz, zv)[by], up[0], down[0]), ((fz, fv)[by], up[1], down[1])):
            difference = (a - b) / size
            scale = np.abs(difference) + np.abs(slope) + np.abs(a) / size * 1e-9
            # Where a piece of the equations ends the difference is not the derivative.
            assert np.median(np.abs(difference - slope) / scale) < 1e-4


def test_jvp_and_vjp_agree_with_each_other():
    law = laws.LuGre()
    z, v = joints(law)
    random = np.random.default_rng(2)
    dz, dv, gz, gf = random.normal(size=(4, len(z)))
    state, force, state_tangent, force_tangent = bristle.jvp(law, z, v, DT, dz, dv)
    state2, _, pullback = bristle.vjp(law, z, v, DT)
    back_z, back_v = pullback(gz, gf)
    assert np.array_equal(state, state2)
    assert np.allclose(gz * state_tangent + gf * force_tangent, back_z * dz + back_v * dv)


def test_a_constant_velocity_ends_at_the_steady_force():
    law = laws.LuGre()
    v = np.linspace(1e-3, 0.1, 9)
    z = np.zeros(9)
    for _ in range(400):
        z, force = law.step(z, v, DT)
    assert np.allclose(force, law.steady(v), rtol=1e-12)


def test_results_go_into_given_arrays():
    law = laws.LuGre()
    z, v = joints(law)
    state, force = np.empty_like(z), np.empty_like(z)
    assert law.step(z, v, DT, out=(state, force))[0] is state
    assert np.array_equal(state, law.advance(z, v, DT))
    # The state may be advanced in place.
    kept = state.copy()
    assert law.advance(z, v, DT, out=z) is z and np.array_equal(z, kept)


def test_single_precision_is_the_rounded_double_result():
    law = laws.LuGre()
    z, v = (x.astype(np.float32) for x in joints(law, n=1300))
    state, force = law.step(z, v, DT)
    assert state.dtype == force.dtype == np.float32
    exact = law.step(z.astype(float), v.astype(float), DT)
    assert np.array_equal(state, exact[0].astype(np.float32))
    assert np.array_equal(force, exact[1].astype(np.float32))
    assert law.force(z, v.astype(float)).dtype == np.float64


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("shift", [0, 1, 3, 700])
def test_a_result_may_share_memory_with_what_it_is_made_of(kind, shift):
    law, n = laws.LuGre(), 1300
    z, v = (x.astype(kind) for x in joints(law, n=n))
    expected = law.advance(z, v, DT)
    for which in ("z", "v"):
        for to, of in ((0, shift), (shift, 0)):
            memory = np.zeros(n + shift, dtype=kind)
            given = memory[of:of + n]
            given[:] = z if which == "z" else v
            arguments = (given, v) if which == "z" else (z, given)
            law.advance(*arguments, DT, out=memory[to:to + n])
            assert np.array_equal(memory[to:to + n], expected)


def test_results_that_share_memory_with_each_other_are_refused():
    law = laws.LuGre()
    z, v = joints(law, n=8)
    with pytest.raises(ValueError, match="out.0. and out.1. share memory"):
        law.step(z, v, DT, out=(z, z))
    expected = law.step(z, v, DT)
    law.step(z, v, DT, out=(v, z))
    assert np.array_equal(v, expected[0]) and np.array_equal(z, expected[1])


def test_shapes_of_any_dimension_and_single_numbers_mix():
    law = laws.FrBD()
    z, v = (x.reshape(3, 4) for x in joints(law, n=12))
    assert law.advance(z, v, DT).shape == (3, 4)
    assert np.array_equal(law.force(z, 0.1, load=2.0),
                          law.force(z, np.full((3, 4), 0.1), load=np.full((3, 4), 2.0)))
    strided = np.zeros((3, 8))[:, ::2]
    assert law.advance(strided, v, DT).shape == (3, 4)
    assert law.advance(np.zeros(0), np.zeros(0), DT).shape == (0,)
    assert np.allclose(law.force(np.zeros(3, dtype=int), 1), law.force(0.0, 1.0))


def test_arrays_of_any_layout_and_kind_are_taken_as_numpy_takes_them():
    law = laws.LuGre()
    z, v = joints(law, n=36)
    expected = law.step(z, v, DT)
    spread = np.zeros((36, 3))
    spread[:, 1] = z
    for state in (z[::-1][::-1], spread[:, 1], z.astype(">f8"), list(z), memoryview(z), z.astype("g"),
                  np.ma.masked_array(z, np.zeros(36, bool))):
        assert np.array_equal(law.step(state, v, DT), expected)
    square = np.asfortranarray(z.reshape(6, 6))
    assert np.array_equal(law.step(square, v.reshape(6, 6), DT)[0], expected[0].reshape(6, 6))
    assert np.array_equal(law.advance(z, np.ones(36, int), DT), law.advance(z, 1.0, DT))
    assert law.step(z.astype(">f4"), v.astype("f4"), DT)[0].dtype == np.float32
    assert law.step(z.astype("f4"), v, DT)[0].dtype == np.float64
    for shape in ((0,), (0, 3)):
        assert law.step(np.zeros(shape), np.zeros(shape, "f4"), DT)[1].shape == shape
    assert law.step(np.array(z[0]), np.float32(0.1), DT) == law.step(z[0], float(np.float32(0.1)), DT)


@pytest.mark.parametrize("kind", STATE_LAWS, ids=lambda law: law.name)
def test_slopes_are_finite_at_kinks_and_the_same_in_single_precision(kind):
    law = kind()
    scale = law.state_scale
    z, v = np.array([[0.0, scale, -scale, 0.0, 2.0 * scale, 1e3 * scale],
                     [0.0, 0.0, 0.0, 1e-300, 1.0, -1.0]])
    for narrow in (False, True):
        given = (z.astype("f4"), v.astype("f4")) if narrow else (z, v)
        for one in law.slopes(*given, DT):
            assert np.isfinite(one).all()
    wide = law.slopes(z.astype("f4").astype(float), v.astype("f4").astype(float), DT)
    for one, same in zip(law.slopes(z.astype("f4"), v.astype("f4"), DT), wide):
        assert np.array_equal(one, same.astype("f4"))


def test_a_law_without_a_state_has_a_force_only():
    law = laws.Coulomb(coulomb_force=2.0)
    assert np.array_equal(law.force(np.zeros(3), np.array([-1.0, 1.0, 2.0])), [-2.0, 2.0, 2.0])
    with pytest.raises(ValueError, match="coulomb has no state to advance"):
        law.advance(0.0, 1.0, DT)
    with pytest.raises(ValueError, match="gms has several states"):
        laws.Gms().force(0.0, 1.0)


@pytest.mark.parametrize("arguments, kind, sentence", [
    ((np.zeros(3), np.zeros(4), DT), ValueError, "v has the shape (4,) and z the shape (3,)"),
    ((np.zeros(3), np.array([0.0, np.nan, 0.0]), DT), ValueError, "v[1] = nan m/s is not allowed"),
    ((np.inf, 0.0, DT), ValueError, "z = inf is not allowed, it must be a finite number"),
    ((0.0, 0.0, 0.0), ValueError, "dt = 0 s is not allowed, it must be greater than 0 s"),
    ((np.zeros(3), 0.0, np.array([1.0, -1.0, 1.0])), ValueError, "dt[1] = -1 s is not allowed"),
    (("a", 0.0, DT), TypeError, "z must be a number or an array of float64 or float32"),
    ((np.zeros(3, dtype=complex), 0.0, DT), TypeError,
     "z must be a number or an array of float64 or float32, not an array of complex128"),
    ((np.zeros(3, dtype=object), 0.0, DT), TypeError, "z must be a number or an array"),
    ((None, 0.0, DT), TypeError, "z must be a number or an array"),
    ((True, 0.0, DT), TypeError, "z must be a number or an array"),
    (([[0.0], [1.0, 2.0]], 0.0, DT), TypeError, "z must be a number or an array"),
    ((np.ma.masked_array(np.zeros(3), [0, 1, 0]), 0.0, DT), TypeError,
     "z is a masked array in which 1 numbers are hidden: give filled() or compressed() of it"),
])
def test_wrong_arguments_are_refused(arguments, kind, sentence):
    with pytest.raises(kind) as error:
        laws.LuGre().advance(*arguments)
    assert sentence in str(error.value)


@pytest.mark.parametrize("out, kind, sentence", [
    (np.zeros(4), ValueError, "out has the shape (4,), the result has (3,)"),
    (np.zeros(3, dtype=np.float32), TypeError, "out must be of float64"),
    (np.zeros(6)[::2], ValueError, "contiguous"),
    ([0.0] * 3, TypeError, "out must be an array"),
    (np.broadcast_to(np.zeros(1), 3), ValueError, "writeable"),
])
def test_wrong_outputs_are_refused(out, kind, sentence):
    with pytest.raises(kind) as error:
        laws.LuGre().advance(np.zeros(3), np.zeros(3), DT, out=out)
    assert sentence in str(error.value)
    with pytest.raises(ValueError, match="load = -1 N is not allowed"):
        laws.FrBD().force(0.0, 1.0, load=-1.0)


def test_threads_step_at_once():
    law = laws.LuGre()
    z, v = joints(law, n=4096)
    expected = law.advance(z, v, DT)
    found = [None] * 8

    def work(i):
        for _ in range(20):
            found[i] = law.advance(z, v, DT)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert all(np.array_equal(one, expected) for one in found)


def test_kernels_of_all_widths_agree():
    code = """
import bristle, numpy as np
from test_batch import STATE_LAWS, joints
found = [np.concatenate([np.ravel(part) for part in law().slopes(*joints(law()), 1e-3)])
         for law in STATE_LAWS]
print(bristle._core.batch_lanes())
np.save("found.npy", np.concatenate(found))
"""
    found = {}
    for asked in ("baseline", "avx2", "avx512"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.pathsep.join([os.environ.get("PYTHONPATH", ""), os.path.dirname(__file__)])
            path = os.pathsep.join(os.path.abspath(p) for p in path.split(os.pathsep) if p)
            kind = subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, text=True,
                                  stdout=subprocess.PIPE,
                                  env={**os.environ, "BRISTLE_KERNELS": asked, "PYTHONPATH": path})
            found[kind.stdout.strip()] = np.load(os.path.join(folder, "found.npy"))
    assert "baseline" in found
    for numbers in found.values():
        assert np.allclose(numbers, found["baseline"], rtol=1e-7, atol=1e-12)
