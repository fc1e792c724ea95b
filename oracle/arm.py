# SPDX-License-Identifier: MIT
"""Two-link arm with friction in its joints."""

from math import cos, sin

import numpy as np
from common import Group, Number
from machines import Contact, Machine, event_numbers

group = Group(
    "arm",
    source="Newton and Euler for each link, with the forces in the joints as unknowns; |F| <= static "
    "torque in stick and F = g(|w|) sign(w) in slip",
    method="DOP853 over the absolute angles of the links between events, each located on its dense "
    "output, modes found by trying all of them",
)


def cross(a, b):
    """The component of the product of two vectors in the plane."""
    return a[0] * b[1] - a[1] * b[0]


class Arm(Machine):
    """Positions are the angles of both links from hanging down; contacts are the two joints.

    Unknowns: accelerations of both centres and angles, the force on each link at its upper joint,
    and the friction of joints at rest.
    """

    m, length, centre, inertia = (2.0, 1.5), 0.5, (0.25, 0.2), (0.05, 0.03)
    rotor, gravity = (0.02, 0.01), 9.81

    def __init__(self, torques, contacts, step, tolerance=1e-13):
        super().__init__([1, 1], None, contacts, step, tolerance)
        self.torques = torques

    def accelerate(self, t, x, v, mode):
        """Accelerations of the angles, and the friction of the joints."""
        d = [np.array([sin(p), -cos(p)]) for p in x]
        n = [np.array([cos(p), sin(p)]) for p in x]
        (m1, m2), length, (c1, c2), (j1, j2) = self.m, self.length, self.centre, self.inertia
        down = np.array([0.0, -self.gravity])
        u = self.torques(t)
        w = self.speeds(v)
        known = [k * c.slip(k * s) for c, k, s in zip(self.contacts, mode, w)]
        # Columns: a1 (2), alpha1, a2 (2), alpha2, force at the shoulder (2), at the elbow (2),
        # friction of the shoulder and of the elbow.
        a, b = np.zeros((12, 12)), np.zeros(12)
        for i in range(2):
            # Newton for both links.
            a[i, i], a[i, 6 + i], a[i, 8 + i], b[i] = m1, -1, 1, m1 * down[i]
            a[2 + i, 3 + i], a[2 + i, 8 + i], b[2 + i] = m2, -1, m2 * down[i]
            # Where the joints are.
            a[4 + i, i], a[4 + i, 2] = 1, -c1 * n[0][i]
            b[4 + i] = -c1 * v[0] ** 2 * d[0][i]
            a[6 + i, 3 + i], a[6 + i, 2], a[6 + i, 5] = 1, -length * n[0][i], -c2 * n[1][i]
            b[6 + i] = -length * v[0] ** 2 * d[0][i] - c2 * v[1] ** 2 * d[1][i]
        # Euler about the centres of mass; rotors turn with the joints.
        unit = np.eye(2)
        a[8, 2], a[9, 5] = j1, j2
        for i in range(2):
            a[8, 6 + i] += c1 * cross(d[0], unit[i])
            a[8, 8 + i] += (length - c1) * cross(d[0], unit[i])
            a[9, 8 + i] += c2 * cross(d[1], unit[i])
        a[8, 2] += self.rotor[0] + self.rotor[1]
        a[8, 5] -= self.rotor[1]
        a[9, 2] -= self.rotor[1]
        a[9, 5] += self.rotor[1]
        a[8, 10], a[8, 11], b[8] = 1, -1, u[0] - u[1]
        a[9, 11], b[9] = 1, u[1]
        for i, contact in enumerate(self.contacts):
            if mode[i] == 0:
                a[10 + i, [2, 5]] = contact.row
            else:
                a[10 + i, 10 + i], b[10 + i] = 1, known[i]
        found = np.linalg.solve(a, b)
        return found[[2, 5]], found[10:]


def joints(shoulder, elbow):
    """The shoulder turns against the ground, the elbow between the links."""
    return [Contact((1, 0), *shoulder), Contact((-1, 1), *elbow)]


@group.add
def driven():
    """An arm let go from 1 and -0.6 rad, with 3 sin(2.5 t) and 0.9 sin(4 t) N m on its joints."""
    machine = Arm(
        lambda t: (3.0 * sin(2.5 * t), 0.9 * sin(4.0 * t)),
        joints((1.5, 2.5, 0.1), (0.5, 0.8, 0.1)),
        0.002,
    )
    times = (1.0, 2.0, 4.0, 8.0)
    rows, events = machine.run(np.array([1.0, 0.4]), np.zeros(2), times)
    for t, row in zip(times, rows):
        x, v = row[:2], row[2:4]
        yield Number(f"driven.shoulder_{t:g}", x[0], 1e-10, f"angle of the shoulder at {t:g} s [rad]")
        yield Number(
            f"driven.elbow_{t:g}", x[1] - x[0], 1e-10, f"angle of the elbow at {t:g} s [rad]"
        )
        yield Number(
            f"driven.shoulder_speed_{t:g}", v[0], 1e-9, f"velocity of the shoulder at {t:g} s [rad/s]"
        )
        yield Number(
            f"driven.elbow_speed_{t:g}", v[1] - v[0], 1e-9, f"velocity of the elbow at {t:g} s [rad/s]"
        )
    # Both joints let go at the start, which is no event of a run.
    later = [e for e in events if e[0] > 0]
    yield from event_numbers("driven", later, ("shoulder_event", "elbow_event"), 1e-10, 20)
    for i, name in enumerate(("shoulder", "elbow")):
        yield Number(f"driven.{name}_work", rows[-1][4 + i], 1e-9, f"work on the {name} in 8 s [J]")


if __name__ == "__main__":
    group.main()
