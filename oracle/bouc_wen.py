# SPDX-License-Identifier: MIT
"""Loops of the Bouc-Wen law under a prescribed motion."""

from mpmath import findroot, mp, mpf, quad

from common import Group, Number

mp.dps = 30
group = Group(
    "bouc_wen",
    source="Wen (1976); T (1.10)-(1.11)",
    method="quadrature of the separated equation dx = dz / (A - |z|^n (beta sgn(z) + gamma))",
)


def closed_loop(exponent, beta, gamma, rise=1, stiffness=2, amplitude=1):
    """Largest force and area of the steady loop between -amplitude and amplitude.

    On the branch upwards z goes from -peak to peak while x goes over 2 amplitude: where z < 0 the
    slope is A + |z|^n (beta - gamma), where z > 0 it is A - z^n (beta + gamma).
    """
    n, beta, gamma, rise = mpf(exponent), mpf(beta), mpf(gamma), mpf(rise)
    most = (rise / (beta + gamma)) ** (1 / n)

    def slope(z):
        return rise - abs(z) ** n * ((beta if z > 0 else -beta) + gamma)

    def way(peak, weight=lambda z: 1):
        parts = [0, peak / 2, peak * mpf("0.9"), peak]
        down = [-p for p in reversed(parts)]
        return quad(lambda z: weight(z) / slope(z), down) + quad(
            lambda z: weight(z) / slope(z), parts
        )

    peak = findroot(
        lambda z: way(z) - 2 * amplitude, (most / 10, most * mpf("0.9999")), solver="anderson"
    )
    assert abs(way(peak) - 2 * amplitude) < mpf(10) ** -20
    return stiffness * peak, 2 * stiffness * way(peak, lambda z: z)


@group.add
def loops():
    """k = 2 N/m, A = 1, amplitude 1 m; soft, hardening and sharp knees."""
    for name, exponent, beta, gamma in (
        ("n_1", 1, "0.6", "0.4"),
        ("n_1_5", 1.5, "0.7", "0.2"),
        ("n_2", 2, "1.5", "-0.5"),
        ("n_4", 4, "2", "2"),
    ):
        peak, area = closed_loop(exponent, beta, gamma)
        what = f"n = {exponent}, beta = {beta}, gamma = {gamma}"
        yield Number(f"{name}.peak", peak, 1e-14, f"largest force, {what} [N]")
        yield Number(f"{name}.area", area, 1e-13, f"area of the loop, {what} [J]")


if __name__ == "__main__":
    group.main()
