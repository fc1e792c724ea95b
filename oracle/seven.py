# SPDX-License-Identifier: MIT
"""The friction oscillator with the seven-parameter law, whose force lags behind the velocity."""

from bisect import bisect_right
from math import pi, sin

from scipy.integrate import solve_ivp

from common import Group, Number

group = Group(
    "seven",
    source="H (3.9)-(3.10), (5.4)",
    method="method of steps: explicit Runge-Kutta of order 8 between changes and their echoes one "
    "delay later, delayed velocities from the dense output",
)

MASS, SPRING, DAMPING = 3.35, 5040.0, 16.85
COULOMB, RISE, VELOCITY, DELAY, DWELL = 8.75, 2.45, 0.02, 0.002, 0.01


def fall(v):
    """What is left of the Stribeck effect at a velocity."""
    return 1 / (1 + (v / VELOCITY) ** 2)


class Oscillator:
    """M x'' = -2k x - c x' - M e'' - F, e = 3 mm at 10 Hz, from x = 0 with 1 mm/s in slip.

    slip    F = sign(v) (Fc + Fs / (1 + (v(t - delay) / vs)^2)), until v = 0
    stick   F = F1 + k (x - x1) from force and place of the stop, until |F| = Fc + Fs(td)
    Fs(td) = Fe + (rise - Fe) td / (td + dwell), Fe what was left of Fs at the stop
    """

    def __init__(self, stiffness):
        self.stiffness = stiffness
        self.sticks, self.side, self.rise = False, 1, RISE
        self.force_then, self.place, self.since, self.left = 0.0, 0.0, 0.0, 0.0
        self.starts, self.pieces = [], []

    def delayed(self, t):
        """The velocity one delay ago; before the start it was that of the start."""
        k = bisect_right(self.starts, t - DELAY) - 1
        return 1e-3 if k < 0 else self.pieces[k](t - DELAY)[1]

    def again(self, t):
        """Fs after the rest so far."""
        td = max(t - self.since, 0.0)
        return self.left + (RISE - self.left) * td / (td + DWELL)

    def force(self, t, x):
        if self.sticks:
            return self.force_then + self.stiffness * (x - self.place)
        return self.side * (COULOMB + self.rise * fall(self.delayed(t)))

    def rates(self, t, y):
        w = 20 * pi
        base = 0.003 * w * w * sin(w * t)
        return [y[1], base - (SPRING * y[0] + DAMPING * y[1] + self.force(t, y[0])) / MASS]

    def margin(self, t, y):
        """Falls through zero where the mode changes."""
        if self.sticks:
            return COULOMB + self.again(t) - abs(self.force(t, y[0]))
        return self.side * y[1]

    def change(self, t, y):
        """From slip to stick and back."""
        if self.sticks:
            self.rise, self.sticks = self.again(t), False
            self.side = 1 if y[1] > 0 else -1
        else:
            self.force_then, self.left = self.force(t, y[0]), self.rise * fall(self.delayed(t))
            self.place, self.since, self.sticks = y[0], t, True

    def run(self, end):
        """Position and velocity at the end. Pieces end where a change is felt one delay later."""
        t, y, echoes = 0.0, [0.0, 1e-3], [DELAY]
        margin = lambda s, y: self.margin(s, y)
        margin.terminal, margin.direction = True, -1
        while t < end:
            echoes = [e for e in echoes if e > t]
            stop = min([end, t + DELAY, *echoes])
            done = solve_ivp(
                self.rates,
                (t, stop),
                y,
                method="DOP853",
                rtol=1e-12,
                atol=1e-15,
                max_step=DELAY / 8,
                events=margin,
                dense_output=True,
            )
            self.starts.append(t)
            self.pieces.append(done.sol)
            t, y = done.t[-1], done.y[:, -1].tolist()
            if done.status == 1:
                self.change(t, y)
                echoes.append(t + DELAY)
        return y


@group.add
def harmonic_base():
    """Three periods of 3 mm at 10 Hz with a soft and with a stiff contact."""
    for name, stiffness in (("soft", 2e5), ("stiff", 1e6)):
        x, v = Oscillator(stiffness).run(0.3)
        yield Number(f"{name}.x", x, 1e-12, f"position at 0.3 s, {stiffness:g} N/m [m]")
        yield Number(f"{name}.v", v, 1e-11, f"velocity at 0.3 s, {stiffness:g} N/m [m/s]")


if __name__ == "__main__":
    group.main()
