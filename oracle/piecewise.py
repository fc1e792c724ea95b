# SPDX-License-Identifier: MIT
"""Piecewise linear systems, solved exactly piece by piece: Coulomb, sawtooth, multiplay."""

from fractions import Fraction
from math import asin, ceil, cos, exp, floor, pi, sin, sqrt

from scipy.integrate import quad
from scipy.optimize import brentq

from common import Group, Number

group = Group(
    "piecewise",
    source="T (1.17)-(1.19), (2.1)-(2.4), (3.47)-(3.58), Figs. 1.5, 2.4, 3.11",
    method="closed solution of every linear piece, roots of its ends, work by the energy balance",
)


class Piece:
    """x'' + k x = A sin(w t) + c from (x0, v0) at t0, in closed form."""

    def __init__(self, k, A, w, c, t0, x0, v0):
        self.o, self.w, self.t0 = sqrt(k), w, t0
        self.p, self.c = A / (k - w * w), c / k
        self.a = x0 - self.p * sin(w * t0) - self.c
        self.b = (v0 - self.p * w * cos(w * t0)) / self.o

    def x(self, t):
        s = self.o * (t - self.t0)
        return self.a * cos(s) + self.b * sin(s) + self.p * sin(self.w * t) + self.c

    def v(self, t):
        s = self.o * (t - self.t0)
        return self.o * (self.b * cos(s) - self.a * sin(s)) + self.p * self.w * cos(self.w * t)

    def a_of(self, t):
        s = self.o * (t - self.t0)
        own = self.a * cos(s) + self.b * sin(s)
        return -self.o**2 * own - self.p * self.w**2 * sin(self.w * t)

    def stop(self, direction, end):
        """The first time the speed falls to zero, or end; grazing minima are looked at one by one."""
        speed = lambda t: direction * self.v(t)
        push = lambda t: direction * self.a_of(t)
        h = pi / (20 * self.o)
        t, top = self.t0, None  # top is where the speed was last seen to be largest
        while t < end:
            s = min(t + h, end)
            if push(t) > 0 >= push(s):
                top = t
            low = s
            if push(t) < 0 <= push(s) and t > self.t0:
                low = root(push, t, s)
            if speed(low) < 0:
                start = self.t0 + 1e-9 if top is None else top
                return root(speed, start, low) if speed(start) > 0 else self.t0
            t = s
        return end


def root(f, a, b):
    return brentq(f, a, b, xtol=1e-15, rtol=1e-15)


def teeth(A, w, periods, least, most, spacing):
    """Mass 1 on a spring of 1 under A sin(w t) on a sawtooth: work of the input in every period.

    Forward in tooth n the force is least + slope (x - n spacing), backward its mirror image; at
    rest it is what holds the body. The work is the gain of energy plus the integral of F dx.
    """
    slope = (most - least) / spacing
    period = 2 * pi / w
    t, x, v, direction = 0.0, 0.0, 0.0, 0
    friction, works, extremes, tooth = 0.0, [], [], 0

    def limit(way):
        n = floor(way * x / spacing + 1e-9)
        return least + slope * (way * x - n * spacing)

    mark, extreme = 1, 0.0
    before = 0.0
    while mark <= periods:
        end = mark * period
        if direction == 0:
            t = next_break_away(A, w, t, x, limit(1), -limit(-1), end)
            if t < end:
                direction = 1 if A * sin(w * t) - x > 0 else -1
                tooth = floor(direction * x / spacing + 1e-9)
                v = 0.0
        else:
            c = -direction * (least - slope * tooth * spacing)
            piece = Piece(1 + slope, A, w, c, t, x, v)
            stop = piece.stop(direction, end)
            # Up to there the body only moves forward, so that it passes the edge at most once.
            at, beyond = stop, lambda s: direction * piece.x(s) - (tooth + 1) * spacing
            if beyond(stop) > 0:
                at = root(beyond, t, stop)
            reached = piece.x(at)
            here, there = direction * x - tooth * spacing, direction * reached - tooth * spacing
            friction += (there - here) * (least + slope * (here + there) / 2)
            t, x, v = at, reached, piece.v(at)
            extreme = max(extreme, x)
            if at < stop:
                tooth += 1
                x = direction * tooth * spacing
            elif stop < end:
                v, was = 0.0, direction
                direction = 0
                hold = A * sin(w * t) - x
                if was * hold < -limit(-was):
                    direction = -was
                    tooth = floor(direction * x / spacing + 1e-9)
        if t >= end:
            total = v * v / 2 + x * x / 2 + friction
            works.append(total - before)
            extremes.append(extreme)
            before, extreme, mark = total, -1e30, mark + 1
    return works, extremes


def next_break_away(A, w, t, x, up, down, end):
    """When A sin(w t) - x leaves [down, up]; it is inside at t, or at an end of it."""
    rising = []
    for level, way in ((up + x, 1), (down + x, -1)):
        if abs(level) >= A:
            continue
        # A sin(w s) = level, passing in the direction `way`.
        phase = asin(level / A) if way > 0 else pi - asin(level / A)
        n = ceil((w * t - phase) / (2 * pi) - 1e-14)
        rising.append((phase + 2 * pi * n) / w)
    return min([end, *[max(s, t) for s in rising]])


@group.add
def coulomb():
    """T Fig. 1.5: mass and spring 1, Fc = 2 N, 3 sin(w t) from rest."""
    for name, w, which in (("0_1", 0.1, 6), ("0_01", 0.01, 3), ("0_001", 0.001, 2)):
        works, extremes = teeth(3.0, w, which, 2.0, 2.0, 1e300)
        if name != "0_1":
            yield Number(
                f"coulomb.area_{name}",
                works[-1],
                2e-9,
                f"work of the input in period {which}, {w:g} rad/s [J]",
            )
        if name != "0_01":
            yield Number(
                f"coulomb.top_{name}",
                extremes[-1],
                2e-9,
                f"largest position in period {which}, {w:g} rad/s [m]",
            )


@group.add
def sawtooth():
    """T Fig. 3.11: forces 0.5 to 1 N every 0.1 m, 2 sin(0.01 t) from rest."""
    works, _ = teeth(2.0, 0.01, 3, 0.5, 1.0, 0.1)
    yield Number("sawtooth.area_1", works[0], 2e-9, "work of the input in period 1 [J]")
    yield Number("sawtooth.area_3", works[2], 5e-9, "work of the input in period 3 [J]")


@group.add
def sawtooth_limit():
    """T (3.51)-(3.58): the map of the sawtooth as the input slows down, in rational numbers.

    The body follows the equilibria of a tooth to its edge and slips from there. Without damping the
    slip ends where the work of hold - F is used up: after (Fmax - Fmin) / K, some whole teeth.
    """
    least, most, spacing, A = Fraction(1, 2), Fraction(1), Fraction(1, 10), Fraction(2)
    slope, slip = (most - least) / spacing, most - least
    assert slip % spacing == 0
    x, u, largest, areas = Fraction(0), Fraction(0), Fraction(0), []
    for way in [1] + [-1, 1] * 4:
        area = Fraction(0)
        while True:
            # Break-away and equilibria in this direction: way u = way x + F, F = least + slope s.
            s = (way * x) % spacing
            u = max(way * u, way * x + least + slope * s) * way
            edge = x + way * (spacing - s)
            needed = edge + way * most
            if way * needed >= A:  # the input turns before the edge is reached
                there = way * (A - least + slope * (way * x - s)) / (1 + slope)
                area += (u + way * A) / 2 * (there - x)
                x, u = there, way * A
                break
            area += (u + needed) / 2 * (edge - x) + needed * way * slip
            x, u = edge + way * slip, needed
        largest = max(largest, x)
        areas.append(area)
    yield Number(
        "sawtooth.limit_area", areas[-1] + areas[-2], 1e-15, "area at vanishing frequency [J]"
    )
    yield Number(
        "sawtooth.limit_top", largest, 1e-15, "largest position at vanishing frequency [m]"
    )


def integral(f, a, b, longest):
    """The integral of a smooth function over pieces of at most a length."""
    n = max(1, ceil((b - a) / longest))
    ends = [a + (b - a) * k / n for k in range(n + 1)]
    return sum(quad(f, p, q, epsabs=1e-14, epsrel=1e-13)[0] for p, q in zip(ends, ends[1:]))


def element_area(width, w, periods):
    """T (2.1)-(2.4): x'' + x' + d(x - u) = 0 with a dead zone of half width `width`, u = sin(w t).

    Inside x = a + b e^-t; outside x'' + x' + x = u +- width. The integral of (u - x) du over the
    last period.
    """
    o = sqrt(3) / 2
    response = 1 / complex(1 - w * w, w)  # of x'' + x' + x = u

    def outside(side, t0, x0, v0):
        xp = lambda t: (response * complex(cos(w * t), sin(w * t))).imag + side * width
        vp = lambda t: (response * complex(cos(w * t), sin(w * t)) * 1j * w).imag
        a = x0 - xp(t0)
        b = (v0 - vp(t0) + a / 2) / o
        fade = lambda t: exp(-(t - t0) / 2)
        x = lambda t: xp(t) + fade(t) * (a * cos(o * (t - t0)) + b * sin(o * (t - t0)))
        v = lambda t: vp(t) + fade(t) * (
            (o * b - a / 2) * cos(o * (t - t0)) - (o * a + b / 2) * sin(o * (t - t0))
        )
        return x, v

    def inside(t0, x0, v0):
        return lambda t: x0 + v0 * (1 - exp(-(t - t0))), lambda t: v0 * exp(-(t - t0))

    period = 2 * pi / w
    t, x0, v0, side, area = 0.0, 0.0, 0.0, 0, 0.0
    end = periods * period
    h = min(0.05, 0.05 / w)
    while t < end:
        x, v = inside(t, x0, v0) if side == 0 else outside(side, t, x0, v0)
        # Inside until |x - u| = width, outside until x - u comes back to side * width.
        if side == 0:
            g = lambda s: width - abs(x(s) - sin(w * s))
        else:
            g = lambda s: side * (x(s) - sin(w * s)) - width
        s, armed = t, False
        stop = end
        while s < end:
            n = min(s + h, end)
            if g(n) > 1e-13:
                armed = True
            elif armed and g(n) < 0:
                stop = root(g, s, n)
                break
            s = n
        begin = max(t, end - period)
        if stop > begin:
            work = lambda s: (sin(w * s) - x(s)) * w * cos(w * s)
            area += integral(work, begin, stop, min(3.0, 0.5 / w))
        gap = x(stop) - sin(w * stop)
        t, x0, v0 = stop, x(stop), v(stop)
        side = (1 if gap > 0 else -1) if side == 0 else 0
    return area


@group.add
def multiplay():
    """T Fig. 2.4: two elements of half width 0.2 and 0.8, all coefficients 1."""
    for name, w, periods in (("1", 1.0, 30), ("0_01", 0.01, 3)):
        area = element_area(0.2, w, periods) + element_area(0.8, w, periods)
        yield Number(f"multiplay.area_{name}", area, 1e-10, f"area of the loop, {w:g} rad/s [J]")


if __name__ == "__main__":
    group.main()
