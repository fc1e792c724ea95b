# SPDX-License-Identifier: MIT
"""Friction in the time loop of a host: the element at a fixed step, and the rolling contact."""
import bristle
import numpy as np
import pytest
from bristle import ContactPatch, FrictionElement, laws, mechanisms

STEP = 1e-4


def shaken(t):
    return 0.02 * np.sin(6.0 * t)


def test_an_element_follows_the_solver_along_a_given_motion():
    law, times = laws.LuGre(), STEP * np.arange(5001)
    element = FrictionElement(law, STEP)
    forces = np.array([element.advance(float(v)) for v in shaken(times[1:])])
    motion = mechanisms.PrescribedMotion(signal=bristle.Signal(
        shape="samples", times=times, values=0.02 / 6.0 * (1.0 - np.cos(6.0 * times))))
    exact = bristle.simulate(law, motion, end=times[-1], samples=len(times))["force"]
    assert np.abs(forces - exact[1:]).max() < 2e-3 * np.abs(exact).max()


def test_the_tangent_of_an_element_is_the_difference_of_its_trials():
    element = FrictionElement(laws.LuGre(), 1e-3)
    for v in (0.001, 0.002, 0.004):
        element.advance(v)
    force, tangent = element.force_at(0.005)
    h = 1e-7
    by_difference = (element.force_at(0.005 + h)[0] - element.force_at(0.005 - h)[0]) / (2 * h)
    assert tangent == pytest.approx(by_difference, rel=1e-5)
    # A trial changes nothing.
    assert element.force_at(0.005) == (force, tangent) and element.advance(0.005) == force


def test_an_element_of_many_joints_is_one_element_each():
    law, velocities = laws.FrBD(), shaken(STEP * np.arange(1, 40))
    many = FrictionElement(law, STEP)
    alone = [FrictionElement(law, STEP) for _ in range(3)]
    scale = np.array([1.0, -2.0, 0.1])
    for v in velocities:
        forces = many.advance(v * scale)
        assert np.allclose(forces, [one.advance(float(v * s)) for one, s in zip(alone, scale)], rtol=1e-12)


def test_an_element_keeps_no_array_of_its_caller():
    law = laws.LuGre()
    kept, reused = FrictionElement(law, STEP), FrictionElement(law, STEP)
    buffer = np.zeros(2)
    for v in shaken(STEP * np.arange(1, 20)):
        buffer[:] = v
        assert np.array_equal(kept.advance(np.full(2, v)), reused.advance(buffer))


@pytest.mark.parametrize("call, kind, sentence", [
    (lambda: FrictionElement("lugre", STEP), TypeError, "must be one of bristle.laws"),
    (lambda: FrictionElement(laws.LuGre(), -1.0), ValueError, "dt = -1 s is not allowed"),
    (lambda: FrictionElement(laws.Coulomb(), STEP), ValueError, "coulomb has no state"),
    (lambda: FrictionElement(laws.LuGre(), STEP).advance("fast"), TypeError, "velocity must be a number"),
    (lambda: FrictionElement(laws.LuGre(), STEP).advance(np.nan), ValueError, "v = nan m/s is not allowed"),
    (lambda: ContactPatch(laws.LuGre(), lod=4000.0), ValueError, "did you mean 'load'"),
    (lambda: ContactPatch(laws.Coulomb()), ValueError, "coulomb"),
    (lambda: ContactPatch(laws.LuGre()).advance(0.0, 0.1), ValueError, "step = 0 s is not allowed"),
    (lambda: ContactPatch(laws.LuGre()).advance(1e-3, 0.1, "x"), TypeError, "transport = 'x' is not allowed"),
])
def test_wrong_elements_and_patches_are_refused(call, kind, sentence):
    with pytest.raises(kind) as error:
        call()
    assert sentence in str(error.value)


def test_a_patch_settles_on_its_steady_force():
    tyre = ContactPatch(laws.FrBD(stiffness=252.0), load=4000.0)
    for _ in range(400):
        tyre.advance(1e-4, 0.5)
    assert tyre.force(0.5) == pytest.approx(tyre.steady_force(0.5), rel=1e-6)
    # However long a step is, the contact is steady after it.
    tyre.reset()
    tyre.advance(1e308, 0.5, 1e308)
    assert np.isfinite(tyre.force(0.5)) and np.isfinite(tyre.stored)
