import networkx as nx
import pytest
from sklearn.base import clone

from linkwl import LinkPredictor, UnknownNameError


def test_manners_of_scikit_learn():
    predictor = LinkPredictor("ra", prior=0.1)
    assert predictor.get_params() == {"model": "ra", "settings": None, "prior": 0.1, "seed": 0, "device": None}
    assert clone(predictor).get_params() == predictor.get_params()
    assert predictor.set_params(seed=3) is predictor
    assert repr(predictor) == "LinkPredictor(model='ra', prior=0.1, seed=3)"
    with pytest.raises(UnknownNameError, match="did you mean 'prior'"):
        predictor.set_params(priors=1)


def test_a_loaded_predictor_is_shown_in_a_line(tmp_path):
    LinkPredictor("mf", settings={"rank": 4}).fit(nx.karate_club_graph()).save(tmp_path / "m")
    assert repr(LinkPredictor("mf", settings={"rank": 4})) == "LinkPredictor(model='mf', settings={'rank': 4})"
    assert repr(LinkPredictor.load(tmp_path / "m")) == "LinkPredictor(model='mf', settings={...})"
