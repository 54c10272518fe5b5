from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest

from linkwl import Graph, create_model, load_graph
from linkwl.datasets import load_airports
from linkwl.errors import InputError
from linkwl.graph.node_ids import NodeIds
from linkwl.models import LinkModel
from linkwl.models.base import FormulaScorer
from linkwl.predict.explain import explain_query


@pytest.fixture(scope="module")
def airports():
    return load_airports()


def pair_of(graph, *names):
    return tuple(map(int, graph.ids.indices(names)))


def terms(found):
    return {part.group.paths[0]: part.contribution for part in found.parts}


@pytest.mark.parametrize("name", ["ra", "katz", "ppr", "pa", "jaccard"])
def test_the_parts_add_up_to_the_score(airports, name):
    model, pair = create_model(name), pair_of(airports, "JNU", "WRG")
    found = explain_query(model, airports, pair)
    assert found.score == model(airports, np.array([pair]))[0]
    assert found.baseline + sum(part.contribution for part in found.parts) == pytest.approx(found.score)
    assert found.baseline == 0
    assert found.num_scores <= 16


@pytest.mark.parametrize("name", ["ra", "katz", "jaccard"])
def test_without_a_group_the_score_is_the_stated_one(airports, name):
    model, pair = create_model(name), pair_of(airports, "ORD", "SFB")
    found = explain_query(model, airports, pair)
    for part in found.parts:
        smaller = airports.without(np.array(sorted(part.group.edges)))
        assert part.score_without == model(smaller, np.array([pair]))[0]
        assert part.drop == found.score - part.score_without


@pytest.mark.parametrize("name", ["ra", "katz", "pa"])
def test_the_order_of_the_two_nodes_does_not_matter(airports, name):
    model, (p, q) = create_model(name), pair_of(airports, "ORD", "SFB")
    there, back = explain_query(model, airports, (p, q)), explain_query(model, airports, (q, p))
    assert (there.pair, back.pair) == ((p, q), (q, p))
    assert (there.score, there.baseline, there.share) == (back.score, back.baseline, back.share)
    assert [part.contribution for part in there.parts] == [part.contribution for part in back.parts]
    for one, other in zip(there.parts, back.parts, strict=True):
        if not one.group.is_background:
            assert [path[::-1] for path in one.group.paths] == list(other.group.paths)
    assert there.degrees == back.degrees[::-1]


def test_contributions_to_resource_allocation_are_its_terms():
    # 0 and 3 share 1, which has two neighbours, and 2, which has three; the path 0 - 2 - 4 - 3 is not in the formula.
    graph = Graph.from_pairs([(0, 1), (1, 3), (0, 2), (2, 3), (2, 4), (4, 3)], 5)
    found = explain_query(create_model("ra"), graph, (0, 3))
    assert terms(found) == {(0, 1, 3): pytest.approx(1 / 2), (0, 2, 3): pytest.approx(1 / 3)}
    assert {part.group.kind for part in found.parts} == {"neighbours"}
    assert (found.baseline, found.share) == (0, 1)
    assert (found.degrees, found.num_common) == ((2, 3), 2)
    assert found.num_scores == 4


@pytest.mark.parametrize("name", ["cn", "aa", "ra"])
def test_sums_over_shared_neighbours_have_exact_terms(airports, name):
    found = explain_query(create_model(name), airports, pair_of(airports, "ORD", "SFB"))
    assert {part.group.kind for part in found.parts} == {"neighbours"}
    for part in found.parts:
        degree = airports.degree[[path[1] for path in part.group.paths]]
        if part.group.count == 1:
            expected = {"cn": 1.0, "aa": 1 / np.log(degree[0]), "ra": 1 / degree[0]}[name]
            assert part.contribution == pytest.approx(expected)
        assert part.effect == "raises"
    assert sum(part.group.count for part in found.parts) == found.num_common == 49


def test_preferential_attachment_is_shared_by_the_links_of_both(airports):
    found = explain_query(create_model("pa"), airports, pair_of(airports, "JNU", "WRG"))
    assert [(part.group.count, part.contribution) for part in found.parts] == [(7, 7.0), (2, 7.0)]
    assert (found.score, found.share) == (14, 0)


def test_a_link_is_explained_as_if_it_were_not_there(airports):
    p, q = (int(node) for node in airports.edges[100])
    found = explain_query(create_model("ra"), airports, (p, q))
    hidden = explain_query(create_model("ra"), airports.without(np.array([(p, q)])), (p, q))
    assert found.is_link
    assert not hidden.is_link
    assert (found.score, found.parts, found.degrees) == (hidden.score, hidden.parts, hidden.degrees)


def test_more_groups_have_errors_until_all_combinations_are_scored(airports):
    model, pair = create_model("katz"), pair_of(airports, "ORD", "SFB")
    few = explain_query(model, airports, pair, groups=6, budget=16)
    assert (len(few.parts), few.num_scores) == (6, 16)
    assert few.has_errors
    every = explain_query(model, airports, pair, groups=6)
    assert every.num_scores == 64
    assert not every.has_errors
    for one, other in zip(few.parts, every.parts, strict=True):
        assert one.contribution == pytest.approx(other.contribution, abs=4 * one.error + 1e-12)


@pytest.mark.parametrize("options", [{"groups": 1}, {"groups": 50}, {"budget": 0}])
def test_impossible_numbers_are_refused(airports, options):
    with pytest.raises(InputError, match="must be"):
        explain_query(create_model("cn"), airports, (0, 3), **options)


def test_nodes_far_from_each_other_have_only_their_links():
    graph = Graph.from_pairs([(0, 1), (2, 3)], 4)
    found = explain_query(create_model("pa"), graph, (0, 2))
    assert [part.group.kind for part in found.parts] == ["links", "links"]
    assert explain_query(create_model("ra"), graph, (0, 2)).parts == ()
    text = explain_query(create_model("ra"), graph, (0, 2)).to_text(graph)
    assert "nothing that could be removed changes the score" in text


def test_text_and_json_name_the_nodes():
    graph = load_graph([("ann", "bob"), ("bob", "cid"), ("ann", "dan"), ("dan", "cid"), ("cid", "eve")])
    found = explain_query(create_model("cn"), graph, pair_of(graph, "ann", "cid"))
    text = found.to_text(graph)
    assert "ann and cid: score 2.000" in text
    assert "+1.000    +1.000  shared neighbour bob, which has 2 links\n" in text
    assert "ann has 2 links, cid has 3; they share 2 neighbours." in text
    values = found.to_json(graph)
    assert values == json.loads(json.dumps(values))
    assert values["pair"] == ["ann", "cid"]
    assert values["groups"][0] == {
        "kind": "neighbours",
        "text": "shared neighbour bob, which has 2 links",
        "count": 1,
        "paths": [["ann", "bob", "cid"]],
        "cut": [["ann", "bob"], ["bob", "cid"]],
        "contribution": 1.0,
        "error": 0.0,
        "score_without": 1.0,
        "drop": 1.0,
        "effect": "raises",
        "note": "",
        "interaction": 0.0,
    }


def test_groups_in_words(airports):
    found = explain_query(create_model("katz"), airports, pair_of(airports, "ORD", "SFB"))
    text = found.to_text(airports)
    assert "48 other shared neighbours with 4 to 118 links: BMI, EVV, TRI, ..." in text
    assert "846 paths of three links, such as ORD - MYR - HGR - SFB" in text
    assert "the 151 other links of the two, and what lies farther away" in text


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
    values = found.to_json(graph)
    paths = {
        tuple(path): ways
        for group in values["groups"]
        for path, ways in zip(group["paths"], group["arrows"], strict=True)
    }
    assert paths[("ann", "dan")] == ["<-"]
    assert paths[("ann", "bob", "dan")] == ["->", "->"]
    assert paths[("ann", "cid", "dan")] == ["->", "<->"]
    text = found.to_text(graph)
    assert text.startswith("ann -> dan: score")
    assert "the reverse link ann <- dan" in text
    assert found.baseline + sum(part.contribution for part in found.parts) == pytest.approx(found.score)


def test_an_observed_directed_link_is_removed_one_way():
    graph = directed_example()
    model = create_model("katz", beta=0.1)
    found = explain_query(model, graph, (3, 2))
    assert found.is_link
    assert found.score == model(graph.without(np.array([(3, 2)])), [(3, 2)])[0]
    assert "reverse" in {part.group.kind for part in found.parts}  # the reverse link stays, and is evidence


def test_a_directed_pair_is_not_its_reverse():
    graph, model = directed_example(), create_model("cn")
    there, back = explain_query(model, graph, (0, 3)), explain_query(model, graph, (3, 0))
    assert (there.score, back.score) == (2, 0)
    assert back.parts == ()


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
    found = explain_query(UndirectedNeighbours(), graph, (0, 3), groups=6, budget=64)
    assert found.score == 2
    assert terms(found) == {(0, 1, 3): 1, (0, 2, 3): 1}
    assert "shared neighbour bob" in found.to_text(graph)


def test_edges_between_the_sides_are_explained_by_paths_of_three():
    # Readers 0 to 2 and books 3 to 5: reader 0 has book 3, which readers 1 and 2 have, who have book 4.
    edges = [(0, 3), (1, 3), (2, 3), (1, 4), (2, 4), (2, 5)]
    graph = Graph.from_pairs(edges, 6, part=np.array([0, 0, 0, 1, 1, 1], dtype=np.int8))
    found = explain_query(create_model("cn"), graph, (0, 4))
    assert terms(found) == {(0, 3, 1, 4): 1, (0, 3, 2, 4): 1}


def test_a_formula_of_neighbours_says_nothing_of_what_lies_farther_away(airports):
    found = explain_query(create_model("jaccard"), airports, pair_of(airports, "ORD", "SFB"))
    assert "the 151 other links of the two\n" in found.to_text(airports)


class Overlapping(LinkModel):
    """Shared neighbours and places both say that two nodes are near; both together are a little too much."""

    id, title, reference = "overlapping", "Overlapping", "None, 2026."

    def prepare(self, observed):
        def scores(pairs):
            links, known = observed.links, observed.attributes
            near = [len(np.intersect1d(links.neighbours(p), links.neighbours(q))) > 0 for p, q in pairs.tolist()]
            close = known.positions.distances(pairs) < 3
            return 5.0 * (np.array(near) | close) - 2.0 * (np.array(near) & close)

        return FormulaScorer(observed, scores)

    def describe(self, observed):
        return "two kinds of evidence"


def test_evidence_that_replaces_each_other_is_one_row_everywhere():
    edges = [("a", "c"), ("c", "b"), ("a", "d"), *((f"x{k}", f"x{k + 1}") for k in range(30))]
    places = {name: (float(k), 0.0) for k, name in enumerate(["a", "b", "c", "d", *(f"x{k}" for k in range(31))])}
    table = {"node": list(places), "x": [x for x, _ in places.values()], "y": [y for _, y in places.values()]}
    graph = load_graph(edges, features=pa.table(table))
    found = explain_query(Overlapping(), graph, pair_of(graph, "a", "b")).named_by(graph)
    assert found.score == 3
    (part,) = [part for part in found.parts if part.group.kind == "together"]
    assert [member.kind for member in part.group.members] == ["neighbours", "places"]
    assert (part.contribution, part.drop, part.effect) == (pytest.approx(3), 3, "raises")
    assert "shared neighbour c, which has 2 links; and their places, 1 apart" in str(found)
    assert "one stands in for the other" in str(found)
    values = found.to_json()["groups"][0]
    assert (values["kind"], values["members"], values["drop"]) == ("together", ["neighbours", "places"], 3)
    assert values["paths"] == [["a", "c", "b"]]
    assert "stands in for the other" in " ".join(found.to_pandas()["note"])


def test_a_scorer_that_was_prepared_before_gives_the_same(airports):
    calls = []
    model = create_model("ra")

    def prepare(graph):
        calls.append(graph)
        return model.prepare(graph)

    found = explain_query(model, airports, (3, 9), prepare=prepare)
    assert found == explain_query(model, airports, (3, 9))
    assert len(calls) == found.num_scores
