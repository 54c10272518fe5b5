from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from linkwl.errors import InputError
from linkwl.graph.readers.triple_table import TripleTable


def table(heads, relations, tails, **fields):
    columns = (pa.chunked_array([column]) for column in (heads, relations, tails))
    return TripleTable(*columns, "list", ("a note",), **fields)


def test_its_rows_are_facts():
    graph = table(["b", "a"], ["r", "s"], ["a", "a"]).to_graph(None, name="g")
    assert graph.triples.tolist() == [[0, 1, 0], [1, 0, 0]]
    assert (graph.name, graph.intake.form, graph.intake.notes) == ("g", "list", ("a note",))


def test_an_error_has_the_line_of_the_name():
    lines = {("node", ""): 7, ("relation", ""): 9}
    for columns, line in (((["", "a"], ["r", "r"], ["a", "a"]), 7), ((["a"], [" "], ["b"]), 9)):
        with pytest.raises(InputError) as caught:
            table(*columns, line_of=lambda *key: lines[key]).to_graph(Path("x"), name="g")
        assert caught.value.line == line
    with pytest.raises(InputError) as caught:
        table(["a"], [""], ["b"]).to_graph(None, name="g")
    assert caught.value.line is None
