# SPDX-License-Identifier: MIT
"""Laws whose equations are written in Python."""
import bristle
import numpy as np
import pytest
from bristle import MachineBuilder, OwnCoupling, OwnLaw, couplings, laws, mechanisms


class OwnLuGre(OwnLaw):
    """LuGre once more, by the book."""

    def __init__(self, law):
        self.law = law
        self.state_scale = law.static_force / law.stiffness

    def rate(self, z, motion):
        law = self.law
        curve = law.coulomb_force + (law.static_force - law.coulomb_force) * np.exp(
            -(motion.velocity / law.stribeck_velocity) ** 2)
        return motion.velocity - motion.speed * law.stiffness * z / curve

    def force(self, z, motion):
        law = self.law
        return (law.stiffness * z + law.damping * self.rate(z, motion)
                + law.viscous * motion.velocity)

    def stored(self, z, motion):
        return 0.5 * self.law.stiffness * z * z

    def elastic_force(self, z, motion):
        return self.law.stiffness * z


def test_an_own_law_moves_as_that_of_the_engine():
    body = mechanisms.DraggedMass()
    own = bristle.simulate(OwnLuGre(laws.LuGre()), body, end=12.0, samples=121)
    same = bristle.simulate(laws.LuGre(), body, end=12.0, samples=121)
    assert own.ledger["closes"]
    assert np.allclose(own["position"], same["position"], atol=1e-7)
    assert np.allclose(own["dissipated"], same["dissipated"], atol=1e-6)


def test_equations_may_branch_and_compare_as_with_numbers_of_python():
    seen = []

    class Asked(OwnLaw):
        state_scale = 1e-4

        def rate(self, z, motion):
            v = motion.velocity
            if hasattr(v, "slope"):
                seen.append((v.value, v == 0, v != 0, v > 0, 0 < v, v >= v, v < 1, v <= 0.0, bool(v), +v == v,
                             (2 ** v).value, (2 ** v).slope[1] / v.slope[1] if v.slope[1] else None,
                             ((1 + v) ** (1 + v)).value))
            # Dahl, with a branch for the direction.
            direction = 1 if v > 0 else -1
            return v * (1 - direction * 1e4 * z)

        def force(self, z, motion):
            return 1e4 * z

    body = mechanisms.DraggedMass()
    own = bristle.simulate(Asked(), body, end=8.0, samples=81)
    same = bristle.simulate(laws.Dahl(stiffness=1e4, coulomb_force=1.0, exponent=1.0), body, end=8.0, samples=81)
    assert np.allclose(own["position"], same["position"], atol=1e-6)
    assert len(seen) > 100 and any(one[8] for one in seen) and not all(one[8] for one in seen)
    for v, zero, other, above, also_above, itself, small, below, true, alike, power, slope, both in seen:
        assert (zero, other, above, also_above, itself) == (v == 0, v != 0, v > 0, v > 0, True)
        assert (small, below, true, alike) == (v < 1, v <= 0, v != 0, True)
        assert power == pytest.approx(2.0 ** v) and both == pytest.approx((1.0 + v) ** (1.0 + v))
        assert slope is None or slope == pytest.approx(np.log(2.0) * 2.0 ** v)


def test_a_whole_number_beyond_all_floats_is_no_finite_force():
    class Beyond(OwnLaw):
        state_scale = 1e-4

        def rate(self, z, motion):
            return motion.velocity

        def force(self, z, motion):
            return 10 ** 400

    with pytest.warns(RuntimeWarning, match="not finite: force"):
        assert "not finite: force" in bristle.simulate(Beyond(), mechanisms.DraggedMass(), end=1.0).message


def test_an_own_law_is_a_contact_of_a_machine():
    def run(law):
        machine = (MachineBuilder().body("block").drive("belt", shape="ramp", rate=0.1)
                   .coupling("spring", couplings.SpringDamper(stiffness=2.0),
                             between=("block", "belt"))
                   .contact("floor", law, on="block").build())
        return bristle.simulate(machine, end=8.0, samples=81)

    own, same = run(OwnLuGre(laws.LuGre())), run(laws.LuGre())
    assert np.allclose(own["floor.force"], same["floor.force"], atol=1e-4)


class OwnSpring(OwnCoupling):
    def force(self, s, w):
        return 2.0 * s

    def stored(self, s):
        return s * s

    def loss(self, s, w):
        return 0.0


def test_an_own_coupling_pulls_as_that_of_the_engine():
    def run(spring):
        machine = (MachineBuilder().body("block").drive("belt", shape="ramp", rate=0.1)
                   .coupling("spring", spring, between=("block", "belt"))
                   .contact("floor", laws.Coulomb(), on="block").build())
        return bristle.simulate(machine, end=8.0, samples=81)

    own, same = run(OwnSpring()), run(couplings.SpringDamper(stiffness=2.0))
    assert own.ledger["closes"] and np.allclose(own["block.position"], same["block.position"])
    with pytest.raises(TypeError, match="needs a method force"):
        run(OwnCoupling())


def test_an_exception_while_a_machine_is_stepped_is_raised():
    class Broken(OwnSpring):
        def force(self, s, w):
            raise LookupError("broken")

    machine = (MachineBuilder().body("block").coupling("spring", Broken(), on="block")
               .contact("floor", laws.Coulomb(), on="block").build())
    with pytest.raises(LookupError):
        bristle.Run(machine).step(0.1)
    with pytest.raises(LookupError):
        bristle.simulate(machine, end=1.0)


def test_an_exception_in_the_equations_is_raised():
    class Broken(OwnLuGre):
        def force(self, z, motion):
            return 1 / 0 if motion.time > 1.0 else super().force(z, motion)

    with pytest.raises(ZeroDivisionError):
        bristle.simulate(Broken(laws.LuGre()), mechanisms.DraggedMass(), end=10.0)
    # And leaves nothing behind.
    assert bristle.simulate(laws.LuGre(), mechanisms.DraggedMass(), end=1.0).ok


@pytest.mark.parametrize("members, kind, sentence", [
    ({}, TypeError, "needs a method rate"),
    ({"rate": lambda s, z, m: 0.0}, TypeError, "needs a method force"),
    ({"rate": lambda s, z, m: 0.0, "force": lambda s, z, m: 0.0}, TypeError, "state_scale"),
    ({"rate": lambda s, z, m: 0.0, "force": lambda s, z, m: 0.0, "state_scale": -1.0}, ValueError,
     "state_scale = -1 is not allowed"),
    ({"rate": lambda s, z, m: 0.0, "force": lambda s, z, m: 0.0, "state_scale": 1.0,
      "stored": lambda s, z, m: 0.0}, TypeError, "needs both stored"),
    ({"rate": lambda s, z, m: "fast", "force": lambda s, z, m: 0.0, "state_scale": 1.0}, TypeError,
     "rate() must return a number"),
    ({"rate": lambda s, z: 0.0, "force": lambda s, z, m: 0.0, "state_scale": 1.0}, TypeError,
     "positional argument"),
])
def test_incomplete_laws_are_refused(members, kind, sentence):
    law = type("Incomplete", (OwnLaw,), members)()
    with pytest.raises(kind) as error:
        bristle.simulate(law, mechanisms.DraggedMass(), end=1.0)
    assert sentence in str(error.value)


class Arm(bristle.OwnLinkage):
    """A pendulum on a sliding cart, as the coupling cart_pendulum of the engine has it."""

    joints = 2

    def __init__(self, mass, length):
        self.mass, self.length = mass, length

    def kinetic(self, q, v):
        along = v[0] + self.length * np.cos(q[1]) * v[1]
        up = self.length * np.sin(q[1]) * v[1]
        return 0.5 * self.mass * (along * along + up * up)

    def potential(self, q):
        return -9.81 * self.mass * self.length * np.cos(q[1])


def swing(coupling):
    machine = (bristle.MachineBuilder()
               .body("cart", inertia=1.0)
               .body("arm", inertia=0.01, motion="rotation", position=1.0)
               .coupling("joint", coupling, between=("cart", "arm"))
               .contact("rail", laws.Coulomb(coulomb_force=0.3), on="cart")
               .build())
    return bristle.simulate(machine, end=2.0, tolerance=1e-10, samples=101)


def test_a_linkage_in_python_moves_as_the_same_one_of_the_engine():
    own = swing(Arm(0.3, 0.5))
    built_in = swing(bristle.couplings.CartPendulum(mass=0.3, centre=0.5, gravity=9.81))
    assert own.ok and own.ledger["closes"]
    np.testing.assert_allclose(own["arm.position"], built_in["arm.position"], atol=1e-8)
    np.testing.assert_allclose(own["cart.position"], built_in["cart.position"], atol=1e-8)


def test_a_wrong_linkage_in_python_is_refused():
    class Cubic(Arm):
        def kinetic(self, q, v):
            return v[0] * v[0] * v[0]

    class Broken(Arm):
        def potential(self, q):
            raise KeyError("nothing here")

    class Four(Arm):
        joints = 4

    with pytest.raises(ValueError, match="quadratic in the velocities"):
        swing(Cubic(1.0, 1.0))
    with pytest.raises(KeyError, match="nothing here"):
        swing(Broken(1.0, 1.0))
    with pytest.raises(ValueError, match="must be 2 or 3"):
        swing(Four(1.0, 1.0))
    with pytest.raises(TypeError, match="needs a method kinetic"):
        swing(type("Empty", (bristle.OwnLinkage,), {"joints": 2})())
