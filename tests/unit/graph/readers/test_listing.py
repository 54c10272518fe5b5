from __future__ import annotations

from pathlib import Path

import pytest

from linkwl import InputError, KnowledgeGraph
from linkwl.graph.pair_columns import Declared
from linkwl.graph.readers.listing import Listing
from linkwl.graph.reading import Reading

PATH = Path("g.x")


def listing(labels=(None, None, None), **options) -> Listing:
    found = Listing("test", PATH, Reading(**options))
    for name, label in zip("123", labels, strict=True):
        found.add_node(name, label, {"size": int(name)})
    found.add_edge("1", "2", {"w": "2", "kind": "x"})
    found.add_edge("2", "3", {"w": "0.5", "kind": "y"})
    return found


def test_labels():
    assert list(listing().to_graph(name="g").ids) == [1, 2, 3]
    named = listing(("a", "b", "c")).to_graph(name="g")
    assert (list(named.ids), named.intake.notes[0]) == (["a", "b", "c"], "nodes named by their labels")
    for labels, reason in ((("a", "a", "c"), "some are the same"), (("a", None, "c"), "some nodes have none")):
        graph = listing(labels).to_graph(name="g")
        assert (list(graph.ids), reason in graph.intake.notes[0]) == ([1, 2, 3], True)


def test_attributes():
    graph = listing().to_graph(name="g")
    assert graph.intake.notes == (
        "ignored edge attributes `w`, `kind` (to use: --weight w, --type kind)",
        "node attribute `size`: numbers",
        "node attributes are used: --node-attributes none leaves them out",
    )
    assert graph.features.tolist() == [[1], [2], [3]]
    assert listing(weight="w").to_graph(name="g").edge_weight.tolist() == [2, 0.5]
    facts = listing(type="kind").to_graph(name="g")
    assert isinstance(facts, KnowledgeGraph)
    assert list(facts.relations) == ["x", "y"]
    assert facts.intake.notes[-1] == "ignored node attribute `size`"


def test_undirected_edges_among_directed_ones():
    found = listing()
    found.add_edge("3", "1", {}, is_both_ways=True)
    graph = found.to_graph(name="g", declared=Declared(True))
    assert (graph.num_edges, "1 undirected edges" in str(graph.intake.notes)) == (4, True)


def test_sides():
    assert listing(bipartite=True).to_graph(name="g").part.tolist() == [0, 0, 1]
    assert listing().to_graph(name="g", declared=Declared(None, True)).part is not None
    assert listing(bipartite=False).to_graph(name="g", declared=Declared(None, True)).part is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda found: found.add_node("1"), "node '1' is listed twice"),
        (lambda found: found.add_edge("1", "9", {}), "names the node '9', which is not listed"),
        (lambda found: (found.add_edge("1", "3", {"kind": "z"}), found.to_graph(name="g")), "has no attribute `w`"),
        (lambda found: (found.add_edge("1", "3", {"w": "z"}), found.to_graph(name="g")), "attribute `w` must hold"),
    ],
)
def test_what_is_refused(change, words):
    with pytest.raises(InputError, match=words):
        change(listing(weight="w"))


def test_options_of_other_files():
    with pytest.raises(InputError, match="`header` says nothing about a test file"):
        listing(header=True)
