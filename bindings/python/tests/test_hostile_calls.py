# SPDX-License-Identifier: MIT
"""Wrong arguments of every public call: no crash, no hang, the right kind of exception, a sentence."""
import inspect

import bristle
import hostile_calls


def test_wrong_arguments_of_every_call_are_refused_in_a_sentence_or_taken():
    wrong, count = hostile_calls.wrong_answers(sample=3)
    assert wrong == [] and count > 1500


def test_every_public_function_is_among_the_calls(tmp_path):
    tried = " ".join(call.name for call in hostile_calls.calls(tmp_path))
    public = [name for name in bristle.__all__ if inspect.isroutine(getattr(bristle, name))]
    assert len(public) > 20
    missing = {name for name in public if name not in tried}
    assert not missing
