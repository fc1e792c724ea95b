#!/usr/bin/env python3
"""Turning points of a mass on a wall spring with the reset integrator, W (3.1)-(3.2), without
stiction gradient and damping. Stick and slip are both harmonic, so the solution is followed from
event to event in closed form; event times are found by bisection. Needs Python only."""
import math

MASS, SPRING, STIFFNESS, RANGE = 1.0, 100.0, 100.0, 0.01


def turning_points(x, count):
    """From rest at x with the bristle undeformed."""
    v, z, slips, found = 0.0, 0.0, 0.0, []
    while len(found) < count:
        stiff = SPRING if slips else SPRING + STIFFNESS
        # Force from the bristle: constant in slip, growing with the position in stick.
        centre = (-STIFFNESS * slips * RANGE if slips else STIFFNESS * (x - z)) / stiff
        w = math.sqrt(stiff / MASS)
        a, b = x - centre, v / w

        def position(t):
            return centre + a * math.cos(w * t) + b * math.sin(w * t)

        def velocity(t):
            return w * (b * math.cos(w * t) - a * math.sin(w * t))

        def turned(t):
            return velocity(t) * velocity(1e-9) < 0.0

        def ended(t):
            return turned(t) or (not slips and abs(z + position(t) - x) >= RANGE)

        high = 1e-6
        while not ended(high):
            high += 1e-4
        low = max(high - 1e-4, 1e-9)
        for _ in range(200):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if ended(middle) else (middle, high)
        t, turns = high, turned(high)
        if not slips:
            z += position(t) - x
        x, v = position(t), velocity(t)
        if turns:
            found.append(x)
            v, slips = 0.0, 0.0
        else:
            z = math.copysign(RANGE, z)
            slips = math.copysign(1.0, z)
    return found


if __name__ == "__main__":
    print(" ".join(f"{x:.12f}" for x in turning_points(0.08, 6)))
