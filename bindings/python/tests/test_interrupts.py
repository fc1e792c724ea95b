# SPDX-License-Identifier: MIT
"""Ctrl-C raises KeyboardInterrupt within a fifth of a second in every long call."""
import warnings

import bristle
import numpy as np
import pytest
from bristle import laws, mechanisms, systems
from interrupts import seconds_until_interrupted
from test_machine import drive_builder
from test_studies import Dahl, axis

ENDLESS = dict(end=1e6, step_limit=1e12)
TEXT = """
[model]
name = "lugre"
[mechanism]
name = "dragged_mass"
[solve]
end = 1e6
step_limit = 1e12
"""


def measured(samples=3001):
    run = bristle.simulate(axis(), end=6.0, samples=samples)
    return {"time": run["time"], "force": 6.0 * np.sin(4.0 * run["time"]),
            "slide.position": run["slide.position"]}


def repeat(call):
    while True:
        call()


CALLS = {
    "simulate": lambda: bristle.simulate(laws.LuGre(), mechanisms.DraggedMass(), **ENDLESS),
    "simulate a machine": lambda: bristle.simulate(drive_builder().build(), **ENDLESS),
    "run_file": lambda: bristle.run_file(TEXT),
    "respond": lambda: systems.BoucWen().respond(bristle.Signal(), **ENDLESS),
    "properties": lambda: repeat(lambda: systems.BoucWen().properties(bristle.Signal())),
    "step": lambda: bristle.Run(drive_builder().build()).step(1e5),
    "excite": lambda: bristle.excite(laws.LuGre(), trials=1_000_000, duration=20.0),
    "fit_machine": lambda: bristle.fit_machine(
        axis(1.0, 1.0), [measured()] * 4, starts=100000,
        free=["body.slide.inertia", "contact.guide.coulomb_force"]),
    "cross_validate_machine": lambda: bristle.cross_validate_machine(
        axis(1.0, 1.0), [measured()] * 4, ["a", "a", "b", "b"], starts=100000,
        free=["body.slide.inertia", "contact.guide.coulomb_force"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_long_call_is_interrupted(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert seconds_until_interrupted(CALLS[name], 0.5) < 0.2


class Failing(Dahl):
    def rate(self, z, motion):
        raise ZeroDivisionError("an equation that fails")


def test_an_equation_that_fails_in_a_thread_of_the_engine_raises_its_error():
    machine = (bristle.MachineBuilder().body("slide").contact("guide", Failing(), on="slide")
               .input("force", on="slide", amplitude=6.0, frequency=4.0).build())
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="an equation that fails"):
            bristle.fit_machine(machine, measured(101), free=["body.slide.inertia"], starts=2)
    # And what comes after is not disturbed.
    assert bristle.simulate(laws.LuGre(), mechanisms.DraggedMass(), end=1.0).ok
    assert bristle.fit_machine(axis(1.0), measured(101), free=["body.slide.inertia"], starts=2)
