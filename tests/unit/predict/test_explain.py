from itertools import pairwise

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

from linkwl import Graph, create_model, load_graph
from linkwl.datasets import load_airports
from linkwl.graph.node_ids import NodeIds
from linkwl.models import LinkModel
from linkwl.predict.explain import explain_query, short_paths


@pytest.fixture(scope="module")
def airports():
    return load_airports()


def pair_of(graph, *names):
    return tuple(map(int, graph.ids.indices(names)))


@pytest.mark.parametrize("name", ["ra", "katz", "ppr", "pa"])
def test_the_parts_add_up_to_the_score(airports, name):
    model, pair = create_model(name), pair_of(airports, "JNU", "WRG")
    found = explain_query(model, airports, pair)
    assert found.score == model(airports, np.array([pair]))[0]
    assert sum(part.contribution for part in found.paths) + found.other_paths + found.nodes == pytest.approx(
        found.score
    )


@pytest.mark.parametrize("name", ["ra", "katz"])
def test_without_a_path_the_score_is_what_was_told(airports, name):
    model, pair = create_model(name), pair_of(airports, "ORD", "SFB")
    found = explain_query(model, airports, pair)
    for part in found.paths:
        assert part.score_without == model(airports.without(np.array(part.cut)), np.array([pair]))[0]
        assert set(part.cut) <= set(pairwise(part.nodes))
    contributions = [part.contribution for part in found.paths]
    assert contributions == sorted(contributions, reverse=True)


def test_a_path_through_two_shared_neighbours_takes_no_credit_for_them():
    # 0 and 3 share 1 and 2, which are linked: the longer paths 0 - 1 - 2 - 3 and 0 - 2 - 1 - 3 add no common neighbour.
    graph = Graph.from_pairs([(0, 1), (1, 3), (0, 2), (2, 3), (1, 2)], 4)
    found = explain_query(create_model("cn"), graph, (0, 3))
    assert {part.nodes: part.contribution for part in found.paths} == {
        (0, 1, 3): 1,
        (0, 2, 3): 1,
        (0, 1, 2, 3): 0,
        (0, 2, 1, 3): 0,
    }


@pytest.mark.parametrize("name", ["ra", "katz", "pa"])
def test_the_order_of_the_two_nodes_does_not_matter(airports, name):
    model, (p, q) = create_model(name), pair_of(airports, "ORD", "SFB")
    there, back = explain_query(model, airports, (p, q)), explain_query(model, airports, (q, p))
    assert (there.pair, back.pair) == ((p, q), (q, p))
    assert (there.score, there.other_paths, there.nodes) == (back.score, back.other_paths, back.nodes)
    assert [(part.nodes[::-1], part.contribution) for part in there.paths] == [
        (part.nodes, part.contribution) for part in back.paths
    ]
    assert there.degrees == back.degrees[::-1]
    assert {near.link for near in there.near_links} == {near.link for near in back.near_links}
    assert back.near_links[0].link[0] == q


def test_contributions_to_resource_allocation_are_its_terms():
    # 0 and 3 share 1, which has two neighbours, and 2, which has three.
    graph = Graph.from_pairs([(0, 1), (1, 3), (0, 2), (2, 3), (2, 4)], 5)
    found = explain_query(create_model("ra"), graph, (0, 3))
    assert [(part.nodes, part.contribution) for part in found.paths] == [
        ((0, 1, 3), pytest.approx(1 / 2)),
        ((0, 2, 3), pytest.approx(1 / 3)),
    ]
    assert (found.other_paths, found.nodes) == (0, 0)
    assert (found.degrees, found.num_common) == ((2, 2), 2)


def test_a_link_is_explained_as_if_it_were_not_there(airports):
    p, q = (int(node) for node in airports.edges[100])
    found = explain_query(create_model("ra"), airports, (p, q))
    hidden = explain_query(create_model("ra"), airports.without(np.array([(p, q)])), (p, q))
    assert found.is_link
    assert not hidden.is_link
    assert (found.score, found.paths, found.degrees) == (hidden.score, hidden.paths, hidden.degrees)


def test_short_paths_are_those_of_networkx():
    graph = Graph.from_pairs(np.random.default_rng(0).integers(0, 20, (40, 2)), 20)
    other = nx.Graph(graph.edges.tolist())
    count = 0
    for p, q in graph.non_edges(np.arange(60)):
        if p in other and q in other:
            expected = {path for path in map(tuple, nx.all_simple_paths(other, int(p), int(q), 3))}
            found = short_paths(graph, int(p), int(q))
            assert set(found) == expected
            for most in (0, 1, 3, 100):
                assert short_paths(graph, int(p), int(q), most) == found[:most]
            count += len(expected)
    assert count > 50


def test_after_all_short_paths_are_cut_only_the_nodes_are_left(airports):
    found = explain_query(create_model("ra"), airports, pair_of(airports, "ORD", "SFB"))
    assert found.nodes == 0
    assert found.other_paths > 0
    assert len(found.paths) == 8


def test_nodes_far_from_each_other_have_no_paths():
    graph = Graph.from_pairs([(0, 1), (2, 3)], 4)
    found = explain_query(create_model("pa"), graph, (0, 2))
    assert (found.paths, found.other_paths, found.nodes, found.near_links) == ((), 0, 1, ())
    assert "No path of two or three edges joins them." in found.to_text(graph)


def test_near_links_share_neighbours_with_the_other_node(airports):
    found = explain_query(create_model("ra"), airports, pair_of(airports, "JNU", "WRG"))
    p, q = found.pair
    assert found.near_links
    for near in found.near_links:
        node, neighbour = near.link
        other = q if node == p else p
        assert airports.has_edges(np.array([near.link]))[0]
        assert near.shared == len(np.intersect1d(airports.neighbours(neighbour), airports.neighbours(other))) > 0


def test_text_and_json_name_the_nodes():
    graph = load_graph([("ann", "bob"), ("bob", "cid"), ("ann", "dan"), ("dan", "cid"), ("cid", "eve")])
    found = explain_query(create_model("cn"), graph, pair_of(graph, "ann", "cid"))
    text = found.to_text(graph)
    assert "ann and cid: score 2.000" in text
    assert "+1.000  ann - bob - cid  (without it alone: 1.000)" in text
    assert "ann has 2 links, cid has 3; they share 2 neighbours." in text
    told = found.to_json(graph)
    assert told["pair"] == ["ann", "cid"]
    assert told["paths"][0] == {
        "nodes": ["ann", "bob", "cid"],
        "cut": [["ann", "bob"], ["bob", "cid"]],
        "contribution": 1.0,
        "score_without": 1.0,
    }


def test_progress_ends_with_all(airports):
    seen = []
    explain_query(
        create_model("cn"), airports, pair_of(airports, "ORD", "SFB"), on_progress=lambda *told: seen.append(told)
    )
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))
    assert {total for _, total in seen} == {len(seen)}


def test_a_node_and_itself_are_no_pair(airports):
    with pytest.raises(ValueError, match="two different nodes"):
        explain_query(create_model("cn"), airports, (3, 3))


def directed_example():
    """0 -> 3 is asked: 3 points back, 0 -> 1 -> 3 leads there, and 2 is pointed to by 0 and, both ways, by 3."""
    names = NodeIds(pa.array(["ann", "bob", "cid", "dan"]))
    edges = [(3, 0), (0, 1), (1, 3), (0, 2), (3, 2), (2, 3)]
    return Graph.from_pairs(edges, 4, ids=names, is_directed=True, name="letters")


def test_directed_paths_are_named_with_their_directions():
    graph = directed_example()
    found = explain_query(create_model("katz", beta=0.1), graph, (0, 3))
    paths = {part["nodes"] and tuple(part["nodes"]): part["arrows"] for part in found.to_json(graph)["paths"]}
    assert paths[("ann", "dan")] == ["<-"]
    assert paths[("ann", "bob", "dan")] == ["->", "->"]
    assert paths[("ann", "cid", "dan")] == ["->", "<->"]
    text = found.to_text(graph)
    assert text.startswith("ann -> dan: score")
    assert "ann <- dan" in text and "ann -> cid <-> dan" in text
    total = sum(part.contribution for part in found.paths) + found.other_paths + found.nodes
    assert total == pytest.approx(found.score)


def test_an_observed_directed_link_is_removed_one_way():
    graph = directed_example()
    model = create_model("katz", beta=0.1)
    found = explain_query(model, graph, (3, 2))
    assert found.is_link
    assert found.score == model(graph.without(np.array([(3, 2)])), [(3, 2)])[0]
    assert (3, 2) in {part.nodes for part in found.paths}  # the reverse link stays, and is evidence


def test_a_directed_pair_is_not_its_reverse():
    graph, model = directed_example(), create_model("cn")
    there, back = explain_query(model, graph, (0, 3)), explain_query(model, graph, (3, 0))
    assert (there.score, back.score) == (2, 0)


class UndirectedNeighbours(LinkModel):
    """Counts common neighbours, in whatever direction."""

    id = "undirected-cn"

    def prepare(self, observed):
        self.check(observed)
        return create_model("cn").prepare(observed)

    def describe(self, observed):
        return "exact"


def test_a_model_without_directions_explains_the_links_it_sees():
    graph = directed_example()
    found = explain_query(UndirectedNeighbours(), graph, (0, 3))
    assert found.score == 2
    assert {part.nodes: part.contribution for part in found.paths if len(part.nodes) == 3} == {
        (0, 1, 3): 1,
        (0, 2, 3): 1,
    }
    assert "ann -> bob -> dan" in found.to_text(graph)
