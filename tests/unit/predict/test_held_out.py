import networkx as nx
import numpy as np
import pytest

from linkwl import LinkPredictor
from linkwl.metrics import auc, brier_score
from linkwl.predict.held_out import held_out_probabilities, held_out_scores


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
