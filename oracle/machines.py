# SPDX-License-Identifier: MIT
"""Machines of several bodies with Coulomb and Stribeck friction in several places."""

import itertools
from math import asin, atan2, cos, exp, sin

import numpy as np
from common import Group, Number
from compiled import doubles, load
from mpmath import findroot, mp, mpf
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

group = Group(
    "machines",
    source="Newton's law for each body, |F| <= static force in stick and F = g(|w|) sign(w) in slip",
    method="DOP853 between events, each located on its dense output, modes found by trying all of "
    "them; two-mass drive by extrapolation of order 14 (c/drive.c); drill string with wall friction "
    "and chain of 40 sliders by Runge-Kutta of order 4 with bisection (c/blocks.c)",
)


class Contact:
    """A row of weights on the velocities, a belt speed, and the friction force over the speed."""

    def __init__(self, row, coulomb, static=None, stribeck=1.0, belt=0.0):
        self.row, self.belt = np.array(row, float), belt
        self.coulomb, self.static = coulomb, coulomb if static is None else static
        self.stribeck = stribeck

    def slip(self, speed):
        """The size of the friction force at a speed."""
        fall = (self.static - self.coulomb) * np.exp(-((speed / self.stribeck) ** 2))
        return self.coulomb + fall


class Machine:
    """Masses, forces(t, x, v) on them, and contacts. A mode is 0 in stick, else 1 or -1."""

    def __init__(self, masses, forces, contacts, step, tolerance=1e-13):
        self.masses, self.forces, self.contacts = np.array(masses, float), forces, contacts
        self.step, self.tolerance = step, tolerance

    def speeds(self, v):
        """The relative velocities of the contacts."""
        return np.array([c.row @ v - c.belt for c in self.contacts])

    def accelerate(self, t, x, v, mode):
        """Accelerations, and the forces of the contacts."""
        w = self.speeds(v)
        friction = np.array([m * c.slip(m * s) for c, m, s in zip(self.contacts, mode, w)])
        rows = np.array([c.row for c in self.contacts])
        free = (self.forces(t, x, v) - rows.T @ friction) / self.masses
        held = [i for i, m in enumerate(mode) if m == 0]
        if held:
            h = rows[held]
            friction[held] = np.linalg.solve(h @ (h / self.masses).T, h @ free)
            free = free - (h.T @ friction[held]) / self.masses
        return free, friction

    def choose(self, t, x, v, mode, still):
        """The modes of contacts without relative velocity that agree with their accelerations."""
        for trial in itertools.product((0, 1, -1), repeat=len(still)):
            new = list(mode)
            for i, m in zip(still, trial):
                new[i] = m
            a, force = self.accelerate(t, x, v, new)
            grip = all(
                abs(force[i]) <= self.contacts[i].static * (1 + 1e-12)
                for i, m in enumerate(new)
                if m == 0
            )
            way = all(m == 0 or m * (self.contacts[i].row @ a) > 0 for i, m in zip(still, trial))
            if grip and way:
                return new
        raise ValueError(f"no mode agrees at t = {t}")

    def guard(self, i, mode):
        """The function that falls through zero where contact i changes its mode."""
        if mode[i] == 0:
            return lambda t, y: self.contacts[i].static - abs(
                self.accelerate(t, *np.split(y[: 2 * len(self.masses)], 2), mode)[1][i]
            )
        return lambda t, y: mode[i] * self.speeds(np.split(y[: 2 * len(self.masses)], 2)[1])[i]

    def run(self, x, v, times):
        """States at the times (positions, velocities, work of each contact), and all events."""
        n, k = len(self.masses), len(self.contacts)
        y = np.concatenate([x, v, np.zeros(k)]).astype(float)
        t, rows, events, times = 0.0, [], [], list(times)
        w = self.speeds(y[n : 2 * n])
        mode = [0 if s == 0 else int(np.sign(s)) for s in w]
        mode = self.choose(t, y[:n], y[n : 2 * n], mode, [i for i in range(k) if w[i] == 0])
        for i in range(k):
            if w[i] == 0 and mode[i] != 0:
                events.append((t, i, 0, mode[i]))
        while times:
            t, y, which = self.fly(t, y, mode, times[0])
            if which is None:
                rows.append(y.copy())
                times.pop(0)
                continue
            before, x, v = list(mode), y[:n], y[n : 2 * n]
            if mode[which] == 0:
                mode[which] = int(np.sign(self.accelerate(t, x, v, mode)[1][which]))
            else:
                # What stands still stands exactly still.
                still = [i for i in range(k) if mode[i] == 0 or i == which]
                self.rest(v, still)
                mode = self.choose(t, x, v, mode, still)
            for i in range(k):
                if mode[i] != before[i]:
                    events.append((t, i, before[i], mode[i]))
        return rows, events

    def rest(self, v, still):
        """The velocities nearest to v at which the contacts have no relative velocity."""
        rows = np.array([self.contacts[i].row for i in still])
        v -= rows.T @ np.linalg.solve(rows @ rows.T, self.speeds(v)[still])

    def fly(self, t, y, mode, end):
        """To the end or the first event: time, state and the contact at which it happens."""
        n, k = len(self.masses), len(self.contacts)

        def rates(t, y):
            x, v = y[:n], y[n : 2 * n]
            a, force = self.accelerate(t, x, v, mode)
            return np.concatenate([v, a, force * self.speeds(v)])

        def to(stop, dense=False):
            return solve_ivp(
                rates,
                (t, stop),
                y,
                "DOP853",
                rtol=self.tolerance,
                atol=1e-2 * self.tolerance,
                dense_output=dense,
            )

        guards = [self.guard(i, mode) for i in range(k)]
        # A guard that starts at zero is armed once it has been positive.
        armed = [g(t, y) > 1e-9 for g in guards]
        while t < end:
            stop = min(t + 25 * self.step, end)
            r, last = to(stop, True), t
            for at in np.linspace(t, stop, int(np.ceil((stop - t) / self.step)) + 1)[1:]:
                found = []
                for i, g in enumerate(guards):
                    later = g(at, r.sol(at))
                    if armed[i] and later <= 0:
                        root = brentq(lambda s: g(s, r.sol(s)), last, at, xtol=1e-15)
                        found.append((root, i))
                    armed[i] = armed[i] or later > 1e-9
                if found:
                    at, i = min(found)
                    return at, to(at).y[:, -1] if at > t else y, i
                last = at
            t, y = stop, r.y[:, -1]
        return t, y, None


def event_numbers(head, events, names, error, count):
    """The first events as numbers, each named after its contact and counted there."""
    seen = {}
    for t, i, before, after in events[:count]:
        seen[i] = seen.get(i, 0) + 1
        what = f"time at which {names[i]} goes from mode {before} to {after} [s]"
        yield Number(f"{head}.{names[i]}_{seen[i]}", t, error, what)


def chain_forces(t, x, v):
    """Springs of 100 N/m between three blocks, one of 50 N/m from the first to 0.05 t."""
    a, b, c = 50 * (0.05 * t - x[0]), 100 * (x[0] - x[1]), 100 * (x[1] - x[2])
    return np.array([a - b, b - c, c])


@group.add
def chain():
    """Three blocks of 1 kg in a row, the first pulled; Coulomb friction 1, 1.5 and 2 N."""
    limits = (1.0, 1.5, 2.0)
    contacts = [Contact(np.eye(3)[i], f) for i, f in enumerate(limits)]
    rows, events = Machine([1, 1, 1], chain_forces, contacts, 0.01).run(
        np.zeros(3), np.zeros(3), [5.0, 10.0, 20.0]
    )
    for t, row in zip((5, 10, 20), rows):
        for i in range(3):
            yield Number(f"chain.x{i + 1}_{t}", row[i], 1e-11, f"block {i + 1} at {t} s [m]")
            yield Number(f"chain.v{i + 1}_{t}", row[3 + i], 1e-11, f"its velocity at {t} s [m/s]")
    # Block 1 touches rest for an instant; whether that is an event is a matter of rounding.
    later = [e for e in events if e[1] > 0]
    yield from event_numbers("chain", later, ("b1", "b2", "b3"), 1e-11, 12)
    x, v = rows[2][:3], rows[2][3:6]
    springs = 0.5 * (50 * (1 - x[0]) ** 2 + 100 * (x[0] - x[1]) ** 2 + 100 * (x[1] - x[2]) ** 2)
    work = springs + 0.5 * sum(v**2) + sum(rows[2][6:])
    yield Number("chain.work_in", work, 1e-11, "stored and dissipated in 20 s [J]")
    for i in range(3):
        yield Number(
            f"chain.dissipated{i + 1}", rows[2][6 + i], 1e-11, f"work on contact {i + 1} in 20 s [J]"
        )


@group.add
def stacked():
    """1 kg on 2 kg (Coulomb 2 N) on the ground (3 N), 6 sin(2 t) N on the lower block."""
    contacts = [Contact([1, 0], 3.0), Contact([-1, 1], 2.0)]
    machine = Machine([2, 1], lambda t, x, v: np.array([6 * sin(2 * t), 0.0]), contacts, 0.002)
    rows, events = machine.run(np.zeros(2), np.zeros(2), [2.5, 5.0, 10.0])
    for t, row in zip(("2_5", "5", "10"), rows):
        for i, name in enumerate(("low", "up")):
            yield Number(f"stacked.x_{name}_{t}", row[i], 1e-11, f"{name} block at {t} s [m]")
            yield Number(f"stacked.v_{name}_{t}", row[2 + i], 1e-11, f"its velocity at {t} s [m/s]")
    yield from event_numbers("stacked", events, ("ground", "interface"), 1e-11, 13)
    slip = rows[2][1] - rows[2][0]
    yield Number("stacked.slip_10", slip, 1e-11, "upper less lower block at 10 s [m]")
    last = [t for t, i, _, _ in events if i == 0][12]
    yield Number("stacked.ground_13", last, 1e-11, "time of event 13 of the ground [s]")
    yield Number("stacked.ground_work", rows[2][4], 1e-11, "work on the ground contact in 10 s [J]")
    yield Number("stacked.interface_work", rows[2][5], 1e-11, "work on the interface in 10 s [J]")


@group.add
def redundant():
    """1 kg on two contacts of 1 and 2 N, which act as one of 3 N, under 4 sin(t) N."""
    machine = Machine([1], lambda t, x, v: np.array([4 * sin(t)]), [Contact([1], 3.0)], 0.01)
    rows, events = machine.run(np.zeros(1), np.zeros(1), [2.5, 5.0, 10.0])
    for t, row in zip(("2_5", "5", "10"), rows):
        yield Number(f"redundant.x_{t}", row[0], 1e-12, f"position at {t} s [m]")
    yield Number("redundant.v_2_5", rows[0][1], 1e-12, "velocity at 2.5 s [m/s]")
    yield from event_numbers("redundant", events, ("contact",), 1e-12, 6)
    # Of the forces of least norm the weaker contact has half of the sum, up to its limit.
    half = 1.25 * sin(0.5)
    yield Number("redundant.half", half, 1e-15, "each contact at 0.5 s under 2.5 sin(t) [N]")
    rest = 2.5 * sin(1.0) - 1
    yield Number("redundant.strong_1", rest, 1e-15, "stronger contact at 1 s under it [N]")
    rest = 4 * sin(10.0) + 1
    yield Number("redundant.strong_10", rest, 1e-15, "stronger contact at 10 s under 4 sin(t) [N]")
    yield Number("redundant.work", rows[2][2], 1e-11, "work on both contacts in 10 s [J]")


@group.add
def belt():
    """1 kg on 10 N/m and 0.1 N s/m: a belt at 0.1 m/s (Stribeck 1.5 to 1 N), the ground 0.2 N."""
    contacts = [Contact([1], 1.0, 1.5, 0.1, belt=0.1), Contact([1], 0.2)]
    machine = Machine([1], lambda t, x, v: -10 * x - 0.1 * v, contacts, 0.01)
    rows, events = machine.run(np.zeros(1), np.zeros(1), [5.0, 10.0, 20.0, 40.0])
    for t, row in zip((5, 10, 20, 40), rows):
        yield Number(f"belt.x_{t}", row[0], 1e-11, f"position at {t} s [m]")
        if t < 20:
            yield Number(f"belt.v_{t}", row[1], 1e-11, f"velocity at {t} s [m/s]")
    moving = [e for e in events if e[0] > 0]
    yield from event_numbers("belt", moving, ("belt", "ground"), 1e-11, 7)
    slips = [t for t, i, before, _ in events if i == 0 and before == 0]
    sticks = [t for t, i, before, _ in events if i == 0 and before != 0]
    period = slips[-1] - slips[-2]
    yield Number("belt.period", period, 1e-11, "time between the last two releases [s]")
    stick = [t for t in sticks if slips[-2] < t < slips[-1]][0]
    yield Number("belt.stick_fraction", (slips[-1] - stick) / period, 1e-11, "part of it in stick")
    yield Number("belt.stick", slips[-1] - stick, 1e-11, "duration of a stick on the belt [s]")
    drag = 1 + 0.5 * exp(-1)
    yield Number("belt.drag", drag, 1e-15, "force of the belt on a mass at rest [N]")
    yield Number("belt.held", 1.2 - drag, 1e-15, "what is left of it at 0.12 m [N]")
    rows, _ = machine.run(np.array([0.139]), np.zeros(1), [10.0])
    yield Number("belt.stop", rows[0][0], 1e-11, "where a mass from rest at 0.139 m stops [m]")


def drill(speed):
    """The torques on a string of 20 nodes: 10000 N m/rad between them, 10 N m s/rad to the ground."""

    def forces(t, x, v):
        above = np.concatenate([[speed * t], x[:-1]])
        twist = 1e4 * (above - x)
        return twist - np.concatenate([twist[1:], [0.0]]) - 10 * v

    return forces


@group.add(quick=False)
def string():
    """20 nodes of 100 kg m2 turned at 3 rad/s, a bit with 8000 to 5000 N m of Stribeck friction."""
    n = 20
    contacts = [Contact(np.eye(n)[n - 1], 5000.0, 8000.0, 1.0)]
    machine = Machine([100] * n, drill(3.0), contacts, 0.05, 3e-14)
    rows, events = machine.run(np.zeros(n), np.zeros(n), [10.0, 20.0, 50.0, 100.0])
    for t, row in zip((10, 20, 50, 100), rows):
        yield Number(f"string.bit_{t}", row[n - 1], 1e-9, f"angle of the bit at {t} s [rad]")
        yield Number(f"string.top_{t}", row[0], 1e-9, f"angle of the first node at {t} s [rad]")
        if t != 20:
            yield Number(f"string.speed_{t}", row[2 * n - 1], 1e-9, f"speed at {t} s [rad/s]")
    yield from event_numbers("string", events, ("event",), 1e-9, 8)
    slips = [t for t, _, before, _ in events if before == 0]
    yield Number("string.period", slips[-1] - slips[-2], 1e-9, "last period before 100 s [s]")


def string_parts(nodes, depth=2500.0, friction=0.5):
    """Inertia, stiffness and wall friction of the nodes of the drill string of Aarsnes and Shor.

    Their "Well A" (Torsional vibrations with bit off bottom, J. Petrol. Sci. Eng. 163, 2018) with the
    numbers of the program they published with it: pipe of 146.529 / 123.024 mm, below it 230 m of
    collars with the mean of six sections, 7850 kg/m3, 61 and 67 GPa, and an inclination from 0 at
    1500 m to 60 degrees at 2100 m. Wall friction per length is mu sin(inclination) rho g A r, (6).
    """
    lengths = np.array([19.080, 10.240, 57.240, 9.750, 95.400, 38.750])
    outer = np.array([0.150167, 0.206375, 0.150167, 0.206248, 0.150167, 0.222392])
    inner = np.array([0.096799, 0.076200, 0.096799, 0.069850, 0.096799, 0.095964])
    part = lengths / lengths.sum()
    collar = (
        part @ (np.pi * (outer**4 - inner**4) / 32),
        67e9,
        part @ (np.pi * (outer**2 - inner**2) / 4) * (part @ (outer / 2)),
    )
    r, q = 0.146529 / 2, 0.123024 / 2
    pipe = np.pi / 2 * (r**4 - q**4), 61e9, np.pi * (r**2 - q**2) * r
    cells = 800 * nodes
    x, dx = (np.arange(cells) + 0.5) * depth / cells, depth / cells
    polar, shear, area = (np.where(x < depth - 230, a, b) for a, b in zip(pipe, collar))
    inclination = np.radians(np.interp(x, [0, 1500, 2100, 4000], [0, 0, 60, 60]))
    wall = friction * np.sin(inclination) * 7850 * 9.81 * area * dx

    def total(values):
        return values.reshape(nodes, -1).sum(1)

    give = np.concatenate([[0.0], np.cumsum(dx / (polar * shear))])[400::800]
    return total(7850 * polar * dx), 1 / np.diff(np.concatenate([[0.0], give])), total(wall)


def run_blocks(parts, numbers, times):
    """Rows of positions and velocities, and events as (time, block, mode after), by c/blocks.c."""
    n = len(parts[0])
    rows, events = doubles([0] * (2 * n * len(times))), doubles([0] * 60000)
    count = load("blocks").blocks(
        n, doubles(np.concatenate(parts)), doubles(numbers), doubles(times), len(times), rows,
        events, 20000,
    )
    found = np.array(events[: 3 * count]).reshape(-1, 3)
    return np.array(rows).reshape(len(times), 2 * n), found


@group.add
def wall_string():
    """That string on 25 nodes: off bottom, and with 5 kN m of friction at the bit.

    A top drive of 2900 kg m2 under a PI controller of its speed (38 kN m s, 100 kN m, 60 rpm) that
    samples every 10 ms. Static friction falls to 0.7 of it over 1 rad/s. Mud takes 1/6 of the speed
    per second.
    """
    inertia, stiffness, wall = string_parts(25)
    held = wall.sum()
    yield Number("wall_string.break_off", held, 1e-6, "static friction of the wall [N m]", True)
    matrix = np.diag(stiffness + np.append(stiffness[1:], 0)) / inertia[:, None]
    matrix -= (np.diag(stiffness[1:], 1) + np.diag(stiffness[1:], -1)) / inertia[:, None]
    slowest = np.sqrt(np.linalg.eigvals(matrix).real.min())
    yield Number("wall_string.free", 2 * np.pi / slowest, 1e-9, "period below a fixed top [s]")
    zero, times = np.zeros(26), [10.0, 20.0, 30.0]
    for name, bit in (("off", 0.0), ("on", 5000.0)):
        static = np.append(0.0, wall)
        static[-1] += bit
        parts = [
            np.append(2900.0, inertia), np.append(0.0, stiffness), zero,
            np.append(0.0, inertia / 6), static, 0.7 * static, np.ones(26), zero, zero,
        ]
        rows, events = run_blocks(parts, [0.0, 1e-4, 0.01, 2 * np.pi, 38e3, 100e3, 2], times)
        slips = [t for t, block, mode in events if block == 25 and mode == 1]
        for k in (0, 2, 4):
            what = f"break-away {k + 1} of the bit [s]"
            yield Number(f"wall_string.{name}_slip_{k + 1}", slips[k], 1e-8, what)
        for t, row in zip((10, 20), rows):
            yield Number(f"wall_string.{name}_bit_{t}", row[25], 2e-8, f"bit at {t} s [rad]")
            yield Number(f"wall_string.{name}_top_{t}", row[0], 2e-8, f"top at {t} s [rad]")
        last = [t for t in slips if t < 24.0]
        what = "between the last two break-aways of the bit before 24 s [s]"
        yield Number(f"wall_string.{name}_period", last[-1] - last[-2], 2e-8, what)


@group.add
def earthquakes():
    """40 blocks of 1 kg on 1 N/m to a plate at 10 mm/s and 9 N/m to each other (Burridge-Knopoff).

    Friction falls from 1 N to 0.6 N by exp(-|v| / 0.3 m/s). The blocks start at rest, block i at
    -0.7 - 0.25 times the fraction of i (sqrt(5) - 1) / 2, with i from 0.
    """
    n, one = 40, np.ones(40)
    start = -0.7 - 0.25 * ((np.arange(n) * 0.6180339887498949) % 1.0)
    zero, springs = 0 * one, np.append(0, 9 * one[1:])
    parts = [one, springs, one, zero, one, 0.6 * one, 0.3 * one, start, zero]
    rows, events = run_blocks(parts, [0.01, 5e-4, 0, 0, 0, 0, 1], [20.0, 40.0, 60.0])
    pull = -start - 9 * np.convolve(np.diff(start), [-1, 1])
    mode, slips = abs(pull) > 1, []
    for t, block, after in events:
        if not mode[int(block)]:  # the others are reversals and stops
            slips.append((t, int(block)))
        mode[int(block)] = after != 0
    yield Number("earthquakes.slips", len(slips), 0, "slips of a block in 60 s")
    middle = [t for t, block in slips if block == 19]
    yield Number("earthquakes.middle_slips", len(middle), 0, "slips of block 20 in 60 s")
    yield Number("earthquakes.middle", middle[-1], 2e-8, "last slip of block 20 before 60 s [s]")
    for t, row in zip((20, 40, 60), rows):
        for i in (0, 19, 39):
            name = f"earthquakes.block_{i + 1}_{t}"
            yield Number(name, row[i], 1e-8, f"block {i + 1} at {t} s [m]")


@group.add
def three_pads():
    """A plate of 2 kg and 0.02 kg m2 on three pads with 0.2 of their loads, from 0.3 m/s and 1 rad/s.

    The centre of mass gives the loads by equilibrium. In slip each pad pulls against its velocity:
    DOP853 until one of them is as slow as 1e-7 m/s, then linearly to its rest. From there the plate
    pivots about it: (J + m r^2) w' = -mu (sum of the other loads times their distances), with the
    force at the pivot, to be checked, below mu times its load.
    """
    m, inertia, mu = 2.0, 0.02, 0.2
    pads = np.array([[0.08, -0.01], [-0.07, 0.0766], [-0.07, -0.0966]])
    load = np.linalg.solve(np.vstack([np.ones(3), pads.T]), [m * 9.81, 0, 0])

    def slip(y):
        return np.stack([y[3] - y[5] * pads[:, 1], y[4] + y[5] * pads[:, 0]], 1)

    def rates(t, y):
        v = slip(y)
        f = -mu * load[:, None] * v / np.linalg.norm(v, axis=1)[:, None]
        torque = pads[:, 0] @ f[:, 1] - pads[:, 1] @ f[:, 0]
        return np.array([*y[3:], f[:, 0].sum() / m, f[:, 1].sum() / m, torque / inertia])

    def slowest(t, y):
        return np.linalg.norm(slip(y), axis=1).min() - 1e-7

    slowest.terminal = True
    start = [0, 0, 0, 0.3, 0, 1.0]
    found = solve_ivp(
        rates, (0, 1), start, "DOP853", rtol=1e-13, atol=1e-15, events=slowest, dense_output=True
    )
    y = found.y[:, -1]
    k = int(np.argmin(np.linalg.norm(slip(y), axis=1)))
    v = slip(y)[k]
    a = rates(0, y)
    pad = np.array([a[3] - a[5] * pads[k, 1], a[4] + a[5] * pads[k, 0]])
    left = -(v @ v) / (v @ pad)
    stick, y = found.t[-1] + left, y + left * a
    for i, name in enumerate(("x", "y", "turn")):
        yield Number(f"pads.{name}_100", found.sol(0.1)[i], 1e-11, f"{name} at 0.1 s [m, rad]")
    yield Number("pads.stick", stick, 1e-9, "one pad comes to rest [s]")
    arm = pads - pads[k]
    brake = mu * (load @ np.linalg.norm(arm, axis=1)) / (inertia + m * pads[k] @ pads[k])
    stop = stick + y[5] / brake
    held = np.array([-pads[k, 1], pads[k, 0]]) * m * brake  # what the centre is slowed by, at first
    for i in range(3):
        if i != k:
            held += mu * load[i] * np.array([-arm[i, 1], arm[i, 0]]) / np.linalg.norm(arm[i])
    assert np.linalg.norm(held) < mu * load[k]
    yield Number("pads.stop", stop, 1e-9, "the plate stands [s]")
    turned = y[2] + y[5] * (stop - stick) / 2
    yield Number("pads.turned", turned, 1e-10, "angle at the end [rad]")
    way = y[0] + pads[k, 1] * y[5] * (stop - stick) / 2
    yield Number("pads.way", way, 1e-10, "way of the centre along x [m]")


@group.add
def host_step():
    """An implicit Euler step v = u - h W F of three contacts, of which the second has a bristle.

    u = (0.01, -0.02, 0.005), h = 1 ms; contact 1 slides with 3 N, contact 3 sticks, and contact 2
    has z' = v - |v| s0 z / g, F = s0 z + s1 z' with z = 2e-5 before the step.
    """
    mp.dps = 40
    h, s0, s1, before = mpf("0.001"), mpf(10000), mpf(50), mpf("2e-5")

    def bristle(v):
        g = 1 + mpf("0.5") * mp.exp(-((v / mpf("0.01")) ** 2))
        after = (before + h * v) / (1 + h * abs(v) * s0 / g)
        return after, s0 * after + s1 * (after - before) / h

    def miss(v):
        force = bristle(v)[1]
        held = mpf("0.005") / h - mpf("0.2") * force
        return mpf("-0.02") - h * (mpf("0.3") * 3 + mpf("1.5") * force + mpf("0.2") * held) - v

    v = findroot(miss, mpf("-0.02"))
    yield Number("host.bristle", bristle(v)[0], 1e-21, "bristle after the step [m]")


@group.add
def two_mass():
    """Rotors of 2e-4 and 1.1e-3 kg m2 on 120 N m/rad, LuGre and Coulomb friction, 0.2 sin(3 t)."""
    numbers = [2e-4, 1.1e-3, 120, 0.02, 40, 0.02, 0.02, 0.03, 0.1, 0.05, 0.2, 3, 1e-15]
    rows, found = doubles([0] * 32), [doubles([0] * 8), doubles([0] * 8)]
    count = load("drive").drive(doubles(numbers), doubles([1, 2, 3, 4]), 4, rows, *found, 8)
    yield Number("two_mass.motor_1", rows[2], 1e-10, "angle of the motor at 1 s [rad]")
    yield Number("two_mass.load_speed_3", rows[17], 1e-9, "load at 3 s [rad/s]")
    for k, t in ((1, 2), (3, 4)):
        q2, w2, q1, w1, z, work, motor, load_work = rows[8 * k : 8 * k + 8]
        yield Number(f"two_mass.motor_{t}", q1, 1e-10, f"angle of the motor at {t} s [rad]")
        yield Number(f"two_mass.load_{t}", q2, 1e-10, f"angle of the load at {t} s [rad]")
        yield Number(f"two_mass.motor_speed_{t}", w1, 1e-9, f"motor at {t} s [rad/s]")
        yield Number(f"two_mass.load_speed_{t}", w2, 1e-9, f"load at {t} s [rad/s]")
    stored = 1e-4 * w1**2 + 5.5e-4 * w2**2 + 60 * (q1 - q2) ** 2 + 20 * z**2
    yield Number("two_mass.stored", stored, 1e-10, "in rotors, shaft and bristle at 4 s [J]")
    yield Number("two_mass.work_in", work, 1e-10, "work of the torque in 4 s [J]")
    yield Number("two_mass.motor_work", motor, 1e-10, "work on the bearing in 4 s [J]")
    yield Number("two_mass.load_work", load_work, 1e-10, "work on the load in 4 s [J]")
    for k in range(count):
        what = f"time of event {k + 1} of the load, after which its mode is {found[1][k]:.0f} [s]"
        yield Number(f"two_mass.event_{k + 1}", found[0][k], 1e-11, what)


@group.add
def brake():
    """A disc of 0.05 kg m2 at 10 rad/s between two pads of 0.4 and 0.5 kg at 0.1 m.

    The pads hang on 2e4 and 3e4 N/m with 5 N s/m each; friction falls from 45 to 30 N over 0.05 m/s.
    Coordinates: angle of the disc, positions of the pads; the motion of a contact is pad - 0.1 disc.
    """

    def forces(t, x, v):
        return np.array([0.0, -2e4 * x[1] - 5 * v[1], -3e4 * x[2] - 5 * v[2]])

    contacts = [Contact([-0.1, 1, 0], 30, 45, 0.05), Contact([-0.1, 0, 1], 30, 45, 0.05)]
    machine = Machine([0.05, 0.4, 0.5], forces, contacts, 2e-4)
    rows, events = machine.run(np.zeros(3), np.array([10.0, 0, 0]), [0.05, 0.1, 0.2])
    for t, row in zip((50, 100, 200), rows):
        yield Number(f"brake.disc_{t}", row[3], 1e-9, f"speed of the disc at {t} ms [rad/s]")
        yield Number(f"brake.first_{t}", row[1], 1e-12, f"position of pad 1 at {t} ms [m]")
        yield Number(f"brake.second_{t}", row[2], 1e-12, f"position of pad 2 at {t} ms [m]")
    yield Number("brake.first_work", rows[-1][6], 1e-10, "work on pad 1 in 200 ms [J]")
    yield Number("brake.second_work", rows[-1][7], 1e-10, "work on pad 2 in 200 ms [J]")
    yield from event_numbers("brake", events, ("first", "second"), 1e-12, 4)


@group.add
def backlash():
    """Motor (0.1 kg) and table (1 kg) with a play of 1 mm, 0.4 sin(4 t) N on the motor.

    Beyond the play 2e4 N/m and 20 N s/m; the table rubs with 0.1 N, the motor with 0.05 N. DOP853 over
    every stretch in which the side of the play and the directions of both do not change; each is
    closed by the first root of its three borders. The motion never sticks for long: a body that
    arrives at rest is held where the rest of its forces is below its friction.
    """
    masses, limits = (0.1, 1.0), (0.05, 0.1)

    def pull(side, y):
        return 0.0 if side == 0 else 2e4 * (y[0] - y[1] - side * 5e-4) + 20 * (y[2] - y[3])

    def push(t, side, y):
        link = pull(side, y)
        return 0.4 * sin(4 * t) - link, link

    def rates(t, y, side, mode):
        f = push(t, side, y)
        a = [0.0 if m == 0 else (f[i] - m * limits[i]) / masses[i] for i, m in enumerate(mode)]
        return [y[2], y[3], *a]

    def borders(side, mode):
        found = []
        for s in (-1, 1):
            if side == 0:
                found.append(lambda t, y, s=s: 5e-4 - s * (y[0] - y[1]))
            elif side == s:
                found.append(lambda t, y, s=s: s * (y[0] - y[1]) - 5e-4)
        for i, m in enumerate(mode):
            if m == 0:
                found.append(lambda t, y, i=i: limits[i] - abs(push(t, side, y)[i]))
            else:
                found.append(lambda t, y, i=i, m=m: m * y[2 + i])
        return found

    t, y, side, mode, end = 0.0, np.zeros(4), 0, [0, 0], 3.0
    events, times, rows = [], [1.0, 2.0, 3.0], []
    while t < end:
        functions = borders(side, mode)
        armed = [f(t, y) > 1e-12 for f in functions]
        stop, hit = times[0] if times else end, None
        grid, state = t, y
        while grid < stop and hit is None:
            later = min(grid + 2e-4, stop)
            r = solve_ivp(
                rates, (grid, later), state, "DOP853", args=(side, mode), dense_output=True,
                rtol=1e-12, atol=1e-15,
            )
            roots = []
            for k, f in enumerate(functions):
                value = f(later, r.y[:, -1])
                if armed[k] and value <= 0:
                    roots.append((brentq(lambda s: f(s, r.sol(s)), grid, later, xtol=1e-15), k))
                armed[k] = armed[k] or value > 1e-12
            if roots:
                at, hit = min(roots)
                state = r.sol(at)
                grid = at
            else:
                grid, state = later, r.y[:, -1]
        t, y = grid, np.array(state)
        if hit is None:
            rows.append(y.copy())
            times.pop(0)
            continue
        sides = 2 if side == 0 else 1
        if hit < sides:
            side = (-1, 1)[hit] if side == 0 else 0
        else:
            i = hit - sides
            f = push(t, side, y)[i]
            if mode[i] == 0:
                mode[i] = 1 if f > 0 else -1
            else:
                y[2 + i] = 0.0
                mode[i] = 0 if abs(f) <= limits[i] else (1 if f > 0 else -1)
            events.append((t, i, mode[i]))
        # The damper acts at once where the play ends: what rests may be torn off there.
        for i, m in enumerate(mode):
            f = push(t, side, y)[i]
            if m == 0 and abs(f) > limits[i] * (1 + 1e-12):
                mode[i] = 1 if f > 0 else -1
                events.append((t, i, mode[i]))
    for k, row in enumerate(rows):
        yield Number(f"backlash.motor_{k + 1}", row[0], 1e-10, f"motor at {k + 1} s [m]")
        yield Number(f"backlash.table_{k + 1}", row[1], 1e-10, f"table at {k + 1} s [m]")
    for i, name in enumerate(("motor", "table")):
        first = [e for e in events if e[1] == i][:2]
        for k, (at, _, after) in enumerate(first):
            what = f"event {k + 1} of the {name}, after which its mode is {after} [s]"
            yield Number(f"backlash.{name}_event_{k + 1}", at, 1e-9, what)


@group.add
def planar_stage():
    """A mass of 1 kg in the plane on 100 N/m to 0.02 (cos t, sin t), Coulomb friction of 0.5 N.

    In slip the speed s and the heading phi follow s' = f.n - 0.5 and s phi' = f.t, with n and t along
    and across the motion and f the force of the spring. The slip begins at rest, where phi is slaved
    to the force: phi = phi0 + (g / 0.5) u and s = j u^2 / 2 shortly after, with g and j the rates of
    f across and along. Radau IIA, which the stiffness 0.5 / s of the heading needs.
    """
    break_away = 2 * asin(1 / 8)  # |f| = 4 sin(t / 2) = 0.5
    after = 1e-5

    def spring(t, x, y):
        return 100 * (0.02 * cos(t) - x), 100 * (0.02 * sin(t) - y)

    f = spring(break_away, 0.02, 0.0)
    rate = -2 * sin(break_away), 2 * cos(break_away)
    n = f[0] / 0.5, f[1] / 0.5
    along = rate[0] * n[0] + rate[1] * n[1]
    across = -rate[0] * n[1] + rate[1] * n[0]

    def rates(t, y):
        fx, fy = spring(t, y[0], y[1])
        c, s = cos(y[3]), sin(y[3])
        return [y[2] * c, y[2] * s, fx * c + fy * s - 0.5, (fy * c - fx * s) / y[2], 0.5 * y[2]]

    shift = along * after**3 / 6
    start = [
        0.02 + n[0] * shift,
        n[1] * shift,
        along * after**2 / 2,
        atan2(n[1], n[0]) + across / 0.5 * after,
        0.5 * shift,
    ]
    times = [1, 5, 20]
    found = solve_ivp(
        rates, (break_away + after, 20), start, "Radau", times, rtol=1e-12, atol=1e-15
    )
    yield Number("planar_stage.break_away", break_away, 1e-15, "first slip [s]")
    for k, t in enumerate(times):
        x, y, s, phi, heat = found.y[:, k]
        yield Number(f"planar_stage.x_{t}", x, 1e-11, f"first axis at {t} s [m]")
        yield Number(f"planar_stage.y_{t}", y, 1e-11, f"second axis at {t} s [m]")
        yield Number(f"planar_stage.vx_{t}", s * cos(phi), 1e-10, f"first axis at {t} s [m/s]")
        yield Number(f"planar_stage.vy_{t}", s * sin(phi), 1e-10, f"second axis at {t} s [m/s]")
        yield Number(f"planar_stage.heat_{t}", heat, 1e-11, f"dissipated by {t} s [J]")


if __name__ == "__main__":
    group.main()
