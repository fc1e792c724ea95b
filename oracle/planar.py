# SPDX-License-Identifier: MIT
"""Planar reset integrator in its polar form, and the same along one line."""

from math import atan2, cos, exp, hypot, pi, sin

from scipy.integrate import solve_ivp

from common import Group, Number

group = Group(
    "planar",
    source="W (3.1)-(3.7), Figs. 3.5 and 3.7, damping (3.7) by the norm of the slip velocity",
    method="polar form z_phi' = v_phi / z_r of the slipping bristle, Cartesian while it sticks; "
    "multistep method (LSODA) with located changes",
)

STIFFNESS, RANGE, SPRING = 100.0, 0.01, 100.0


def sticking(pull, gradient, damping):
    """x' = v, v' = pull(t, x) - F, z' = v with F = stiffness (1 + gradient) z + damping(|v|) v."""

    def rates(t, y):
        x, v, z = y[0:2], y[2:4], y[4:6]
        p = pull(t, x)
        d = damping(hypot(*v))
        F = [STIFFNESS * (1 + gradient) * z[i] + d * v[i] for i in (0, 1)]
        return [v[0], v[1], p[0] - F[0], p[1] - F[1], v[0], v[1]]

    return rates


def slipping(pull):
    """The bristle keeps its length and turns: phi' = (v . e_phi) / range, F = stiffness z."""

    def rates(t, y):
        x, v, phi = y[0:2], y[2:4], y[4]
        p = pull(t, x)
        F = STIFFNESS * RANGE
        turn = (v[1] * cos(phi) - v[0] * sin(phi)) / RANGE
        return [v[0], v[1], p[0] - F * cos(phi), p[1] - F * sin(phi), turn]

    return rates


def run(
    pull,
    start,
    times,
    gradient=0.1,
    damping=lambda s: 74.15 * exp(-((s / 0.01) ** 2)),
    extremes=None,
    stops=None,
):
    """States (x, v, z) at the times and the changes (time, slips).

    extremes collects (t, x_1) where v_1 = 0 within a phase, stops where a slip ends.
    """

    def bent(t, y):
        return hypot(y[4], y[5]) - RANGE

    def outward(t, y):
        return y[2] * cos(y[4]) + y[3] * sin(y[4])

    def still(t, y):
        # The interpolation of a step that begins at rest is off by rounding, of either sign.
        return y[2] if abs(y[2]) > 1e-14 else 0.0

    bent.terminal = outward.terminal = True
    bent.direction, outward.direction = 1, -1
    options = {"method": "LSODA", "rtol": 1e-13, "atol": 1e-16, "max_step": 2e-3}
    t, y, slips, rows, changes = 0.0, list(start), False, [], []
    for end in times:
        while t < end:
            rates = slipping(pull) if slips else sticking(pull, gradient, damping)
            change = outward if slips else bent
            done = solve_ivp(rates, (t, end), y, events=[change, still], **options)
            t, y = done.t[-1], done.y[:, -1].tolist()
            if extremes is not None:
                extremes += [(a, b[0]) for a, b in zip(done.t_events[1], done.y_events[1])]
            if done.status == 1:
                y = done.y_events[0][0].tolist()
                if slips and stops is not None:
                    stops.append((t, y[0]))
                slips = not slips
                changes.append((t, slips))
                # From rounding on the circle to just inside it, so that the next crossing is seen.
                short = RANGE * (1 - 1e-13)
                y = y[:4] + (
                    [atan2(y[5], y[4])] if slips else [short * cos(y[4]), short * sin(y[4])]
                )
        z = [RANGE * cos(y[4]), RANGE * sin(y[4])] if slips else y[4:6]
        rows.append(y[:4] + z)
    return rows, changes


def held(t, x):
    return [-SPRING * x[0], -SPRING * x[1]]


BENT = [1e-4 * cos(3 * pi / 4), 1e-4 * sin(3 * pi / 4)]


@group.add
def oscillator():
    """W Fig. 3.5: 1 kg on springs of 100 N/m from (0.08, 0.08) m with (-0.8, 0.8) m/s."""
    extremes = []
    rows, changes = run(held, [0.08, 0.08, -0.8, 0.8, *BENT], [0.5, 2.0, 2.5], extremes=extremes)
    yield Number("oscillator.slip_1", changes[0][0], 1e-10, "first slip [s]")
    yield Number("oscillator.stick_1", changes[1][0], 1e-8, "first stick [s]")
    names = ("x_1", "x_2", "v_1", "v_2", "z_1", "z_2")
    for i, name in enumerate(names):
        yield Number(f"oscillator.{name}_0_5", rows[0][i], 1e-11, f"{name} at 0.5 s")
    for i, name in enumerate(names[:4]):
        yield Number(f"oscillator.{name}_2", rows[1][i], 3e-10 if i < 2 else 3e-9, f"{name} at 2 s")
    # The velocity starts negative: the first zero of v_1 is the first extreme of x_1.
    yield Number("oscillator.extreme", abs(extremes[0][1]), 1e-9, "first extreme of |x_1| [m]")


@group.add
def dragged():
    """W Fig. 3.7: 1 kg dragged by 100 N/m at (0.01, 0.005) m/s from rest."""
    pull = lambda t, x: [SPRING * (0.01 * t - x[0]), SPRING * (0.005 * t - x[1])]
    rows, changes = run(pull, [0, 0, 0, 0, *BENT], [12.0])
    slips = [t for t, begins in changes if begins]
    for k in range(6):
        yield Number(f"dragged.slip_{k + 1}", slips[k], 1e-8, f"slip {k + 1} [s]")
    yield Number("dragged.x_1", rows[0][0], 1e-9, "first coordinate at 12 s [m]")
    yield Number("dragged.x_2", rows[0][1], 1e-9, "second coordinate at 12 s [m]")


@group.add
def along_one_line():
    """W (3.1)-(3.2): from 0.08 m at rest along the first axis, with and without damping.

    Without it every swing loses Coulomb's work, less what the bristle gives back as it turns.
    """
    for name, gradient, damping, end, wanted in (
        ("plain", 0.0, lambda s: 0.0, 2.0, 5),
        ("damped", 0.1, lambda s: 74.15, 1.2, 2),
    ):
        # The body turns as a slip ends, or later on the bristle.
        extremes, stops = [], []
        run(held, [0.08, 0, 0, 0, 0.0, 0.0], [end], gradient, damping, extremes, stops)
        turns = sorted(extremes + stops)
        turns = [b for a, b in zip([(0.0, 0.0)] + turns, turns) if b[0] - a[0] > 1e-6]
        sizes = [abs(x) for _, x in turns]
        for k in range(wanted):
            yield Number(
                f"line.{name}.extreme_{k + 1}", sizes[k], 2e-9, f"extreme {k + 1} of |x| [m]"
            )


if __name__ == "__main__":
    group.main()
