import numpy as np
import pytest

from linkwl import create_model
from linkwl.predict.steady import SteadyModel
from network_cases import VARIANTS, random_graph, some_pairs


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_pair_alone_has_the_bits_that_it_has_among_others(variant):
    name, settings = VARIANTS[variant]
    graph, model = random_graph(), create_model(name, **settings)
    model.start(graph, 0)
    steady, pairs = SteadyModel(model), some_pairs(graph)
    together = steady(graph, pairs)
    np.testing.assert_array_equal([steady(graph, pairs[[i]])[0] for i in range(len(pairs))], together)
    np.testing.assert_allclose(together, model(graph, pairs), atol=1e-4)


def test_the_model_itself_stays_as_it_is():
    graph, model = random_graph(), create_model("local-2wl")
    model.start(graph, 0)
    SteadyModel(model)(graph, some_pairs(graph))
    assert {str(weight.dtype) for weight in model.trained.parameters()} == {"torch.float32"}


def test_a_formula_is_left_alone():
    graph, model = random_graph(), create_model("katz")
    np.testing.assert_array_equal(SteadyModel(model)(graph, some_pairs(graph)), model(graph, some_pairs(graph)))
