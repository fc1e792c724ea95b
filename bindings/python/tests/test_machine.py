# SPDX-License-Identifier: MIT
"""Machines from files, from texts and part by part."""
import copy
import pathlib
import pickle

import bristle
import numpy as np
import pytest
from bristle import Machine, MachineBuilder, couplings, laws

ROOT = pathlib.Path(__file__).parents[3]

DRIVE = """
title = "Two-mass drive"
[[body]]
name = "motor"
inertia = 2e-4
motion = "rotation"
[[body]]
name = "load"
inertia = 1.1e-3
motion = "rotation"
[[coupling]]
name = "shaft"
kind = "spring_damper"
between = ["motor", "load"]
stiffness = 120.0
damping = 0.02
[[contact]]
name = "bearing"
on = "motor"
law = { name = "lugre", stiffness = 40.0, damping = 0.02, viscous = 0.0, coulomb_force = 0.02, static_force = 0.03, stribeck_velocity = 0.1 }
[[contact]]
name = "guide"
on = "load"
law = { name = "coulomb", coulomb_force = 0.05 }
[[input]]
name = "torque"
on = "motor"
shape = "sine"
amplitude = 0.2
frequency = 3.0
[solve]
end = 4.0
"""


def drive_builder():
    bearing = laws.LuGre(stiffness=40.0, damping=0.02, viscous=0.0, coulomb_force=0.02,
                         static_force=0.03, stribeck_velocity=0.1)
    return (MachineBuilder()
            .body("motor", inertia=2e-4, motion="rotation")
            .body("load", inertia=1.1e-3, motion="rotation")
            .coupling("shaft", couplings.SpringDamper(stiffness=120.0, damping=0.02),
                      between=("motor", "load"))
            .contact("bearing", bearing, on="motor")
            .contact("guide", laws.Coulomb(coulomb_force=0.05), on="load")
            .input("torque", on="motor", amplitude=0.2, frequency=3.0))


def test_a_machine_that_was_read_can_be_pickled_and_copied():
    machine = Machine.from_toml(DRIVE, settings={"body.load.inertia": 2e-3})
    again = pickle.loads(pickle.dumps(machine))
    assert again.parameters == machine.parameters
    assert again.parameters["body.load.inertia"] == 2e-3
    assert copy.deepcopy(machine) is machine
    with pytest.raises(TypeError, match="a Machine of a MachineBuilder cannot be pickled"):
        pickle.dumps(drive_builder().build())


def test_a_text_and_the_builder_make_the_same_machine():
    read, built = Machine.from_toml(DRIVE), drive_builder().build()
    assert read.parameters == built.parameters
    assert read.options["end"] == 4.0
    one, two = bristle.simulate(read), bristle.simulate(built, end=4.0)
    assert one.keys() == two.keys()
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_the_load_breaks_away_when_the_shaft_carries_its_friction():
    run = bristle.simulate(Machine.from_toml(DRIVE))
    first = run.events[run.events.name == "guide"][0]
    assert first.kind == "slip" and first.time == pytest.approx(0.106495963, abs=1e-7)
    assert run.units["motor.position"] == "rad"


def test_files_cases_and_settings_are_read():
    machine = Machine.from_toml(ROOT / "experiments" / "m_stacked_blocks.toml")
    assert machine.bodies and "Machine" in repr(machine)
    heavy = Machine.from_toml(DRIVE, settings={"body.load.inertia": 2e-3})
    assert heavy.parameters["body.load.inertia"] == 2e-3


def test_drives_loads_and_controllers_are_parts():
    machine = (MachineBuilder().body("axis", inertia=1.0, position=-0.1)
               .contact("guide", laws.Stribeck(coulomb_force=1.0, static_force=1.5,
                                               stribeck_velocity=0.01), on="axis")
               .controller("pid", on="axis", position_gain=100.0, velocity_gain=10.0,
                           integral_gain=200.0, sensing="exact", shape="ramp", rate=0.0)
               .build())
    assert "pid.force" in bristle.simulate(machine, end=1.0)
    clutch = (MachineBuilder().body("engine", inertia=0.2, velocity=100.0, motion="rotation")
              .body("gearbox", inertia=0.3, motion="rotation")
              .contact("disc", laws.Coulomb(coulomb_force=0.05), between=("engine", "gearbox"),
                       forces="per_load")
              .load("press", on="disc", shape="ramp", rate=200.0).build())
    run = bristle.simulate(clutch, end=3.0)
    assert run["engine.velocity"][-1] == pytest.approx(40.0)
    dragged = (MachineBuilder().body("block").drive("belt", shape="ramp", rate=0.1)
               .coupling("spring", couplings.SpringDamper(stiffness=2.0), between=("block", "belt"))
               .contact("floor", laws.Coulomb(), of={"block": 1.0}).build())
    assert bristle.simulate(dragged, end=8.0).events[0].time == pytest.approx(5.0)


@pytest.mark.parametrize("source, sentence", [
    (DRIVE.replace('"motor", "load"', '"motor", "lode"'), "did you mean 'load'"),
    (DRIVE.replace("inertia = 2e-4", "inertia = -1.0"), "text:5: body: inertia = -1"),
    (DRIVE.replace("[solve]", "[solv]"), "did you mean 'solve'"),
    ("a = [\n", "is not valid TOML"),
    ('[model]\nname = "lugre"\n[mechanism]\nname = "dragged_mass"\n', "no [[body]]"),
])
def test_wrong_texts_are_refused_with_their_line(source, sentence):
    with pytest.raises(ValueError) as error:
        Machine.from_toml(source)
    assert sentence in str(error.value)


def test_missing_files_are_os_errors():
    with pytest.raises(FileNotFoundError, match="nowhere.toml"):
        Machine.from_toml("nowhere.toml")


def test_wrong_parts_are_refused():
    with pytest.raises(ValueError, match="needs one of on, between and of, it has none"):
        MachineBuilder().contact("c", laws.Coulomb())
    with pytest.raises(TypeError, match="takes one of bristle.laws"):
        MachineBuilder().contact("c", "coulomb", on="a")
    with pytest.raises(TypeError, match="takes one of bristle.couplings"):
        MachineBuilder().coupling("c", laws.Coulomb(), on="a")
    with pytest.raises(ValueError, match="at least one"):
        MachineBuilder().build()
    with pytest.raises(ValueError, match="did you mean 'load'"):
        drive_builder().contact("third", laws.Coulomb(), on="lode").build()
    with pytest.raises(ValueError, match="body: there is no field 'mass'"):
        MachineBuilder().body("a", mass=1.0)
    with pytest.raises(ValueError, match="controller: there is no field 'gian', did you mean 'gain'"):
        MachineBuilder().controller("c", on="a", gian=2.0)
    with pytest.raises(TypeError, match="its bodies have both"):
        bristle.simulate(drive_builder().build(), initial={"position": 1.0})
