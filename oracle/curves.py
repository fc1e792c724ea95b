# SPDX-License-Identifier: MIT
"""Steady curves, passivity and linearisation: formulas with 40 digits and numerical derivatives."""

from mpmath import cos, diff, exp, findroot, mp, mpf, pi, quad, sign, sin, sqrt

from common import Group, Number

mp.dps = 40
group = Group(
    "curves",
    source="H (3.2)-(3.8), (4.13), (5.4); T (1.27); R (5), (13)-(19), (23)-(32), Table II",
    method="the formulas in 40 digits; derivatives by differences of the nonlinear law, states by "
    "quadrature of its exact solution",
)


@group.add
def stribeck():
    """H (3.3)-(3.8) at v = 0.05 m/s with N = 35 N, fS = 0.32, fC = 0.25, vS = 0.02 m/s."""
    N, fS, fC, v, vS = mpf(35), mpf("0.32"), mpf("0.25"), mpf("0.05"), mpf("0.02")
    curves = {
        "exponential": fC + (fS - fC) * exp(-v / vS),
        "gaussian": fC + (fS - fC) * exp(-((v / vS) ** 2)),
        "lorentzian": fC + (fS - fC) / (1 + (v / vS) ** 2),
        "popp_stelter": fC + (fS - fC) / (1 + 10 * v) + v**2,
        "speeding_up": fC + (fS - fC) * exp(-20 * v),
        "slowing_down": fC - (fS - fC) * exp(-20 * v),
    }
    for name, f in curves.items():
        yield Number(
            f"stribeck.{name}", N * f, 1e-14, f"force at 0.05 m/s, {name.replace('_', ' ')} [N]"
        )


@group.add
def lugre_steady():
    """T (1.27), Fig. 1.10: Fc = 1 N, Fs = 1.5 N, vs = 0.001 m/s, viscous 0.4 N s/m."""
    for name, v in (("0_1", "0.0001"), ("1", "0.001"), ("2", "0.002")):
        v = mpf(v)
        force = 1 + mpf("0.5") * exp(-((v / mpf("0.001")) ** 2)) + mpf("0.4") * v
        yield Number(
            f"lugre.steady_{name}_mm_s", force, 1e-15, f"steady force at {float(v)} m/s [N]"
        )


S0, S1, S2 = mpf(10000), mpf("64.5"), mpf("0.04")  # R Table II


def mu(v):
    """R (5) with Table II: the friction coefficient, viscous part included."""
    return 1 + mpf("0.5") * exp(-((v / mpf("0.01")) ** 2)) + S2 * abs(v)


def frbd_rate(z, v):
    """R (13)-(15): z' = (mu v - s0 |v| z) / (s1 |v| + mu)."""
    return (mu(v) * v - S0 * abs(v) * z) / (S1 * abs(v) + mu(v))


@group.add
def linearised():
    """R (28)-(32): pole and gains of FrBD about steady sliding, by numerical differentiation.

    dz' = pole dz + input_gain dv and F = s0 z + s1 z', dF = ... dz + direct_gain dv.
    """
    for name, v in (("5", "0.005"), ("10", "0.01"), ("50", "0.05")):
        v = mpf(v)
        z = findroot(lambda z: frbd_rate(z, v), mpf("1e-4"))
        pole = diff(lambda a: frbd_rate(a, v), z)
        gain = diff(lambda b: frbd_rate(z, b), v)
        where = f"at {float(v)} m/s"
        yield Number(f"linear.pole_{name}", pole, 1e-12, f"pole {where} [1/s]")
        yield Number(f"linear.input_gain_{name}", gain, 1e-13, f"dz'/dv {where}")
        yield Number(f"linear.direct_gain_{name}", S1 * gain, 1e-12, f"dF/dv {where} [N s/m]")


@group.add
def passivity():
    """R (23)-(27), Table II: where LuGre stops to be passive, and powers at z = 1.5e-4 m.

    LuGre is passive while s1^2 |v| <= 4 (s1 + s2) g(v). The dissipated power is F v - s0 z z'.
    """

    def fall(v):
        return 1 + mpf("0.5") * exp(-((v / mpf("0.01")) ** 2))

    beside = findroot(lambda v: S1**2 * v - 4 * (S1 + S2) * fall(v), 0.06)
    inside = findroot(lambda v: S1**2 * v - 4 * S1 * mu(v), 0.06)
    yield Number("passive.lugre", beside, 1e-15, "largest speed at which LuGre is passive [m/s]")
    yield Number(
        "passive.lugre_in_curve", inside, 1e-15, "the same with the viscous part in the curve [m/s]"
    )
    z = mpf("1.5e-4")

    def lugre(v):
        rate = v - abs(v) * S0 * z / fall(v)
        return (S0 * z + S1 * rate + S2 * v) * v - S0 * z * rate

    def frbd(v):
        rate = frbd_rate(z, v)
        return (S0 * z + S1 * rate) * v - S0 * z * rate

    zero = findroot(lugre, 0.07)
    yield Number(
        "passive.lugre_turns", zero, 1e-15, "speed at which LuGre dissipates nothing [m/s]"
    )
    yield Number(
        "passive.lugre_power", lugre(mpf("0.3")), 1e-13, "power dissipated by LuGre at 0.3 m/s [W]"
    )
    yield Number(
        "passive.frbd_power", frbd(mpf("0.3")), 1e-13, "power dissipated by FrBD at 0.3 m/s [W]"
    )


@group.add
def frbd_state():
    """R (19): z of FrBD under v = 0.005 + 0.02 sin(10 pi t) from z = 1e-5 m.

    Integrated by an explicit Runge-Kutta method of order 8 piece by piece between the zeros of v,
    where |v| has its corners.
    """
    from math import asin, exp, pi, sin

    from scipy.integrate import solve_ivp

    def rate(t, z):
        v = 0.005 + 0.02 * sin(10 * pi * t)
        m = 1 + 0.5 * exp(-((v / 0.01) ** 2)) + 0.04 * abs(v)
        return (m * v - 1e4 * abs(v) * z) / (64.5 * abs(v) + m)

    corner = 0.1 + asin(0.25) / (10 * pi)
    wanted = {0.05: "0_05", 0.1: "0_1", 0.13: "0_13", 0.2: "0_2", 0.3: "0_3"}
    stops = sorted([*wanted, corner, 0.3 - corner])
    t, z = 0.0, [1e-5]
    for stop in stops:
        z = solve_ivp(rate, (t, stop), z, method="DOP853", rtol=3e-14, atol=1e-20, max_step=2e-4).y[
            :, -1
        ]
        t = stop
        if stop in wanted:
            yield Number(f"frbd.state_{wanted[stop]}", z[0], 2e-17, f"deflection at {stop} s [m]")


@group.add
def rig():
    """H (5.4): natural frequency sqrt(2k / M) / 2 pi and damping ratio c / (2 sqrt(2k M))."""
    M, k, c = mpf("3.35"), mpf(5040), mpf("16.85")
    yield Number("rig.natural_frequency", sqrt(k / M) / (2 * pi), 1e-14, "natural frequency [Hz]")
    yield Number("rig.damping_ratio", c / (2 * sqrt(k * M)), 1e-15, "damping ratio")


@group.add
def roughness():
    """H (4.13): deviation sigma sqrt(2 dw sum S(k dw)) of 10 000 terms 0.1 apart, lambda = 10.

    sum over k < n of 1 / (k^2 + a^2) = -Im(psi(n + i a) - psi(i a)) / a with the digamma function.
    """
    from mpmath import digamma, mpc

    lam, dw, n, sigma = mpf(10), mpf("0.1"), 10000, mpf("0.05")
    a = lam / dw
    total = -(digamma(mpc(n, a)) - digamma(mpc(0, a))).imag / a / dw**2
    for name, top in (("corrected", lam), ("printed", mpf(1))):
        deviation = sigma * sqrt(2 * dw * top * total / pi)
        yield Number(
            f"roughness.{name}", deviation, 1e-15, f"standard deviation, spectrum as {name}"
        )


@group.add
def dither():
    """W: mean over a period of Coulomb friction of 1 N under a dither of 1 m/s, by quadrature."""
    for name, v in (("0_1", mpf("0.1")), ("0_5", mpf("0.5"))):
        # v + cos s is negative between these angles.
        turn = findroot(lambda s: v + cos(s), 1.7)
        along = quad(lambda s: sign(v + cos(s)), [0, turn, pi]) / pi
        across = quad(lambda s: v / sqrt(v**2 + cos(s) ** 2), [0, pi / 4, pi / 2]) * 2 / pi
        yield Number(
            f"dither.along_{name}",
            along,
            1e-12,
            f"mean force along the motion at {float(v)} m/s [N]",
        )
        yield Number(
            f"dither.across_{name}", across, 1e-12, f"mean force across it at {float(v)} m/s [N]"
        )


@group.add
def height_frequency():
    """P 2.5: frequency of the height of 1 kg on 500 bristles of 0.01 N/m and on those of the slant.

    Under the bottom k N = 5 N/m; the slant adds tan(a) k cos(a) d1 / spacing = k sin(a) n.
    """
    spacing = (2 - sin(pi / 12) / cos(pi / 12)) / 499
    slant = sin(pi / 12) * mpf("0.01") * (sin(pi / 12) / cos(pi / 12)) / spacing
    yield Number(
        "height.frequency", sqrt(5 + slant), 1e-13, "natural frequency of the height [rad/s]"
    )


if __name__ == "__main__":
    group.main()
