from __future__ import annotations

import networkx as nx
import pytest

from linkwl import InputError, load_graph


@pytest.mark.parametrize("delimiter", [" ", ",", "\t"])
@pytest.mark.parametrize("data", [True, False])
def test_edge_lists(tmp_path, delimiter, data):
    drawn = nx.les_miserables_graph()
    nx.write_edgelist(drawn, tmp_path / "g.txt", delimiter=delimiter, data=data)
    graph = load_graph(tmp_path / "g.txt", **({"weight": "weight"} if data else {}))
    assert {frozenset((graph.ids[p], graph.ids[q])) for p, q in graph.edges.tolist()} == set(
        map(frozenset, drawn.edges)
    )


def test_adjacency_lists(tmp_path):
    drawn = nx.karate_club_graph()
    drawn.add_node(99)
    nx.write_adjlist(drawn, tmp_path / "g.adjlist")
    graph = load_graph(tmp_path / "g.adjlist")
    assert (graph.num_nodes, graph.num_edges, 99 in graph.ids) == (35, 78, True)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1 2 {'a': __import__('os')}", "no dictionary of plain values"),
        ("1 2 {" + "[" * 5000 + "}", "no dictionary of plain values"),
        ("1 2 {1, 2}", "no dictionary of plain values"),
        ("1 2 {'a': '" + "x" * 30_000 + "'}", "expected two names and a dictionary"),
    ],
)
def test_bad_data(tmp_path, line, words):
    (tmp_path / "g.edgelist").write_text(f"1 3 {{}}\n{line}\n")
    with pytest.raises(InputError, match=words) as caught:
        load_graph(tmp_path / "g.edgelist")
    assert caught.value.line == 2
