# SPDX-License-Identifier: MIT
"""Machines stepped by Python, and friction for a simulator that owns the mechanics."""
import bristle
import numpy as np
import pytest
from bristle import HostFriction, Run, laws
from interrupts import seconds_until_interrupted
from test_machine import DRIVE, drive_builder


@pytest.fixture
def machine():
    return drive_builder().build()


def test_steps_follow_the_simulation(machine):
    whole = bristle.simulate(machine, end=1.0, samples=11, tolerance=1e-10)
    run = Run(machine, tolerance=1e-10)
    for k in range(1, 11):
        run.step(0.1)
        assert run.time == pytest.approx(0.1 * k)
        assert run.position("motor") == pytest.approx(whole["motor.position"][k], abs=1e-7)
        assert run.force("bearing") == pytest.approx(whole["bearing.force"][k], abs=1e-5)
        assert run.mode("guide") == whole["guide.mode"][k]
    assert run.work_in == pytest.approx(whole["work_in"][-1], rel=1e-5)
    assert run.stored > 0.0 and run.dissipated > 0.0


def test_a_saved_place_is_restored_bit_for_bit(machine):
    run = Run(machine)
    run.step(0.5)
    here, state = run.save(), run.state
    other = run.copy()
    run.step(0.5)
    moved = run.state
    run.restore(here)
    assert here.time == run.time == 0.5 and np.array_equal(run.state, state)
    run.step(0.5)
    other.step(0.5)
    assert np.array_equal(run.state, moved) and np.array_equal(other.state, moved)
    run.reset()
    assert run.time == 0.0 and run.position(0) == 0.0


def test_an_input_pushes_beside_its_signal(machine):
    run, pushed = Run(machine), Run(machine)
    pushed.set_input("torque", 0.3)
    run.step(0.05)
    pushed.step(0.05)
    assert pushed.velocity("motor") > run.velocity("motor")


def test_ctrl_c_ends_a_long_step_and_the_next_one_goes_on(machine):
    run = Run(machine)
    assert seconds_until_interrupted(lambda: run.step(1e7)) < 0.2
    run.step(0.1)


def test_wrong_steps_and_names_are_refused(machine):
    run = Run(machine)
    for h in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="h = .* is not allowed"):
            run.step(h)
    with pytest.raises(ValueError, match="there is no body 'moter', did you mean 'motor'"):
        run.position("moter")
    with pytest.raises(ValueError, match="contact 7 does not exist, there are 2"):
        run.force(7)
    with pytest.raises(ValueError, match="axis = 1 is not allowed"):
        run.force(0, axis=1)
    with pytest.raises(TypeError, match="must be a name or a number"):
        run.position(1.5)
    with pytest.raises(ValueError, match="it must be a finite number"):
        run.set_input(0, float("inf"))
    with pytest.raises(ValueError, match="another machine"):
        run.restore(Run(bristle.Machine.from_toml(DRIVE)).save())
    with pytest.raises(TypeError, match="takes a Machine"):
        Run("machine")
    with pytest.raises(ValueError, match="tolerance = 2 is not allowed"):
        Run(machine, tolerance=2.0)


def test_a_host_sticks_until_its_force_exceeds_friction():
    host = HostFriction([laws.Coulomb(coulomb_force=3.0), laws.LuGre(stribeck_velocity=0.01)])
    assert host.step([1e-3, 0.5], np.eye(2), 1e-3).all()
    assert host.velocities[0] == 0.0 and host.sticks[0] == 1.0
    assert host.forces[0] == pytest.approx(1.0)
    assert host.states[1] == 0.0
    host.commit()
    assert host.states[1] > 0.0 and host.positions[1] > 0.0


def test_environments_are_solved_as_if_alone():
    law = [laws.LuGre(stiffness=1e4, damping=50.0, stribeck_velocity=0.01),
           laws.Coulomb(coulomb_force=3.0)]
    random = np.random.default_rng(1)
    free = random.normal(size=(64, 2))
    matrix = np.array([[1.0, 0.2], [0.2, 2.0]])
    many = HostFriction(law, environments=64)
    for _ in range(3):
        assert many.step(free, matrix, 1e-3).all()
        many.commit()
    for e in (0, 17, 63):
        one = HostFriction(law)
        for _ in range(3):
            one.step(free[e], matrix, 1e-3)
            one.commit()
        assert np.array_equal(one.forces, many.forces[e])
        assert np.array_equal(one.states, many.states[e])
    many.step(free, np.broadcast_to(matrix, (64, 2, 2)), 1e-3)
    loads = np.full((64, 2), 2.0)
    many.loads = loads
    assert np.array_equal(many.loads, loads)


def test_wrong_hosts_are_refused():
    host = HostFriction([laws.Coulomb()] * 2)
    with pytest.raises(ValueError, match="v_free has the shape .3., it must have .2."):
        host.step(np.zeros(3), np.eye(2), 1e-3)
    with pytest.raises(ValueError, match="delassus has the shape .3, 3., it must have .2, 2."):
        host.step(np.zeros(2), np.eye(3), 1e-3)
    with pytest.raises(ValueError, match="h = -1 s is not allowed"):
        host.step(np.zeros(2), np.eye(2), -1.0)
    with pytest.raises(ValueError, match="v_free holds nan"):
        host.step([0.0, np.nan], np.eye(2), 1e-3)
    with pytest.raises(TypeError, match="v_free must be an array of numbers"):
        host.step(["a", "b"], np.eye(2), 1e-3)
    with pytest.raises(TypeError, match="laws.0. must be one of bristle.laws"):
        HostFriction(["coulomb"])
    with pytest.raises(ValueError, match="at least one law"):
        HostFriction([])
    with pytest.raises(ValueError, match="not gms"):
        HostFriction([laws.Gms()])


def random_host(rng, contacts=3, environments=8):
    host = HostFriction([laws.Coulomb(coulomb_force=2.0), laws.LuGre(viscous=0.4), laws.Stribeck()],
                        environments=environments)
    root = rng.standard_normal((environments, contacts, contacts))
    delassus = root @ np.swapaxes(root, 1, 2) + 0.5 * np.eye(contacts)
    return host, delassus, 0.05 * rng.standard_normal((environments, contacts))


def test_a_host_writes_into_arrays_of_either_width():
    host, delassus, free = random_host(np.random.default_rng(4))
    velocity, force = np.empty((8, 3)), np.empty((8, 3), dtype=np.float32)
    assert host.step(free.astype(np.float32), delassus, 1e-3, out=(velocity, force)).all()
    assert np.array_equal(velocity, host.velocities)
    assert np.array_equal(force, host.forces.astype(np.float32))
    with pytest.raises(ValueError, match=r"out\[1\] has the shape \[3, 8\], it must have \[8, 3\]"):
        host.step(free, delassus, 1e-3, out=(velocity, np.empty((3, 8))))
    with pytest.raises(TypeError, match="out must be a tuple of two arrays"):
        host.step(free, delassus, 1e-3, out=velocity)
    with pytest.raises(TypeError, match="must be a contiguous array of float64 or float32"):
        host.step(free, delassus, 1e-3, out=(velocity, np.empty((8, 3), dtype=int)))
    frozen = np.empty((8, 3))
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="and be writeable"):
        host.step(free, delassus, 1e-3, out=(velocity, frozen))


def test_derivatives_of_a_host_are_those_of_differences():
    rng = np.random.default_rng(5)
    host, delassus, free = random_host(rng)
    h, direction = 1e-3, rng.standard_normal((8, 3))

    def answer(v):
        assert host.step(v, delassus, h).all()
        return host.velocities, host.forces, host.sticks

    eps = 1e-7
    (v1, f1, s1), (v0, f0, s0) = answer(free + eps * direction), answer(free - eps * direction)
    middle = answer(free)[2]
    smooth = (np.array_equal(s1, s0) and np.array_equal(s0, middle)) and middle.any() and not middle.all()
    assert smooth  # some contacts stick, others slip, and the direction changes none of it
    velocity, force = bristle.host_jvp(host, delassus, h, direction)
    assert np.allclose(velocity, (v1 - v0) / (2 * eps), rtol=1e-4, atol=1e-6)
    assert np.allclose(force, (f1 - f0) / (2 * eps), rtol=1e-4, atol=1e-4)
    # Forward and reverse mode agree: <g, J d> = <J' g, d>.
    gv, gf = rng.standard_normal((2, 8, 3))
    back = bristle.host_vjp(host, delassus, h)(gv, gf)
    assert (back * direction).sum() == pytest.approx((gv * velocity + gf * force).sum(), rel=1e-9)


def test_outputs_of_a_host_that_share_memory_are_refused_and_inputs_may_be_overwritten():
    host, delassus, free = random_host(np.random.default_rng(6))
    host.step(free, delassus, 1e-3)
    velocities, forces = host.velocities, host.forces
    out = np.empty((8, 3))
    with pytest.raises(ValueError, match="out.0. and out.1. share memory"):
        host.step(free, delassus, 1e-3, out=(out, out))
    # In place, and shifted by one number.
    place = free.copy()
    host.step(place, delassus, 1e-3, out=(place, out))
    assert np.array_equal(place, velocities) and np.array_equal(out, forces)
    long = np.append(free.ravel(), 0.0)
    shifted = long[1:].reshape(8, 3)
    host.step(long[:-1].reshape(8, 3), delassus, 1e-3, out=(shifted, out))
    assert np.array_equal(shifted, velocities) and np.array_equal(out, forces)
    matrices = np.concatenate([delassus.ravel(), np.zeros(24)])
    host.step(free, matrices[:72].reshape(8, 3, 3), 1e-3, out=(matrices[20:44].reshape(8, 3), out))
    assert np.array_equal(matrices[20:44].reshape(8, 3), velocities)


def test_loads_of_a_host_are_numbers_that_may_be():
    host = HostFriction([laws.Coulomb()] * 2, environments=3)
    host.loads = 5.0
    assert np.array_equal(host.loads, np.full((3, 2), 5.0))
    with pytest.raises(ValueError, match="loads holds -1 N, the load of coulomb must be at least 0 N"):
        host.loads = [[1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]
    assert np.array_equal(host.loads, np.full((3, 2), 5.0))  # none was taken
    with pytest.raises(TypeError, match="loads is a masked array in which 1 numbers are hidden"):
        host.loads = np.ma.masked_array(np.ones((3, 2)), [[1, 0], [0, 0], [0, 0]])


def test_derivatives_of_a_host_need_a_step_that_determines_them():
    host = HostFriction([laws.Coulomb()] * 2)
    twice = np.ones((2, 2))
    host.step(np.zeros(2), twice, 1e-3)  # both stick, on one body
    with pytest.raises(ValueError, match="contacts that stick are redundant"):
        bristle.host_jvp(host, twice, 1e-3, np.ones(2))
    with pytest.raises(TypeError, match="a HostFriction is needed"):
        bristle.host_vjp(None, twice, 1e-3)
    with pytest.raises(ValueError, match=r"delassus has the shape \(3, 3\)"):
        bristle.host_jvp(host, np.eye(3), 1e-3, np.ones(2))
