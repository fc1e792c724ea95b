# SPDX-License-Identifier: MIT
"""The friction oscillator with the hysteretic static law, over a base that moves."""

from bisect import bisect_left, bisect_right
from math import pi, sqrt

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from common import Group, Number

group = Group(
    "hysteretic",
    source="H (4.1)-(4.7), (5.4)-(5.6) in the well-posed form: the contact yields by the distance "
    "from the last reversal, and the speed is held where the two kinetic branches disagree",
    method="multistep method (LSODA) from mode to mode, acceleration by a bracketed root",
)

MASS, SPRING, DAMPING, LOAD = 3.35, 5040.0, 16.85, 35.0
FS, FC, RANGE, VELOCITY, STIFFNESS, DELAY = 0.32, 0.25, 0.03, 0.02, 1e6, 0.002


def lag(w, b):
    """1 / (1 + ((w - delay b) / v)^2) at speed w, accelerated along the motion by b."""
    return 1 / (1 + ((w - DELAY * b) / VELOCITY) ** 2)


def f_up(w, b):
    """(4.3): the coefficient while the motion speeds up."""
    return FC + (FS + RANGE / (1 + w / VELOCITY) - FC) * lag(w, b)


def f_down(w, b):
    """(4.4): the coefficient while it slows down."""
    return FC - (FS - FC) * lag(w, b)


class Oscillator:
    """M x'' = -2k x - c x' - M e'' - N f sign(x'), e a sum of sines (amplitude, hertz)."""

    def __init__(self, *sines, consistent=False):
        self.sines = [(a, 2 * pi * f) for a, f in sines]
        self.consistent = consistent
        self.start = 2 * FC - FS  # f0 of (5.6)
        # A body that moves at the start is taken to have slid before.
        self.side, self.reversal, self.mode = 1, -1e30, "slows_down"
        self.breaks, self.turns = [], []

    def push(self, t, x, v):
        base = sum(a * w * w * np.sin(w * t) for a, w in self.sines)
        return self.side * (-SPRING * x - DAMPING * v + MASS * base)

    def contact(self, x):
        """f of the yielding contact, (4.2) by the distance from the last reversal."""
        return STIFFNESS / LOAD * abs(x - self.reversal) - self.start

    def solve(self, t, x, v, branch):
        """b with M b = push - N branch(w, b)."""
        w, p = self.side * v, self.push(t, x, v)
        h = lambda b: MASS * b - p + LOAD * branch(w, b)
        return brentq(h, (p - LOAD) / MASS, (p + LOAD) / MASS, xtol=1e-14, rtol=1e-14)

    def motion(self, t, x, v):
        """Acceleration along the motion and coefficient in the present mode."""
        if self.mode == "yields":
            f = self.contact(x)
            return (self.push(t, x, v) - LOAD * f) / MASS, f
        if self.mode == "holds":
            return 0.0, self.push(t, x, v) / LOAD
        branch = f_up if self.mode == "speeds_up" else f_down
        b = self.solve(t, x, v, branch)
        return b, branch(self.side * v, b)

    def rates(self, t, y):
        b, f = self.motion(t, y[0], y[1])
        return [y[1], self.side * b, LOAD * f * self.side * y[1]]

    def events(self):
        """What ends the present mode, by (4.1): functions that fall through zero."""

        def breaks(t, y):
            b, f = self.motion(t, y[0], y[1])
            return f_up(self.side * y[1], b) - f

        def no_more(t, y):  # the motion no longer speeds up
            return self.motion(t, y[0], y[1])[0]

        def no_less(t, y):  # the motion no longer slows down
            return -self.motion(t, y[0], y[1])[0]

        def stop(t, y):
            return self.side * y[1]

        def pushed(t, y):  # a held motion is pushed harder than friction can resist
            limit = min(f_up(self.side * y[1], 0.0), self.contact(y[0]))
            return limit - self.push(t, y[0], y[1]) / LOAD

        def braked(t, y):
            return self.push(t, y[0], y[1]) / LOAD - f_down(self.side * y[1], 0.0)

        return {
            "yields": [breaks, no_more],
            "speeds_up": [no_more],
            "holds": [pushed, braked],
            "slows_down": [stop, no_less],
        }[self.mode]

    def change(self, t, y, event):
        """The mode after an event."""
        b, f = self.motion(t, y[0], y[1])
        w = self.side * y[1]
        soft = self.contact(y[0])
        if event == "stop":
            self.turn(t, y, f)
        elif event == "breaks":
            self.breaks.append((t, w, f))
            self.mode = "speeds_up"
        elif event == "braked":
            self.mode = "slows_down"
        elif event == "pushed":
            self.mode = "yields" if soft < f_up(w, 0.0) else "speeds_up"
        elif self.mode == "speeds_up" or soft >= f_down(w, 0.0):
            self.mode = "holds"
        else:  # the contact is softer than both branches: its two motions meet
            self.mode = "slows_down" if event == "no_more" else "yields"

    def turn(self, t, y, f):
        """A stop begins a contact that yields the other way, or the old one where it cannot."""
        if self.consistent:
            self.start = f
        y[1] = 0.0
        self.turns.append((t, y[0]))
        self.side, self.reversal, self.mode = -self.side, y[0], "yields"
        if self.motion(t, y[0], 0.0)[0] < 0:
            self.side = -self.side

    def run(self, end, grid):
        """Rows (t, x, v, a, f) on the grid, and the work of friction there."""
        t, y, rows, work = 0.0, [0.0, 1e-3, 0.0], [], []
        while t < end:
            ends = self.events()
            for function in ends:
                function.terminal, function.direction = True, -1
            inside = bisect_right(grid, end) > bisect_left(grid, t)
            done = solve_ivp(
                self.rates,
                (t, min(end, t + 0.1)),
                y,
                method="LSODA",
                rtol=1e-12,
                atol=[1e-15, 1e-13, 1e-14],
                events=ends,
                dense_output=inside,
                max_step=2e-3,
            )
            stop = done.t[-1]
            for s in grid[bisect_left(grid, t) : bisect_left(grid, stop)]:
                x, v, w = done.sol(s)
                b, f = self.motion(s, x, v)
                rows.append((s, x, v, self.side * b, f * self.side))
                work.append(w)
            t, y = stop, done.y[:, -1].tolist()
            if done.status == 1:
                self.change(t, y, next(e.__name__ for e, at in zip(ends, done.t_events) if len(at)))
        return np.array(rows), np.array(work)


def extremes(o, start, end):
    """Largest and smallest position at the reversals of a time."""
    places = [x for t, x in o.turns if start <= t <= end]
    return max(places), min(places)


def harmonic(rows, hertz):
    """Size of a harmonic over whole periods of equally spaced samples."""
    t, x = rows[:, 0], rows[:, 1]
    return 2 * abs(np.sum(x * np.exp(-2j * pi * hertz * t))) / len(t)


def periodic(consistent):
    """3 mm at 10 Hz, the two periods from 5.8 to 6 s."""
    o = Oscillator((0.003, 10.0), consistent=consistent)
    grid = [5.8 + 1e-5 * k for k in range(20001)]
    rows, work = o.run(6.0 + 1e-6, grid)
    return o, rows[:20000], (work[20000] - work[0]) / 2


@group.add
def harmonic_base():
    """H section 5d, 3 mm at 10 Hz with f0 = 2 fC - fS as printed."""
    o, rows, work = periodic(False)
    top, _ = extremes(o, 5.8, 6.0)
    where = "in 5.8 to 6 s"
    yield Number("periodic.max_position", top, 2e-10, f"largest relative position {where} [m]")
    yield Number(
        "periodic.max_velocity", rows[:, 2].max(), 1e-9, f"largest relative velocity {where} [m/s]"
    )
    yield Number(
        "periodic.max_acceleration",
        rows[:, 3].max(),
        1e-3,
        f"largest relative acceleration {where}, every 1e-5 s [m/s2]",
    )
    yield Number(
        "periodic.max_coefficient",
        rows[:, 4].max(),
        1e-5,
        f"largest coefficient {where}, every 1e-5 s",
    )
    yield Number(
        "periodic.max_force",
        LOAD * rows[:, 4].max(),
        35e-5,
        f"largest force {where}, every 1e-5 s [N]",
    )
    yield Number("periodic.work", work, 1e-9, "work of friction per period [J]")
    yield Number(
        "periodic.harmonic_1", harmonic(rows, 10.0), 3e-10, "first harmonic of the position [m]"
    )
    yield Number(
        "periodic.harmonic_3", harmonic(rows, 30.0), 3e-10, "third harmonic of the position [m]"
    )
    _, speed, f = o.breaks[-1]
    yield Number("periodic.breakaway_velocity", speed, 1e-9, "speed at break-away [m/s]")
    yield Number("periodic.breakaway_coefficient", f, 1e-8, "coefficient at break-away")


@group.add(quick=False)
def consistent_start():
    """The same with f0 = f_d-(0), which leaves no jump of the force."""
    o, rows, work = periodic(True)
    top, bottom = extremes(o, 5.8, 6.0)
    yield Number(
        "consistent.max_position", top, 2e-10, "largest relative position in 5.8 to 6 s [m]"
    )
    yield Number(
        "consistent.min_position", bottom, 2e-10, "smallest relative position in 5.8 to 6 s [m]"
    )
    yield Number("consistent.work", work, 1e-9, "work of friction per period [J]")


def rms(x):
    return sqrt(np.mean(np.square(x)))


@group.add(quick=False)
def two_frequencies():
    """2 mm at 8 Hz with 1 mm at 16 Hz."""
    o = Oscillator((0.002, 8.0), (0.001, 16.0))
    rows, _ = o.run(6.0 + 1e-6, [5.0 + 5e-4 * k for k in range(2001)])
    x = rows[:, 1]
    top, bottom = extremes(o, 5.0, 6.0)
    yield Number("two.max_position", top, 1e-9, "largest relative position [m]")
    yield Number("two.min_position", bottom, 1e-9, "smallest relative position [m]")
    yield Number(
        "two.rms", rms(x[:250]), 1e-9, "root mean square of the relative position over a period [m]"
    )
    sampled = "of the samples every 0.5 ms in 5 to 6 s [m]"
    yield Number("two.sampled.max_position", x.max(), 1e-9, f"largest {sampled}")
    yield Number("two.sampled.min_position", x.min(), 1e-9, f"smallest {sampled}")
    yield Number("two.sampled.rms", rms(x), 1e-9, f"root mean square {sampled}")


@group.add(quick=False)
def no_common_period():
    """2 mm at 8 Hz with 1 mm at 8 sqrt(2) Hz, samples every 0.5 ms."""
    o = Oscillator((0.002, 8.0), (0.001, 8.0 * sqrt(2.0)))
    rows, _ = o.run(36.0 + 1e-6, [5e-4 * k for k in range(72001)])
    x = rows[:, 1]
    for name, part, when in (("early", x[:60001], "0 to 30 s"), ("late", x[12000:], "6 to 36 s")):
        yield Number(
            f"quasi.{name}.max_position",
            part.max(),
            1e-9,
            f"largest relative position in {when} [m]",
        )
        yield Number(
            f"quasi.{name}.rms",
            rms(part),
            1e-9,
            f"root mean square of the relative position in {when} [m]",
        )


if __name__ == "__main__":
    group.main()
