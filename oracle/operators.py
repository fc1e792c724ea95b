# SPDX-License-Identifier: MIT
"""Maxwell-slip, multiplay in its limit, generalised Prandtl-Ishlinskii, and folded curves.

Nothing here updates a play. A sum of plays is known by its curve of first loading f(s): a branch
that turned at (u0, y0) is y0 +- 2 f(|u - u0| / 2) (Masing), and a turning point is forgotten once a
later branch passes it (Madelung). The inverse operator has the inverse curve of first loading.
"""

from fractions import Fraction

from mpmath import atanh, exp, findroot, mp, mpf, quad, sqrt, tanh

from common import Group, Number

mp.dps = 30
group = Group(
    "operators",
    source="T (1.20)-(1.21), (2.1)-(2.4), (2.22)-(2.29), (5.23)-(5.26), Table 5.1, Example 5.3.2",
    method="curve of first loading with the rules of Masing and Madelung, in rational numbers "
    "where they suffice; quadrature of branches",
)


class Masing:
    """An operator with return-point memory by its odd curve of first loading."""

    def __init__(self, first):
        self.first = first
        self.points = [
            (0, 0)
        ]  # the start, the turning points that are remembered, the present point

    def loading(self, u):
        return self.first(u) if u >= 0 else -self.first(-u)

    def branch(self, u):
        """The points that are left on a monotone way to u, the last is where its branch began."""
        points = list(self.points)
        # The present point is no turning point if the way goes on in the same direction.
        if len(points) > 1 and (points[-1][0] - points[-2][0]) * (u - points[-1][0]) >= 0:
            points.pop()
        while len(points) > 2 and (points[-2][0] - points[-1][0]) * (u - points[-2][0]) >= 0:
            del points[-2:]  # the loop closed: the branch before it goes on
        if len(points) == 2 and abs(u) >= abs(points[1][0]):
            points.pop()  # beyond the mirror image of the first turning point is first loading
        return points

    def value(self, u):
        """The output at u on a monotone way from the present point."""
        points = self.branch(u)
        u0, y0 = points[-1]
        return self.loading(u) if len(points) == 1 else y0 + 2 * self.loading((u - u0) / 2)

    def move(self, u):
        """Goes monotonically to u."""
        y, points = self.value(u), self.branch(u)
        self.points = points + [(u, y)]
        return y


def slipping(widths, springs):
    """First loading of springs k with sliders of threshold w: sum k min(s, w)."""
    return lambda s: sum(k * min(s, w) for w, k in zip(widths, springs))


def loop_area(widths, springs, amplitude):
    """Area of the loop of the branches y = -f(A) + 2 f((u + A) / 2) and its mirror image.

    The integral of a polygon is exact between its corners.
    """
    f = slipping(widths, springs)
    corners = sorted({-amplitude, amplitude} | {min(2 * w - amplitude, amplitude) for w in widths})
    upward = [-f(amplitude) + 2 * f((u + amplitude) / 2) for u in corners]
    under = sum(
        (b - a) * (y + z) / 2 for a, b, y, z in zip(corners, corners[1:], upward, upward[1:])
    )
    return 2 * under


def rational(*numbers):
    return [Fraction(str(n)) for n in numbers]


@group.add
def fig_1_7():
    """T Fig. 1.7: ten elements; areas and forces on the minor loops."""
    widths = rational(0.15, 0.24, 0.33, 0.42, 0.51, 0.6, 0.69, 0.78, 0.87, 0.96)
    springs = rational(1, 1.8, 2.6, 3.4, 4.2, 5, 5.8, 6.6, 7.4, 8.2)
    half = Fraction(1, 2)
    yield Number(
        "fig_1_7.area_1",
        loop_area(widths, springs, Fraction(1)),
        1e-15,
        "area of the loop of 1 m [J]",
    )
    yield Number(
        "fig_1_7.area_half",
        loop_area(widths, springs, half),
        1e-15,
        "area of the loop of 0.5 m [J]",
    )
    model = Masing(slipping(widths, springs))
    model.move(Fraction(1)), model.move(Fraction(-1))
    yield Number(
        "fig_1_7.period", model.move(Fraction(0)), 1e-15, "force after one period, at u = 0 [N]"
    )
    yield Number(
        "fig_1_7.upper", model.move(half), 1e-15, "force at u = 0.5 m on the upper loop [N]"
    )
    model = Masing(slipping(widths, springs))
    for u in (1, -1, 1):
        model.move(Fraction(u))
    yield Number(
        "fig_1_7.lowest", model.move(-half), 1e-15, "force at u = -0.5 m on the lower loop [N]"
    )
    yield Number(
        "fig_1_7.lower", model.move(half), 1e-15, "force at u = 0.5 m on the lower loop [N]"
    )


@group.add
def chapter_2():
    """T Figs. 2.4 to 2.10: areas of the limit of slow inputs, and the inverse (2.28)-(2.29)."""
    s_widths, s_springs = rational(*range(1, 20, 2)), rational(*[-1] * 5, *[2] * 5)
    minor_widths, minor_springs = rational(1, *range(2, 19, 2)), rational(*[-2] * 4, *[2] * 6)
    yield Number(
        "fig_2_4.limit",
        loop_area(rational(0.2, 0.8), rational(1, 1), Fraction(1)),
        1e-15,
        "area, A = 1 m [J]",
    )
    yield Number(
        "fig_2_5.area",
        loop_area(rational(1, 3), rational(2, 4), Fraction(5)),
        1e-15,
        "area, A = 5 m [J]",
    )
    yield Number(
        "fig_2_5.largest",
        slipping(rational(1, 3), rational(2, 4))(Fraction(5)),
        1e-15,
        "largest force [N]",
    )
    for amplitude in (20, 10):
        area = loop_area(s_widths, s_springs, Fraction(amplitude))
        yield Number(
            f"fig_2_6.area_{amplitude}",
            area,
            1e-12,
            f"area of the S-shaped loop, A = {amplitude} m [J]",
        )
    yield Number(
        "fig_2_6.largest", slipping(s_widths, s_springs)(Fraction(20)), 1e-13, "largest force [N]"
    )
    yield Number(
        "fig_2_8.largest",
        slipping(minor_widths, minor_springs)(Fraction(20)),
        1e-13,
        "largest force [N]",
    )
    yield Number(
        "fig_2_8.area_5",
        loop_area(minor_widths, minor_springs, Fraction(5)),
        1e-13,
        "area, A = 5 m [J]",
    )
    # Between two thresholds the area is linear in the amplitude: its zero is that of the chord.
    low, high = Fraction(14), Fraction(16)
    a, b = loop_area(minor_widths, minor_springs, low), loop_area(minor_widths, minor_springs, high)
    zero = low + (high - low) * a / (a - b)
    balance = loop_area(minor_widths, minor_springs, zero)
    yield Number("fig_2_8.balanced", zero, 1e-14, "amplitude of no net area [m]")
    yield Number("fig_2_8.balance", balance, 1e-15, "area at that amplitude [J]")
    # First loading is a polygon: its inverse has slopes 1 / s_j, and the steps of slopes are k'.
    slopes = [sum(s_springs[j:]) for j in range(10)]
    inverse = [1 / s for s in slopes]
    for j in (1, 2, 4, 7, 10):
        step = inverse[j - 1] - (inverse[j] if j < 10 else 0)
        # With k'_10 the inverse is finite beyond: its last slope is kept.
        value = step if j < 10 else inverse[9]
        yield Number(f"fig_2_10.stiffness_{j}", value, 1e-16, f"k'_{j} of the inverse [m/N]")
    f = slipping(s_widths, s_springs)
    for j in (2, 5, 9):
        yield Number(
            f"fig_2_10.threshold_{j}",
            f(s_widths[j - 1]),
            1e-13,
            f"threshold {j} of the inverse [N]",
        )


@group.add
def table_5_1():
    """T (5.23)-(5.26): y = q G + sum p_i play_i(G), G = 4.0904 tanh(0.7774 H - 0.0666) - 0.2686.

    p_i = rho exp(-tau w_i), w_i = i beta, with three plays.
    """
    q, rho, tau, beta = mpf("11.9609"), mpf("4.6403"), mpf("-0.1909"), mpf("1.1386")
    c = [mpf(x) for x in ("4.0904", "0.7774", "-0.0666", "-0.2686")]
    w = [beta * i for i in (1, 2, 3)]
    p = [rho * exp(-tau * x) for x in w]

    def first(s):
        return q * s + sum(b * max(s - a, 0) for a, b in zip(w, p))

    def envelope(H):
        return c[0] * tanh(c[1] * H + c[2]) + c[3]

    def field(G):
        return (atanh((G - c[3]) / c[0]) - c[2]) / c[1]

    def after(*fields):
        model = Masing(first)
        for H in fields:
            model.move(envelope(mpf(H)))
        return model

    yield Number("table_5_1.weight_2", p[1], 1e-14, "weight of the second play")
    yield Number("table_5_1.weight_3", p[2], 1e-14, "weight of the third play")
    yield Number("table_5_1.at_2", after(2).points[-1][1], 1e-13, "output at H = 2 from the start")
    yield Number(
        "table_5_1.at_minus_2", after(2, -2).points[-1][1], 1e-13, "output at H = -2 after 2"
    )
    yield Number(
        "table_5_1.at_minus_3",
        after(2, -2, -3).points[-1][1],
        1e-13,
        "output at H = -3 after 2 and -2",
    )
    yield Number("table_5_1.at_5", after(5).points[-1][1], 1e-13, "output at H = 5 from the start")
    yield Number(
        "table_5_1.remanence_down",
        after(3, -3, 3).value(envelope(0)),
        1e-13,
        "output at H = 0 from 3",
    )
    yield Number(
        "table_5_1.remanence_up",
        after(3, -3, 3, -3).value(envelope(0)),
        1e-13,
        "output at H = 0 from -3",
    )
    up = after(3, -3, 3, -3)
    coercive = findroot(lambda H: up.value(envelope(H)), mpf("0.58"))
    yield Number(
        "table_5_1.coercive", coercive, 1e-14, "field at which the output is zero on the way up"
    )
    for amplitude in (2, 3):
        top, bottom = envelope(mpf(amplitude)), envelope(mpf(-amplitude))
        span = top - bottom
        # Corners of the branches: where a play begins to follow.
        corners = [2 * x for x in w if 2 * x < span]
        up, down = after(amplitude, -amplitude), after(-amplitude, amplitude)
        rising = [-amplitude] + [field(bottom + x) for x in corners] + [amplitude]
        falling = [amplitude] + [field(top - x) for x in corners] + [-amplitude]
        area = quad(lambda H: up.value(envelope(H)), rising) + quad(
            lambda H: down.value(envelope(H)), falling
        )
        yield Number(
            f"table_5_1.area_{amplitude}",
            area,
            1e-12,
            f"integral of y dH round the loop of H = {amplitude}",
        )
    slopes = [q + sum(p[:i]) for i in range(4)]
    for i in (1, 2):
        yield Number(
            f"table_5_1.inverse_threshold_{i}",
            first(w[i - 1]),
            1e-13,
            f"threshold {i} of the inverse",
        )
    for i in (2, 3):
        weight = 1 / slopes[i] - 1 / slopes[i - 1]
        yield Number(f"table_5_1.inverse_weight_{i}", weight, 1e-16, f"weight {i} of the inverse")


@group.add
def example_5_3_2():
    """T Example 5.3.2: the circle under y -> 2 - |y - 1/2| * (1 on the left, 4 on the right).

    Crossings where upper and lower half have the same image; the lobe between them by quadrature.
    """

    def tent(y):
        return 2 - (mpf("0.5") - y if y < 0.5 else 4 * (y - mpf("0.5")))

    def gap(x):
        h = sqrt(1 - x * x)
        return tent(h) - tent(-h)

    crossing = findroot(gap, mpf("0.55"))
    corner = sqrt(mpf(3)) / 2  # where the upper half passes the top of the tent
    assert crossing < corner
    yield Number(
        "example_5_3_2.crossing", crossing, 1e-15, "crossing of the folded curve, sqrt(11) / 6"
    )
    area = quad(gap, [-crossing, 0, crossing])
    yield Number("example_5_3_2.lobe", area, 1e-13, "area of the lobe in the middle")


if __name__ == "__main__":
    group.main()
