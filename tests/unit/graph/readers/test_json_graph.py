from __future__ import annotations

import json

import networkx as nx
import pytest

from linkwl import InputError, KnowledgeGraph, load_graph


@pytest.fixture
def read(tmp_path):
    def read(content, file="g.json", **options):
        (tmp_path / file).write_text(content if isinstance(content, str) else json.dumps(content))
        return load_graph(tmp_path / file, **options)

    return read


@pytest.mark.parametrize("edges", ["links", "edges"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_what_networkx_writes(read, kind, edges):
    drawn = kind(nx.gnm_random_graph(7, 9, seed=2))
    drawn.add_node(9)
    graph = read(nx.node_link_data(drawn, edges=edges))
    assert graph.digest == load_graph(drawn).digest


def test_names_and_positions(read):
    nodes = [{"id": 1}, {"id": 0}, {"id": 2}]
    graph = read({"nodes": nodes, "links": [{"source": 0, "target": 2}]})
    assert graph.edges.tolist() == [[0, 2]]  # ids, although they might be positions
    graph = read({"nodes": [{"id": "b"}, {"id": "a"}], "links": [{"source": {"id": "a"}, "target": {"id": "b"}}]})
    assert list(graph.ids) == ["a", "b"]


def test_rows(read):
    assert isinstance(read([["a", "likes", "b"], ["b", "likes", "c"]]), KnowledgeGraph)
    assert read([["a", "b", 3], ["b", "c", 4]], weight="weight").edge_weight.tolist() == [3, 4]
    assert read('{"a": 1, "b": 2}\n\n{"a": 2, "b": 3}\n', "g.jsonl").num_edges == 2
    assert read("[1, 2]\n[2, 3]\n", "g.ndjson").num_nodes == 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([], "it lists nothing"),
        ([["a"]], "edge 1 is not a list of two names"),
        ([["a", "b"], "x"], "edge 2 is not a list"),
        ({"nodes": [1], "links": []}, "as networkx and d3 write it"),
        ({"nodes": [{"id": 1}], "links": [{"source": 1}]}, "a link has no `source` or no `target`"),
        ({"nodes": [{"id": [1]}], "links": []}, "is no name of a node"),
        ("[" + "9" * 5000 + "]", "number that is too long|no name"),
    ],
)
def test_what_is_refused(read, content, words):
    with pytest.raises(InputError, match=words):
        read(content)
