from __future__ import annotations

import json

import numpy as np
import pytest

import linkwl
from linkwl.errors import InputError
from linkwl.predict.rejected import Rejected
from linkwl.storage.model_folder import load_folder
from triple_graphs import named_relatives


def rows(links, verdict="rejected"):
    return [{"source": link.source, "target": link.target, "verdict": verdict} for link in links]


def ends(ranking):
    return [(link.source, link.target) for link in ranking]


@pytest.fixture(scope="module")
def airports():
    return linkwl.load_dataset("airports")


@pytest.fixture(scope="module")
def plain(airports):
    return linkwl.LinkPredictor("ra").fit(airports)


@pytest.fixture(scope="module")
def fitted(airports, plain):
    """A predictor that learned that the best two links, and the best one of JNU, are none."""
    best = [*plain.recommend(2), *plain.recommend(1, for_node="JNU")]
    return linkwl.LinkPredictor("ra").fit(airports, decisions=rows(best))


def test_rejected_links_are_not_recommended_again(plain, fitted):
    before = plain.recommend(40)
    gone = {("PIE", "SFB"), ("ORD", "SFB"), ("JNU", "WRG")}
    assert ends(fitted.recommend(30)) == [pair for pair in ends(before) if pair not in gone][:30]
    assert len(fitted.recommend(30)) == 30


def test_the_links_of_a_node_leave_them_out(plain, fitted):
    assert ends(fitted.recommend(3, for_node="JNU")) == ends(plain.recommend(4, for_node="JNU"))[1:]
    for side in (plain, fitted):
        per_node = ends(side.recommend_per_node(3, nodes=["SFB", "JNU", "ANC"]))
        assert [name for name, _ in per_node] == ["SFB"] * 3 + ["JNU"] * 3 + ["ANC"] * 3
    for name in ("SFB", "JNU", "ANC"):
        own = ends(fitted.recommend_per_node(3, nodes=[name]))
        assert own == [pair for pair in ends(plain.recommend_per_node(6, nodes=[name])) if not rejects(pair)][:3]


def rejects(pair):
    return set(pair) in ({"PIE", "SFB"}, {"ORD", "SFB"}, {"JNU", "WRG"})


def test_datasets_leave_them_out(plain, fitted, tmp_path):
    before, after = (
        side.write_scores(tmp_path / name, min_score=1.0).num_rows for name, side in (("a", plain), ("b", fitted))
    )
    assert before - after == 2  # the rejected link of JNU has a lower score


def test_scores_and_probabilities_are_still_answered(fitted, plain):
    assert fitted.decision_function([("PIE", "SFB")]) == plain.decision_function([("PIE", "SFB")])


def test_other_graphs_know_them_by_name(airports, fitted):
    renumbered = linkwl.load_graph([(airports.ids[int(q)], airports.ids[int(p)]) for p, q in airports.edges[::-1]])
    assert not any(rejects(pair) for pair in ends(fitted.recommend(20, graph=renumbered)))


def test_a_saved_model_remembers_them(fitted, tmp_path):
    fitted.save(tmp_path / "model")
    again = linkwl.LinkPredictor.load(tmp_path / "model")
    assert ends(again.recommend(9)) == ends(fitted.recommend(9))
    assert again.record_.decisions["rejected"] == 3


def test_rejected_facts_are_not_recommended_again():
    graph = named_relatives()
    before = linkwl.LinkPredictor("floor").fit(graph).recommend(6)
    first = before[0]
    row = {"head": first.head, "relation": first.relation, "tail": first.tail, "verdict": "rejected"}
    after = linkwl.LinkPredictor("floor").fit(graph, decisions=[row]).recommend(5)
    assert first.tail != after[0].tail or first.relation != after[0].relation or first.head != after[0].head


def test_none_if_the_other_graph_has_no_such_nodes(airports):
    other = linkwl.load_graph([("x", "y"), ("y", "z")])
    assert Rejected.of(np.array([[0, 5]], dtype=np.int32), airports, other) is None
    assert Rejected.of(np.empty((0, 2), dtype=np.int32), airports, airports) is None


@pytest.mark.parametrize("queries", [[[0, 10**6]], [[1, 2, 3]], [["a", "b"]], "all"])
def test_a_record_with_queries_of_another_graph_is_refused(fitted, tmp_path, queries, monkeypatch):
    fitted.save(tmp_path / "model")
    path = tmp_path / "model" / "record.json"
    record = json.loads(path.read_text())
    record["decisions"]["rejected queries"] = queries
    path.write_text(json.dumps(record))
    monkeypatch.setattr("linkwl.storage.model_folder._check_digests", lambda *_: None)
    with pytest.raises(InputError, match="record.json: this is not what linkwl writes there"):
        load_folder(tmp_path / "model")
