from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from linkwl.models.gradient import TrainingConfig
from linkwl.models.loss import cross_entropy
from linkwl.training.batches import BatchStream


def batch_of(split, **settings):
    return next(BatchStream(split.train, split.reserved, TrainingConfig(batch_ratio=0.1, **settings), 0))


def logits_of(batch, members=2):
    generator = torch.Generator().manual_seed(0)
    return torch.randn(members, len(batch.queries), generator=generator, dtype=torch.float64).requires_grad_()


def test_without_near_pairs_it_is_the_binary_cross_entropy(split):
    batch = batch_of(split, negatives_per_positive=3)
    logits = logits_of(batch)
    labels = torch.from_numpy(batch.labels).double().expand_as(logits)
    assert cross_entropy(logits, batch).item() == binary_cross_entropy_with_logits(logits, labels).item()


def test_near_pairs_are_told_apart_at_the_share_of_links(split):
    batch = batch_of(split, near_share=0.5)
    logits = logits_of(batch, members=1)
    links, others = len(batch.positives), len(batch.negatives)
    assert len(batch.near.pairs) > 10
    shift = math.log(links / split.reserved.num_absent)
    expected = 0.0
    for k, (p, q) in enumerate(batch.queries):
        f = logits[0, k].item()
        if k < links:
            expected += math.log1p(math.exp(-f)) / links / 2
            if np.intersect1d(batch.observed.neighbours(p), batch.observed.neighbours(q)).size:
                expected += 0.05 * math.log1p(math.exp(-f - shift)) / links
        elif k < links + others:
            expected += math.log1p(math.exp(f)) / others / 2
        else:
            weight = batch.near.weight[k - links - others]
            expected += 0.05 * weight * math.log1p(math.exp(f + shift)) / links
    assert cross_entropy(logits, batch).item() == pytest.approx(expected, rel=1e-12)


def test_every_pair_has_a_gradient(split):
    batch = batch_of(split, near_share=0.5)
    logits = logits_of(batch)
    cross_entropy(logits, batch).backward()
    assert (logits.grad[:, : len(batch.positives)] < 0).all()
    assert (logits.grad[:, len(batch.positives) :] > 0).all()
