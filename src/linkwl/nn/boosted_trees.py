"""Regression trees, one added to the sum of the others at a time."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba
import numpy as np
import torch
from torch import Tensor, nn

from linkwl.threads import run_ranges


class BoostedTrees(nn.Module):
    """A sum of trees, each of the same depth; it begins with none, and :class:`TreeDescent` adds them.

    A tree sends a row left where a channel is at most a threshold. Thresholds are among the knots of the channel.

    Args:
        channels: Width of a row.
        num_trees: How many there may be.
        depth: How often a row is sent left or right.
        num_knots: Different thresholds of each channel, at most.

    Shape:
        - x: ``(num_rows, channels)``
        - output: ``(num_rows,)``
    """

    knots: Tensor
    feature: Tensor
    threshold: Tensor
    value: Tensor
    grown: Tensor

    def __init__(self, channels: int, num_trees: int, *, depth: int = 3, num_knots: int = 65) -> None:
        super().__init__()
        self.depth = depth
        splits, leaves = 2**depth - 1, 2**depth
        self.register_buffer("knots", torch.zeros(channels, num_knots))
        self.register_buffer("feature", torch.zeros(num_trees, splits, dtype=torch.int32))
        self.register_buffer("threshold", torch.full((num_trees, splits), torch.inf))
        self.register_buffer("value", torch.zeros(num_trees, leaves))
        self.register_buffer("grown", torch.zeros((), dtype=torch.int64))
        self.bias = nn.Parameter(torch.zeros(()))
        self.heard: list[Heard] = []
        """Rows, logits and the gradient in them, since they were last forgotten; only in training."""

    def reset_parameters(self) -> None:
        """No trees."""
        self.grown.zero_()
        nn.init.zeros_(self.bias)

    @torch.no_grad()
    def fit_knots(self, sample: Tensor) -> None:
        """Takes the thresholds from the rows of a sample: quantiles of each channel."""
        levels = torch.linspace(0, 1, self.knots.shape[1], device=sample.device)
        self.knots.copy_(torch.quantile(sample, levels, dim=0).T)

    def forward(self, x: Tensor) -> Tensor:
        """The sum of the trees."""
        rows = np.ascontiguousarray(x.detach().cpu().numpy())
        total = np.zeros(len(rows))
        count = int(self.grown)
        feature, threshold, value = (a[:count].cpu().numpy() for a in (self.feature, self.threshold, self.value))

        def add_up(start: int, stop: int) -> None:
            _add_up(rows, feature, threshold, value, self.depth, total, start, stop)

        run_ranges(add_up, len(rows), smallest=256)
        logits = torch.from_numpy(total).to(x) + self.bias
        if self.training and logits.requires_grad:
            told = logits.detach().cpu().numpy()
            logits.register_hook(lambda gradient: self.heard.append(Heard(rows, told, gradient.cpu().numpy())))
        return logits

    @torch.no_grad()
    def add(self, feature: Tensor, threshold: Tensor, value: Tensor) -> None:
        """Adds a tree."""
        place = int(self.grown)
        self.feature[place], self.threshold[place], self.value[place] = feature, threshold, value
        self.grown += 1


class Heard(NamedTuple):
    """What a backward pass told of some rows."""

    rows: np.ndarray
    logits: np.ndarray
    gradient: np.ndarray


class TreeDescent(torch.optim.Optimizer):
    """Descent in the space of functions: a step adds the tree that follows the gradient of the mean loss best.

    Second-order, for the binary cross-entropy: a leaf's value is minus the sum of its rows' gradients over the sum of
    their curvatures and a penalty. Each split looks at a random share of the channels.

    Reference: Friedman, Greedy function approximation: a gradient boosting machine, 2001; Chen and Guestrin, XGBoost,
    2016.

    Args:
        trees: What to add to.
        learning_rate: Share of a leaf's value that is taken.
        penalty: Added to the curvatures of a leaf.
        fewest: Rows that a leaf must have.
        share: Channels that each split looks at.
    """

    def __init__(
        self, trees: BoostedTrees, learning_rate: float, *, penalty: float = 1.0, fewest: int = 20, share: float = 0.5
    ) -> None:
        super().__init__([trees.bias], {"lr": learning_rate})
        self._trees, self._penalty, self._fewest, self._share = trees, penalty, fewest, share

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forgets what was heard."""
        super().zero_grad(set_to_none)
        self._trees.heard.clear()

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """Adds a tree."""
        trees = self._trees
        rows, logits, gradient = (np.concatenate(parts) for parts in zip(*trees.heard, strict=True))
        probability = 1 / (1 + np.exp(-logits.astype(np.float64)))
        knots = trees.knots.cpu().numpy()
        num_splits = trees.feature.shape[1]
        is_looked_at = torch.rand(num_splits, len(knots)).argsort(dim=1) < math.ceil(self._share * len(knots))
        feature, cut, value = _grow(
            _bins(rows, knots),
            gradient.astype(np.float64) * len(rows),
            probability * (1 - probability),
            is_looked_at.numpy(),
            knots.shape[1] + 1,
            trees.depth,
            self._penalty,
            self._fewest,
        )
        bounds = np.concatenate([knots, np.full((len(knots), 1), np.inf, dtype=knots.dtype)], axis=1)
        rate = self.param_groups[0]["lr"]
        trees.add(*map(torch.from_numpy, (feature, bounds[feature, cut], rate * value)))
        trees.heard.clear()


def _bins(rows: np.ndarray, knots: np.ndarray) -> np.ndarray:
    """How many knots of its channel are below each number."""
    return np.stack([np.searchsorted(k, x) for k, x in zip(knots, rows.T, strict=True)], axis=1).astype(np.int16)


@numba.njit(nogil=True, cache=True)
def _add_up(rows, feature, threshold, value, depth, total, start, stop):  # type: ignore[no-untyped-def]
    for i in range(start, stop):
        for t in range(len(feature)):
            node = 0
            for _ in range(depth):
                node = 2 * node + (1 if rows[i, feature[t, node]] <= threshold[t, node] else 2)
            total[i] += value[t, node - len(feature[t])]


@numba.njit(nogil=True, cache=True)
def _grow(bins, gradient, curvature, is_looked_at, num_bins, depth, penalty, fewest):  # type: ignore[no-untyped-def]
    """Splits level by level where it lowers the loss most; a node that no split helps sends all its rows left."""
    num_rows, channels = bins.shape
    place = np.zeros(num_rows, dtype=np.int64)  # of the row's node in its level
    feature = np.zeros(2**depth - 1, dtype=np.int32)
    cut = np.full(2**depth - 1, num_bins - 1, dtype=np.int32)
    for level in range(depth):
        width = 2**level
        told = np.zeros((width, channels, num_bins, 3))
        for i in range(num_rows):
            for c in range(channels):
                cell = told[place[i], c, bins[i, c]]
                cell[0] += gradient[i]
                cell[1] += curvature[i]
                cell[2] += 1
        for k in range(width):
            node = width - 1 + k
            slope, bend, count = 0.0, 0.0, 0.0
            for b in range(num_bins):
                slope, bend, count = slope + told[k, 0, b, 0], bend + told[k, 0, b, 1], count + told[k, 0, b, 2]
            best = slope * slope / (bend + penalty) * (1 + 1e-9)
            for c in range(channels):
                if not is_looked_at[node, c]:
                    continue
                g, h, n = 0.0, 0.0, 0.0
                for b in range(num_bins - 1):
                    g, h, n = g + told[k, c, b, 0], h + told[k, c, b, 1], n + told[k, c, b, 2]
                    if n < fewest or count - n < fewest:
                        continue
                    gain = g * g / (h + penalty) + (slope - g) * (slope - g) / (bend - h + penalty)
                    if gain > best:
                        best = gain
                        feature[node], cut[node] = c, b
        for i in range(num_rows):
            node = width - 1 + place[i]
            place[i] = 2 * place[i] + (bins[i, feature[node]] > cut[node])
    slopes, bends = np.zeros(2**depth), np.zeros(2**depth)
    for i in range(num_rows):
        slopes[place[i]] += gradient[i]
        bends[place[i]] += curvature[i]
    return feature, cut, -slopes / (bends + penalty)
