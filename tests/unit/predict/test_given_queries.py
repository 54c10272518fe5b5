import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import linkwl
from linkwl import InputError, LinkPredictor
from linkwl.datasets import load_airports
from linkwl.metrics import auc
from linkwl.predict.new_links import find_new_links
from triple_graphs import relatives

QUICK = {"gates": "off", "steps": 3, "readout": {"members": 2}, "training": {"max_steps": 20}}


@pytest.fixture(scope="module")
def airports():
    return load_airports()


@pytest.fixture(scope="module")
def fitted(airports):
    return LinkPredictor(settings=QUICK).fit(airports)


def test_probabilities_are_of_the_scores_and_rise_with_them(fitted):
    pairs = [("JNU", "WRG"), ("ORD", "SFB"), ("JNU", "SFB")]
    scores, told = fitted.decision_function(pairs), fitted.predict_proba(pairs)
    assert told.shape == (3, 2)
    np.testing.assert_allclose(told.sum(axis=1), 1)
    np.testing.assert_array_equal(told[:, 1], fitted.calibration_.probability(scores))
    np.testing.assert_array_equal(np.argsort(told[:, 1]), np.argsort(scores))
    assert (fitted.predict_proba(pairs, prior=0.5)[:, 1] > told[:, 1]).all()


def test_given_pairs_keep_their_order(fitted):
    found = list(fitted.rank([("JNU", "SFB"), ("JNU", "WRG")]))
    assert [(link.source, link.target, link.rank) for link in found] == [("JNU", "SFB", 2), ("JNU", "WRG", 1)]


def test_a_node_and_itself_are_no_pair(fitted):
    with pytest.raises(InputError, match="a node has no link with itself; remove the pair of 'JNU' with itself"):
        fitted.predict_proba([("JNU", "WRG"), ("JNU", "JNU")])


def test_no_pairs(fitted):
    assert fitted.predict_proba([]).shape == (0, 2)


def test_numbers_too_large_for_64_bits_are_names_too():
    edges = [(2**63 + k, 2**63 + (k * k + step) % 40) for k in range(40) for step in (1, 2)]
    fitted = LinkPredictor("cn").fit([(str(a), str(b)) for a, b in edges])
    for pairs in ([(2**63, 2**63 + 5)], [(2**63, str(2**63 + 5))], np.array([(2**63, 2**63 + 5)], dtype=np.uint64)):
        assert fitted.decision_function(pairs).shape == (1,)


def test_answers_follow_the_probabilities(fitted):
    pairs = [("JNU", "WRG"), ("ORD", "SFB"), ("JNU", "SFB"), ("JNU", "MIA")]
    assert fitted.classes_.tolist() == [0, 1]
    for prior in (None, 1e-6, 0.5):
        likely = fitted.predict_proba(pairs, prior=prior)
        assert fitted.predict(pairs, prior=prior).tolist() == fitted.classes_[likely.argmax(axis=1)].tolist()
    assert fitted.predict(pairs, prior=1e-6).sum() < fitted.predict(pairs, prior=0.5).sum()
    assert fitted.predict([]).shape == (0,)


def test_the_score_of_labelled_pairs_is_the_auc(fitted):
    pairs = [("JNU", "WRG"), ("ORD", "SFB"), ("JNU", "SFB"), ("JNU", "MIA")]
    labels = [0, 1, 1, 0]
    expected = roc_auc_score(labels, fitted.decision_function(pairs))
    assert fitted.score(pairs, labels) == expected
    assert fitted.score(np.array(pairs), np.array(labels, dtype=bool)) == expected
    assert fitted.score(pairs[::-1], 1.0 - np.array(labels[::-1])) == 1 - expected


def test_the_score_of_a_later_graph_is_that_of_its_new_links(airports):
    is_known = np.arange(airports.num_edges) % 10 > 0
    predictor = LinkPredictor("ra", seed=3).fit(airports.select(is_known))
    found = predictor.score(airports)
    targets = find_new_links(predictor.graph_, airports, 3)
    scores = [
        predictor.rank_indices(part, graph=predictor.graph_).scores for part in (targets.positives, targets.negatives)
    ]
    assert found == auc(*scores)
    assert len(scores[0]) == len(scores[1]) == np.count_nonzero(~is_known)
    frame = airports.to_pandas()
    assert predictor.score(frame.sample(frac=1, random_state=0)) == found


def test_the_score_of_later_facts():
    later = relatives(12)
    earlier = later.select(np.random.default_rng(0).random(later.num_facts) > 0.2)
    predictor = LinkPredictor("floor").fit(earlier)
    assert 0.5 < predictor.score(later) <= 1
    new = later.triples[~earlier.contains(later.triples)][:1]
    ((head, relation, tail),) = new.tolist()
    name = str(later.relations[relation])
    assert predictor.score([(head, name, tail), (0, "child of", 9)], [1, 0]) in (0, 0.5, 1)


def test_a_later_graph_with_directions_is_read_without_them():
    chain = [(k, (k * k + 1) % 30) for k in range(30)] + [(k, (k + 3) % 30) for k in range(30)]
    fitted = LinkPredictor("ra").fit(chain)
    later = linkwl.load_graph([*chain, (5, 4), (4, 5), (9, 2)], directed=True)
    assert 0 <= fitted.score(later) <= 1


def test_a_score_of_links_that_are_seen_is_doubted(fitted, airports):
    names = [(airports.ids[p], airports.ids[q]) for p, q in airports.edges[:2]]
    with pytest.warns(linkwl.LinkwlWarning, match="airports: the model sees 2 of the pairs with label 1 as links"):
        fitted.score([*names, ("JNU", "MIA")], [1, 1, 0])


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ([1], r"one per pair \(2\), got shape \(1,\)"),
        ([1, 2], "1 for a link and 0 for another pair"),
        (["yes", "no"], "1 for a link and 0 for another pair"),
        ([1, 1], "both 1 and 0"),
        ([0, 0], "both 1 and 0"),
    ],
)
def test_labels_that_make_no_sense(fitted, labels, says):
    with pytest.raises(InputError, match=says):
        fitted.score([("JNU", "WRG"), ("JNU", "MIA")], labels)


def test_the_fitted_graph_has_no_new_links(fitted, airports):
    with pytest.raises(InputError, match="no link between known nodes that airports does not have; give pairs and lab"):
        fitted.score(airports)
