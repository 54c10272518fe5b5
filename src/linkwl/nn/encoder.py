"""The node encoder: degrees and features become one vector per node."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Literal, NamedTuple, TypeAlias, get_args

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.convolutions import APPNP, GCNConv, SAGEConv
from linkwl.nn.degree_encoding import DegreeEncoding
from linkwl.nn.dropout import dropout
from linkwl.nn.norms import NormName, create_norm
from linkwl.nn.sparse_linear import SparseLinear, SparseRows

ConvName: TypeAlias = Literal["gcn", "sage", "appnp"]


class NodeInput(nn.Module):
    """The first vector of each node: its degree, its features, or the sum of both, encoded.

    Features pass dropout, a linear map and a normalisation over channels; degrees pass :class:`DegreeEncoding`, in a
    directed graph one for each direction.

    Args:
        channels: Width of the result.
        num_features: Width of the node features; 0 for none.
        max_degree: Largest degree in the graph to train on; None to leave degrees out.
        is_directed: Whether in-degrees are encoded too.
        feature_dropout: Dropout on the entries of the features.
        dropout: Dropout on the sum.
    """

    center: Tensor
    spread: Tensor

    def __init__(
        self,
        channels: int,
        *,
        num_features: int,
        max_degree: int | None,
        is_directed: bool = False,
        feature_dropout: float = 0.0,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        if num_features == 0 and max_degree is None:
            raise ValueError("a node needs an input: its degree, features, or both.")
        self.features = SparseLinear(num_features, channels, feature_dropout) if num_features else None
        has_degree = max_degree is not None
        self.degree = DegreeEncoding(channels, max_degree) if max_degree is not None else None
        self.in_degree = DegreeEncoding(channels, max_degree or 0) if has_degree and is_directed else None
        self.dropout = dropout
        self.register_buffer("center", torch.zeros(num_features))
        self.register_buffer("spread", torch.ones(num_features))

    def standardise(self, features: Tensor) -> None:
        """Takes each dense feature's mean and deviation from the graph to train on; a constant one is only centred."""
        deviation, mean = torch.std_mean(features.double(), dim=0, correction=0)
        self.center.copy_(mean)
        self.spread.copy_(torch.where(deviation > 0, deviation, 1.0))

    def forward(self, adjacency: Adjacency, features: SparseRows | Tensor | None) -> Tensor:
        """The sum of the encodings; features are sparse rows or a dense matrix."""
        parts = []
        if self.degree is not None:
            parts.append(self.degree(adjacency.degree))
        if self.in_degree is not None:
            parts.append(self.in_degree(adjacency.transpose.degree))
        if self.features is not None:
            parts.append(F.layer_norm(self._project(self.features, features), (self.features.out_channels,)))
        return dropout(reduce(torch.add, parts), self.dropout, self.training)

    def _project(self, linear: SparseLinear, features: SparseRows | Tensor | None) -> Tensor:
        if features is None:
            raise ValueError(f"the encoder was built for {linear.in_channels} features per node, but got none.")
        if isinstance(features, SparseRows):
            projected: Tensor = linear(features)
            return projected
        standard = (features - self.center) / self.spread
        return dropout(standard, linear.dropout, self.training) @ linear.weight + linear.bias


class NodeBlock(NamedTuple):
    """What follows a convolution, in this order."""

    norm: NormName = "graph"
    dropout: float = 0.0
    activation: bool = True


class NodeEncoder(nn.Module):
    """Input, then blocks of convolution, normalisation, dropout and ReLU.

    Args:
        node_input: The first vectors.
        channels: Width throughout.
        blocks: What follows each convolution; as many convolutions as there are blocks.
        conv: ``gcn`` or ``sage``; ``appnp`` propagates as many steps instead, with nothing in between.
        alpha: Share of the input that ``appnp`` keeps.

    Shape:
        - output: the input and every block's output, each ``(num_nodes, channels)``
    """

    def __init__(
        self,
        node_input: NodeInput,
        channels: int,
        blocks: Sequence[NodeBlock],
        *,
        conv: ConvName = "gcn",
        alpha: float = 0.1,
    ) -> None:
        super().__init__()
        self.input = node_input
        self.channels = channels
        if conv not in get_args(ConvName):
            raise ValueError(f"`conv` must be one of {get_args(ConvName)}, got {conv!r}.")
        self.propagation = APPNP(len(blocks), alpha) if conv == "appnp" else None
        self.blocks = list(blocks) if self.propagation is None else []
        operator = SAGEConv if conv == "sage" else GCNConv
        self.convs = nn.ModuleList(operator(channels, channels) for _ in self.blocks)
        self.norms = nn.ModuleList(create_norm(block.norm, channels) for block in self.blocks)

    def forward(self, adjacency: Adjacency, features: SparseRows | Tensor | None = None) -> list[Tensor]:
        """A vector per node at every depth, the last one being the encoder's result."""
        x: Tensor = self.input(adjacency, features)
        depths = [x]
        if self.propagation is not None:
            depths += self.propagation.steps_from(x, adjacency)
        for conv, norm, block in zip(self.convs, self.norms, self.blocks, strict=True):
            x = dropout(norm(conv(x, adjacency)), block.dropout, self.training)
            if block.activation:
                x = x.relu()
            depths.append(x)
        return depths
