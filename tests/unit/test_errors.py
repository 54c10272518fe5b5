from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import linkwl
from linkwl import errors


def test_the_tree():
    assert issubclass(errors.SplitError, errors.InputError)
    assert issubclass(errors.UnknownNameError, errors.InputError)
    for kind in (errors.InputError, errors.OutputError, errors.DownloadError, errors.TaskError):
        assert kind.__mro__[1] is errors.LinkwlError
        assert getattr(linkwl, kind.__name__) is kind


@pytest.mark.parametrize(
    ("path", "line", "sentence"),
    [
        (None, None, "it is bad."),
        ("a.csv", None, "a.csv: it is bad."),
        (Path("b/a.csv"), 7, "b/a.csv, line 7: it is bad."),
    ],
)
def test_an_input_error_says_where(path, line, sentence):
    error = errors.InputError("it is bad.", path=path, line=line)
    assert str(error) == sentence
    assert (error.problem, error.line) == ("it is bad.", line)
    assert error.path == (None if path is None else Path(path))


def test_unknown_names_offer_the_nearest_three():
    near = errors.UnknownNameError("model", "kats", ["katz", "cats", "kate", "kant", "zebra"])
    assert near.problem.startswith("unknown model 'kats'; did you mean ")
    assert near.problem.count("'") == 2 + 6
    assert "zebra" not in near.problem
    assert near.name == "kats"


@pytest.mark.parametrize(
    ("name", "known"),
    [("nosuch", "ns"), ("nope", "indigo"), ("dallas_mavericks", "kipt"), ("", "a.")],
)
def test_far_names_are_not_offered(name, known):
    assert str(errors.UnknownNameError("node", name, [known])) == f"unknown node {name!r}; known are {known}."


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("VAV", "https://brickschema.org/schema/1.1/Brick#VAV"),
        ("vav", "https://brickschema.org/schema/1.1/Brick#VAV"),
        ("agentcontrols", "concept:agentcontrols"),
        ("USAIR", "usair"),
    ],
)
def test_names_that_end_with_the_name_are_offered_first(name, known):
    error = errors.UnknownNameError("node", name, ["vaw", "agentcontrol", "usairs", known])
    assert f"did you mean {known!r}" in error.problem


def test_without_a_near_name_a_short_list_is_shown_whole():
    far = errors.UnknownNameError("dataset", "qqq", ["cora", "pb"], remedy="See the list.")
    assert str(far) == "unknown dataset 'qqq'; known are cora, pb. See the list."
    assert str(errors.UnknownNameError("node", "qqq", [f"n{k}" for k in range(31)])) == "unknown node 'qqq'."
    assert str(errors.UnknownNameError("node", 17, [])) == "unknown node '17'."


def test_numbers_are_compared_as_texts():
    assert "'1234'" in str(errors.UnknownNameError("node", 1235, [1234, 99]))


def test_an_output_error_says_what_to_do():
    error = errors.OutputError("out.json", "no space left on device")
    assert str(error).startswith("out.json: cannot be written (no space left on device); choose another place")
    assert error.path == Path("out.json")


@pytest.mark.parametrize(
    "error",
    [
        errors.LinkwlError("it is bad."),
        errors.InputError("it is bad.", path="a.csv", line=7),
        errors.UnknownNameError("model", "kats", ["katz"]),
        errors.OutputError("out.json", "no space left on device"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_travel_between_processes(error):
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), vars(back)) == (type(error), str(error), vars(error))
