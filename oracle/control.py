# SPDX-License-Identifier: MIT
"""Bodies with friction under controllers that sample and hold."""

from math import asin, exp, pi, sqrt

import numpy as np
from common import Group, Number
from scipy.linalg import expm
from scipy.optimize import brentq, minimize_scalar

group = Group(
    "control",
    source="Newton's law under a force that is held from sample to sample, |F| <= static force in "
    "stick and F = g(|v|) sign(v) in slip",
    method="classical Runge-Kutta with eight steps per sample, rest located by bisection; two-mass "
    "drive by matrix exponentials from event to event and by describing functions",
)

COULOMB, STATIC, STRIBECK = 1.0, 1.5, 0.01


def slip(push, v, direction):
    """The acceleration of 1 kg that slides in a direction."""
    fall = (STATIC - COULOMB) * exp(-((v / STRIBECK) ** 2))
    return push - direction * (COULOMB + fall)


def advance(push, x, v, direction, h):
    """One step of the classical Runge-Kutta method for x' = v, v' = slip."""
    a1 = slip(push, v, direction)
    a2 = slip(push, v + 0.5 * h * a1, direction)
    a3 = slip(push, v + 0.5 * h * a2, direction)
    a4 = slip(push, v + h * a3, direction)
    x += h * v + h * h * (a1 + a2 + a3) / 6.0
    return x, v + h * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0


def rest(push, x, v, direction, h):
    """The part of a step after which the velocity is zero, and the position there."""
    low, high = 0.0, h
    for _ in range(60):
        middle = 0.5 * (low + high)
        if advance(push, x, v, direction, middle)[1] * direction > 0.0:
            low = middle
        else:
            high = middle
    return high, advance(push, x, v, direction, high)[0]


def hunt(start, step, end, parts=8):
    """Slips as (time, direction, position before) of 1 kg under PID 100, 10, 200."""
    x, v, integral, direction, slips = start, 0.0, 0.0, 0, []
    for k in range(round(end / step)):
        integral += -x * step
        push = -100.0 * x - 10.0 * v + 200.0 * integral
        if direction == 0 and abs(push) > STATIC:
            direction = 1 if push > 0.0 else -1
            if k > 0:  # it starts pushed
                slips.append((k * step, direction, x))
        left = step
        while direction != 0 and left > 1e-18:
            h = min(left, step / parts)
            ahead = advance(push, x, v, direction, h)
            if ahead[1] * direction > 0.0:
                x, v = ahead
                left -= h
                continue
            done, x = rest(push, x, v, direction, h)
            v, left = 0.0, left - done
            direction = 0 if abs(push) <= STATIC else (1 if push > 0.0 else -1)
    return slips, x


@group.add
def hunting():
    """1 kg, Stribeck friction of 1 and 1.5 N over 0.01 m/s, PID sampled every millisecond."""
    slips, _ = hunt(-0.1, 1e-3, 80.0)
    forward = [s for s in slips if s[1] > 0]
    what = "from one slip forward to the next, the last two in 80 s [s]"
    yield Number("hunting.period", forward[-1][0] - forward[-2][0], 1e-9, what)
    yield Number("hunting.offset", -forward[-1][2], 1e-8, "distance at which it sticks [m]")
    yield Number("hunting.slips", len(slips), 0.0, "slips in 80 s")


class Drive:
    """Motor and load on a shaft, both with Coulomb friction, under a sampled cascade controller.

    The controller reads the load and turns the motor with K (20 e - w), at most 1 N m.
    """

    inertia = np.array([2e-4, 1.1e-3])
    friction = np.array([0.02, 0.05])
    stiffness, damping, position_gain, most, step = 120.0, 0.02, 20.0, 1.0, 1e-4

    def __init__(self, gain):
        self.gain, self.moves = gain, {}

    def torque(self, y, push):
        """What acts on motor and load beside friction."""
        shaft = self.stiffness * (y[0] - y[1]) + self.damping * (y[2] - y[3])
        return np.array([push - shaft, shaft])

    def move(self, y, push, mode, t):
        """The state after t with the directions of both fixed; 0 is held. Exact."""
        key = (mode[0] == 0, mode[1] == 0, t if t != self.step else None)
        if key not in self.moves:
            k, c = self.stiffness, self.damping
            a = np.zeros((4, 4))
            for i, other in ((0, 1), (1, 0)):
                if mode[i] != 0:
                    a[i, 2 + i] = 1.0
                    a[2 + i, [i, other]] = np.array([-k, k]) / self.inertia[i]
                    a[2 + i, [2 + i, 2 + other]] = np.array([-c, c]) / self.inertia[i]
            whole = expm(np.block([[a, np.eye(4)], [np.zeros((4, 8))]]) * t)
            if key[2] is not None:
                return self.apply(whole, y, push, mode)
            self.moves[key] = whole
        return self.apply(self.moves[key], y, push, mode)

    def apply(self, whole, y, push, mode):
        """The exponential of a stretch on a state and on the constant torques."""
        b = np.zeros(4)
        for i, p in ((0, push), (1, 0.0)):
            if mode[i] != 0:
                b[2 + i] = (p - mode[i] * self.friction[i]) / self.inertia[i]
        return whole[:4, :4] @ y + whole[:4, 4:] @ b

    def guard(self, i, y, push, mode):
        """Positive as long as body i keeps its mode."""
        if mode[i] == 0:
            return self.friction[i] - abs(self.torque(y, push)[i])
        return mode[i] * y[2 + i]

    def settle(self, i, y, push, mode):
        """The mode of body i at rest."""
        force = self.torque(y, push)[i]
        mode[i] = 0 if abs(force) <= self.friction[i] else int(np.sign(force))

    def run(self, motor, load, end):
        """From rest: events of the load as (time, mode after), and the states at the samples."""
        y, mode, events, states = np.array([motor, load, 0.0, 0.0]), [0, 0], [], []
        for k in range(round(end / self.step)):
            states.append(y.copy())
            wish = self.gain * (-self.position_gain * y[1] - y[3])
            push = float(np.clip(wish, -self.most, self.most))
            for i in (0, 1):
                if y[2 + i] == 0.0:
                    self.settle(i, y, push, mode)
            left = self.step
            while left > 0.0:
                ahead = self.move(y, push, mode, left)
                crossed = [i for i in (0, 1) if self.guard(i, ahead, push, mode) < 0.0]
                if not crossed:
                    y, left = ahead, 0.0
                    continue
                times = []
                for i in crossed:
                    found = 0.0
                    if self.guard(i, y, push, mode) > 0.0:
                        found = brentq(
                            lambda t, i=i: self.guard(i, self.move(y, push, mode, t), push, mode),
                            0.0, left, xtol=1e-16,
                        )
                    times.append((found, i))
                at, i = min(times)
                y = self.move(y, push, mode, at)
                left -= at
                if mode[i] != 0:
                    y[2 + i] = 0.0
                self.settle(i, y, push, mode)
                if i == 1:
                    events.append(((k + 1) * self.step - left, mode[1]))
        return events, np.array(states)


class Describing:
    """The cycles of that drive by describing functions: of friction 4 F / (pi speed), of the limit
    of the torque 2 / pi (asin r + r sqrt(1 - r^2)) with r = limit / amplitude, and of the hold
    (1 - exp(-s h)) / (s h)."""

    drive = Drive

    def needed(self, amplitude, w):
        """The gain with which the load swings with an amplitude at a frequency, if it is real."""
        d, s = self.drive, 1j * w
        k, c = d.stiffness, d.damping
        own = d.inertia[1] * s * s + (c + 4 * d.friction[1] / (pi * w * amplitude)) * s + k
        motor = abs(own / (c * s + k)) * amplitude
        first = d.inertia[0] * s * s + (c + 4 * d.friction[0] / (pi * w * motor)) * s + k
        hold = (1 - np.exp(-s * d.step)) / (s * d.step)
        return -(first * own - (c * s + k) ** 2) / (hold * (d.position_gain + s) * (c * s + k))

    def cycle(self, amplitude):
        """Frequency and gain of the cycle of an amplitude."""
        w = brentq(lambda w: self.needed(amplitude, w).imag, 780.0, 1000.0, xtol=1e-12)
        gain = self.needed(amplitude, w).real
        size = abs(self.drive.position_gain + 1j * w) * amplitude

        def limited(k):
            r = self.drive.most / (k * size)
            return k * (1.0 if r >= 1 else 2 / pi * (asin(r) + r * sqrt(1 - r * r)))

        return w, gain if gain * size <= self.drive.most else brentq(
            lambda k: limited(k) - gain, gain, 1e4 * gain, xtol=1e-15
        )

    def border(self):
        """The least gain with a cycle, and its amplitude."""
        found = minimize_scalar(
            lambda a: self.cycle(a)[1], bounds=(4e-3, 8.4e-3), method="bounded",
            options={"xatol": 1e-10},
        )
        return found.fun, found.x


@group.add
def drive_hunting():
    """The drive at a gain of 0.25 from a twisted shaft: exact, and by describing functions."""
    events, states = Drive(0.25).run(-0.055, 0.01, 0.4001)
    yield Number("drive.reversal_100", events[99][0], 1e-10, "hundredth reversal of the load [s]")
    tenth = round(0.4 / Drive.step)
    yield Number("drive.load_400", states[tenth][1], 1e-9, "load at 400 ms [rad]")
    yield Number("drive.motor_speed_400", states[tenth][2], 1e-8, "motor at 400 ms [rad/s]")
    describing = Describing()
    gain, least = describing.border()
    yield Number("drive.border", gain, 1e-9, "least gain with a cycle")
    for k in (0.165, 0.25, 0.5):
        amplitude = brentq(lambda a: describing.cycle(a)[1] - k, least, 9.39e-3, xtol=1e-15)
        name = f"drive.amplitude_{round(1000 * k)}"
        yield Number(name, amplitude, 1e-10, f"of the cycle at a gain of {k} [rad]")
    speed = amplitude * describing.cycle(amplitude)[0]
    yield Number("drive.speed_500", speed, 1e-7, "amplitude of the speed there [rad/s]")
    start = brentq(lambda a: describing.cycle(a)[1] - 0.2, 3e-4, least, xtol=1e-15)
    yield Number("drive.start_200", start, 1e-10, "amplitude of the unstable cycle at 0.2 [rad]")


if __name__ == "__main__":
    group.main()
