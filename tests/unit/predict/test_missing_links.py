from contextlib import contextmanager

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

import linkwl
from fitting import QUICK_WALKS
from linkwl import InputError, LinkPredictor
from linkwl.graph.node_ids import NodeIds


def test_recommended_links_are_new_and_the_best(fitted, airports):
    found = fitted.recommend(30)
    _, scores = linkwl.rank_missing_links(fitted.model_, airports, 30)
    np.testing.assert_allclose(found.scores, scores, atol=1e-4)
    assert not airports.has_edges(found.queries).any()
    assert [link.rank for link in found] == list(range(1, 31))


def test_recommended_links_of_one_node(fitted, airports):
    found = list(fitted.recommend(10**6, for_node="JNU"))
    degree = airports.degree[airports.ids.indices(["JNU"])[0]]
    assert {link.source for link in found} == {"JNU"}
    assert len({link.target for link in found} - {"JNU"}) == airports.num_nodes - 1 - degree
    scores = fitted.decision_function([("JNU", link.target) for link in found])
    np.testing.assert_array_equal(scores, [link.score for link in found])


def test_recommended_links_of_every_node(fitted, airports):
    every = fitted.recommend_per_node(2)
    assert len(every) == 2 * airports.num_nodes
    assert [row.rank for row in every.head(4)] == [1, 2, 1, 2]
    alone = [link.target for link in fitted.recommend(2, for_node="JNU")]
    some = list(fitted.recommend_per_node(2, nodes=["JNU", "ORD"]))
    assert [(link.source, link.target) for link in some[:2]] == [("JNU", target) for target in alone]
    assert [link.source for link in some[2:]] == ["ORD", "ORD"]


def test_a_recommended_link_of_a_bipartite_graph_begins_on_the_first_side():
    rows = np.random.default_rng(0).integers(0, 12, (70, 2))
    ids = NodeIds(pa.array([f"n{v}" for v in range(24)]))
    graph = linkwl.Graph.from_pairs(2 * rows + [1, 0], 24, part=1 - np.arange(24) % 2, ids=ids)
    predictor = LinkPredictor("pa").fit(graph)
    first = {f"n{v}" for v in range(1, 24, 2)}
    for ranking in (
        predictor.recommend(5),
        predictor.recommend(5, for_node="n0"),
        predictor.recommend_per_node(2, side="right"),
    ):
        assert len(ranking) >= 5
        assert {link.source for link in ranking} <= first
        assert not {link.target for link in ranking} & first
    by_item = list(predictor.recommend_per_node(2, side="right"))
    assert [link.rank for link in by_item if link.target == by_item[0].target] == [1, 2]


@pytest.mark.parametrize("settings", [QUICK_WALKS, {"training": {"max_steps": 2}}])
def test_a_pair_alone_scores_as_among_others(airports, settings):
    fitted = LinkPredictor(settings=settings).fit(airports)
    found = fitted.recommend(20)
    alone = [fitted.decision_function([(link.source, link.target)])[0] for link in found]
    assert alone == [link.score for link in found]


def test_candidates(fitted):
    assert {link.rank for link in fitted.recommend(5, candidates="hops:2")} == {1, 2, 3, 4, 5}
    with pytest.raises(InputError, match="unknown candidates 'near'"):
        fitted.recommend(5, candidates="near")
    with pytest.raises(InputError, match="give a node or candidates, not both"):
        fitted.recommend(5, candidates="hops:2", for_node="JNU")


def test_columns_have_one_type_whatever_was_asked():
    fitted = LinkPredictor("cn").fit(nx.les_miserables_graph())
    numbers = LinkPredictor("cn").fit(nx.convert_node_labels_to_integers(nx.les_miserables_graph()))
    assert fitted.recommend(3).to_arrow().schema == fitted.recommend(3, for_node="Javert").to_arrow().schema
    assert numbers.recommend(3).to_arrow().schema == numbers.recommend(3, for_node=3).to_arrow().schema


def test_recommended_links_of_some_nodes(fitted, airports):
    wanted = {"JNU", "ORD", "SFB"}
    found = list(fitted.recommend(10**6, for_nodes=["ORD", "JNU", "SFB", "ORD"]))
    everything = fitted.recommend(10**6)
    assert {frozenset(link[:2]) for link in found} == {
        frozenset(link[:2]) for link in everything if not wanted.isdisjoint(link[:2])
    }
    assert len({frozenset(link[:2]) for link in found}) == len(found)
    assert [link.score for link in found] == sorted((link.score for link in found), reverse=True)
    alone = fitted.recommend(5, for_nodes=["JNU"])
    assert list(alone) == list(fitted.recommend(5, for_node="JNU"))
    by_numbers = LinkPredictor("cn").fit(nx.karate_club_graph())
    assert len(by_numbers.recommend(5, for_nodes=np.array([0, 3]))) == 5


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"for_nodes": "JNU"}, "`for_nodes` is a list of nodes, got 'JNU'; one node is given as `for_node`"),
        ({"for_nodes": 7}, "`for_nodes` is a list of nodes, got 7"),
        ({"for_nodes": []}, "`for_nodes` is an empty list; name at least one node"),
        ({"for_nodes": ["JNU", "XYZ"]}, "unknown node 'XYZ'"),
        ({"for_nodes": ["JNU"], "for_node": "ORD"}, "`for_node` and `for_nodes` exclude each other"),
        ({"for_nodes": ["JNU"], "candidates": "hops:2"}, "give a node or candidates, not both"),
    ],
)
def test_some_nodes_that_make_no_sense(fitted, given, says):
    with pytest.raises(InputError, match=says):
        fitted.recommend(3, **given)


def test_a_bar_shows_the_progress_by_request(fitted, monkeypatch, tmp_path):
    shown = []

    @contextmanager
    def bar(text, on_progress, progress):
        shown.append((text, progress))
        yield lambda done, total: None

    monkeypatch.setattr("linkwl.predict.missing_links.shown_progress", bar)
    fitted.recommend(1, progress=True)
    fitted.recommend_per_node(1, nodes=["JNU"])
    fitted.write_scores(tmp_path / "links", min_probability=0.9, progress=False)
    assert shown == [
        ("ranking missing links", True),
        ("ranking missing links of every node", None),
        ("writing missing links", False),
    ]
