from __future__ import annotations

import pytest
import torch

from adjacencies import assert_same_function, normal, randomised
from linkwl.nn.norms import ColumnNorm, GraphNorm, LayerNorm, NoNorm, create_norm, dropout


def naive(norm, z, rows):
    """The definition, with statistics over `rows`, a list of rows in which one may stand several times."""
    columns = []
    for c in range(z.shape[1]):
        mean = sum(row[c] for row in rows) / len(rows)
        variance = sum((row[c] - norm.alpha[c] * mean) ** 2 for row in rows) / len(rows)
        own = z[:, c] - norm.alpha[c] * mean
        columns.append(norm.gamma[c] * own / (variance + 1e-5).sqrt() + norm.beta[c])
    return torch.stack(columns, dim=1)


@pytest.mark.parametrize("num_rows", [1, 2, 7])
def test_graph_norm_is_its_definition(num_rows):
    norm, z = randomised(GraphNorm(3)), normal(num_rows, 3)
    assert_same_function(norm(z), naive(norm, z, list(z)), [z, *norm.parameters()])


def test_graph_norm_is_that_of_pyg(pyg):
    norm, z = randomised(GraphNorm(3)), normal(7, 3)
    other = pyg.GraphNorm(3).double()
    with torch.no_grad():
        for own, theirs in ((norm.gamma, other.weight), (norm.beta, other.bias), (norm.alpha, other.mean_scale)):
            theirs.copy_(own)
    assert_same_function(norm(z), other(z), [z])


def test_other_rows_are_normalised_by_the_statistics_given():
    norm, observed, targets = randomised(GraphNorm(3)), normal(6, 3), normal(4, 3, seed=1)
    out = norm(targets, norm.statistics(observed))
    assert_same_function(out, naive(norm, targets, list(observed)), [observed, targets, *norm.parameters()])
    alone = norm(targets[2:3], norm.statistics(observed))
    torch.testing.assert_close(alone, out[2:3], rtol=0, atol=1e-12)


def test_weights_stand_for_copies_of_rows():
    norm, z = randomised(GraphNorm(2)), normal(3, 2)
    copies = torch.tensor([4, 0, 1])
    statistics = norm.statistics(z, copies / copies.sum(dtype=torch.float64))
    rows = list(z.repeat_interleave(copies, dim=0))
    assert_same_function(norm(z, statistics), naive(norm, z, rows), [z, *norm.parameters()])


@pytest.mark.parametrize("z", [torch.zeros(0, 2), torch.zeros(1, 2), torch.full((5, 2), 3.0)])
def test_nothing_to_measure_is_no_trouble(z):
    norm = GraphNorm(2)
    assert torch.isfinite(norm(z)).all()
    assert torch.isfinite(norm(torch.ones(2, 2), norm.statistics(z))).all()


def test_fresh_weights_centre_and_scale():
    norm = randomised(GraphNorm(4))
    norm.reset_parameters()
    out = norm(normal(50, 4, requires_grad=False) * 9 + 5)
    torch.testing.assert_close(out.mean(0), torch.zeros(4, dtype=torch.float64))
    torch.testing.assert_close(out.square().mean(0), torch.ones(4, dtype=torch.float64), rtol=0, atol=1e-6)


def test_evaluation_takes_the_same_statistics_as_training():
    norm, z = randomised(GraphNorm(2)), normal(6, 2)
    torch.testing.assert_close(norm.train()(z), norm.eval()(z), rtol=0, atol=0)


def test_layer_norm_looks_at_one_row():
    z = normal(5, 4)
    expected = [(row - row.mean()) / ((row - row.mean()).square().mean() + 1e-5).sqrt() for row in z]
    norm = LayerNorm()
    assert_same_function(norm(z), torch.stack(expected), [z])
    assert_same_function(norm(z, norm.statistics(normal(9, 4, seed=1))), torch.stack(expected), [z])
    assert list(norm.parameters()) == []


def test_no_norm_changes_nothing():
    z = normal(5, 4)
    norm = NoNorm()
    torch.testing.assert_close(norm(z, norm.statistics(z)), z, rtol=0, atol=0)


@pytest.mark.parametrize(("name", "kind"), [("graph", GraphNorm), ("layer", LayerNorm), ("none", NoNorm)])
def test_norms_have_names(name, kind):
    assert type(create_norm(name, 3)) is kind


def test_column_norm_takes_each_second_node_by_itself():
    norm, z = randomised(ColumnNorm(3)), normal(4, 4, 3)
    plain = torch.stack([naive(norm, z[:, q], list(z[:, q])) for q in range(4)], dim=1)
    assert_same_function(norm(z), plain, [z, *norm.parameters()])


@pytest.mark.parametrize("probability", [0.1, 0.3, 0.5, 0.8, 0.999])
def test_numbers_are_dropped_with_the_probability_and_the_mean_stays(probability):
    torch.manual_seed(0)
    x = torch.ones(1000, 401, requires_grad=True)
    out = dropout(x, probability, True)
    share = (out == 0).float().mean().item()
    assert abs(share - probability) < 1 / 256
    assert abs(out.mean().item() - 1) < (0.01 if probability < 0.9 else 0.1)
    assert len(out.unique()) == 2
    out.sum().backward()
    assert torch.equal(x.grad, out.detach())


def test_every_place_of_a_word_is_alike():
    torch.manual_seed(0)
    out = dropout(torch.ones(80_000), 0.25, True).view(-1, 8)
    assert ((out == 0).float().mean(0) - 0.25).abs().max() < 0.02


def test_nothing_is_dropped_in_evaluation_or_without_a_probability():
    x = torch.randn(3, 4)
    assert dropout(x, 0.5, False) is x
    assert dropout(x, 0.0, True) is x
    assert dropout(x[:0], 0.5, True).shape == (0, 4)


def test_the_generator_decides_what_is_dropped():
    x = torch.ones(50)
    torch.manual_seed(1)
    first, second = dropout(x, 0.5, True), dropout(x, 0.5, True)
    torch.manual_seed(1)
    assert torch.equal(dropout(x, 0.5, True), first)
    assert not torch.equal(first, second)


def test_dropout_keeps_types():
    assert dropout(torch.ones(3, dtype=torch.float64), 0.5, True).dtype == torch.float64
