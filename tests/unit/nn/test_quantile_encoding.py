"""Normal scores: order, ties, values out of range."""

from __future__ import annotations

import numpy as np
import torch
from scipy import stats
from sklearn.preprocessing import QuantileTransformer

from linkwl.nn.quantile_encoding import QuantileEncoding


def fitted(sample):
    encoding = QuantileEncoding(sample.shape[1])
    encoding.fit(sample)
    return encoding


def test_values_beside_their_normal_scores():
    sample = torch.distributions.Gamma(0.7, 1.0).sample((5000, 2))
    x = sample[::7]
    values, scores = fitted(sample)(x).chunk(2, dim=1)
    torch.testing.assert_close(values, (x - sample.mean(0)) / sample.std(0, correction=0))
    other = QuantileTransformer(n_quantiles=65, output_distribution="normal").fit(sample.numpy()).transform(x.numpy())
    inner = np.abs(other) < 1.5
    np.testing.assert_allclose(scores.numpy()[inner], other[inner], atol=0.05)
    assert stats.kstest(scores[:, 0], "norm").pvalue > 1e-3


def test_equal_values_have_the_middle_of_their_ranks():
    sample = torch.cat([torch.zeros(600), torch.linspace(1, 2, 400)])[:, None]
    score = fitted(sample)(torch.tensor([[0.0]]))[0, 1]
    assert abs(score.item() - stats.norm.ppf(0.3)) < 0.05


def test_it_never_turns_values_round():
    sample = torch.cat([torch.zeros(300), torch.ones(300), torch.randn(400)])[:, None]
    x = torch.linspace(-4, 4, 2001)[:, None]
    scores = fitted(sample)(x)[:, 1]
    assert (scores.diff() >= 0).all()


def test_values_out_of_range_are_at_the_ends():
    encoding = fitted(torch.randn(500, 1))
    low, high = encoding(torch.tensor([[-1e6], [1e6]]))[:, 1]
    assert abs(low + high) < 1e-5
    assert 2 < high < 3


def test_a_constant_channel():
    encoding = fitted(torch.full((50, 1), 3.0))
    told = encoding(torch.tensor([[3.0], [2.0], [4.0]]))
    assert told.isfinite().all()
    assert told[0].tolist() == [0.0, 0.0]
