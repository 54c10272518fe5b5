from __future__ import annotations

from dataclasses import fields

import pytest

from linkwl import InputError
from linkwl.graph.reading import AS_DECLARED, TEXT, Reading, ReadingOptions
from linkwl.graph.triple_columns import TripleColumns


def test_the_keyword_arguments_are_the_fields():
    assert list(ReadingOptions.__annotations__) == [field.name for field in fields(Reading)]


def test_what_is_given():
    assert AS_DECLARED.given == {}
    reading = Reading(source="a", header=False, skip_bad=True)
    assert reading.given == {"source": "a", "header": False, "skip_bad": True}
    assert Reading(**reading.options) == reading


@pytest.mark.parametrize(
    ("reading", "triples"),
    [
        (Reading(), TripleColumns()),
        (Reading(source="a"), TripleColumns("a", False, None)),
        (Reading(source="a", target=2), TripleColumns("a", False, 2)),
        (Reading(source="a", type="t"), TripleColumns("a", "t", None)),
        (Reading(type="t"), TripleColumns(None, "t", None)),
        (Reading(head="a", target="b"), TripleColumns("a", None, "b")),
        (Reading(head=1, relation=2, tail=3), TripleColumns(1, 2, 3)),
        (Reading(type=False), TripleColumns(None, False, None)),
    ],
)
def test_columns_of_triples(reading, triples):
    assert reading.triples == triples


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"directed": "maybe"}, "`directed` must be True, False or 'auto', got 'maybe'"),
        ({"bipartite": 3}, "`bipartite` must be True, False or 'auto', got 3"),
        ({"source": 1, "head": 1}, "`source` and `head` name the same column"),
        ({"type": 1, "relation": 2}, "`type` and `relation` name the same column"),
    ],
)
def test_what_is_refused(options, words):
    with pytest.raises(InputError, match=words):
        Reading(**options)


def test_options_without_a_meaning():
    Reading(weight="w", type=False).allow(TEXT, "a text")
    with pytest.raises(InputError, match="`threshold` says nothing about a text; leave it out"):
        Reading(threshold=1.0).allow(TEXT, "a text")


def test_types_that_are_refused_need_no_hint():
    assert Reading().used(["weight"]) == {"weight"}
    assert Reading(relation=False).used([]) == {"type"}
