# SPDX-License-Identifier: MIT
"""Every public call with a right set of arguments, of which each in turn is replaced by a wrong one.

    PYTHONPATH=build/python python3 bindings/python/tests/hostile_calls.py [-v] [NAME ...]

tries all of them in processes of their own, and prints each crash, hang, exception of a wrong kind
or unclear sentence. test_hostile_calls.py tries a part of them.
"""
import argparse
import contextlib
import faulthandler
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import warnings

import bristle
import numpy as np
from bristle import MachineBuilder, couplings, laws, mechanisms, systems

ALLOWED = (ValueError, TypeError, OSError, MemoryError)
# What no sentence for a user holds: traces of C++, of pybind11, of a conversion left to chance.
UNCLEAR = ("std::", "pybind11", "basic_string", "vector::", "Unable to cast", "unordered_map")
SECONDS = 10  # after which a call that does not hear signals is ended

EXPERIMENT = """
[model]
name = "coulomb"
[mechanism]
name = "dragged_mass"
[solve]
end = 0.1
samples = 3
"""
RIG = """
[model]
name = "dahl"
[mechanism]
name = "base_excited_mass"
[input]
amplitude = 0.003
frequency = 62.8
"""
SYSTEM = """
[system]
name = "bouc_wen"
[input]
amplitude = 2.0
[solve]
end = 1.0
"""
PARTS = pathlib.Path(__file__).parents[3] / "parts"


class Slow(Exception):
    """A call took long, and heard the signal that asked it to end."""


def interrupted(*_):
    raise Slow


class Fails:
    """An object whose conversions fail."""

    def __float__(self):
        raise ZeroDivisionError("no number")

    def __iter__(self):
        raise KeyError("no items")


class Claims:
    """An object that says it is an array and is none."""

    shape, ndim, dtype = (3,), 1, np.dtype(float)

    def __array__(self, *more):
        raise RuntimeError("no array")

    def __len__(self):
        return -1


def odd_values():
    """Fresh ones at each call, by a name each."""
    looped = []
    looped.append(looped)
    read_only = np.zeros(3)
    read_only.flags.writeable = False
    return {
        "None": None, "True": True, "-1": -1, "0": 0, "1e400": 10 ** 400, "-1e400": -10 ** 400,
        "2**31": 2 ** 31, "2**63": 2 ** 63, "denormal": 5e-324, "1e308": 1e308, "-1e308": -1e308,
        "nan": float("nan"), "inf": float("inf"), "-inf": float("-inf"), "text": "sine", "empty": "",
        "NUL": "a\0b", "surrogate": "\ud800", "lines": "a\nb", "long": "x" * 100000,
        "bytes": b"bytes", "complex": 1j, "list": [], "mixed": [1.0, "a"], "looped": looped,
        "deep": [[1.0]], "tuple": (), "dict": {}, "dict of 1": {1: 2}, "dict of None": {"a": None},
        "dict of nan": {"stiffness": float("nan")}, "set": {1.0}, "generator": (x for x in "ab"),
        "zeros(0)": np.zeros(0), "zeros(3)": np.zeros(3), "zeros(2,2)": np.zeros((2, 2)),
        "nans": np.full(3, np.nan), "float32": np.float32(1.0), "float16": np.zeros(3, np.float16),
        "text array": np.array(["a"]), "objects": np.array([None, 1.0]), "complexes": np.zeros(3, complex),
        "bools": np.zeros(3, bool), "0-d": np.array(2.0), "big-endian": np.zeros(3, ">f8"),
        "longdouble": np.zeros(3, np.longdouble), "strided": np.zeros(6)[::2], "read-only": read_only,
        "record": np.zeros(3, [("a", float)]), "times": np.zeros(3, "M8[s]"),
        "masked": np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0]), "fails": Fails(), "claims": Claims(),
        "class": object, "instance": object(), "function": lambda *a, **k: 1.0, "module": np,
        "law": laws.Coulomb(), "law class": laws.Coulomb, "signal": bristle.Signal(), "range": range(3),
        "huge": range(10 ** 12)}


class Call:
    """A call with right arguments; those of `fixed` stay as they are."""

    def __init__(self, name, call, *arguments, fixed=(), **keywords):
        self.name, self.call, self.fixed = name, call, fixed
        self.arguments, self.keywords = list(arguments), keywords

    def places(self):
        return [*range(len(self.arguments)), *(k for k in self.keywords if k not in self.fixed)]

    def with_one(self, place, value):
        arguments, keywords = list(self.arguments), dict(self.keywords)
        if isinstance(place, int):
            arguments[place] = value
        else:
            keywords[place] = value
        return self.call(*arguments, **keywords)


def machine():
    return (MachineBuilder().body("block").drive("belt", shape="ramp", rate=0.1)
            .coupling("spring", couplings.SpringDamper(stiffness=2.0), between=("block", "belt"))
            .contact("floor", laws.LuGre(), on="block").input("push", on="block", amplitude=0.1).build())


class Dahl(bristle.OwnLaw):
    stiffness, coefficient, state_scale = 1e4, 0.3, 3e-5

    def rate(self, z, motion):
        return motion.velocity - motion.speed * self.stiffness * z / self.coefficient

    def force(self, z, motion):
        return self.stiffness * z


def own_law(**members):
    """A run with a law of which some members are replaced."""
    return bristle.simulate(type("Odd", (Dahl,), members)(), mechanisms.DraggedMass(), end=0.05, samples=3,
                            step_limit=2000)


def own_law_answers(rate=0.0, force=0.0, stored=0.0, elastic_force=0.0, steady=0.0):
    answers = {"rate": rate, "force": force, "stored": stored, "elastic_force": elastic_force, "steady": steady}
    return own_law(**{name: lambda self, z, motion, answer=answer: answer for name, answer in answers.items()})


def own_coupling(force=0.0, stored=0.0, loss=0.0):
    members = {"force": lambda self, s, w: force, "stored": lambda self, s: stored,
               "loss": lambda self, s, w: loss}
    built = (MachineBuilder().body("block").coupling("c", type("Odd", (bristle.OwnCoupling,), members)(), on="block")
             .contact("floor", laws.Coulomb(), on="block").build())
    return bristle.simulate(built, end=0.05, samples=3, step_limit=2000)


def own_linkage(joints=2, kinetic=0.0, potential=0.0):
    members = {"joints": joints, "kinetic": lambda self, q, v: kinetic, "potential": lambda self, q: potential}
    built = (MachineBuilder().body("a").body("b")
             .coupling("c", type("Odd", (bristle.OwnLinkage,), members)(), between=("a", "b"))
             .contact("floor", laws.Coulomb(), on="a").build())
    return bristle.simulate(built, end=0.05, samples=3, step_limit=2000)


def calls(folder):
    """All calls; files are written to the folder."""
    t = np.linspace(0.0, 1.0, 61)
    x, f = 1e-3 * np.sin(9.0 * t), np.sin(9.0 * t) + 0.1 * np.sign(np.cos(9.0 * t))
    record = {"time": t, "position": x, "force": f}
    u = np.sin(np.linspace(0.0, 4.0 * np.pi, 81))
    short = {"end": 0.05, "samples": 3, "step_limit": 2000}
    quick = {"starts": 1, "repetitions": 0, "threads": 1}
    law, built = laws.LuGre(), machine()
    z, v = np.zeros(3), np.full(3, 0.1)
    part = bristle.Part.read(PARTS / "tribometer.toml")
    operator = systems.PrandtlIshlinskii(direct=0.8, thresholds=[0.1, 0.2], weights=[0.3, 0.2])
    of_time = bristle.Signal(amplitude=1.0, frequency=6.0)
    experiment = pathlib.Path(folder) / "experiment.toml"
    experiment.write_text(EXPERIMENT)
    table = pathlib.Path(folder) / "table.csv"
    table.write_text("time,position,force\n" + "".join(f"{a},{b},{c}\n" for a, b, c in zip(t, x, f)))
    out = str(pathlib.Path(folder) / "out")

    def run(**given):
        return bristle.Run(built, **given)

    def host(**given):
        return bristle.HostFriction(**{"laws": [law] * 2, "environments": 3, **given})

    def stepped():
        one = host()
        one.step(np.zeros((3, 2)), np.eye(2), 1e-3)
        return one

    def setter(name):
        def put(value):
            one = host()
            setattr(one, name, value)
            return getattr(one, name)
        return put

    yield Call("simulate", bristle.simulate, law, mechanisms.DraggedMass(), initial={"velocity": 0.1},
               progress=None, fixed=("step_limit",), tolerance=1e-6, method="rosenbrock", step=1e-3, **short)
    yield Call("simulate machine", bristle.simulate, built, fixed=("step_limit",), tolerance=1e-6, **short)
    result = bristle.simulate(law, mechanisms.DraggedMass(), end=5.0)
    yield Call("Result[]", result.__getitem__, "position")
    yield Call("Result.in", result.__contains__, "position")
    yield Call("Result.limit_cycle", result.limit_cycle, rest_speed=1e-3, rest_fraction=0.1)
    yield Call("Result.work_between", result.work_between, 0.0, 1.0)
    yield Call("Machine", bristle.Machine, None)
    yield Call("Machine.from_toml", bristle.Machine.from_toml, "[[body]]\nname='a'\n", case="", settings={})
    yield Call("MachineBuilder.body", lambda *a, **k: MachineBuilder().body(*a, **k).build(), "a", inertia=1.0,
               position=0.0, velocity=0.0, motion="translation")
    yield Call("MachineBuilder.drive", lambda *a, **k: MachineBuilder().drive(*a, **k), "a", of_time)
    yield Call("MachineBuilder.coupling", lambda *a, **k: MachineBuilder().body("a").coupling(*a, **k), "c",
               couplings.Servo(), on="a", signals={"goal": of_time})
    yield Call("MachineBuilder.coupling between",
               lambda *a, **k: MachineBuilder().body("a").body("b").coupling(*a, **k).build(), "c",
               couplings.SpringDamper(), between=("a", "b"))
    for ends in ({"on": "a"}, {"between": ("a", "ground")}, {"of": {"a": 1.0}}):
        yield Call(f"MachineBuilder.contact {next(iter(ends))}",
                   lambda *a, **k: MachineBuilder().body("a").contact(*a, **k).build(), "c", law, load=1.0,
                   load_from="", state=0.0, **ends)
    guided = MachineBuilder().body("a").contact("c", law, on="a")
    yield Call("MachineBuilder.load", lambda *a, **k: guided.load(*a, **k), "l", of_time, on="c")
    yield Call("MachineBuilder.input", lambda *a, **k: MachineBuilder().body("a").input(*a, **k), "i", of_time,
               on="a", gain=1.0, bias=0.0, lag=0.0)
    yield Call("MachineBuilder.controller", lambda *a, **k: MachineBuilder().body("a").controller(*a, **k), "p",
               of_time, on="a", reads="a", proportional=1.0)
    yield Call("Run", lambda *a, **k: bristle.Run(*a, **k).step(1e-3), built, tolerance=1e-6)
    yield Call("Run.step", run().step, 1e-3)
    for name in ("position", "velocity"):
        yield Call(f"Run.{name}", getattr(run(), name), "block")
    for name in ("force", "slip"):
        yield Call(f"Run.{name}", getattr(run(), name), "floor", 0)
    yield Call("Run.mode", run().mode, "floor")
    yield Call("Run.set_input", run().set_input, "push", 0.1)
    yield Call("Run.restore", run().restore, run().save())
    yield Call("HostFriction", lambda **k: host(**k).step(np.zeros((3, 2)), np.eye(2), 1e-3), laws=[law] * 2,
               environments=3)
    yield Call("HostFriction.step", lambda *a, **k: host().step(*a, **k), np.zeros((3, 2)), np.eye(2), 1e-3,
               out=(np.zeros((3, 2)), np.zeros((3, 2))))
    for name in ("states", "positions", "loads"):
        yield Call(f"HostFriction.{name}", setter(name), np.zeros((3, 2)))
    yield Call("host_jvp", bristle.host_jvp, stepped(), np.eye(2), 1e-3, np.zeros((3, 2)))
    yield Call("host_vjp", lambda *a: bristle.host_vjp(*a[:3])(*a[3:]), stepped(), np.eye(2), 1e-3,
               np.zeros((3, 2)), np.zeros((3, 2)))
    yield Call("FrictionElement", bristle.FrictionElement, law, 1e-3)
    element = bristle.FrictionElement(law, 1e-3)
    yield Call("FrictionElement.force_at", element.force_at, 0.1, position=0.0, load=1.0)
    yield Call("FrictionElement.advance",
               lambda *a, **k: bristle.FrictionElement(law, 1e-3).advance(*a, **k), 0.1, position=0.0, load=1.0)

    def reset(**given):
        one = bristle.FrictionElement(law, 1e-3)
        one.reset(**given)
        return one.advance(0.1)

    yield Call("FrictionElement.reset", reset, state=0.0, velocity=0.0)
    yield Call("ContactPatch", bristle.ContactPatch, law, load=4000.0, half_length=0.05, transport=1.0)
    patch = bristle.ContactPatch(law, load=4000.0)
    yield Call("ContactPatch.advance", patch.advance, 1e-4, 0.1, 10.0)
    yield Call("ContactPatch.force", patch.force, 0.1)
    yield Call("ContactPatch.steady_force", patch.steady_force, 0.1)
    given = {"position": 0.0, "load": 1.0, "out": None}
    for name in ("advance", "step", "slopes"):
        yield Call(f"law.{name}", getattr(law, name), z, v, 1e-3, **given)
        yield Call(f"law.{name} of numbers", getattr(law, name), 0.0, 0.1, 1e-3)
    for name in ("force", "rate", "force_slopes"):
        yield Call(f"law.{name}", getattr(law, name), z, v, **given)
    yield Call("law.steady", law.steady, v, load=1.0)
    yield Call("law.replace", law.replace, stiffness=1e5, viscous_form="ratio")
    yield Call("laws.make", laws.make, "lugre", stiffness=1e5)
    yield Call("jvp", bristle.jvp, law, z, v, 1e-3, z, v, position=0.0, load=1.0)
    yield Call("vjp", lambda *a, **k: bristle.vjp(*a[:4], **k)[2](*a[4:]), law, z, v, 1e-3, z, v, load=1.0)
    for kind in (*laws.all, *mechanisms.all, *couplings.all, *systems.all, bristle.Signal):
        yield Call(f"{kind.__module__.rsplit('.', 1)[-1]}.{kind.__name__}", kind,
                   **{f["name"]: f["default"] for f in kind._fields})
    yield Call("Signal()", bristle.Signal(), 0.1)
    yield Call("Signal of points", bristle.Signal, times=[0.0, 1.0, 2.0], values=[0.0, 1.0, 0.0])
    yield Call("mechanism with signal", mechanisms.BaseExcitedMass, signal=of_time)
    yield Call("systems.make", systems.make, "bouc_wen", stiffness=1.0)
    yield Call("systems.from_toml", systems.from_toml, SYSTEM, case="", settings={})
    yield Call("systems.fit", systems.fit, u, u, elements=3, asymmetric=False)
    yield Call("systems.fit_relays", systems.fit_relays, u, u, levels=4, even=False)
    yield Call("system.follow", operator.follow, u)
    yield Call("system.respond", systems.BoucWen().respond, of_time, progress=None, fixed=("step_limit",), **short)
    yield Call("system.round_trip", operator.round_trip, -1.0, 1.0, inputs=20, seed=1)
    yield Call("system.to_toml", operator.to_toml, -1.0, 1.0, title="")
    yield Call("system.map", operator.map, of_time, progress=None)
    yield Call("system.properties", operator.properties, of_time, progress=None)
    yield Call("loop", bristle.loop, u, u)
    yield Call("loops", bristle.loops, u, u, by=np.repeat([1, 2, 3], 27))
    yield Call("butterfly", bristle.butterfly, u, u * u, map="quadratic", a=1.0, each=False, falling=False,
               tolerance=0.01, elements=3, asymmetric=True)
    yield Call("errors", bristle.errors, t, x, t, f)
    structural = laws.DegradingBoucWen(elastic=1e4)
    yield Call("path_forces", bristle.path_forces, structural, x)
    yield Call("path_displacements", bristle.path_displacements, structural, x)
    yield Call("spectrum", bristle.spectrum, t, x, named=[1.0], beat=0.1, velocity=f)
    yield Call("certify", bristle.certify, law, top_speed=10.0, load=1.0)
    yield Call("linearise", lambda *a, **k: bristle.linearise(*a, **k).response([1.0]), law, 0.05, load=1.0)
    yield Call("linearise().response", bristle.linearise(law, 0.05).response, [1.0])
    yield Call("indirect_force", bristle.indirect_force, mechanisms.BaseExcitedMass(), time=t, position=x,
               velocity=x, body_acceleration=x, base=x, half_width=3, degree=2)
    yield Call("models", bristle.models, "lugre")
    yield Call("experiments", bristle.experiments, None)
    yield Call("reproduce", bristle.reproduce, "x", folder=None, progress=None)
    yield Call("run_file", bristle.run_file, EXPERIMENT, settings={"model.coulomb_force": 2.0}, part=None,
               progress=None)
    done = bristle.run_file(EXPERIMENT)
    yield Call("Experiment.write", done.write, out, figures=False, animate=False)
    yield Call("read_table", bristle.read_table, str(table), skip=0)
    yield Call("maps", bristle.maps, SYSTEM, settings={}, progress=None)
    yield Call("bifurcation", bristle.bifurcation, RIG, "input.amplitude", (0.001, 0.002), values=2, periods=4,
               keep=2, threads=1, case="", x="position", y="velocity", settings={}, kept=None, progress=None)
    yield Call("Sweep", bristle.Sweep, EXPERIMENT, vary={"mechanism.spring": [1.0, 2.0]}, quantities=["max_force"],
               settings={}, case="")
    plan = bristle.Sweep(EXPERIMENT, vary={"mechanism.spring": [1.0, 2.0]}, quantities=["max_force"])
    yield Call("Sweep.values", plan.values, 1)
    yield Call("Sweep.only", plan.only, 1, progress=None)
    yield Call("Sweep.run", plan.run, threads=1, budget=1.0, out=None, part=(1, 1), figures=False, fresh=True,
               progress=None)
    yield Call("sweep vary", lambda values: bristle.sweep(EXPERIMENT, vary={"mechanism.spring": values},
                                                          quantities="max_force"), [1.0, 2.0])
    swept = plan.run(out=out + "-sweep", figures=False)
    yield Call("SweepResult[]", swept.__getitem__, "max_force")
    yield Call("SweepResult.grid", swept.grid, "max_force")
    yield Call("read_sweep", bristle.read_sweep, out + "-sweep")
    yield Call("merge_sweeps", bristle.merge_sweeps, [out + "-sweep"], out + "-merged", figures=False)
    yield Call("fit", bristle.fit, "dahl", record, fix={"exponent": 1.0}, columns=None, start=None,
               fixed=tuple(quick), **quick)
    yield Call("fit with options", bristle.fit, "dahl", record, fixed=tuple(quick), offset=True, asymmetric=True,
               steady=False, robust=False, hold_out=0.3, guess={"stiffness": 1e3}, bounds={"stiffness": (1.0, 1e6)},
               free=["exponent"], bandwidth=10.0, smooth=False, differentiate="central", delay=0.001,
               longest_delay=0.01, terms=["inertia", "friction"], depends={"coulomb_force": "position:linear"},
               backlash=False, gear=1.0, motor_constant=1.0, rotation=False, seed=1, refined=1, licence="",
               source="", **quick)
    yield Call("fit of arrays", bristle.fit, "coulomb", time=t, position=x, velocity=x, force=f, load=t + 1.0,
               temperature=t, fixed=tuple(quick), **quick)
    yield Call("fit of a file", bristle.fit, "coulomb", str(table), columns={"force": "force:N", "start": 0.1},
               fixed=tuple(quick), **quick)
    yield Call("fit of motion", bristle.fit, "coulomb", time=t, position=x, input=f, mechanism="wall_spring_mass",
               output="position", steps=1, fixed=tuple(quick), **quick)
    yield Call("fit of an own law", bristle.fit, Dahl, record, guess={"stiffness": 1e4},
               bounds={"stiffness": (1.0, 1e6)}, fix={"coefficient": 0.3}, iterations=1, tolerance=1e-4)
    fitted = bristle.fit("coulomb", record, **quick)
    yield Call("Fit.profile", fitted.profile, "coulomb_force", points=3)
    yield Call("fit_joints", bristle.fit_joints, "coulomb", record,
               joints={"a": {"position": "position", "force": "force"}}, fix={}, columns={},
               fixed=tuple(quick), **quick)
    yield Call("fit_joints joint", lambda joint: bristle.fit_joints("coulomb", record, joints={"a": joint}, **quick),
               {"position": "position", "force": "force"})
    yield Call("compare", bristle.compare, record, models=["coulomb", "dahl"], columns=None, start=None, progress=None,
               forms=False, nested=0, hold_out=0.3, fixed=tuple(quick), **quick)
    run_of = {"time": t, "push": f, "block.position": x}
    of_machine = {"refined": 1, "starts": 1, "threads": 1}
    yield Call("fit_machine", bristle.fit_machine, built, run_of, free=["body.block.inertia"],
               readings=["block.position"], progress=None, guess={"body.block.inertia": 1.0},
               bounds={"body.block.inertia": (0.1, 10.0)}, hold_out=0.2, steps=1, seed=1, free_start=False,
               robust=False, fixed=tuple(of_machine), **of_machine)
    yield Call("fit_machine column", lambda column: bristle.fit_machine(
        built, {**run_of, "push": column}, free=["body.block.inertia"], **of_machine), f)
    yield Call("cross_validate_machine", bristle.cross_validate_machine, built, [run_of, run_of], ["a", "b"],
               free=["body.block.inertia"], readings=None, progress=None, fixed=tuple(of_machine), **of_machine)
    yield Call("excite", bristle.excite, law, part=None, progress=None, stroke=0.002, speed=0.02, acceleration=1.0,
               duration=1.0, rate=100.0, load=1.0, noise=0.1, fix=["stribeck_exponent"], sines=2, trials=2, seed=1)
    yield Call("Part.read", bristle.Part.read, PARTS / "tribometer.toml")
    yield Call("Part.write", part.write, out + "-part.toml")
    yield Call("Part.law", part.law, at={"temperature": 40.0}, stiffness=1e5)
    yield Call("Part.diff", part.diff, part)
    yield Call("Part.draw", part.draw, n=3, seed=1)
    yield Call("own law", own_law_answers, rate=0.0, force=0.0, stored=0.0, elastic_force=0.0, steady=0.0)
    yield Call("own law members", own_law, rate=Dahl.rate, force=Dahl.force, state_scale=1e-5)
    yield Call("own coupling", own_coupling, force=0.0, stored=0.0, loss=0.0)
    yield Call("own linkage", own_linkage, joints=2, kinetic=0.0, potential=0.0)


def judged(call, place, value):
    """What is wrong with the answer to a wrong argument; None if nothing is, "" if it was taken."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            call.with_one(place, value)
    except Slow:
        return None
    except ALLOWED as error:
        text = str(error).replace("pybind11_builtins.pybind11_type", "type").replace("pybind11_type", "type")
        if any(word in text for word in UNCLEAR):
            return f"{type(error).__name__}: unclear: {text[:300]}"
        return None
    except BaseException as error:
        if isinstance(value, (Fails, Claims)) and type(error) in (ZeroDivisionError, KeyError, RuntimeError):
            return None  # its own exception
        return f"{type(error).__name__}: {str(error)[:300]}"
    return ""


@contextlib.contextmanager
def quiet_folder():
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def attempt_all(options):
    """In a process of its own: the arguments of the calls wanted, those before `after` left out."""
    number = 0
    chosen = random.Random(1)
    signal.signal(signal.SIGALRM, interrupted)
    with quiet_folder() as folder:
        for call in calls(folder):
            for place in call.places():
                names = list(odd_values())
                for name in chosen.sample(names, options.sample) if options.sample else names:
                    number += 1
                    if number <= options.after or (options.names and call.name not in options.names):
                        continue
                    print("at", number, call.name, place, name, sep="\t", flush=True)
                    faulthandler.dump_traceback_later(SECONDS, exit=True)
                    signal.setitimer(signal.ITIMER_REAL, 1.0)
                    try:
                        said = judged(call, place, odd_values()[name])
                        signal.setitimer(signal.ITIMER_REAL, 0.0)
                    except Slow:
                        said = None
                    if said is not None:
                        print("wrong" if said else "taken", call.name, place, name, said, sep="\t", flush=True)
    faulthandler.cancel_dump_traceback_later()
    print("end", number, sep="\t")


def wrong_answers(sample=0, names=(), verbose=False):
    """Sentences on calls that crashed, did not end, or raised what they must not; how many were made."""
    after, wrong = 0, []
    while True:
        done = subprocess.run([sys.executable, __file__, "--after", str(after), "--sample", str(sample), *names],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        lines = done.stdout.splitlines()
        if verbose:
            print("\n".join(line for line in lines if line.startswith("taken")))
        wrong += [line for line in lines if line.startswith("wrong")]
        if lines and lines[-1].startswith("end"):
            return wrong, int(lines[-1].split("\t")[1])
        last = [line for line in lines if line.startswith("at\t")]
        wrong.append(f"ended by {done.returncode}: {last[-1] if last else 'before the first'}: {done.stderr[-600:]}")
        if not last:
            return wrong, 0
        after = int(last[-1].split("\t")[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="calls to be tried, all without")
    parser.add_argument("--after", type=int, default=-1, help=argparse.SUPPRESS)
    parser.add_argument("--sample", type=int, default=0, help="so many wrong values per argument, all without")
    parser.add_argument("-v", dest="verbose", action="store_true", help="also print what was taken")
    options = parser.parse_args()
    if options.after >= 0:
        # What asks for more memory than there is raises MemoryError, and a crash leaves no core.
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        return attempt_all(options)
    wrong, count = wrong_answers(options.sample, options.names, options.verbose)
    print("\n".join(wrong))
    sys.exit(f"{len(wrong)} of {count} answers are wrong" if wrong else 0)


if __name__ == "__main__":
    main()
