# SPDX-License-Identifier: MIT
"""Random wrong input never ends the interpreter: it raises ValueError, TypeError or OSError."""
import random
import warnings

import bristle
import numpy as np
import pytest
from bristle import couplings, laws, mechanisms, systems

ALLOWED = (ValueError, TypeError, OSError, AttributeError, OverflowError, RuntimeError)


class Odd:
    """An object whose conversions fail."""

    def __float__(self):
        raise ZeroDivisionError("no number")

    def __iter__(self):
        raise KeyError("no items")


def odd_value(rng):
    return rng.choice([
        None, True, -1, 0, 1, 10 ** 400, -0.0, 1e-320, 1e308, -1e308, float("nan"), float("inf"),
        "", "sine", "x" * 1000, "\0", b"bytes", 1j, [], [1.0], [1.0, "a"], [[1.0]], (), {}, {1: 2},
        np.zeros(0), np.zeros(3), np.zeros((2, 2)), np.zeros(3, dtype=np.float32), np.float32(1.0),
        np.array(["a"]), np.array([None]), np.zeros(3, dtype=complex), np.array(2.0), Odd(), object,
        lambda: 1.0, bristle.Signal(), laws.Coulomb(), range(3), rng.uniform(-10, 10)])


def attempt(call):
    try:
        return call()
    except ALLOWED + (ZeroDivisionError, KeyError):
        return None


@pytest.mark.parametrize("seed", range(8))
def test_described_objects_refuse_or_take_odd_values(seed):
    rng = random.Random(seed)
    kinds = [*laws.all, *mechanisms.all, *couplings.all, *systems.all, bristle.Signal]
    for _ in range(400):
        kind = rng.choice(kinds)
        names = [f["name"] for f in kind._fields] + ["signal", "times", "values", "", "é"]
        given = {rng.choice(names): odd_value(rng) for _ in range(rng.randint(0, 3))}
        made = attempt(lambda: kind(**given))
        if made is not None:
            repr(made), made == made, hash(made), made._repr_html_()


@pytest.mark.parametrize("seed", range(8))
def test_calls_on_joints_refuse_or_take_odd_values(seed):
    rng = random.Random(seed)
    with np.errstate(all="ignore"):
        for _ in range(400):
            law = rng.choice(laws.all)()
            name = rng.choice(["advance", "step", "slopes", "force", "rate", "force_slopes"])
            count = rng.choice([0, 1, 2, 3, 3, 4])
            given = {k: odd_value(rng) for k in rng.sample(["position", "load", "out", "x"],
                                                           rng.choice([0, 0, 1, 2]))}
            arguments = [odd_value(rng) for _ in range(count)]
            attempt(lambda: getattr(law, name)(*arguments, **given))


@pytest.mark.parametrize("seed", range(4))
def test_simulations_refuse_or_take_odd_values(seed):
    rng = random.Random(seed)
    options = ["end", "tolerance", "method", "samples", "step", "initial", "progress", "step_limit",
               "record_from", "section", "x"]
    for _ in range(60):
        law, mechanism = rng.choice(laws.all)(), rng.choice(mechanisms.all)()
        given = {rng.choice(options): odd_value(rng) for _ in range(rng.randint(1, 2))}
        # What is allowed shall be short.
        if not isinstance(given.get("end"), (str, list, dict)):
            given["end"] = min(rng.uniform(-0.01, 0.1), 0.1)
        given.setdefault("step_limit", 1000)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            attempt(lambda: bristle.simulate(law, mechanism, **given))


@pytest.mark.parametrize("seed", range(4))
def test_fits_refuse_or_take_odd_values(seed):
    rng = random.Random(seed)
    time = np.linspace(0.0, 1.0, 60)
    record = {"time": time, "position": 1e-3 * np.sin(9.0 * time), "force": np.sin(9.0 * time),
              "temperature": 20.0 + time}
    options = ["fix", "free", "guess", "bounds", "offset", "steady", "robust", "hold_out", "terms",
               "delay", "depends", "backlash", "gear", "motor_constant", "rotation", "mechanism",
               "columns", "start", "seed", "steps", "load", "input", "velocity", "x"]
    calls = [lambda data, given: bristle.fit("dahl", data, **given),
             lambda data, given: bristle.fit("coulomb", **data, **given),
             lambda data, given: bristle.compare(data, models=["coulomb"], **given),
             lambda data, given: bristle.fit_joints(
                 "coulomb", data, joints={"a": {"position": "position", "force": "force"}}, **given)]
    for _ in range(40):
        data = dict(record)
        for name in rng.sample(sorted(data), rng.choice([0, 0, 1, 2])):
            data[name] = odd_value(rng)
        given = {name: odd_value(rng) for name in rng.sample(options, rng.choice([0, 1, 2]))}
        attempt(lambda: rng.choice(calls)(data, {**given, "starts": 2, "repetitions": 0}))


@pytest.mark.parametrize("seed", range(4))
def test_machines_from_broken_texts_are_refused(seed):
    from test_machine import DRIVE

    rng = random.Random(seed)
    for _ in range(150):
        text = list(DRIVE)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(text))
            text[at:at + rng.randint(0, 8)] = rng.choice(["", "[", "]", "=", "\"", "9", "-", "\n",
                                                          "nan", "[[body]]\n", "\0", "ÿ"])
        attempt(lambda: bristle.Machine.from_toml("".join(text) + "\n"))
