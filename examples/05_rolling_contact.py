# SPDX-License-Identifier: MIT
"""A tyre in a vehicle simulation: four contact patches at the step of the vehicle, from 20 m/s down
to standstill."""
import math
import sys

from bristle import ContactPatch, laws

law = laws.FrBD(stiffness=252.0, damping=4.0, viscous=0.0018, dynamic_coefficient=0.6,
                static_coefficient=1.0, stribeck_velocity=10.0)
contact_length, load, mass, step = 0.1, 4000.0, 1600.0, 1e-4
tyres = [ContactPatch(law, load=load, pressure="exponential") for _ in range(4)]

# Wheels braked to roll five percent slower than the vehicle.
speed, time = 20.0, 0.0
while time < 6.0:
    slip = 0.05 * speed
    wheel = speed - slip
    force = 0.0
    for tyre in tyres:
        tyre.advance(step, slip, max(0.0, wheel) / contact_length)
        force += tyre.force(slip)
    speed -= step * force / mass
    time += step
    if math.fmod(time, 0.5) < step:
        print(f"t = {time:4.1f} s   v = {speed:7.3f} m/s   F = {force:8.1f} N")
sys.exit(0 if abs(speed) < 0.1 else 1)
