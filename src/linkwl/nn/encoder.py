"""The node encoder: one vector per node from its degree and features, refined by message passing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Literal, NamedTuple, TypeAlias, get_args

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.encodings import DegreeEncoding
from linkwl.nn.norms import NormName, create_norm, dropout
from linkwl.nn.operators import neighbour_sum
from linkwl.nn.perceptron import reset_children
from linkwl.nn.sparse_linear import SparseLinear, SparseRows

ConvName: TypeAlias = Literal["gcn", "sage", "appnp"]


class NodeInput(nn.Module):
    """The first vector of each node: its degree, its features, or the sum of both, encoded.

    Features pass dropout, a linear map and a normalisation over channels; degrees pass :class:`DegreeEncoding`, in a
    directed graph one for each direction.

    Args:
        channels: Width of the result.
        num_features: Width of the node features; 0 for none.
        max_degree: Largest degree in the training graph; None to ignore degrees.
        is_directed: Whether in-degrees are encoded as well.
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
        """Takes mean and deviation of each dense feature from the training graph; a constant one is only centred."""
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
        assert linear.bias is not None
        return dropout(standard, linear.dropout, self.training) @ linear.weight + linear.bias


class NodeBlock(NamedTuple):
    """The layers after a convolution, in this order."""

    norm: NormName = "graph"
    dropout: float = 0.0
    activation: bool = True


class NodeEncoder(nn.Module):
    """Input, then blocks of convolution, normalisation, dropout and ReLU.

    Args:
        node_input: The first vectors.
        channels: Width throughout.
        blocks: The layers after each convolution; one convolution per block.
        conv: ``gcn`` or ``sage``; ``appnp`` instead propagates once per block, with no layers in between.
        alpha: Share of the input that ``appnp`` keeps.
        residual: Whether the input is added to the output of every block.
        is_directed: Whether edges have directions; then a node hears along them and against them, see
            :class:`BothWaysConv`, and ``appnp`` propagates over the undirected edges.

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
        residual: bool = False,
        is_directed: bool = False,
    ) -> None:
        super().__init__()
        self.input = node_input
        self.channels = channels
        self.residual = residual
        if conv not in get_args(ConvName):
            raise ValueError(f"`conv` must be one of {get_args(ConvName)}, got {conv!r}.")
        self.propagation = APPNP(len(blocks), alpha) if conv == "appnp" else None
        self.blocks = list(blocks) if self.propagation is None else []
        operator = SAGEConv if conv == "sage" else GCNConv
        self.is_directed = is_directed
        self.convs = nn.ModuleList(
            BothWaysConv(operator(channels, channels), operator(channels, channels))
            if is_directed
            else operator(channels, channels)
            for _ in self.blocks
        )
        self.norms = nn.ModuleList(create_norm(block.norm, channels) for block in self.blocks)

    def forward(self, adjacency: Adjacency, features: SparseRows | Tensor | None = None) -> list[Tensor]:
        """One vector per node at every depth; the last is the encoder's result."""
        x: Tensor = self.input(adjacency, features)
        depths = [x]
        if self.propagation is not None:
            depths += self.propagation.steps_from(x, adjacency.undirected if self.is_directed else adjacency)
        for conv, norm, block in zip(self.convs, self.norms, self.blocks, strict=True):
            x = dropout(norm(conv(x, adjacency)), block.dropout, self.training)
            if block.activation:
                x = x.relu()
            if self.residual:
                x = x + depths[0]
            depths.append(x)
        return depths


def gcn_sum(x: Tensor, adjacency: Adjacency) -> Tensor:
    r"""Symmetrically normalised sum over neighbours and the node itself: :math:`\hat{A} x`.

    :math:`\hat{A} = D^{-1/2} (A + I) D^{-1/2}`, with :math:`D` counting the loop. In a directed graph a node hears from
    the sources of its incoming edges. With weights A holds them, and D their sums.
    """
    scale = (adjacency.transpose.strength + 1).to(x.dtype).rsqrt()[:, None]
    scaled = x * scale
    return (neighbour_sum(scaled, adjacency.transpose) + scaled) * scale


class GCNConv(nn.Module):
    r"""Graph convolution: :math:`\mathbf{x}'_v = \mathbf{b} + W \sum_u \hat{A}_{vu} \mathbf{x}_u`, see :func:`gcn_sum`.

    Reference: Kipf and Welling, 2017, arXiv:1609.02907, Eq. (2).

    Args:
        in_channels: Width of each node's input.
        out_channels: Width of each node's output.
        bias: Whether there is one.

    Shape:
        - x: ``(num_nodes, in_channels)``
        - output: ``(num_nodes, out_channels)``
    """

    def __init__(self, in_channels: int, out_channels: int, *, bias: bool = True) -> None:
        super().__init__()
        self.linear = nn.Linear(in_channels, out_channels, bias=bias)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Glorot weights; the bias starts at zero."""
        nn.init.xavier_uniform_(self.linear.weight)
        if self.linear.bias is not None:
            nn.init.zeros_(self.linear.bias)

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """Convolves; sums before or after the linear map, whichever is narrower."""
        if self.linear.out_features < self.linear.in_features:
            out = gcn_sum(x @ self.linear.weight.T, adjacency)
            return out if self.linear.bias is None else out + self.linear.bias
        return self.linear(gcn_sum(x, adjacency))


class SAGEConv(nn.Module):
    r"""GraphSAGE with means: :math:`\mathbf{x}'_v = W_1 \operatorname{mean}_{u \in N(v)} \mathbf{x}_u + W_2 \mathbf{x}_v + \mathbf{b}`.

    The mean over no neighbours is zero. With weights it is the weighted mean.

    Reference: Hamilton et al., 2017, arXiv:1706.02216, Section 3.

    Args:
        in_channels: Width of each node's input.
        out_channels: Width of each node's output.

    Shape:
        - x: ``(num_nodes, in_channels)``
        - output: ``(num_nodes, out_channels)``
    """  # noqa: E501

    def __init__(self, in_channels: int, out_channels: int) -> None:
        super().__init__()
        self.neighbours = nn.Linear(in_channels, out_channels, bias=False)
        self.own = nn.Linear(in_channels, out_channels)

    def reset_parameters(self) -> None:
        """The defaults of torch's linear layers."""
        self.neighbours.reset_parameters()
        self.own.reset_parameters()

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """Convolves over incoming edges, which are all edges of an undirected graph."""
        incoming = adjacency.transpose
        total = incoming.strength
        mean = neighbour_sum(x, incoming) / torch.where(total > 0, total, 1).to(x.dtype)[:, None]
        return self.neighbours(mean) + self.own(x)


class BothWaysConv(nn.Module):
    r"""Two convolutions, one over incoming and one over outgoing edges, with weights of their own; their sum.

    Reference: Rossi et al., 2023, arXiv:2305.10498, Section 4.

    Args:
        incoming: The convolution over incoming edges.
        outgoing: The convolution over outgoing edges.

    Shape:
        - x: ``(num_nodes, in_channels)``
        - output: ``(num_nodes, out_channels)``
    """

    def __init__(self, incoming: nn.Module, outgoing: nn.Module) -> None:
        super().__init__()
        self.incoming = incoming
        self.outgoing = outgoing

    def reset_parameters(self) -> None:
        """Fresh weights in both."""
        reset_children(self)

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """Convolves over the edges, and over the reversed edges."""
        summed: Tensor = self.incoming(x, adjacency) + self.outgoing(x, adjacency.transpose)
        return summed


class APPNP(nn.Module):
    r"""Personalised propagation: :math:`\mathbf{x}^{k+1} = (1 - \alpha) \hat{A} \mathbf{x}^k + \alpha \mathbf{x}^0`.

    It has no weights; see :func:`gcn_sum` for :math:`\hat{A}`.

    Reference: Gasteiger et al., 2019, arXiv:1810.05997, Eq. (4).

    Args:
        steps: Number of propagation steps.
        alpha: Share of the input kept at each step.

    Shape:
        - x: ``(num_nodes, channels)``
        - output: ``(num_nodes, channels)``
    """

    def __init__(self, steps: int, alpha: float) -> None:
        super().__init__()
        self.steps = steps
        self.alpha = alpha

    def reset_parameters(self) -> None:
        """Nothing to reset."""

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """Propagates."""
        return self.steps_from(x, adjacency)[-1] if self.steps else x

    def steps_from(self, x: Tensor, adjacency: Adjacency) -> list[Tensor]:
        """The vectors after every step."""
        out = [x]
        for _ in range(self.steps):
            out.append(torch.lerp(gcn_sum(out[-1], adjacency), x, self.alpha))
        return out[1:]

    def extra_repr(self) -> str:
        """Steps and share."""
        return f"steps={self.steps}, alpha={self.alpha}"
