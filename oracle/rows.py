# SPDX-License-Identifier: MIT
"""Bodies over rows of bristles: discontinuous rotating, compressed, and forces of single places."""

from dataclasses import astuple, dataclass
from math import atan, pi, radians, sqrt, tan

from common import Group, Number
from compiled import doubles, load

group = Group(
    "rows",
    source="T (3.13)-(3.21), Figs. 3.3, 3.7, 3.9; P (1)-(25), (48)-(49), Figs. 4, 6, 7, 9",
    method="every bristle looked at one by one; explicit extrapolation of order 14 from cell to "
    "cell, exact rest (c/rows.c)",
)


@dataclass
class Row:
    """A body over a row, in the order of Problem in c/rows.c, where the equations are."""

    compressed: float = 0
    spacing: float = 0.005
    reach: float = 0.01
    length: float = 0.5
    stiffness: float = 0.1
    height: float = 0.0995
    slant: float = 0.0
    bottom: float = 0.0
    thickness: float = 0.0
    gravity: float = 0.0
    lift: float = 0.0
    lift_frequency: float = 0.0
    mass: float = 1.0
    spring: float = 1.0
    tow: float = 0.0
    amplitude: float = 0.0
    frequency: float = 0.0
    start: float = 0.0
    tolerance: float = 1e-14
    largest_step: float = 0.1

    def run(self, times, room=2000):
        """Rows (x, v, y, F, work in, friction work, releases), events by kind, largest v."""
        rows, events, most = doubles([0] * 7 * len(times)), doubles([0] * 3 * room), doubles([0])
        found = load("rows").slide_over(
            doubles(astuple(self)), doubles(times), len(times), rows, events, room, most
        )
        kinds = {0: [], 1: [], 2: []}
        for k in range(min(found, room)):
            kinds[int(events[3 * k])].append((events[3 * k + 1], events[3 * k + 2]))
        return [rows[7 * k : 7 * k + 7] for k in range(len(times))], kinds, most[0]


SLANT = radians(15.0)
COMPRESSED = {
    "compressed": 1, "spacing": 0.0035, "reach": tan(SLANT), "length": 2.0, "stiffness": 0.01,
    "height": 1.65, "slant": SLANT, "bottom": 500, "thickness": 1.0, "gravity": 10.0,
    "spring": 5.0, "tow": 0.1, "largest_step": 0.05,
}  # fmt: skip


@group.add
def fig_3_7():
    """T Fig. 3.7: 1 kg dragged at 2 mm/s by 1 N/m for 140 s, reach as printed or its own."""
    times = [60.0, 79.0, 110.0, 130.0, 140.0]
    rows, events, most = Row(tow=0.002).run(times)
    for k in range(2):
        yield Number(
            f"fig_3_7.slip_{k + 1}", events[1][k][0], 1.5e-9 * k + 1e-13, f"break-away {k + 1} [s]"
        )
    yield Number("fig_3_7.stick_2", events[0][1][0], 3e-10, "second return to rest [s]")
    for t, row in zip(times, rows):
        yield Number(f"fig_3_7.x_{t:.0f}", row[0], 1e-10, f"position at {t:.0f} s [m]")
    yield Number("fig_3_7.max_velocity", most, 1e-10, "largest velocity [m/s]")
    rows, events, most = Row(tow=0.002, reach=sqrt(0.1**2 - 0.0995**2)).run([80.0, 140.0])
    yield Number("fig_3_7.own_reach.stick_1", events[0][0][0], 1e-9, "first return to rest [s]")
    yield Number("fig_3_7.own_reach.stick_2", events[0][1][0], 1e-9, "second return to rest [s]")
    yield Number(
        "fig_3_7.own_reach.stick_1_at", events[0][0][1], 1e-10, "place of the first rest [m]"
    )
    yield Number("fig_3_7.own_reach.x_80", rows[0][0], 1e-10, "position at 80 s [m]")
    yield Number("fig_3_7.own_reach.max_velocity", most, 1e-8, "largest velocity [m/s]")


@group.add
def fig_3_9_start():
    """T Fig. 3.9: 1 kg on 1 N/m under sin(0.001 t), spacing 5 mm and as printed 10 mm, early."""
    push = {"length": 1.0, "amplitude": 1.0, "frequency": 0.001}
    rows, _, _ = Row(**push).run([120.0, 200.0])
    yield Number("fig_3_9.x_120", rows[0][0], 1e-10, "position at 120 s [m]")
    yield Number("fig_3_9.x_200", rows[1][0], 1e-9, "position at 200 s [m]")
    times = [50.0, 200.0, 300.0]
    rows, _, _ = Row(**push, spacing=0.01).run(times)
    for t, row in zip(times, rows):
        error, what = 1e-10 if t < 100 else 1e-9, f"position at {t:.0f} s, 10 mm apart [m]"
        yield Number(f"fig_3_9.printed.x_{t:.0f}", row[0], error, what)


@group.add(quick=False)
def fig_3_9_areas():
    """T Fig. 3.9: mean work of the input in periods 2 and 3 with the reach of the bristle."""
    period = 2000 * pi
    own = sqrt(0.1**2 - 0.0995**2)
    push = {"length": 1.0, "amplitude": 1.0, "frequency": 0.001, "reach": own}
    cases = (("half", {}), ("printed", {"spacing": 0.01}), ("elsewhere", {"start": 0.0317}))
    for name, case in cases:
        rows, _, _ = Row(**push, **case, tolerance=1e-13).run([period, 3 * period, 4 * period])
        mean = (rows[1][4] - rows[0][4]) / 2
        yield Number(
            f"fig_3_9.{name}.area", mean, 2e-5, "mean work of the input of periods 2, 3 [J]"
        )
        if name == "half":
            count = rows[2][6] - rows[1][6]
            yield Number("fig_3_9.half.releases", count, 0.5, "bristles released in period 4")


@group.add(quick=False)
def fig_3_9_frequencies():
    """The same at other frequencies: which of several loops is entered hangs on rounding."""
    push = {"length": 1.0, "amplitude": 1.0, "reach": sqrt(0.1**2 - 0.0995**2)}
    for name, w, error in (("0_003", 0.003, 0.007), ("0_0005", 0.0005, 0.011)):
        period = 2 * pi / w
        rows, _, _ = Row(**push, frequency=w, tolerance=1e-12).run([period, 3 * period])
        mean = (rows[1][4] - rows[0][4]) / 2
        yield Number(
            f"fig_3_9.half.area_{name}",
            mean,
            error,
            f"mean work of periods 2, 3 at {w:g} rad/s [J]",
            reference_only=name == "0_0005",  # one period in each loop: no number to agree with
        )


@group.add
def single_places():
    """T (3.13)-(3.21): forces of the two directions at single places, bristle by bristle."""

    def force(x, direction, spacing=0.005, reach=0.01, d=0.5, kappa=0.1, h=0.0995):
        u = (direction * x + d / 2 - i * spacing for i in range(-10, 1000))
        return direction * sum(
            kappa / h * atan(a / h) * h**2 / (h**2 + a**2)
            for a in u
            if -1e-12 <= a < reach - 1e-12
        )

    for name, x in (("0", 0.0), ("1", 0.001), ("4", 0.004), ("4_9", 0.0049)):
        yield Number(f"place.forward_{name}_mm", force(x, 1), 1e-14, f"force forward at {x} m [N]")
    for name, x in (("1", 0.001), ("2_5", 0.0025), ("4_9", 0.0049), ("123_4", 0.1234)):
        yield Number(
            f"place.backward_{name}_mm", force(x, -1), 1e-14, f"force backward at {x} m [N]"
        )
    fig_3_3 = {"spacing": 0.002, "reach": sqrt(0.1**2 - 0.098**2), "d": 1.0, "h": 0.098}
    for name, x, way in (("forward_0_3", 0.0003, 1), ("forward_1_7", 0.0017, 1),
                         ("backward_1_7", 0.0017, -1), ("backward_1_95", 0.00195, -1)):  # fmt: skip
        yield Number(
            f"fig_3_3.{name}_mm", force(x, way, **fig_3_3), 1e-14, f"force at {x} m, Fig. 3.3 [N]"
        )
    reach = fig_3_3["reach"]
    largest = sum(
        0.1 / 0.098 * atan(u / 0.098) * 0.098**2 / (0.098**2 + u**2)
        for u in (reach - j * 0.002 for j in range(10))
    )
    yield Number("fig_3_3.largest", largest, 1e-13, "force just before a release [N]")


def compressed_numbers(name, rows, events, most, slips, sticks, samples):
    """The numbers of one run over compressed bristles."""
    for k in slips:
        yield Number(f"{name}.slip_{k}", events[1][k - 1][0], 2e-10, f"break-away {k} [s]")
    for k in sticks:
        yield Number(f"{name}.stick_{k}", events[0][k - 1][0], 2e-10, f"return to rest {k} [s]")
    units = {
        "x": "position [m]",
        "v": "velocity [m/s]",
        "y": "height [m]",
        "force": "friction force [N]",
    }
    for (what, t), row in samples:
        value = row[("x", "v", "y", "force").index(what)]
        yield Number(f"{name}.{what}_{t}", value, 2e-10, f"{units[what]} at {t} s")


@group.add
def fig_p_4():
    """P Fig. 4: h0 = 2.69 m, 500 bristles under the flat bottom, all at rest at 0."""
    times = [1.0, 5.0, 10.0, 20.0, 60.0]
    spacing = (2.0 - tan(SLANT)) / 499
    rows, events, most = Row(**{**COMPRESSED, "height": 2.69, "spacing": spacing}).run(times)
    at = dict(zip((1, 5, 10, 20, 60), rows))
    wanted = [
        ("y", 1),
        ("force", 1),
        ("x", 5),
        ("y", 5),
        ("v", 10),
        ("x", 20),
        ("x", 60),
        ("y", 60),
    ]
    yield from compressed_numbers(
        "fig_p_4", rows, events, most, (1, 2, 3, 4), (1, 2, 3), [(w, at[w[1]]) for w in wanted]
    )
    yield Number("fig_p_4.max_velocity", most, 1e-10, "largest velocity in 60 s [m/s]")
    yield Number("fig_p_4.friction_work", rows[-1][5], 3e-10, "work of friction in 60 s [J]")


@group.add(quick=False)
def fig_p_9():
    """P Fig. 9: the same with h0 = 1.65 m and bristles 3.5 mm apart."""
    rows, events, most = Row(**COMPRESSED).run([5.0, 10.0, 60.0])
    wanted = [(("x", 5), rows[0]), (("v", 10), rows[1]), (("x", 60), rows[2])]
    yield from compressed_numbers("fig_p_9", rows, events, most, (1,), (2,), wanted)


@group.add
def fig_p_6():
    """P Fig. 6: the height given as 0.3 sin(6.8 t), h0 = 4.46 m, k = 0.05 N/m, spring 2 N/m."""
    given = {"compressed": 2, "height": 4.46, "stiffness": 0.05, "bottom": 100, "spring": 2.0,
             "spacing": (2.0 - tan(SLANT)) / 99, "lift": 0.3, "lift_frequency": 6.8}  # fmt: skip
    rows, events, most = Row(**{**COMPRESSED, **given}).run([20.0, 60.0])
    wanted = [(("x", 20), rows[0])]
    yield from compressed_numbers("fig_p_6", rows, events, most, (1, 2, 3), (), wanted)
    yield Number("fig_p_6.max_velocity", most, 2e-8, "largest velocity in 60 s [m/s]")


@group.add(quick=False)
def fig_p_7():
    """P Fig. 7: work of the input in the first two periods of 2 sin(0.01 t), spring 2 N/m."""
    push = {"tow": 0.0, "spring": 2.0, "amplitude": 2.0, "frequency": 0.01}
    period = 200 * pi
    rows, _, _ = Row(**{**COMPRESSED, **push}).run([period, 2 * period])
    yield Number("fig_p_7.area_1", rows[0][4], 3e-9, "work of the input in period 1 [J]")
    yield Number(
        "fig_p_7.area_2", rows[1][4] - rows[0][4], 5e-8, "work of the input in period 2 [J]"
    )


if __name__ == "__main__":
    group.main()
