# SPDX-License-Identifier: MIT
"""Machines with Coulomb friction by Siconos, a solver for nonsmooth dynamics of others.

Every block has a normal direction in which its weight presses it onto what is below, so that the
friction is that of Siconos' contact law: load times coefficient.
"""

import sys

import numpy as np
from common import Group, Number

group = Group(
    "nonsmooth",
    source="Newton's law with set-valued Coulomb friction on contacts that carry the weight",
    method="Moreau-Jean time stepping and the nonsmooth Gauss-Seidel solver of Siconos, at two "
    "steps that agree within the claimed error",
)
GRAVITY = 10.0


def run(masses, stiffness, push, contacts, times, h, dimension=2):
    """Positions of all coordinates at the times.

    Of each contact: the rows of the normal and of the tangents, and the coefficient of friction.
    """
    import siconos.kernel as sk
    import siconos.numerics as sn

    n = len(masses)
    body = sk.LagrangianLinearTIDS(np.zeros(n), np.zeros(n), np.diag(masses))
    body.setKPtr(np.array(stiffness, float))
    body.setFExtPtr(np.array(push(0.0), float))
    system = sk.NonSmoothDynamicalSystem(0.0, times[-1] + h)
    system.insertDynamicalSystem(body)
    for rows, coefficient in contacts:
        law = sk.NewtonImpactFrictionNSL(0.0, 0.0, coefficient, dimension)
        relation = sk.LagrangianLinearTIR(np.array(rows, float))
        system.link(sk.Interaction(law, relation), body)
    solver = sk.FrictionContact(dimension)
    options = solver.numericsSolverOptions()
    options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-12
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 10000
    stepping = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, h), sk.MoreauJeanOSI(0.5), solver)
    found, k = [], 0
    for time in times:
        while k < round(time / h):
            # The middle of the step, for the rule of the trapezium over the forces.
            body.setFExtPtr(np.array(push((k + 0.5) * h), float))
            stepping.computeOneStep()
            stepping.nextStep()
            k += 1
        found.append(np.array(body.q()))
    return found


def numbers(name, coordinates, error, *machine, times, steps, **how):
    """The positions at the smallest step, after a look at how they change with it.

    Of each coordinate: its place, its name and where it starts.
    """
    results = [run(*machine, times, h, **how) for h in steps]
    for t, fine, coarse in zip(times, results[-1], results[-2]):
        for place, coordinate, start in coordinates:
            change = abs(fine[place] - coarse[place])
            if not change < error:
                raise ValueError(f"{name}: {coordinate} at {t} s changes by {change}")
            what = f"position of {coordinate} at {t:g} s [m]"
            label = f"{t:g}".replace(".", "_")
            yield Number(f"{name}.{coordinate}_{label}", start + fine[place], error, what)


@group.add(quick=False)
def stacked():
    """2 kg on the floor with friction 3 N, 1 kg on it with 2 N, 6 sin(2 t) N on the lower one."""
    floor, between = 3.0 / (3.0 * GRAVITY), 2.0 / (1.0 * GRAVITY)
    # Coordinates: x and height of the lower block, x and height of the upper one.
    contacts = [
        ([[0, 1, 0, 0], [1, 0, 0, 0]], floor),
        ([[0, -1, 0, 1], [-1, 0, 1, 0]], between),
    ]

    def push(t):
        return [6.0 * np.sin(2.0 * t), -2.0 * GRAVITY, 0.0, -GRAVITY]

    yield from numbers(
        "stacked",
        ((0, "low", 0.0), (2, "up", 0.0)),
        5e-4,
        [2, 2, 1, 1],
        np.zeros((4, 4)),
        push,
        contacts,
        times=(2.5, 5.0, 10.0),
        steps=(2e-3, 1e-3),
    )


@group.add(quick=False)
def chain():
    """Three blocks of 1 kg with springs of 100 N/m, pulled by 50 N/m; friction 1, 1.5 and 2 N."""
    k = np.zeros((6, 6))
    for i, j, s in ((0, 2, 100.0), (2, 4, 100.0)):
        k[i, i] += s
        k[j, j] += s
        k[i, j] -= s
        k[j, i] -= s
    k[0, 0] += 50.0
    contacts = []
    for i, friction in enumerate((1.0, 1.5, 2.0)):
        rows = np.zeros((2, 6))
        rows[0, 2 * i + 1] = rows[1, 2 * i] = 1.0
        contacts.append((rows, friction / GRAVITY))

    def push(t):
        return [50.0 * 0.05 * t, -GRAVITY, 0.0, -GRAVITY, 0.0, -GRAVITY]

    yield from numbers(
        "chain",
        ((0, "x1", 0.0), (2, "x2", 0.0), (4, "x3", 0.0)),
        2e-5,
        [1] * 6,
        k,
        push,
        contacts,
        times=(2.5, 5.0, 10.0),
        steps=(2e-3, 1e-3),
    )


@group.add(quick=False)
def stage():
    """1 kg in the plane on springs of 100 N/m to a point that circles with 20 mm, friction 0.5 N."""
    contacts = [(np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], float), 0.5 / GRAVITY)]

    def push(t):
        # From the start of the body at 20 mm.
        return [2.0 * np.cos(t) - 2.0, 2.0 * np.sin(t), -GRAVITY]

    yield from numbers(
        "stage",
        ((0, "x", 0.02), (1, "y", 0.0)),
        2e-5,
        [1, 1, 1],
        np.diag([100.0, 100.0, 0.0]),
        push,
        contacts,
        times=(1.0, 5.0, 10.0),
        steps=(2e-3, 1e-3),
        dimension=3,
    )


if __name__ == "__main__":
    try:
        import siconos.kernel  # noqa: F401
    except ImportError:
        if "--quick" not in sys.argv[1:]:
            sys.exit(77)
    group.main()
