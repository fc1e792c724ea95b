# SPDX-License-Identifier: MIT
"""Bodies on one bristle: stick-slip, presliding, staircases of LuGre, FrBD and their relatives."""

from dataclasses import astuple, dataclass
from math import pi

from common import Group, Number
from compiled import doubles, load

group = Group(
    "bristle",
    source="R (13)-(18), (60), Table II; T (1.24)-(1.27), (3.59)-(3.60), (3.65)-(3.71), (3.83)-(3.89); "
    "P (72)-(77)",
    method="explicit extrapolation of order 14 between located corners of |v| and edges of the "
    "sawtooth (c/bristle.c)",
)


@dataclass
class Ride:
    """A mass on a bristle, in the order of Problem in c/bristle.c, where the equations are."""

    type: float = 0  # 0 LuGre, 1 FrBD, 2 elasto-plastic
    curve: float = 0  # 0 exponential, 1 sech, 2 sawtooth
    s0: float = 1e4
    s1: float = 64.5
    s2: float = 0.0
    a: float = 1.0
    b: float = 0.5
    c: float = 0.0
    vs: float = 0.01
    mass: float = 1.0
    spring: float = 2.0
    tow: float = 0.1
    amplitude: float = 0.0
    frequency: float = 0.0
    fraction: float = 0.7
    tolerance: float = 1e-13
    level: float = 0.05

    def run(self, times):
        """Rows (x, v, z, F, work in, friction work) at the times, crossings, largest v and l."""
        rows, crossings, most = doubles([0] * 6 * len(times)), doubles([0] * 64), doubles([0, 0])
        library = load("bristle")
        found = library.ride(
            doubles(astuple(self)), doubles(times), len(times), rows, crossings, 64, most
        )
        return (
            [rows[6 * k : 6 * k + 6] for k in range(len(times))],
            list(crossings[:found]),
            list(most),
        )


FRBD = {"type": 1, "c": 0.04}
LUGRE = {"s2": 0.04}
LUGRE_IN_CURVE = {"c": 0.04}
ELASTO_PLASTIC = {"type": 2, "s2": 0.04}
SBM = {"s0": 1e5, "s1": 0.0, "a": 1.0, "b": 0.5, "vs": 0.1}
FFBM = {"s0": 1e5, "s1": 0.0, "curve": 2, "a": 1.0, "b": 0.5, "vs": 0.05}
MPABM = {"s0": 1e5, "s1": 0.0, "a": 0.5, "b": 0.25, "vs": 0.001}


@group.add
def frbd_stick_slip():
    """R Fig. 8: a mass of 1 kg dragged at 0.1 m/s by 2 N/m from rest, Table II, load 1 N."""
    rows, beats, most = Ride(**FRBD).run([8.0, 10.0, 40.0])
    for k in range(3):
        yield Number(
            f"frbd.beat_{k + 1}", beats[k], 1e-11, f"upward crossing {k + 1} of v = 0.05 m/s [s]"
        )
    yield Number("frbd.period", beats[2] - beats[1], 1e-11, "time between crossings 2 and 3 [s]")
    yield Number("frbd.x_8", rows[0][0], 1e-11, "position at 8 s [m]")
    yield Number("frbd.v_8", rows[0][1], 1e-11, "velocity at 8 s [m/s]")
    yield Number("frbd.force_8", rows[0][3], 1e-11, "friction force at 8 s [N]")
    yield Number("frbd.x_10", rows[1][0], 1e-11, "position at 10 s [m]")
    yield Number("frbd.max_velocity", most[0], 1e-11, "largest velocity in 40 s [m/s]")


@group.add
def lugre_stick_slip():
    """The same on LuGre with the viscous part beside the bristle and inside its curve."""
    rows, beats, most = Ride(**LUGRE).run([8.0, 24.0])
    yield Number("lugre.beat_1", beats[0], 1e-11, "first upward crossing of v = 0.05 m/s [s]")
    yield Number("lugre.period", beats[1] - beats[0], 1e-11, "time between crossings 1 and 2 [s]")
    yield Number("lugre.max_velocity", most[0], 1e-11, "largest velocity in 24 s [m/s]")
    yield Number("lugre.x_8", rows[0][0], 1e-11, "position at 8 s [m]")
    _, beats, _ = Ride(**LUGRE_IN_CURVE).run([24.0])
    yield Number(
        "lugre.in_curve.beat_1", beats[0], 1e-11, "first crossing, viscous part in the curve [s]"
    )
    yield Number(
        "lugre.in_curve.period", beats[1] - beats[0], 1e-11, "time between crossings 1 and 2 [s]"
    )


@group.add
def elasto_plastic_stick_slip():
    """The same on the elasto-plastic law, T (3.59)-(3.60), elastic up to 0.7 Fc / s0."""
    rows, beats, most = Ride(**ELASTO_PLASTIC).run([8.0, 24.0])
    yield Number("elasto_plastic.beat_1", beats[0], 1e-10, "first crossing of v = 0.05 m/s [s]")
    yield Number("elasto_plastic.beat_2", beats[1], 1e-10, "second crossing of v = 0.05 m/s [s]")
    yield Number("elasto_plastic.max_velocity", most[0], 1e-10, "largest velocity in 24 s [m/s]")
    yield Number("elasto_plastic.x_8", rows[0][0], 1e-10, "position at 8 s [m]")


@group.add
def presliding():
    """R Fig. 5: work of the input in the 8th period of a free mass under 1.35 sin(2 pi f t)."""
    for name, law in (("frbd", FRBD), ("lugre", LUGRE)):
        for f in (1, 5, 10):
            body = {"spring": 0.0, "tow": 0.0, "amplitude": 1.35, "frequency": 2 * pi * f}
            rows, _, _ = Ride(**law, **body).run([7.0 / f, 8.0 / f])
            work = rows[1][4] - rows[0][4]
            yield Number(
                f"presliding.{name}_{f}_hz", work, 1e-14, f"work of the 8th period at {f} Hz [J]"
            )


@group.add
def staircases():
    """T Figs. 3.12 and 3.15: a mass of 1 kg on a spring under 2 sin(0.01 t), from rest."""
    push = {"tow": 0.0, "amplitude": 2.0, "frequency": 0.01}
    times = [60.0, 80.0, 95.0, 100.0]
    rows, _, _ = Ride(**FFBM, **push, spring=1.0).run(times)
    for t, row in zip(times, rows):
        yield Number(f"ffbm.x_{t:.0f}", row[0], 5e-12, f"FFBM, position at {t:.0f} s [m]")
    times = [20.0, 38.0, 45.0, 50.0]
    rows, _, _ = Ride(**MPABM, **push, spring=2.0).run(times)
    for t, row in zip(times, rows):
        yield Number(
            f"mpabm.x_{t:.0f}",
            row[0],
            1e-12 if t < 40 else 1e-11,
            f"MPABM, position at {t:.0f} s [m]",
        )


@group.add(quick=False)
def mpabm_period():
    """T Fig. 3.15: work of the input in the third period."""
    period = 200 * pi
    rows, _, _ = Ride(**MPABM, tow=0.0, amplitude=2.0, frequency=0.01, spring=2.0).run(
        [2 * period, 3 * period]
    )
    yield Number("mpabm.area_3", rows[1][4] - rows[0][4], 1e-7, "work of the input in period 3 [J]")


@group.add
def sbm_tow():
    """P Fig. 12(a): a mass of 1 kg dragged at 0.1 m/s by 1 N/m on the simplified bristle model."""
    _, beats, most = Ride(**SBM, spring=1.0, level=0.02).run([80.0])
    for k in range(3):
        yield Number(
            f"sbm.beat_{k + 1}", beats[k], 1e-9, f"upward crossing {k + 1} of v = 0.02 m/s [s]"
        )
    yield Number("sbm.period", beats[4] - beats[3], 1e-7, "time between crossings 4 and 5 [s]")
    yield Number("sbm.max_velocity", most[0], 1e-9, "largest velocity in 80 s [m/s]")
    yield Number("sbm.max_stretch", most[1], 1e-9, "largest stretch of the spring in 80 s [m]")


@group.add(quick=False)
def sbm_hysteresis():
    """P Fig. 12(b): work of the input in the first two periods of 5 sin(0.01 t), spring 1 N/m."""
    period = 200 * pi
    for name, curve in (("exponential", 0), ("sech", 1)):
        law = {
            **SBM,
            "curve": curve,
            "tow": 0.0,
            "amplitude": 5.0,
            "frequency": 0.01,
            "spring": 1.0,
        }
        rows, _, _ = Ride(**law).run([period, 2 * period])
        yield Number(f"sbm.{name}.area_1", rows[0][4], 3e-7, "work of the input in period 1 [J]")
        yield Number(
            f"sbm.{name}.area_2", rows[1][4] - rows[0][4], 3e-7, "work of the input in period 2 [J]"
        )


if __name__ == "__main__":
    group.main()
