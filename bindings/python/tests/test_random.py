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


@settings(max_examples=150, deadline=None)
@given(st.one_of(ANYTHING, st.lists(NUMBERS, max_size=30)),
       st.one_of(ANYTHING, st.lists(NUMBERS, max_size=30)), st.one_of(NUMBERS, ANYTHING))
def test_loops_butterflies_and_errors_take_series_or_refuse_them(x, y, number):
    for call in (lambda: bristle.loops(x, y), lambda: bristle.loops(x, y, by=y),
                 lambda: bristle.butterfly(x, y), lambda: bristle.butterfly(x, y, a=number),
                 lambda: bristle.errors(x, y, x, y), lambda: bristle.errors(x, y, y, x),
                 lambda: bristle.spectrum(x, y, beat=number),
                 lambda: systems.fit_relays(x, y, levels=4),
                 lambda: systems.PrandtlIshlinskii().round_trip(number, 1.0, inputs=10),
                 lambda: bristle.models(number)):
        try:
            call()
        except REFUSED:
            pass


EXPERIMENT = """
[model]
name = "coulomb"
[mechanism]
name = "dragged_mass"
[solve]
end = 0.1
samples = 3
"""


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.one_of(st.just("mechanism.spring"), st.text(max_size=12)),
                       st.one_of(ANYTHING, st.lists(NUMBERS, max_size=4)), max_size=2),
       st.one_of(ANYTHING, st.just("max_force")), st.integers(-3, 3), st.integers(-3, 3))
def test_sweeps_are_run_or_refused(vary, quantities, first, count):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = bristle.sweep(EXPERIMENT, vary=vary, quantities=quantities, part=(first, count))
        except REFUSED:
            return
    assert len(found["number"]) >= 1


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.just("input.amplitude"), st.text(max_size=12)), ANYTHING, ANYTHING)
def test_diagrams_are_refused_in_a_sentence(parameter, span, values):
    for call in (lambda: bristle.bifurcation(EXPERIMENT, parameter, span, values=3, periods=4, keep=2),
                 lambda: bristle.bifurcation(EXPERIMENT, parameter, (0.1, 0.2), values=values)):
        with pytest.raises(REFUSED):
            call()


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(["delay", "terms", "mechanism", "output", "steps", "hold_out",
                                        "differentiate", "free", "guess", "bounds", "bandwidth",
                                        "longest_delay", "input", "load"]), ANYTHING, max_size=2))
def test_options_of_fits_are_taken_or_refused(options):
    t = np.linspace(0.0, 2.0, 41)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            bristle.fit("coulomb", **{**dict(time=t, position=np.sin(t), force=np.cos(t), starts=1,
                                             repetitions=0), **options})
        except REFUSED:
            pass
