# SPDX-License-Identifier: MIT
"""Random values never end the interpreter, and what is accepted gives finite results or says why."""
import warnings

import bristle
import numpy as np
import pytest
from bristle import laws, mechanisms, systems

hypothesis = pytest.importorskip("hypothesis")
given, settings, st = hypothesis.given, hypothesis.settings, hypothesis.strategies

NUMBERS = st.one_of(st.floats(), st.integers(-10, 10), st.floats(1e-6, 1e6))
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=8),
              st.binary(max_size=8), st.complex_numbers()),
    lambda inner: st.one_of(st.lists(inner, max_size=4),
                            st.dictionaries(st.text(max_size=4), inner, max_size=3)), max_leaves=6)
REFUSED = (ValueError, TypeError, OverflowError)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(laws.all), st.data())
def test_a_law_takes_its_parameters_or_refuses_them(law, data):
    names = [field["name"] for field in law._fields]
    given_values = {name: data.draw(st.one_of(NUMBERS, ANYTHING), label=name)
                    for name in data.draw(st.sets(st.sampled_from(names), max_size=3))}
    try:
        made = law(**given_values)
    except REFUSED:
        return
    assert made.replace() == made and eval(repr(made), vars(laws) | {"nan": np.nan}) == made


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(laws.all), st.floats(0.01, 100.0), st.floats(0.01, 100.0),
       st.floats(-2.0, 2.0), st.floats(0.01, 0.5))
def test_a_run_is_finite_or_says_why_it_ended(law, mass, spring, velocity, end):
    body = mechanisms.DraggedMass(mass=mass, spring=spring, drag_velocity=velocity)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = bristle.simulate(law(), body, end=end, samples=11, step_limit=20000)
    except ValueError:
        return
    assert run.message
    if run.ok:
        assert all(np.isfinite(run[name]).all() for name in ("position", "velocity", "force"))


@settings(max_examples=200, deadline=None)
@given(st.one_of(ANYTHING, st.lists(NUMBERS, max_size=20)),
       st.one_of(ANYTHING, st.lists(NUMBERS, max_size=20)))
def test_analyses_and_fits_take_arrays_or_refuse_them(x, y):
    for call in (lambda: bristle.loop(x, y), lambda: bristle.spectrum(x, y),
                 lambda: systems.fit(x, y), lambda: systems.PrandtlIshlinskii().follow(x),
                 lambda: laws.LuGre().force(x, y),
                 lambda: bristle.fit("dahl", time=x, position=y, force=y, starts=1)):
        try:
            call()
        except REFUSED:
            pass


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_a_text_is_a_machine_or_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError) as error:
        bristle.Machine.from_toml(text + "\n")
    assert str(error.value)
