"""The features of every relation of many pairs, with the parts that many triples share stored once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from linkwl.nn.perceptron import PerceptronEnsemble
from linkwl.sparse.perceptron_grid import FirstLayer, add_perceptrons, first_rows
from linkwl.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class GridColumns:
    """The columns of each part among the features of a triple."""

    heads: tuple[int, ...]
    tails: tuple[int, ...]
    relations: tuple[int, ...]
    entries: tuple[int, ...]
    flag: int


@dataclass(frozen=True, eq=False)
class QueryGrid:
    """The features of all triples between the heads and tails of pairs."""

    columns: GridColumns
    heads: FloatArray
    """Of each distinct head and relation; ``(num_heads, num_relations, channels)``."""
    tails: FloatArray
    head: IntArray
    """The place of each pair's head among the distinct ones."""
    tail: IntArray
    relations: FloatArray
    """Of each relation; ``(num_relations, channels)``."""
    entries: FloatArray
    """Of each triple; ``(num_pairs, num_relations, channels)``, mostly 0."""
    head_flag: BoolArray
    """A feature is 1 where the flags of head and tail are both set; ``(num_heads, num_relations)``."""
    tail_flag: BoolArray

    def features(self) -> FloatArray:
        """The features of every triple: ``(num_pairs, num_relations, query_channels)``."""
        columns = self.columns
        width = 1 + sum(len(part) for part in (columns.heads, columns.tails, columns.relations, columns.entries))
        out = np.empty((*self.entries.shape[:2], width), dtype=np.float32)
        out[..., list(columns.heads)], out[..., list(columns.tails)] = self.heads[self.head], self.tails[self.tail]
        out[..., list(columns.relations)], out[..., list(columns.entries)] = self.relations, self.entries
        out[..., columns.flag] = self.head_flag[self.head] & self.tail_flag[self.tail]
        return out


def grid_logits(perceptrons: PerceptronEnsemble, grid: QueryGrid, pairs: Tensor) -> Tensor:
    """The outputs of perceptrons with two hidden layers on every triple of a grid, averaged over the members.

    The input of a triple is its features and those of its pair. The first layer is linear in them, so that each part is
    multiplied once for all triples that share it. For weights on the CPU.

    Shape:
        - pairs: ``(num_pairs, pair_channels)``
        - output: ``(num_pairs, num_relations)``
    """
    first, second, last = (weight.detach() for weight in perceptrons.weights)
    biases = [bias.detach()[:, 0] for bias in perceptrons.biases]
    rows = first.transpose(0, 1).flatten(1)  # (in_channels, members * hidden)
    columns = grid.columns
    base = torch.from_numpy(grid.relations).to(rows) @ rows[list(columns.relations)] + biases[0].flatten()
    parts = FirstLayer(
        first_rows(grid.heads, rows[list(columns.heads)].numpy(), torch.zeros_like(base).numpy()),
        first_rows(grid.tails, rows[list(columns.tails)].numpy(), base.numpy()),
        (pairs.to(rows) @ rows[-pairs.shape[1] :]).numpy(),
        grid.head.astype(np.int64),
        grid.tail.astype(np.int64),
        grid.entries,
        rows[list(columns.entries)].numpy(),
        grid.head_flag,
        grid.tail_flag,
        rows[columns.flag].numpy(),
    )
    out = np.zeros(grid.entries.shape[:2], dtype=parts.pair_rows.dtype)
    add_perceptrons(parts, second.contiguous().numpy(), biases[1].contiguous().numpy(), last[..., 0].numpy(), out)
    return torch.from_numpy(out) / len(first) + biases[2].mean()
