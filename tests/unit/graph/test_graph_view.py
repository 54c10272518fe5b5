import numpy as np
import pyarrow as pa

import linkwl
from linkwl.graph import Graph, KnowledgeGraph, NodeIds
from linkwl.graph.graph_view import _MOST_NOTES

NAMES = NodeIds(pa.array(["<b>", "ann", "bob"]))


def test_edges_by_name_with_their_columns():
    graph = Graph.from_pairs(
        [(0, 1), (2, 1)], 3, ids=NAMES, weight=np.array([2.0, 0.5]), time=np.array([7, 9]), is_directed=True
    )
    assert graph.to_arrow().to_pydict() == {
        "source": ["<b>", "bob"],
        "target": ["ann", "ann"],
        "weight": [2.0, 0.5],
        "time": [7, 9],
    }
    assert graph.to_pandas().to_dict("list") == graph.to_arrow().to_pydict()
    assert Graph.from_pairs([(0, 1)], 2).to_arrow().column_names == ["source", "target"]


def test_a_table_of_edges_is_read_as_the_same_graph():
    graph = linkwl.load_dataset("airports")
    assert np.array_equal(linkwl.load_graph(graph.to_pandas()).edges, graph.edges)
    sided = linkwl.load_graph([{"user_id": u, "film_id": f} for u, f in ((1, 2), (2, 1), (3, 2))])
    assert sided.to_arrow().to_pydict() == {"source": [1, 2, 3], "target": [2, 1, 2]}


def test_sources_are_on_the_first_side():
    graph = Graph.from_pairs([(0, 1), (1, 2)], 3, ids=NAMES, part=np.array([1, 0, 1]))
    assert graph.to_arrow().to_pydict() == {"source": ["ann", "ann"], "target": ["<b>", "bob"]}


def test_the_overview_has_what_there_is():
    plain = Graph.from_pairs([(0, 1)], 3, name="<i>")._repr_html_()
    assert "&lt;i&gt;" in plain
    assert "<i>" not in plain
    assert "1 of 3 pairs (33.33%)" in plain
    assert "weights" not in plain
    rich = Graph.from_pairs(
        [(0, 1), (1, 2)],
        3,
        weight=np.array([2.0, 0.5]),
        part=np.array([0, 1, 0]),
        features=np.ones((3, 4), dtype=np.float32),
    )._repr_html_()
    assert "0.5 to 2" in rich
    assert "2 and 1 nodes" in rich
    assert "directed edges" in Graph.from_pairs([(0, 1)], 2, is_directed=True)._repr_html_()
    assert "coordinates" in linkwl.load_dataset("airports")._repr_html_()


def test_a_graph_of_nothing():
    assert "0 of 0 pairs" in Graph.from_pairs([], 0)._repr_html_()


def test_long_lists_of_notes_are_cut():
    graph = Graph.from_pairs([(0, 1)], 2, notes=tuple(f"note {k}" for k in range(_MOST_NOTES + 2)))
    made = graph._repr_html_()
    assert f"note {_MOST_NOTES - 1}" in made
    assert f"note {_MOST_NOTES}<" not in made
    assert "and 2 more notes" in made


def test_facts_by_name():
    relations = NodeIds(pa.array(["knows", "likes"]), kind="relation")
    graph = KnowledgeGraph.from_triples([(0, 1, 2), (1, 0, 0)], 3, 2, ids=NAMES, relations=relations, name="<i>")
    assert graph.to_arrow().to_pydict() == {
        "head": ["<b>", "ann"],
        "relation": ["likes", "knows"],
        "tail": ["bob", "<b>"],
    }
    assert list(graph.to_pandas().columns) == ["head", "relation", "tail"]
    assert "&lt;i&gt;" in graph._repr_html_()
    assert "relations" in graph._repr_html_()
