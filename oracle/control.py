# SPDX-License-Identifier: MIT
"""Bodies with friction under controllers that sample and hold."""

from math import exp

from common import Group, Number

group = Group(
    "control",
    source="Newton's law under a force that is held from sample to sample, |F| <= static force in "
    "stick and F = g(|v|) sign(v) in slip",
    method="classical Runge-Kutta with eight steps per sample, rest located by bisection",
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


if __name__ == "__main__":
    group.main()
