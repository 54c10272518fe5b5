import networkx as nx
import numpy as np
import pytest

from linkwl import LinkPredictor, load_dataset
from linkwl.metrics import auc, brier_score
from linkwl.predict.held_out import held_out_probabilities, held_out_scores
from linkwl.predict.summary import summarise
from linkwl.training import train
from linkwl.training.train import split_of


def test_they_are_what_the_record_measured(tmp_path):
    fitted = LinkPredictor("ra", seed=2).fit(nx.les_miserables_graph())
    fitted.save(tmp_path / "m")
    for predictor in (fitted, LinkPredictor.load(tmp_path / "m")):
        assert auc(*held_out_scores(predictor)) == fitted.record_.test["auc"]
        found = held_out_probabilities(predictor, 0.5)
        assert brier_score(*found) == pytest.approx(fitted.record_.test["brier"])
    rare = held_out_probabilities(fitted, 0.01)
    assert all((less < more).all() for less, more in zip(rare, found, strict=True))
    assert np.array_equal(np.argsort(rare[0]), np.argsort(found[0]))


@pytest.mark.parametrize(("dataset", "model"), [("airports", "ra"), ("world", "floor")])
def test_with_decisions_they_are_still_links_that_training_has_not_seen(dataset, model):
    graph = load_dataset(dataset)
    before = LinkPredictor(model).fit(graph)
    width = len(graph.query_columns)
    rows = [
        dict(zip(graph.query_columns, found[:width], strict=True))
        | {"verdict": "accepted" if found.rank < 6 else "rejected"}
        for found in before.recommend(8)
    ]
    after = LinkPredictor(model).fit(graph, decisions=rows)
    assert after.graph_.num_facts == graph.num_facts + 5
    split = split_of(after.record_, after.graph_)
    assert split.digest == after.record_.split
    assert split.test.positives.tolist() == split_of(before.record_, graph).test.positives.tolist()


def test_curves_and_reports_of_a_model_with_decisions_agree_with_its_record(airports):
    row = {"source": "ORD", "target": "SFB", "verdict": "accepted"}
    fitted = LinkPredictor("ra").fit(airports, decisions=[row])
    assert auc(*held_out_scores(fitted)) == fitted.record_.test["auc"]
    assert summarise(fitted).figures["ra"].auc.value == fitted.record_.test["auc"]


def test_curves_and_reports_of_a_large_graph_are_of_the_sample_that_the_record_measured(airports, monkeypatch):
    monkeypatch.setattr(train, "MOST_MEASURED", 200)
    fitted = LinkPredictor("ra").fit(airports)
    found = held_out_scores(fitted)
    assert (len(found.positive), len(found.negative)) == (100, 100)
    assert auc(*found) == fitted.record_.test["auc"]
    summary = summarise(fitted)
    assert summary.figures["ra"].auc.value == fitted.record_.test["auc"]
    assert summary.audit.passed
