"""Local 2-WL on triples as published, and the settings of both variants."""

from __future__ import annotations

from typing import NamedTuple, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError
from torch import Tensor, nn

from linkwl.models.gradient import TrainingConfig
from linkwl.models.triples.pair_graph import PairGraph, Placed, place_pairs, read_pairs
from linkwl.models.triples.star_model import Dropout, StarConfig
from linkwl.models.triples.triple_network import TripleNetwork
from linkwl.nn.norms import GraphNorm
from linkwl.nn.sparse_linear import SparseLinear
from linkwl.nn.star_branch import BranchSums, StarBranch
from linkwl.nn.star_conv import hear, star_totals, take_rows
from linkwl.typing import IntArray, Pairs, Queries


class LocalTwoWLTriplesConfig(StarConfig):
    """Settings of local 2-WL on triples."""

    channels: int = Field(default=64, ge=1, le=1 << 16)
    rounds: int = Field(default=2, ge=1, le=256)
    """In `paper`, 1 for the published form with LayerNorm and 2 for the one with GraphNorm."""
    dropout: Dropout = 0.3
    role_dropout: Dropout = 0.2
    """Dropout on the roles of entities, in `ours`."""
    activation: bool = True
    """Whether there is a ReLU, in `paper`."""
    training: TrainingConfig = TrainingConfig(learning_rate=0.01, max_steps=600, patience=200)

    @model_validator(mode="after")
    def _has_a_published_form(self) -> Self:
        if self.variant == "paper" and self.rounds > 2:
            raise PydanticCustomError("published_form", "`rounds` must be 1 or 2 with variant=paper")
        return self


class PublishedEncoding(NamedTuple):
    """The stars of every convolution of the published network."""

    graph: PairGraph
    u: Tensor
    first: BranchSums
    hidden: Tensor
    """The members after the first convolution."""
    second: Tensor | None
    columns: tuple[Tensor, Tensor]


class PublishedLocalTwoWL(TripleNetwork):
    """The published network: unordered pairs, weighted symmetrically.

    With one round: convolution, LayerNorm, dropout, ReLU, linear map. With two: convolution, GraphNorm, LayerNorm,
    dropout, ReLU, convolution, GraphNorm. The statistics of a GraphNorm are those of the members of the graph of pairs.
    """

    def __init__(self, config: LocalTwoWLTriplesConfig, num_relations: int) -> None:
        super().__init__(num_relations, is_ordered=False)
        has_two = config.rounds > 1
        self.inner = SparseLinear(2 * num_relations, config.channels, bias=False)
        self.branch = StarBranch(
            config.channels,
            graph_norm=has_two,
            layer_norm=True,
            dropout=config.dropout,
            activation=config.activation,
        )
        self.outer = nn.Linear(config.channels, self.num_columns)
        self.norm = GraphNorm(self.num_columns) if has_two else None
        if has_two:  # a convolution starts otherwise than a linear map
            nn.init.xavier_uniform_(self.outer.weight)
            nn.init.zeros_(self.outer.bias)

    def read(self, triples: Queries, num_nodes: int, also: Pairs | None = None) -> PairGraph:
        """The graph of pairs; no pair of an entity with itself takes part."""
        triples = triples[triples[:, 0] != triples[:, 2]]
        also = None if also is None else also[also[:, 0] != also[:, 1]]
        return read_pairs(triples, num_nodes, self.num_relations, is_ordered=False, loops=False, also=also)

    def place(self, graph: PairGraph, pairs: Pairs) -> Placed:
        """Finds pairs."""
        return place_pairs(graph, pairs)

    def find(self, graph: PairGraph, pairs: Pairs) -> tuple[IntArray, int]:
        """The positions of members, and their number."""
        return graph.pairs.find(pairs), len(graph.pairs.pairs)

    def encode(self, graph: PairGraph) -> PublishedEncoding:
        """Every convolution up to the sums at every entity."""
        u, members = self.inner(graph.rows), graph.members
        hidden, first = self.branch.observe(u, members)
        columns: tuple[Tensor, Tensor] = self.outer.weight, self.outer.bias
        if self.norm is None:
            return PublishedEncoding(graph, u, first, hidden, None, columns)
        second = star_totals(hidden, members, "symmetric")
        columns = normalised_columns(hear(second, hidden, members, "symmetric"), *columns, self.norm)
        return PublishedEncoding(graph, u, first, hidden, second, columns)

    def states(self, encoding: PublishedEncoding, placed: Placed | None) -> Tensor:
        """Every convolution on the pairs."""
        places, hidden = encoding.graph.members, encoding.hidden
        if placed is not None:
            places = placed.places
            hidden = self.branch(take_rows(encoding.u, placed.index), encoding.first, places)
        return hidden if encoding.second is None else hear(encoding.second, hidden, places, "symmetric")

    def columns(self, encoding: PublishedEncoding) -> tuple[Tensor, Tensor]:
        """The last map, with the last normalisation in it."""
        return encoding.columns


def normalised_columns(z: Tensor, weight: Tensor, bias: Tensor, norm: GraphNorm) -> tuple[Tensor, Tensor]:
    r"""A linear map followed by a :class:`GraphNorm` as one linear map.

    The norm's statistics are those of ``z @ weight.T + bias``, which is never computed: mean and variance of a column
    follow from the mean and the covariance of the rows of ``z``.

    Shape:
        - z: ``(num_rows, channels)``
        - weight, output: ``(num_columns, channels)``
        - bias, second output: ``(num_columns,)``
    """
    centre = z.mean(0) if len(z) else z.new_zeros(z.shape[1])
    offset = z - centre
    covariance = offset.T @ offset / max(len(z), 1)
    mean = weight @ centre + bias
    variance = ((weight @ covariance) * weight).sum(1) + ((1 - norm.alpha) * mean).square()
    scale = norm.gamma * (variance + norm.eps).rsqrt()
    return weight * scale[:, None], (bias - norm.alpha * mean) * scale + norm.beta
