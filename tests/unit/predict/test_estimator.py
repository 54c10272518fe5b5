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
