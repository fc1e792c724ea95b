# SPDX-License-Identifier: MIT
"""Classes of laws, made from the tables of the engine."""
import inspect
import pickle

import bristle
import pytest
from bristle import laws


def test_every_law_of_the_registry_is_a_class():
    assert [law.name for law in laws.all] == [t["name"] for t in bristle._core.law_tables()]
    assert len(laws.all) >= 18
    assert laws.LuGre in laws.all and laws.FrBD in laws.all and laws.Regularised in laws.all


@pytest.mark.parametrize("law", laws.all, ids=lambda law: law.name)
def test_keywords_documents_and_values_come_from_the_table(law):
    made = law()
    for field in law._fields:
        assert made.parameters[field["name"]] == field["default"]
        assert getattr(made, field["name"]) == field["default"]
        assert field["name"] in inspect.signature(law).parameters
        assert field["meaning"] in law.__doc__ and field["allowed"] in law.__doc__
    assert made == law() and hash(made) == hash(law())
    assert repr(made) == f"{law.__name__}()"
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize("kind", [*laws.all, *bristle.mechanisms.all, *bristle.couplings.all,
                                  *bristle.systems.all, bristle.Signal], ids=lambda k: k.__name__)
def test_no_field_hides_a_method(kind):
    methods = {name for base in kind.__mro__[1:] for name in vars(base)}
    assert not methods & {field["name"] for field in kind._fields}


def test_help_shows_the_equations():
    assert "F  = stiffness z + damping z' + viscous v" in laws.LuGre.__doc__


def test_replace_changes_a_copy():
    law = laws.LuGre(viscous=0.1)
    other = law.replace(stiffness=2e5)
    assert (law.stiffness, other.stiffness, other.viscous) == (1e5, 2e5, 0.1)
    assert law != other
    assert repr(other) == "LuGre(stiffness=200000.0, viscous=0.1)"
    assert eval(repr(other), vars(laws)) == other


def test_parameters_do_not_change():
    with pytest.raises(AttributeError, match="replace"):
        laws.LuGre().stiffness = 2.0


def test_a_law_is_found_by_the_name_of_files():
    assert laws.make("elasto_plastic", stiffness=1e4) == laws.ElastoPlastic(stiffness=1e4)


def test_lists_and_choices_are_parameters():
    assert laws.LuGre(viscous_form="in_curve").viscous_form == "in_curve"
    with_list = [f for f in laws.Gms._fields if f["list"]][0]["name"]
    assert getattr(laws.Gms(), with_list) == list(getattr(laws.Gms(), with_list))


@pytest.mark.parametrize("parameters, kind, sentence", [
    ({"stifness": 1.0}, ValueError, "lugre: there is no field 'stifness', did you mean 'stiffness'"),
    ({"stiffness": -1.0}, ValueError,
     "lugre: stiffness = -1 N/m is not allowed, it must be greater than 0 N/m"),
    ({"stiffness": float("nan")}, ValueError, "it must be a finite number greater than 0 N/m"),
    ({"stiffness": 10 ** 400}, ValueError, "stiffness = inf N/m is not allowed"),
    ({"stiffness": "much"}, ValueError, 'lugre: stiffness = "much" must be a number'),
    ({"stiffness": [1.0, 2.0]}, TypeError, "lugre: stiffness = [1.0, 2.0] is not allowed, it must be a number"),
    ({"viscous_form": "incurve"}, ValueError, "did you mean 'in_curve'"),
    ({"stiffness": None}, TypeError, "lugre: stiffness = None is not allowed"),
    ({"stiffness": True}, TypeError, "lugre: stiffness = True is not allowed"),
    ({"stiffness": 1j}, TypeError, "lugre: stiffness = 1j is not allowed"),
    ({"stiffness": {}}, TypeError, "is not allowed, it must be a number"),
])
def test_wrong_parameters_are_refused_in_the_words_of_the_command(parameters, kind, sentence):
    with pytest.raises(kind) as error:
        laws.LuGre(**parameters)
    assert sentence in str(error.value)


def test_parameters_without_a_name_are_refused():
    with pytest.raises(TypeError) as error:
        laws.LuGre(1e5)
    assert str(error.value) == "LuGre takes its parameters by name, such as LuGre(stiffness=100000.0)"


def test_unknown_laws_suggest_the_nearest():
    with pytest.raises(AttributeError, match="did you mean 'LuGre'"):
        laws.Lugree
    with pytest.raises(ValueError, match="there is no model 'lugree', did you mean 'lugre'"):
        laws.make("lugree")
