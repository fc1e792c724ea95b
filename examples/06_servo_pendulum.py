# SPDX-License-Identifier: MIT
"""Identifies the gear friction of a servo from runs of a pendulum, and tests the result on runs the
fit has not seen. The runs are made here from known parameters; for measured ones see
docs/tasks/servo-pendulum.md."""
import sys

import numpy as np

import bristle
from bristle import MachineBuilder, Signal, couplings, laws


def pendulum(gain=400.0, goal=None, **friction):
    """The motor and the arm, joined by a gear whose friction depends on the torque it carries."""
    return (MachineBuilder()
            .body("armature", inertia=0.002, motion="rotation")
            .body("arm", inertia=0.0049, motion="rotation")
            .coupling("gear", couplings.Gear(ratio=1.0), between=("armature", "arm"))
            .coupling("weight", couplings.PendulumWeight(weight=0.48), on="arm")
            .coupling("servo", couplings.Servo(gain=gain), on="armature",
                      signals={"goal": goal} if goal else None)
            .contact("teeth", laws.GearFriction(**friction), on="armature", load_from="gear")
            .build())


def make_run(i):
    """A sine as the goal, at one of two gains; the pendulum starts as it hangs."""
    time = 0.01 * np.arange(301)
    gain = 200.0 if i < 2 else 400.0
    goal = 1.2 * np.sin((1.5 + 2.0 * (i % 2)) * time)
    machine = pendulum(gain, Signal(shape="samples", times=time, values=goal))
    run = bristle.simulate(machine, end=3.0, samples=301, method="coupled", step=0.01)
    return {"time": time, "servo.goal": goal, "arm.position": run["arm.position"],
            "values": {"coupling.servo.gain": gain}}


runs = [make_run(i) for i in range(4)]

# From a wrong start back to the parameters that made the runs.
start = pendulum(driving=0.3)
options = {"free": ["contact.teeth.viscous", "contact.teeth.driving", "contact.teeth.driving_rise"],
           "steps": 1, "starts": 8, "refined": 2, "free_start": False}
fit = bristle.fit_machine(start, runs, **options)
print(fit.message)
for p in fit.parameters.values():
    print(f"  {p.name:<26} {p.value:8.4f} {p.unit}")

# The runs of each gain as predicted without them.
worst = 0.0
for fold in bristle.cross_validate_machine(start, runs, ["200", "200", "400", "400"], **options):
    for k in fold.held_out:
        error = fold.fit.agreements[k].mean_absolute
        print(f"held out: run {k} at gain {fold.group}, mean error {error:.6f} rad")
        worst = max(worst, error)
sys.exit(0 if fit.converged and worst < 1e-3 else 1)
