"""The training loss."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, softplus

from linkwl.models.batch import Batch

NEAR = 0.05
"""Weight of the second part of the loss, a sum over many pairs that is about twenty times the first."""


def cross_entropy(logits: Tensor, batch: Batch) -> Tensor:
    r"""The binary cross-entropy of positives and negatives, plus that of near pairs if there are any.

    The first part has as many links as other pairs. At the top of a ranking most pairs have a common neighbour, or are
    close on a map, and links are rare; this part hardly depends on their order. So the second part covers the near
    pairs of :func:`linkwl.models.near_pairs.are_near` at their natural frequency: those among the positives, and all
    non-links, represented by a sample. With one batch of links to :math:`M` non-edges, the logit of a pair is
    :math:`f + \log (|P| / M)`.

    Shape:
        - logits: ``(..., num_pairs)``, in the order of :attr:`Batch.queries`
    """
    labels = torch.from_numpy(batch.labels).to(logits)
    targets = logits[..., : len(labels)]
    if batch.near is None:
        return binary_cross_entropy_with_logits(targets, labels.expand_as(targets))
    num_links = len(batch.positives)
    links, others, near = targets[..., :num_links], targets[..., num_links:], logits[..., len(labels) :]
    even = (softplus(-links).mean() + softplus(others).mean()) / 2
    shift = math.log(num_links / batch.num_absent)
    is_near = torch.from_numpy(batch.are_positives_near()).to(logits)
    weight = torch.from_numpy(batch.near.weight).to(logits)
    rare = (is_near * softplus(-links - shift)).sum(-1) + (weight * softplus(near + shift)).sum(-1)
    return even + NEAR * rare.mean() / num_links
