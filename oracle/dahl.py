# SPDX-License-Identifier: MIT
"""Loops of the Dahl law and of LuGre under a prescribed motion."""

from mpmath import findroot, mp, mpf, quad, tanh

from common import Group, Number

mp.dps = 30
group = Group(
    "dahl",
    source="T (1.23), Figs. 1.8 and 1.9",
    method="quadrature of the separated equation dx = dF / (sigma (1 - F / Fc)^gamma)",
)


def closed_loop(gamma, sigma=mpf("1.5"), limit=mpf("0.75"), amplitude=mpf(1)):
    """Largest force and area of the steady loop between -amplitude and amplitude.

    On the branch upwards F goes from -peak to peak while x goes over 2 amplitude. For gamma < 1 the
    force reaches its limit within a finite way and stays there.
    """
    gamma = mpf(gamma)

    def way(to, weight=lambda F: 1, start=None):
        return quad(lambda F: weight(F) / (sigma * (1 - F / limit) ** gamma), [start or -to, 0, to])

    if gamma < 1:
        saturates = way(limit)
        if saturates < 2 * amplitude:
            rest = 2 * amplitude - saturates
            return limit, 2 * (way(limit, lambda F: F) + limit * rest)
    peak = findroot(
        lambda F: way(F) - 2 * amplitude, (limit / 2, limit * mpf("0.95")), solver="ridder"
    )
    return peak, 2 * way(peak, lambda F: F)


@group.add
def fig_1_8():
    """T Fig. 1.8: Fc = 0.75 N, sigma = 1.5 N/m, amplitude 1 m."""
    for name, gamma in (
        ("0", 0),
        ("0_25", 0.25),
        ("0_5", 0.5),
        ("1", 1),
        ("1_5", 1.5),
        ("2", 2),
        ("3", 3),
    ):
        peak, area = closed_loop(gamma)
        if name in ("0_25", "0_5", "1_5", "2"):
            yield Number(
                f"fig_1_8.peak_{name}", peak, 1e-14, f"largest force, exponent {gamma} [N]"
            )
        if name in ("0", "0_5", "1", "2", "3"):
            yield Number(
                f"fig_1_8.area_{name}", area, 1e-13, f"area of the loop, exponent {gamma} [J]"
            )


@group.add
def fig_1_9():
    """T Fig. 1.9: Fc = 1.5 N, sigma = 7.5 N/m, exponent 1, in closed form."""
    limit, sigma = mpf("1.5"), mpf("7.5")
    for amplitude in (1, 5):
        peak = limit * tanh(amplitude * sigma / limit)
        yield Number(
            f"fig_1_9.peak_{amplitude}",
            peak,
            1e-15,
            f"Fc tanh(A sigma / Fc) at A = {amplitude} m [N]",
        )
    area = 4 * limit * (1 - limit / sigma * tanh(sigma / limit))
    yield Number(
        "fig_1_9.area_1", area, 1e-14, "4 Fc (A - (Fc / sigma) tanh(A sigma / Fc)) at A = 1 m [J]"
    )


if __name__ == "__main__":
    group.main()
