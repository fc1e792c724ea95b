#!/usr/bin/env python3
"""Frequency response of a linearised rolling contact, R (55)-(59), for FrBD with constant
stiffness and damping. The convolution along the patch is summed with Simpson's rule; (57a) is
taken with its factor z. Prints gain and phase per case and frequency, and the slope of the steady
force (44) at frequency zero. Needs Python only."""
import cmath
import math

MU_D, MU_S, V_S, VISCOUS = 0.2, 0.6, 10.0, 0.0018
SIGMA0, TRANSPORT = 252.0, 200.0


def mu(v):
    return MU_D + (MU_S - MU_D) * math.exp(-((v / V_S) ** 2)) + VISCOUS * abs(v)


def mu_slope(v):
    fall = -2.0 * v / V_S**2 * (MU_S - MU_D) * math.exp(-((v / V_S) ** 2))
    return fall + VISCOUS * math.copysign(1.0, v)


def pressure(kind, xi):
    if kind == "constant":
        return 1.0
    if kind == "exponential":
        return 0.1 * math.exp(-0.1 * xi) / -math.expm1(-0.1)
    return 6.0 * xi * (1.0 - xi)


def response(kind, damping, v, w, n=4000):
    """F~ / v~ at a positive slip velocity v and angular frequency w, for a load of one."""
    g = damping * v + mu(v)
    g_slope = damping + mu_slope(v)
    rate = SIGMA0 * v / g
    top = mu(v) / SIGMA0
    bar0 = SIGMA0 * (1.0 - damping * v / g)
    bar0_slope = -SIGMA0 * damping / g * (1.0 - v / g * g_slope)
    bar2 = damping * mu(v) / g
    bar2_slope = damping / g**2 * (g * mu_slope(v) - mu(v) * g_slope)

    def steady(xi):
        return top * -math.expm1(-rate * xi / TRANSPORT)

    def h1(z):
        return (mu(v) / g * (1.0 - v / g * g_slope) + v / g * mu_slope(v)
                - SIGMA0 * z / g * (1.0 - v / g * g_slope))

    def h2(z):
        return bar0_slope * z + bar2_slope * v + bar2

    decay = (rate + 1j * w) / TRANSPORT
    step = 1.0 / n
    total, z = 0.0, 0.0
    samples = []
    for i in range(n + 1):
        samples.append(pressure(kind, i * step) * (bar0 * z + h2(steady(i * step))))
        if i == n:
            break
        # The next point of the convolution: Simpson over one step of the kernel.
        a, b, c = (h1(steady((i + part) * step)) / TRANSPORT for part in (0.0, 0.5, 1.0))
        full, half = cmath.exp(-decay * step), cmath.exp(-decay * 0.5 * step)
        z = z * full + step / 6.0 * (a * full + 4.0 * b * half + c)
    for i in range(0, n, 2):
        total += step / 3.0 * (samples[i] + 4.0 * samples[i + 1] + samples[i + 2])
    return total


def steady_force(v, damping):
    """R (44) over the load."""
    g = damping * v + mu(v)
    c = SIGMA0 * v / (TRANSPORT * g)
    bar0 = SIGMA0 * (1.0 - damping * v / g)
    return mu(v) / SIGMA0 * bar0 * (c + math.expm1(-c)) / c + damping * mu(v) / g * v


if __name__ == "__main__":
    h = 1e-5
    for damping in (0.0, 0.01):
        slope = (steady_force(1.0 + h, damping) - steady_force(1.0 - h, damping)) / (2.0 * h)
        print(f"damping {damping}: slope of the steady force (44) at 1 m/s {slope:.9g}")
        for kind in ("constant", "exponential", "parabolic"):
            for w in (0.1, 100.0, 1000.0, 1e4):
                f = response(kind, damping, 1.0, w)
                print(f"damping {damping}, {kind}, {w:g} rad/s: gain {abs(f):.10g}, "
                      f"phase {math.degrees(cmath.phase(f)):.8g} deg")
