"""What training lowers."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, softplus

from linkwl.training.batches import Batch
from linkwl.training.near_pairs import num_common

_NEAR = 0.05
"""What the second part of the loss weighs: it is a sum over many pairs, some twenty times the first."""


def batch_loss(logits: Tensor, batch: Batch) -> Tensor:
    r"""The binary cross-entropy of telling positives from negatives, and that of near pairs if there are some.

    The first part has as many links as other pairs. At the top of a ranking, where most pairs are near ones, links are
    rare, and what tells them apart hardly moves it. So the second part takes the pairs that two edges join as they are:
    those among the positives, and all that are no links, for which a sample stands. At the share of links among all
    pairs, one batch to :math:`M` non-edges, the logit of a pair is :math:`f + \log (|P| / M)`.

    Shape:
        - logits: ``(..., num_pairs)``, as :attr:`Batch.pairs`
    """
    labels = torch.from_numpy(batch.labels).to(logits)
    targets = logits[..., : len(labels)]
    if batch.near is None:
        return binary_cross_entropy_with_logits(targets, labels.expand_as(targets))
    num_links = len(batch.positives)
    links, others, near = targets[..., :num_links], targets[..., num_links:], logits[..., len(labels) :]
    even = (softplus(-links).mean() + softplus(others).mean()) / 2
    shift = math.log(num_links / batch.num_non_edges)
    is_near = torch.from_numpy(num_common(batch.observed, batch.positives) > 0).to(logits)
    stands_for = torch.from_numpy(batch.near.stands_for).to(logits)
    rare = (is_near * softplus(-links - shift)).sum(-1) + (stands_for * softplus(near + shift)).sum(-1)
    return even + _NEAR * rare.mean() / num_links
