from __future__ import annotations

import pytest

from linkwl.errors import InputError
from linkwl.graph.triple_columns import ANY_COLUMNS, TripleColumns


@pytest.mark.parametrize(
    ("columns", "names", "requested", "refused"),
    [
        (ANY_COLUMNS, {}, False, False),
        (TripleColumns(relation=2), {"relation": 2}, True, False),
        (TripleColumns("a", True, "b"), {"head": "a", "tail": "b"}, True, False),
        (TripleColumns(relation=True), {}, True, False),
        (TripleColumns(relation=False), {}, False, True),
        (TripleColumns(1, False, 2), {"head": 1, "tail": 2}, False, True),
    ],
)
def test_what_is_requested(columns, names, requested, refused):
    assert (columns.names, columns.are_requested, columns.are_refused) == (names, requested, refused)


def test_sources_without_columns():
    ANY_COLUMNS.refuse("a matrix")
    TripleColumns(relation=False).refuse("a matrix")
    for columns in (TripleColumns(relation=1), TripleColumns(relation=True), TripleColumns(1, False, 2)):
        with pytest.raises(InputError, match="and a matrix has no columns; leave it out"):
            columns.refuse("a matrix")
