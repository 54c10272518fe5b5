from __future__ import annotations

import pyarrow as pa
import pytest

from linkwl import InputError
from linkwl.graph.pair_columns import Declared, PairColumns
from linkwl.graph.reading import Reading


def columns(source, target, **options) -> PairColumns:
    return PairColumns(pa.chunked_array([source]), pa.chunked_array([target]), "rows", (), **options)


def test_names_of_their_own():
    rows = columns([1, 2, 2], [1, 1, 3])
    assert rows.to_graph(None, name="g").num_nodes == 3
    graph = rows.to_graph(None, name="g", reading=Reading(bipartite=True))
    assert (graph.num_nodes, graph.num_edges, graph.part.tolist()) == (4, 3, [0, 0, 1, 1])
    assert (graph.edges[:, 0] < 2).all()
    assert graph.num_pairs == 4


def test_what_is_declared():
    rows = columns([1, 2], [2, 1], declared=Declared(True, None, "it says"))
    assert rows.to_graph(None, name="g").num_edges == 2
    assert rows.to_graph(None, name="g", reading=Reading(directed=False)).num_edges == 1
    sides = columns([1, 2], [2, 1], declared=Declared(None, True, "it says"))
    assert sides.to_graph(None, name="g").num_nodes == 4
    assert sides.to_graph(None, name="g", reading=Reading(bipartite=False)).num_nodes == 2


def test_the_line_of_a_bad_name():
    with pytest.raises(InputError, match="negative") as caught:
        columns(["-1", "2"], ["3", "4"], line_of=lambda name: 7).to_graph(None, name="g")
    assert caught.value.line == 7
