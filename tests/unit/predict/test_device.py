import pytest
import torch

from linkwl import InputError, create_model
from linkwl.predict.device import device_of, find_device, put_on


def test_the_default_is_left_alone():
    model = create_model("local-2wl")
    before = model.device
    put_on(model, None)
    assert model.device == before
    assert find_device(None) is None


def test_a_network_moves_and_a_formula_has_nowhere_to_go():
    network, formula = create_model("local-2wl"), create_model("ra")
    for model in (network, formula):
        put_on(model, torch.device("cpu"))
        assert device_of(model) == "cpu"


@pytest.mark.parametrize("name", ["gpu", "cuda:x", "cuda:99", "", 3.5])
def test_a_device_that_is_not_there(name):
    with pytest.raises(InputError, match="is not available here; use 'cpu', or None for the default"):
        find_device(name)
