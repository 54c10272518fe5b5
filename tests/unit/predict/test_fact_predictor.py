"""The predictor on knowledge graphs."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import linkwl
import triple_model
from linkwl import InputError, KnowledgeGraph, LinkPredictor
from linkwl.engine import InlineEngine
from linkwl.errors import LinkwlWarning, SplitError
from linkwl.graph.readers.benchmark_folder import read_benchmark_folder
from linkwl.predict.triple_candidates import TripleGrid
from linkwl.protocols import protocol_for
from triple_graphs import fact_set, named_relatives, random_triples, write_triples

QUICK = {"training": {"max_steps": 20}}


@pytest.fixture(scope="module")
def families():
    return named_relatives()


@pytest.fixture(scope="module")
def fitted(families):
    return LinkPredictor(settings=QUICK).fit(families)


def named_facts(graph):
    names = graph.ids.to_arrow().to_pylist(), graph.relations.to_arrow().to_pylist()
    return [(names[0][h], names[1][r], names[0][t]) for h, r, t in graph.triples.tolist()]


def test_facts_are_measured_under_indigo_and_all_are_observed(fitted, families):
    assert fitted.record_.protocol["id"] == "indigo"
    assert set(fitted.record_.test) >= {"acc", "auc", "relation-hits@3", "brier", "ece"}
    assert fitted.record_.test["auc"] > 0.9
    assert fitted.graph_ is families
    assert fitted.calibration_.prior == families.density


def test_a_file_of_facts_gives_the_same_model(fitted, families, tmp_path):
    write_triples(tmp_path / "facts.tsv", named_facts(families))
    again = LinkPredictor(settings=QUICK).fit(tmp_path / "facts.tsv", folder=tmp_path / "m")
    expected = [tuple(row) for row in fitted.recommend(5)]
    assert [tuple(row) for row in again.recommend(5)] == expected
    assert [tuple(row) for row in LinkPredictor.load(tmp_path / "m").recommend(5)] == expected
    resumed = LinkPredictor(settings=QUICK).fit(tmp_path / "facts.tsv", folder=tmp_path / "m", resume=True)
    assert resumed.record_.to_json() == again.record_.to_json()


def test_an_inductive_benchmark_is_tested_on_its_other_graph(tmp_path):
    facts = named_facts(named_relatives(30))
    unseen = [("u" + h, r, "u" + t) for h, r, t in named_facts(named_relatives(10))]
    order = np.random.default_rng(0).permutation(len(facts))
    write_triples(tmp_path / "kin" / "train.txt", [facts[k] for k in order[50:]])
    write_triples(tmp_path / "kin" / "valid.txt", [facts[k] for k in order[:50]])
    write_triples(tmp_path / "kin_ind" / "train.txt", unseen[::2] + unseen[1::4])
    write_triples(tmp_path / "kin_ind" / "test.txt", unseen[3::4])
    graph = read_benchmark_folder(tmp_path / "kin")
    predictor = LinkPredictor(settings=QUICK).fit(tmp_path / "kin")
    split = protocol_for(graph).apply(graph, 0)
    assert split.is_inductive
    assert predictor.record_.split == split.digest
    assert predictor.graph_.num_facts == len(facts)
    other = predictor.recommend(5, graph=graph.division.unseen)
    assert all(row.head.startswith("u") for row in other)


@pytest.mark.parametrize("count", [1, 5, 12, 19])
def test_too_few_facts_are_refused_with_a_sentence(count):
    facts = [(f"a{k}", f"r{k % 2}", f"a{(k * k + 1) % 7}") for k in range(count)]
    with pytest.raises(SplitError, match=r"facts? (is|are) too few to split; at least 20 are needed"):
        LinkPredictor().fit(linkwl.load_graph(facts))


@pytest.mark.parametrize(("num_nodes", "num_relations", "count"), [(30, 1, 25), (6, 2, 40), (50, 9, 40), (300, 3, 60)])
def test_small_graphs_work_or_are_refused_with_a_sentence(num_nodes, num_relations, count):
    graph = random_triples(num_nodes, num_relations, count)
    with warnings.catch_warnings(action="ignore", category=LinkwlWarning):
        try:
            fitted = LinkPredictor(settings=QUICK).fit(graph)
        except InputError as error:
            assert "random: " in str(error)
        else:
            assert len(fitted.recommend(3)) == 3


def test_answers_are_the_best_of_all(fitted, families):
    every = TripleGrid(families)
    top = fitted.recommend(10**6, candidates=every, second_values="keep")
    rows = {(row.head, row.relation, row.tail): row for row in top}
    answers = fitted.recommend(5, head="p3", relation="child of").head(5)
    expected = sorted((row for key, row in rows.items() if key[:2] == ("p3", "child of")), key=lambda row: row.rank)[:5]
    assert [row[:4] for row in answers] == [row[:4] for row in expected]
    assert fact_set(top.queries).isdisjoint(fact_set(families.triples))
    assert len(top) == families.num_absent - families.num_nodes * families.num_relations  # nobody is related to himself
    engine = fitted.recommend(20, engine=InlineEngine(), second_values="keep")
    assert [tuple(row) for row in engine] == [tuple(row) for row in top.head(20)]


def test_the_probability_of_a_fact_does_not_depend_on_the_question(fitted):
    found = fitted.recommend(1, head="p3", relation="child of").head(1)[0]
    alone = fitted.predict_proba([(found.head, found.relation, found.tail)])[0, 1]
    assert found.probability == alone
    assert fitted.recommend(1, head="p3", relation="child of", prior=0.5).probabilities[0] > alone


def test_relations_of_another_graph_are_found_by_name(fitted, families):
    """The relations are listed in another order, and one is new."""
    facts = named_facts(families)
    turned = [(h, {"child of": "a child of"}.get(r, r), t) for h, r, t in facts]
    known = [fact for fact in facts if fact[1] != "child of"]
    query = [("p0", "parent of", "p8"), ("p0", "sibling of", "p8")]
    fewer = fitted.decision_function(query, graph=linkwl.load_graph(known))
    alone = fitted.decision_function(query, graph=families.select(families.triples[:, 1] != 0))
    np.testing.assert_array_equal(fewer, alone)
    other = linkwl.load_graph(turned)
    observed = fitted.observe(other)
    assert list(observed.relations) == ["child of", "married to", "parent of", "sibling of", "a child of"]
    with pytest.warns(LinkwlWarning, match="training has never seen 1 of the relations, such as 'a child of'"):
        found = fitted.recommend(2, head="p3", relation="a child of", graph=other)
    assert {row.relation for row in found} == {"a child of"}


def test_a_graph_of_pairs_is_refused(fitted):
    with pytest.raises(InputError, match="walk-2fwl scores triples, and airports is a graph of pairs"):
        fitted.recommend(3, graph=linkwl.load_dataset("airports"))


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda p: p.recommend(0), "the number of facts must be an integer of at least 1, got 0"),
        (lambda p: p.recommend(3, head="p1", candidates=TripleGrid(p.graph_)), "give candidates, or parts"),
        (lambda p: p.recommend(3, most=5, candidates=TripleGrid(p.graph_)), "give candidates, or parts"),
        (lambda p: p.recommend(3, head="p1", for_node="p2"), "exclude each other"),
        (lambda p: p.decision_function([("p1", "p2")]), r"shape \(num_triples, 3\), got \(1, 2\)"),
        (lambda p: p.decision_function([("p1", "likes", "p2")]), "unknown relation 'likes'"),
    ],
)
def test_questions_that_make_no_sense(fitted, ask, says):
    with pytest.raises(InputError, match=says):
        ask(fitted)


def test_facts_from_a_node_to_itself_are_found_only_if_there_are_some(monkeypatch):
    triple_model.register(monkeypatch)
    graph = random_triples(30, 3, 300)
    assert graph.has_loops
    loops = [row for row in LinkPredictor("toy-triple").fit(graph).recommend(10**5) if row.head == row.tail]
    assert len(loops) == 30 * 3 - int((graph.triples[:, 0] == graph.triples[:, 2]).sum())
    without = graph.select(graph.triples[:, 0] != graph.triples[:, 2])
    assert not any(row.head == row.tail for row in LinkPredictor("toy-triple").fit(without).recommend(10**5))


def test_two_relations_are_enough(monkeypatch):
    triple_model.register(monkeypatch)
    graph = triple_model.family()
    fitted = LinkPredictor("toy-triple").fit(graph)
    assert fitted.record_.protocol["id"] == "facts"
    assert isinstance(fitted.graph_, KnowledgeGraph)
