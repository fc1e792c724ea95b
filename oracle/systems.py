# SPDX-License-Identifier: MIT
"""Smooth systems with an input and an output: cubic, linkage, Duffing, valve, LuGre loop."""

from math import cos, exp, pi, sin, sqrt

import numpy as np
from mpmath import findroot, mp, mpf, quad
from mpmath import cos as mcos
from mpmath import pi as mpi
from mpmath import sin as msin
from mpmath import sqrt as msqrt
from scipy.integrate import solve_ivp

from common import Group, Number

mp.dps = 30
group = Group(
    "systems",
    source="T (1.3), (1.5), (1.24)-(1.27), (5.12)-(5.17); H 5c; R (13)-(18), (61), Table III",
    method="explicit Runge-Kutta of order 8 (DOP853) where smooth, Radau IIA where stiff, "
    "quadrature and roots of the equilibria",
)


def driven(rates, start, w, periods, *, state=0, tolerance=1e-13, method="DOP853", **options):
    """Runs under sin(w t); the states at the end, the integral of state du in the last period."""

    def all_rates(t, y):
        return [*rates(t, y[:-1]), output(y) * w * cos(w * t)]

    def output(y):
        return state(y) if callable(state) else y[state]

    period = 2 * pi / w
    y, area = [*start, 0.0], 0.0
    for k in range(periods):
        before = y[-1]
        span = (k * period, (k + 1) * period)
        y = solve_ivp(
            all_rates, span, y, method=method, rtol=tolerance, atol=1e-2 * tolerance, **options
        ).y[:, -1]
        area = y[-1] - before
    return y[:-1], area


def stiff(rates, span, start, **options):
    """The state at the end by Radau IIA; differences for the Jacobian may overflow at v = 0."""
    with np.errstate(over="ignore"):
        return solve_ivp(rates, span, start, method="Radau", **options).y[:, -1]


def cubic_orbits(*runs):
    """T (1.5): x' = x - x^3 + u under sin(w t); x at u = 0 rising, and the integral of x du.

    The orbit is attractive, so that it is followed until it closes.
    """
    for name, w, periods in runs:
        (x,), area = driven(
            lambda t, y: [y[0] - y[0] ** 3 + sin(w * t)], [0.0], w, periods, max_step=0.5
        )
        yield Number(f"cubic.x_{name}", x, 1e-10, f"x at the end of a period, {w:g} rad/s")
        yield Number(
            f"cubic.area_{name}",
            area,
            1e-10,
            f"integral of x du over a period, {w:g} rad/s",
            name == "0_01",
        )


@group.add
def cubic_fast():
    """The orbits of 1 and 0.1 rad/s, and the folds of the equilibria u = x^3 - x."""
    yield from cubic_orbits(("1", 1.0, 20), ("0_1", 0.1, 4))
    yield Number("cubic.fold", 2 / sqrt(27), 1e-16, "input at the fold of the equilibria")
    yield Number("cubic.fold_at", 1 / sqrt(3), 1e-16, "|x| at the fold")
    # Two jumps of height sqrt(3) at +-fold, less the equilibria between.
    a, b = 1 / msqrt(mpf(3)), 2 / msqrt(mpf(3))
    limit = 2 * quad(lambda x: (2 / msqrt(mpf(27)) - (x**3 - x)), [-a, b])
    yield Number(
        "cubic.limit", -limit, 1e-14, "integral of x du over the map at vanishing frequency"
    )


@group.add(quick=False)
def cubic_slow():
    """The orbits of 0.01 and 0.001 rad/s."""
    yield from cubic_orbits(("0_01", 0.01, 3), ("0_001", 0.001, 2))


@group.add
def linear():
    """T (1.3): x'' + 2 x' + x = u has the gain G = 1 / (1 + i w)^2, its loop the area pi Im G."""
    for name, w in (("1", 1.0), ("0_1", 0.1), ("0_01", 0.01)):
        gain = 1 / (1 + 1j * w) ** 2
        yield Number(f"linear.area_{name}", pi * gain.imag, 1e-15, f"integral of x du, {w:g} rad/s")


def linkage_rates(w, turning, least):
    """T (5.16) with m = k = c = l = 1, bars of 0.5 kg, theta0 = pi / 4, F = sin(w t)."""
    c0 = cos(pi / 4)

    def rates(t, y):
        s, c, rate = sin(y[0]), cos(y[0]), y[1]
        inertia = (2 + turning * 0.5) * s * s + least * 0.5
        torque = (2 + turning * 0.5) * s * c * rate * rate + 2 * (c0 - c) * s + 2 * s * s * rate
        return [rate, -(torque + 0.5 * c * sin(w * t)) / inertia]

    return rates


PRINTED, CORRECTED = (9 / 8, 5 / 24), (1, 1 / 3)


@group.add(quick=False)
def linkage():
    """T (5.16): angles under sin(0.1 t), energy dissipated in the last of several periods."""
    y, at = [pi / 4, 0.0], 0.0
    for t in (5.0, 10.0, 60.0):
        y = solve_ivp(
            linkage_rates(0.1, *PRINTED), (at, t), y, method="DOP853", rtol=1e-13, atol=1e-15
        ).y[:, -1]
        at = t
        yield Number(f"linkage.angle_{t:.0f}", y[0], 1e-11, f"angle at {t:.0f} s [rad]")
    slow = ((0.05, 8, 1e-9), (0.01, 4, 1e-9), (0.001, 2, 2e-8))
    fast = ((5.0, 60, 2e-10), (1.0, 60, 1e-10), (0.5, 40, 5e-10))
    runs = [("printed", PRINTED, *run) for run in fast + slow]
    runs += [
        ("corrected", CORRECTED, w, n, e)
        for w, n, e in ((1.0, 60, 1e-10), (0.01, 4, 1e-9), (0.001, 2, 2e-8))
    ]
    for name, inertia, w, periods, error in runs:
        # Work on the pin, whose height is sin(theta): the force points down.
        _, area = driven(
            linkage_rates(w, *inertia),
            [pi / 4, 0.0],
            w,
            periods,
            state=lambda y: sin(y[0]),
            max_step=1.0,
        )
        label = f"{w:g}".replace(".", "_")
        yield Number(
            f"linkage.{name}.energy_{label}",
            area,
            error,
            f"energy of period {periods} at {w:g} rad/s [J]",
        )


@group.add
def linkage_equilibria():
    """T 5.4: folds of F(theta) = 4 (cos theta - cos theta0) tan theta, the snap and its lobe.

    At rest (5.16) gives F = -4 k l (cos theta0 - cos theta) tan theta, in the direction of T.
    """
    c0 = mcos(mpi / 4)

    def force(theta):
        return 4 * (mcos(theta) - c0) * msin(theta) / mcos(theta)

    theta = findroot(lambda x: mp.diff(force, x), mpf("0.47"))
    fold = force(theta)
    yield Number("linkage.fold", fold, 1e-16, "largest force with several equilibria [N]")
    yield Number("linkage.fold_angle", theta, 1e-15, "angle at the fold [rad]")
    yield Number(
        "linkage.fold_distance", 2 * mcos(theta), 1e-15, "distance of the ends at the fold [m]"
    )
    landing = findroot(lambda x: force(x) - fold, mpf("-0.888"))
    yield Number("linkage.landing_angle", landing, 1e-15, "angle after the snap [rad]")
    yield Number("linkage.landing", msin(landing), 1e-15, "height of the pin after the snap [m]")
    far = findroot(lambda x: force(x) - 1, mpf("-1"))
    yield Number("linkage.height_1", msin(far), 1e-15, "height of the pin at rest under 1 N [m]")

    # One lobe of F over q = 2 cos theta, between the force 0, where both branches meet at +-pi / 4,
    # and the fold: up along one branch, over by the snap, down along the other.
    def along(a, b):
        return quad(lambda x: force(x) * -2 * msin(x), [a, b])

    snap = fold * (2 * mcos(landing) - 2 * mcos(theta))
    lobe = along(mpi / 4, theta) + snap + along(landing, -mpi / 4)
    yield Number(
        "linkage.lobe",
        abs(lobe),
        1e-13,
        "area of one lobe of the butterfly at vanishing frequency [J]",
    )


@group.add
def duffing():
    """H 5c: q'' + 0.1 q' - 1e4 q (1 - q^2) = a cos(90 t), q(0) = 1, q'(0) = 0."""
    for force, times in ((1000, (0.5, 1.0)), (5000, (0.5,))):
        y, at = [1.0, 0.0], 0.0
        for t in times:
            rates = lambda s, y: [
                y[1],
                force * cos(90 * s) - 0.1 * y[1] + 1e4 * y[0] * (1 - y[0] ** 2),
            ]
            y = solve_ivp(
                rates, (at, t), y, method="DOP853", rtol=1e-13, atol=1e-13, max_step=1e-3
            ).y[:, -1]
            at = t
            label = f"{t:g}".replace(".", "_")
            yield Number(
                f"duffing.q_{force}_{label}", y[0], 3e-9, f"q at {t:g} s, drive {force} 1/s2"
            )
            if force == 5000:
                yield Number(
                    f"duffing.rate_{force}_{label}",
                    y[1],
                    3e-7,
                    f"q' at {t:g} s, drive {force} 1/s2 [1/s]",
                )


@group.add
def valve():
    """R (61), Table III: a ramp of 2 %/s from 20 %, from the equilibrium there, on two laws.

    1.6 x'' = 0.0445 P - 203495.8 x - 2578.3 - F,  0.933 P' = 1666.49 OP + 41276.40 - P
    """
    s0, s1, s2 = 6.82e7, 701.97, 2.97e3

    def fall(v):
        return 39.73 + 20.13 * exp(-((v / 6.42e-3) ** 2))

    def frbd(z, v):
        mu = fall(v) + s2 * abs(v)
        rate = (mu * v - s0 * abs(v) * z) / (s1 * abs(v) + mu)
        return rate, s0 * z + s1 * rate

    def lugre(z, v):
        rate = v - abs(v) * s0 * z / fall(v)
        return rate, s0 * z + s1 * rate + s2 * v

    x0 = (0.0445 * (1666.49 * 20 + 41276.40) - 2578.3) / 203495.8
    yield Number("valve.start", x0, 1e-17, "position at rest with a command of 20 % [m]")
    for name, law in (("frbd", frbd), ("lugre", lugre)):

        def rates(t, y):
            x, v, p, z = y
            zdot, force = law(z, v)
            command = 1666.49 * (20 + 2 * t) + 41276.40
            return [
                v,
                (0.0445 * p - 203495.8 * x - 2578.3 - force) / 1.6,
                (command - p) / 0.933,
                zdot,
            ]

        y, at = [x0, 0.0, 1666.49 * 20 + 41276.40, 0.0], 0.0
        for t in (2.5, 5.0, 10.0) if name == "frbd" else (2.5,):
            y = stiff(rates, (at, t), y, rtol=1e-9, atol=[1e-14, 1e-14, 1e-6, 1e-18])
            at = t
            label = f"{t:g}".replace(".", "_")
            yield Number(f"valve.{name}.x_{label}", y[0], 2e-11, f"position at {t:g} s [m]")
            if t == 5.0:
                yield Number("valve.frbd.v_5", y[1], 2e-12, "velocity at 5 s [m/s]")
                yield Number(
                    "valve.frbd.force_5", law(y[3], y[1])[1], 1e-7, "friction force at 5 s [N]"
                )


@group.add
def lugre_loop():
    """T Fig. 1.11: work per period of LuGre under 5 cos(0.01 t).

    Fc = 1, Fs = 1.5 N, s0 = 1e4 N/m, s1 = 100, s2 = 0.6 N s/m, vs = 0.04 m/s. The deflection is
    followed from reversal to reversal; the loop is symmetric, so that half a period is enough.
    """

    def rates(t, y):
        v = 0.05 * sin(0.01 * t)
        rate = v - abs(v) * 1e4 * y[0] / (1 + 0.5 * exp(-((v / 0.04) ** 2)))
        return [rate, (1e4 * y[0] + 100 * rate + 0.6 * v) * v]

    half = 100 * pi
    z, work = 0.0, 0.0
    for k in range(3):
        y = stiff(rates, (0, half), [z, 0.0], rtol=1e-10, atol=[1e-16, 1e-10])
        z, work = -y[0], y[1]  # the next stroke is the mirror image
    yield Number("lugre_loop.area", 2 * work, 3e-9, "work of a period at 0.01 rad/s [J]")


if __name__ == "__main__":
    group.main()
