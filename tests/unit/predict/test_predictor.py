import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
import torch
from sklearn.base import clone

import linkwl
from linkwl import InputError, LinkPredictor, LinkwlError, UnknownNameError
from linkwl.datasets import load_airports
from linkwl.graph.node_ids import NodeIds
from linkwl.predict import predictor as module
from linkwl.training.evaluate import fold_scores

QUICK = {"gates": "off", "steps": 3, "readout": {"members": 2}, "training": {"max_steps": 20}}


@pytest.fixture(scope="module")
def airports():
    return load_airports()


@pytest.fixture(scope="module")
def fitted(airports):
    return LinkPredictor(settings=QUICK).fit(airports)


def test_it_learns_and_measures(fitted, airports):
    assert fitted.model_.id == "walk-2fwl"
    assert fitted.graph_ is airports
    assert fitted.record_.test["auc"] > 0.9
    assert fitted.calibration_.prior == airports.num_edges / airports.num_pairs


def test_probabilities_are_of_the_scores_and_rise_with_them(fitted):
    pairs = [("JNU", "WRG"), ("ORD", "SFB"), ("JNU", "SFB")]
    scores, told = fitted.decision_function(pairs), fitted.predict_proba(pairs)
    assert told.shape == (3, 2)
    np.testing.assert_allclose(told.sum(axis=1), 1)
    np.testing.assert_array_equal(told[:, 1], fitted.calibration_.probability(scores))
    np.testing.assert_array_equal(np.argsort(told[:, 1]), np.argsort(scores))
    assert (fitted.predict_proba(pairs, prior=0.5)[:, 1] > told[:, 1]).all()


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


@pytest.mark.parametrize("settings", [QUICK, {"training": {"max_steps": 2}}])
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


def test_given_pairs_keep_their_order(fitted):
    found = list(fitted.rank([("JNU", "SFB"), ("JNU", "WRG")]))
    assert [(link.source, link.target, link.rank) for link in found] == [("JNU", "SFB", 2), ("JNU", "WRG", 1)]


def test_a_node_and_itself_are_no_pair(fitted):
    with pytest.raises(InputError, match="a node has no link with itself; remove the pair of 'JNU' with itself"):
        fitted.predict_proba([("JNU", "WRG"), ("JNU", "JNU")])


def test_a_prior_that_was_given_is_kept_and_another_is_that_of_the_graph(airports, tmp_path):
    ring = linkwl.load_graph([(k, (k + 1) % 9) for k in range(9)])
    for prior, expected in ((None, 1 / 4), (0.3, 0.3)):
        LinkPredictor("ra", prior=prior).fit(airports).save(tmp_path / "m")
        loaded = LinkPredictor.load(tmp_path / "m")
        assert loaded.get_params()["prior"] == prior
        assert loaded.prior_for(ring) == expected


def test_an_explanation_is_of_the_score(fitted):
    found = fitted.explain(("JNU", "WRG"))
    assert found.score == fitted.decision_function([("JNU", "WRG")])[0]
    assert sum(part.contribution for part in found.paths) + found.other_paths + found.nodes == pytest.approx(
        found.score
    )


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


@pytest.mark.thorough
def test_it_comes_back_in_another_process_with_the_same_bits(fitted, tmp_path):
    fitted.save(tmp_path / "m")
    script = (
        "import linkwl, sys; p = linkwl.LinkPredictor.load(sys.argv[1]); p.recommend(25).save(sys.argv[2]); "
        "print(p.record_.test)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "m", tmp_path / "links.csv"],
        capture_output=True,
        text=True,
        check=True,
    )
    fitted.recommend(25).save(tmp_path / "expected.csv")
    assert (tmp_path / "links.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()
    assert done.stdout.strip() == str(fitted.record_.test)


def test_a_formula_is_saved_as_well(airports, tmp_path):
    LinkPredictor("ra").fit(airports).save(tmp_path / "m")
    loaded = LinkPredictor.load(tmp_path / "m")
    assert loaded.model_.id == "ra"
    assert loaded.recommend(1).to_arrow()["source"][0].as_py() == "PIE"


def test_saving_again_replaces_all(fitted, airports, tmp_path):
    LinkPredictor("ra").fit(airports).save(tmp_path / "m")
    (tmp_path / "m" / "report.html").write_text("of before")
    fitted.save(tmp_path / "m")
    assert LinkPredictor.load(tmp_path / "m").model_.id == "walk-2fwl"
    assert not (tmp_path / "m" / "report.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_a_save_that_fails_leaves_what_was_there(fitted, airports, tmp_path, monkeypatch):
    LinkPredictor("ra").fit(airports).save(tmp_path / "m")
    monkeypatch.setattr("linkwl.storage.model_folder.write_tensors", lambda *_: (_ for _ in ()).throw(MemoryError))
    with pytest.raises(MemoryError):
        fitted.save(tmp_path / "m")
    monkeypatch.undo()
    assert LinkPredictor.load(tmp_path / "m").model_.id == "ra"
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_a_folder_with_something_else_is_not_touched(fitted, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"holds 'thesis.tex', not part of a model"):
        fitted.save(tmp_path)
    with pytest.raises(InputError, match="a model is a folder, and this is a file"):
        fitted.save(tmp_path / "thesis.tex")
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "config.json").write_text('{"port": 80}')
    with pytest.raises(InputError, match="holds something other than a model"):
        fitted.save(tmp_path / "web")
    fitted.save(tmp_path / "m")
    (tmp_path / "m" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds 'notes.txt'"):
        fitted.save(tmp_path / "m")
    assert (tmp_path / "thesis.tex").read_text() == "years of work"
    assert (tmp_path / "web" / "config.json").read_text() == '{"port": 80}'
    assert (tmp_path / "m" / "notes.txt").read_text() == "mine"


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


def test_manners_of_scikit_learn():
    predictor = LinkPredictor("ra", prior=0.1)
    assert predictor.get_params() == {"model": "ra", "settings": None, "prior": 0.1, "seed": 0}
    assert clone(predictor).get_params() == predictor.get_params()
    assert predictor.set_params(seed=3) is predictor
    assert repr(predictor) == "LinkPredictor(model='ra', prior=0.1, seed=3)"
    with pytest.raises(UnknownNameError, match="did you mean 'prior'"):
        predictor.set_params(priors=1)


def test_before_fit_it_says_so():
    for ask in (lambda p: p.recommend(3), lambda p: p.predict_proba([(0, 1)]), lambda p: p.save("x")):
        with pytest.raises(LinkwlError, match="call `fit` first"):
            ask(LinkPredictor())


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


def test_no_pairs(fitted):
    assert fitted.predict_proba([]).shape == (0, 2)


@pytest.mark.parametrize("prior", [0, 1, -0.1, 7])
def test_an_impossible_prior(airports, prior):
    with pytest.raises(InputError, match="prior must lie between 0 and 1"):
        LinkPredictor("ra", prior=prior).fit(airports)


def test_numbers_too_large_for_64_bits_are_names_too():
    edges = [(2**63 + k, 2**63 + (k * k + step) % 40) for k in range(40) for step in (1, 2)]
    fitted = LinkPredictor("cn").fit([(str(a), str(b)) for a, b in edges])
    for pairs in ([(2**63, 2**63 + 5)], [(2**63, str(2**63 + 5))], np.array([(2**63, 2**63 + 5)], dtype=np.uint64)):
        assert fitted.decision_function(pairs).shape == (1,)


def test_columns_have_one_type_whatever_was_asked():
    fitted = LinkPredictor("cn").fit(nx.les_miserables_graph())
    numbers = LinkPredictor("cn").fit(nx.convert_node_labels_to_integers(nx.les_miserables_graph()))
    assert fitted.recommend(3).to_arrow().schema == fitted.recommend(3, for_node="Javert").to_arrow().schema
    assert numbers.recommend(3).to_arrow().schema == numbers.recommend(3, for_node=3).to_arrow().schema


def test_several_threads_may_ask(fitted):
    pairs = [("JNU", "WRG"), ("ORD", "SFB"), ("JNU", "SFB")]
    expected, before = fitted.decision_function(pairs), torch.get_num_threads()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda k: fitted.decision_function([pairs[k % 3]])[0], range(60)))
    assert answers == [expected[k % 3] for k in range(60)]
    assert torch.get_num_threads() == before


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
