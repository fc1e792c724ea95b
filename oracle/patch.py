# SPDX-License-Identifier: MIT
"""Bristles distributed over a rolling contact: integrals of the exact profile."""

from mpmath import arg, degrees, exp, findroot, mp, mpc, mpf, quad

from common import Group, Number

mp.dps = 20
group = Group(
    "patch",
    source="R (33)-(45), (55)-(59), Table I; 20 m/s over a patch of 0.1 m, 200 patch lengths per second",
    method="the profile in closed form along the characteristics, quadrature over the patch",
)

STIFFNESS, TRANSPORT = mpf(252), mpf(200)
PRESSURES = {
    "constant": lambda xi: mpf(1),
    "exponential": lambda xi: exp(-xi / 10) / (10 * (1 - exp(mpf(-1) / 10))),
    "parabolic": lambda xi: 6 * xi * (1 - xi),
}


def mu(v):
    """R (5) with Table I: the friction coefficient, viscous part included."""
    return mpf("0.2") + mpf("0.4") * exp(-((v / 10) ** 2)) + mpf("0.0018") * v


def force(pressure, v, t=None):
    """Force over load at slip velocity v > 0: in the steady state, or t after a start from zero.

    A bristle of age a is bent by (mu / s0) (1 - exp(-s0 v a / mu)); its age is xi / V, at most t.
    """
    rate = STIFFNESS * v / mu(v)
    front = 1 if t is None else min(mpf(1), TRANSPORT * t)

    def bent(age):
        return mu(v) * (1 - exp(-rate * age))

    p = PRESSURES[pressure]
    behind = quad(lambda xi: p(xi) * bent(xi / TRANSPORT), [0, front / 2, front])
    return behind if front == 1 else behind + bent(mpf(t)) * quad(p, [front, 1])


@group.add
def steady():
    """R Fig. 4: steady forces over slip, and the largest of them."""
    for pressure, wanted in (("constant", 7), ("parabolic", 7)):
        for slip in ("0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1")[:wanted]:
            value = force(pressure, 20 * mpf(slip))
            yield Number(
                f"{pressure}.slip_{slip.replace('.', '_')}",
                value,
                1e-14,
                f"force over load at slip {slip}",
            )
    top = findroot(lambda v: mp.diff(lambda s: force("constant", s), v), mpf("3.67"))
    yield Number(
        "constant.peak", force("constant", top), 1e-12, "largest force over load, constant pressure"
    )
    yield Number("constant.peak_at", top, 1e-9, "slip velocity at which the force is largest [m/s]")


@group.add
def step():
    """R Fig. 6 and (40): the slip velocity jumps from 0 to 1 m/s."""
    for pressure in PRESSURES:
        for t in ("0.0005", "0.001", "0.002", "0.003", "0.005"):
            name = f"{float(t) * 1e3:g}".replace(".", "_")
            value = force(pressure, mpf(1), mpf(t))
            yield Number(f"step.{pressure}_{name}_ms", value, 1e-14, f"force over load after {t} s")


def linear_response(pressure, damping, v, w):
    """R (55)-(59) at slip velocity v > 0 and angular frequency w: force over slip velocity.

    The source of (55a) is H1 = a + b z*, with the steady profile z* = top (1 - exp(-c xi)); its
    convolution along the patch is known in closed form. (57a) is taken with its factor z.
    """
    slope = mp.diff(mu, v)
    g, g_slope = damping * v + mu(v), damping + slope
    rate, top = STIFFNESS * v / g, mu(v) / STIFFNESS
    bend = 1 - v * g_slope / g
    a, b = mu(v) / g * bend + v * slope / g, -STIFFNESS / g * bend
    elastic, elastic_slope = STIFFNESS * (1 - damping * v / g), -STIFFNESS * damping / g * bend
    direct = damping * mu(v) / g
    direct_slope = damping / g**2 * (g * slope - mu(v) * g_slope)
    c, d = rate / TRANSPORT, mpc(rate, w) / TRANSPORT

    def force_at(xi):
        held = (a + b * top) * (1 - exp(-d * xi)) / d
        passing = b * top * (exp(-c * xi) - exp(-d * xi)) / (d - c)
        steady_z = top * (1 - exp(-c * xi))
        h2 = elastic_slope * steady_z + direct_slope * v + direct
        return PRESSURES[pressure](xi) * (elastic * (held - passing) / TRANSPORT + h2)

    waves = max(1, int(w / TRANSPORT))
    return quad(force_at, [mpf(i) / waves for i in range(waves + 1)])


@group.add
def linearised():
    """A damping of 0.01 s/m, around a slip of 1 m/s."""
    for pressure, frequencies in (
        ("constant", (1000, 10000)),
        ("exponential", (1000,)),
        ("parabolic", (1000,)),
    ):
        for w in frequencies:
            f = linear_response(pressure, mpf("0.01"), mpf(1), mpf(w))
            yield Number(
                f"linear.{pressure}.gain_{w}", abs(f), 1e-13, f"gain at {w} rad/s [s/m] over load"
            )
    f = linear_response("constant", mpf("0.01"), mpf(1), mpf(1000))
    yield Number("linear.constant.phase_1000", degrees(arg(f)), 1e-9, "phase at 1000 rad/s [deg]")


if __name__ == "__main__":
    group.main()
