from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph, create_model
from linkwl.engine import ProcessEngine
from linkwl.errors import InputError
from linkwl.graph.attributes import Attributes
from linkwl.graph.positions import Positions
from linkwl.models.base import FormulaScorer
from linkwl.predict import per_node
from linkwl.predict.per_node import NodeLinks, rank_per_node


def random_graph(num_nodes: int = 40, num_rows: int = 80, **fields: object) -> Graph:
    return Graph.from_pairs(np.random.default_rng(0).integers(0, num_nodes, (num_rows, 2)), num_nodes, **fields)


def bipartite_graph() -> Graph:
    """Nodes of both sides take turns."""
    ends = np.random.default_rng(1).integers(0, 20, (60, 2))
    return Graph.from_pairs(2 * ends + [0, 1], 40, part=np.arange(40) % 2)


def uneven(graph: Graph) -> FormulaScorer:
    """Scores with ties that depend on the order of the two nodes."""
    return FormulaScorer(graph, lambda pairs: (7.0 * pairs[:, 0] + 3 * pairs[:, 1]) % 5)


def expected(scorer: FormulaScorer, possible: list[tuple[int, int]], column: int, k: int) -> list[tuple[int, int]]:
    """Sorts the possible links of every node."""
    best = []
    for node in sorted({pair[column] for pair in possible}):
        own = [pair for pair in possible if pair[column] == node]
        score = dict(zip(own, scorer(np.array(own)).tolist(), strict=True))
        best += sorted(own, key=lambda pair: (-score[pair], pair[1 - column]))[:k]
    return best


def rows(found: tuple[np.ndarray, np.ndarray]) -> list[tuple[int, int]]:
    return [tuple(pair) for pair in found[0].tolist()]


def listed(links: NodeLinks) -> np.ndarray:
    return np.concatenate([block for part in links.parts() for block in links.blocks(part)])


@pytest.mark.parametrize("block", [1 << 18, 50])
def test_every_node_has_its_best_links(block, monkeypatch):
    monkeypatch.setattr(per_node, "BLOCK", block)
    graph = random_graph()
    possible = [(p, q) for p in range(40) for q in range(40) if p != q and not graph.has_edges(np.array([[p, q]]))[0]]
    found = rank_per_node(uneven(graph), NodeLinks.of(graph), 3)
    assert rows(found) == expected(uneven(graph), possible, 0, 3)
    assert found[1].tolist() == uneven(graph)(found[0]).tolist()


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_links_of_a_directed_graph_have_both_ends_asked_for(side):
    graph = random_graph(is_directed=True)
    links = {tuple(edge) for edge in graph.edges.tolist()}
    possible = [(p, q) for p in range(40) for q in range(40) if p != q and (p, q) not in links]
    found = rank_per_node(uneven(graph), NodeLinks.of(graph, side=side), 2)
    assert rows(found) == expected(uneven(graph), possible, 0 if side == "left" else 1, 2)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("hops", [None, 3])
def test_links_join_the_two_sides(side, hops):
    graph = bipartite_graph()
    links = {tuple(edge) for edge in graph.edges.tolist()}
    adjacency = graph.to_scipy().toarray() > 0
    three = np.linalg.matrix_power(adjacency.astype(int), 3) > 0
    possible = [
        (p, q)
        for p in range(0, 40, 2)
        for q in range(1, 40, 2)
        if (min(p, q), max(p, q)) not in links and (hops is None or three[p, q])
    ]
    found = rank_per_node(uneven(graph), NodeLinks.of(graph, side=side, hops=hops), 4)
    assert rows(found) == expected(uneven(graph), possible, 0 if side == "left" else 1, 4)


@pytest.mark.parametrize("graph", [random_graph(), random_graph(is_directed=True), bipartite_graph()])
def test_close_nodes_are_asked_besides_those_within_hops(graph):
    places = Positions(np.random.default_rng(0).normal(size=(40, 2)), "plane")
    placed = graph.with_attributes(Attributes(positions=places))
    every, within = (listed(NodeLinks.of(graph, hops=hops)) for hops in (None, 2))
    close = every[places.num_listings(every) > 0]
    found = listed(NodeLinks.of(placed, hops=2))
    assert sorted(map(tuple, found.tolist())) == sorted({*map(tuple, [*close.tolist(), *within.tolist()])})
    assert len(within) < len(found) < len(every)


def test_some_nodes_come_in_their_order():
    graph = random_graph()
    pairs, _ = rank_per_node(create_model("cn").prepare(graph), NodeLinks.of(graph, np.array([7, 3])), 2)
    assert pairs[:, 0].tolist() == [7, 7, 3, 3]


def test_a_node_that_is_linked_with_all_has_no_row():
    graph = Graph.from_pairs([(0, 1), (0, 2), (0, 3)], 4)
    pairs, _ = rank_per_node(create_model("cn").prepare(graph), NodeLinks.of(graph), 5)
    assert rows((pairs, pairs)) == [(1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)]


@pytest.mark.thorough
def test_the_engine_makes_no_difference(monkeypatch):
    monkeypatch.setattr(per_node, "BLOCK", 90)
    graph, progress = random_graph(), []
    scorer, links = create_model("ra").prepare(graph), NodeLinks.of(graph)
    here = rank_per_node(scorer, links, 3)
    there = rank_per_node(
        scorer, links, 3, engine=ProcessEngine(2), on_progress=lambda done, total: progress.append((done, total))
    )
    assert rows(here) == rows(there)
    assert progress[-1] == (40, 40)


def test_sides_need_sides():
    with pytest.raises(InputError, match="neither directions nor sides"):
        NodeLinks.of(random_graph(), side="left")
    with pytest.raises(InputError, match="unknown side 'top'"):
        NodeLinks.of(bipartite_graph(), side="top")
    with pytest.raises(InputError, match="1 is on the other side; ask for the right one"):
        NodeLinks.of(bipartite_graph(), np.array([1]), side="left")


def test_whole_rows_are_scored_if_every_node_is_a_candidate(monkeypatch):
    graph = Graph.from_pairs(np.random.default_rng(0).integers(30, size=(60, 2)), 30)
    scorer = create_model("ra").prepare(graph)
    expected = rank_per_node(scorer, NodeLinks.of(graph), 3)
    monkeypatch.setattr(scorer, "_function_of_rows", None)
    pairs, scores = rank_per_node(scorer, NodeLinks.of(graph), 3)
    assert np.array_equal(expected[0], pairs)
    assert np.array_equal(expected[1], scores)
