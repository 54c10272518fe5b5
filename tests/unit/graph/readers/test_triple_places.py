from __future__ import annotations

import pytest

from linkwl.errors import InputError
from linkwl.graph.readers.triple_places import find_named_triple, find_requested_ends, find_triple
from linkwl.graph.triple_columns import ANY_COLUMNS, TripleColumns
from linkwl.graph.value_columns import NOTHING, ValueColumns


@pytest.mark.parametrize(
    ("header", "places"),
    [
        ("head relation tail", (0, 1, 2)),
        ("HEAD Relation Tail", (0, 1, 2)),
        ("subject predicate object", (0, 1, 2)),
        ("source relation target", (0, 1, 2)),
        ("h r t", (0, 1, 2)),
        ("s p o", (0, 1, 2)),
        ("from type to", (0, 1, 2)),
        ("source label target", (0, 1, 2)),
        ("head_id rel tail_id", (0, 1, 2)),
        ("source target relation", (0, 2, 1)),
        ("id tail relation head", (3, 2, 1)),
        ("source target", None),
        ("source target weight", None),
        ("source target type", None),
        ("source target type id weight", None),
        ("from type to weight", None),
        ("node1 relation", None),
        ("name type age", None),
        ("relation predicate type", None),
    ],
)
def test_usual_names(header, places):
    assert find_named_triple(header.split()) == places
    assert find_triple(ANY_COLUMNS, NOTHING, header.split(), len(header.split()), None) == places


def test_edges_can_be_asked_for():
    names = ["head", "relation", "tail"]
    assert find_triple(TripleColumns(relation=False), NOTHING, names, 3, None) is None
    assert find_triple(ANY_COLUMNS, ValueColumns(time="when"), names, 3, None) is None
    assert find_requested_ends(ANY_COLUMNS, (), names, 3, None) is None
    assert find_requested_ends(TripleColumns(3, False, "head"), (1,), names, 3, None) == (2, 0)
    assert find_requested_ends(TripleColumns(1, False), (1,), names, 3, None) == (0, 2)
    assert find_requested_ends(TripleColumns(None, False, 2), (), ["a", "b", "from"], 3, None) == (2, 1)
    with pytest.raises(InputError, match="name its two columns with --source and --target"):
        find_requested_ends(TripleColumns(1, False), (), ["a", "b", "c"], 3, None)
    for columns in (TripleColumns(1, False, "head"), TripleColumns(1, False, 2)):
        with pytest.raises(InputError, match="name its two columns with --source and --target"):
            find_requested_ends(columns, (1,), names, 3, None)


@pytest.mark.parametrize(
    ("wanted", "header", "places"),
    [
        (TripleColumns(relation=2), None, (0, 1, 2)),
        (TripleColumns(relation=1), None, (1, 0, 2)),
        (TripleColumns(relation=3), None, (0, 2, 1)),
        (TripleColumns(head=3), None, (2, 0, 1)),
        (TripleColumns(relation=True), None, (0, 1, 2)),
        (TripleColumns("c", "a", "b"), "a b c", (2, 0, 1)),
        (TripleColumns(relation="deal"), "deal from to when", (1, 0, 2)),
        (TripleColumns(relation="deal"), "firm1 firm2 deal when", (0, 2, 1)),
        (TripleColumns(relation="deal"), "buyer deal seller", (0, 1, 2)),
        (TripleColumns("buyer", None, "seller"), "buyer deal seller", (0, 1, 2)),
        (TripleColumns("buyer", None, "seller"), "when buyer relation seller", (1, 2, 3)),
        (TripleColumns("buyer", None, "seller"), "when buyer type seller", (1, 2, 3)),
        (TripleColumns(relation=True), "when tail relation head", (3, 2, 1)),
        (TripleColumns(relation="2"), "1 2 3", (0, 1, 2)),
    ],
)
def test_requested_columns(wanted, header, places):
    names = None if header is None else header.split()
    assert find_triple(wanted, NOTHING, names, 3 if names is None else len(names), None) == places


@pytest.mark.parametrize(
    ("wanted", "header", "words"),
    [
        (TripleColumns(relation="x"), "a b c", "there is no column `x`; the columns are `a`, `b`, `c`"),
        (TripleColumns(relation=4), "a b c", "there is no column `4`"),
        (TripleColumns(relation="x"), None, "there is no header; name the column of the relation by its position, 1"),
        (TripleColumns("a", "a"), "a b c", "head and relation are the same column; name different ones"),
        (TripleColumns(relation="c"), "x y c d", "nothing says which column holds the head; name it with --head"),
        (TripleColumns("a", "c"), "a b c d", "nothing says which column holds the tail; name it with --tail"),
        (TripleColumns(relation="b"), "a b", "found 2 columns, expected three: head, relation and tail"),
    ],
)
def test_requests_that_cannot_be_met(wanted, header, words):
    names = None if header is None else header.split()
    with pytest.raises(InputError, match=words):
        find_triple(wanted, NOTHING, names, 3 if names is None else len(names), None)


def test_triples_have_no_weights():
    with pytest.raises(InputError, match="no weight can be read from triples"):
        find_triple(TripleColumns(relation=2), ValueColumns(weight=3), None, 3, None)
