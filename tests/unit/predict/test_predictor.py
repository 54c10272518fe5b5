import networkx as nx
import numpy as np
import pytest

import linkwl
from linkwl import InputError, LinkPredictor, LinkwlError, UnknownNameError
from linkwl.predict import predictor as module
from linkwl.training.evaluate import fold_scores


def test_it_learns_and_measures(fitted, airports):
    assert fitted.model_.id == "walk-2fwl"
    assert fitted.graph_ is airports
    assert fitted.record_.test["auc"] > 0.9
    assert fitted.calibration_.prior == airports.num_edges / airports.num_pairs


def test_an_explanation_is_of_the_score(fitted):
    found = fitted.explain(("JNU", "WRG"))
    assert found.score == fitted.decision_function([("JNU", "WRG")])[0]
    assert found.baseline + sum(part.contribution for part in found.parts) == pytest.approx(found.score)


def test_another_graph_with_new_nodes(fitted, airports):
    edges = [(str(airports.ids[p]), str(airports.ids[q])) for p, q in airports.edges]
    larger = linkwl.load_graph([*edges, ("XXX", "ORD"), ("XXX", "ATL"), ("XXX", "DFW")])
    scores = fitted.decision_function([("XXX", "LAX"), ("XXX", "WRG")], graph=larger)
    assert scores[0] > scores[1]
    assert all(link.source == "XXX" for link in fitted.recommend(3, for_node="XXX", graph=larger))
    with pytest.raises(UnknownNameError, match="unknown node 'XXX'"):
        fitted.decision_function([("XXX", "LAX")])


def test_graphs_of_every_kind(airports):
    other = nx.karate_club_graph()
    fitted = LinkPredictor("ra").fit(other)
    found = fitted.recommend(3)
    assert all(not other.has_edge(link.source, link.target) for link in found)
    again = LinkPredictor("ra").fit([(int(p), int(q)) for p, q in other.edges])
    np.testing.assert_array_equal(again.recommend(3).scores, found.scores)


def test_auto_takes_the_best_on_validation_links(airports, monkeypatch):
    monkeypatch.setattr(module, "auto_models", lambda task: ["cn", "ra", "pa"])
    fitted = LinkPredictor("auto").fit(airports)
    compared = {row.model: row.valid for row in fitted.compared_}
    assert compared.keys() == {"cn", "ra", "pa"}
    assert fitted.model_.id == max(compared, key=compared.__getitem__) == fitted.compared_[0].model
    assert fitted.choice_.startswith(f"{fitted.model_.id}: none has a higher AUC on validation links")
    assert all(
        f"{name} {100 * auc:.2f} %" in fitted.choice_ for name, auc in compared.items() if name != fitted.model_.id
    )
    with pytest.raises(InputError, match="settings are for one model"):
        LinkPredictor("auto", settings={"beta": 1}).fit(airports)


def test_evaluate_trains_anew(airports):
    fitted = LinkPredictor("ra").fit(airports)
    result = fitted.evaluate(seeds=[0, 1])
    assert result.seeds == [0, 1]
    assert result.runs[0].metrics["auc"] == fitted.record_.test["auc"]


def test_the_test_fold_has_no_say(airports, fitted):
    """Another test fold, the same model and the same probabilities: neither has seen it."""
    split = linkwl.PROTOCOLS["paper"].apply(airports, 0)
    calibration = type(fitted.calibration_).fit(
        *np.split(fold_scores(fitted.model_, split.valid), [len(split.valid.positives)]),
        prior=fitted.calibration_.prior,
    )
    assert calibration == fitted.calibration_


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda p: p.recommend(0), "an integer of at least 1"),
        (lambda p: p.decision_function([("JNU", "ORD", "ATL")]), r"shape \(num_pairs, 2\), got \(1, 3\)"),
        (lambda p: p.decision_function([("JNU", "ORDD")]), "unknown node 'ORDD'; did you mean .*'ORD'"),
        (lambda p: p.explain(("JNU", "JNU")), "'JNU' is both ends"),
        (lambda p: p.explain(()), "by its two nodes"),
        (lambda p: p.explain("JNU"), "by its two nodes"),
        (lambda p: p.recommend(3, prior=2), "prior must lie between 0 and 1"),
        (lambda p: p.predict_proba([("JNU", "ORD")], prior=0), "prior must lie between 0 and 1"),
        (lambda p: p.recommend(3, for_node="JN"), "unknown node 'JN'"),
    ],
)
def test_questions_that_make_no_sense(fitted, ask, says):
    with pytest.raises(LinkwlError, match=says):
        ask(fitted)


@pytest.mark.parametrize("prior", [0, 1, -0.1, 7])
def test_an_impossible_prior(airports, prior):
    with pytest.raises(InputError, match="prior must lie between 0 and 1"):
        LinkPredictor("ra", prior=prior).fit(airports)


def test_options_of_reading_and_sides_with_names_of_their_own(tmp_path):
    """User 1 and film 1 are two nodes, in the answers and after saving."""
    rows = [(u, f) for u in range(12) for f in range(15) if (u * u + f) % 5 < 2]
    text = "\n".join(f"{f},{u},{u + f}" for u, f in rows)
    (tmp_path / "seen.csv").write_text(text + "\n")
    options = {"source": 2, "target": 1, "bipartite": True, "header": False}
    predictor = LinkPredictor("katz").fit(tmp_path / "seen.csv", **options)
    graph = predictor.graph_
    assert (graph.num_nodes, graph.num_edges) == (len({u for u, _ in rows}) + len({f for _, f in rows}), len(rows))
    predictor.save(tmp_path / "model")
    again = LinkPredictor.load(tmp_path / "model")
    assert again.graph_.digest == graph.digest
    for answers in (predictor.recommend(9), again.recommend(9), again.recommend(9, for_node="right:1")):
        links = {(link.source, link.target) for link in answers}
        assert links
        assert links.isdisjoint(rows)
        assert all(source < 12 and target < 15 for source, target in links)
    assert {link.target for link in again.recommend(9, for_node="right:1")} == {1}
    assert again.rank([(1, 1)]).queries.tolist() == predictor.rank([("1", "1")]).queries.tolist()
    with pytest.raises(InputError, match="'1' is on both sides; write 'left:1' or 'right:1'"):
        again.recommend(3, for_node=1)
    with pytest.raises(UnknownNameError, match="'14'"):
        again.rank([(14, 1)])
    assert "left:1" in again.explain((1, 1)).to_text(again.graph_)


def test_settings_are_a_mapping(airports):
    with pytest.raises(TypeError, match="`settings` must map names to values, got 'slow'"):
        LinkPredictor(settings="slow").fit(airports)
