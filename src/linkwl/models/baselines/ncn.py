"""Neural common neighbours: a graph network reads the ends of a pair and what they share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple

import numpy as np
import torch
from pydantic import Field
from torch import Tensor

from linkwl.graph import Graph
from linkwl.models.base import Needs
from linkwl.models.baselines.gcn import GCNEncoderConfig
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost, some_pairs
from linkwl.models.gradient import TrainingConfig
from linkwl.models.pairs.config import Dropout, EncodedConfig, Settings
from linkwl.models.pairs.pair_model import GraphInput, PairModel, PairNetwork
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.common_neighbour_readout import CommonNeighbourReadout
from linkwl.nn.encoder import NodeEncoder
from linkwl.nn.norms import dropout
from linkwl.nn.sparse_linear import SparseRows, weighted_rows
from linkwl.sparse.neighbour_overlap import NeighbourOverlap, neighbour_overlap

_SAMPLE = 1000  # links, and as many other pairs, whose neighbours are counted
_ENTRY = 48  # bytes of a neighbour in the lists, forward and backward


class NCNReadout(Settings):
    """The readout of NCN; see :class:`linkwl.nn.common_neighbour_readout.CommonNeighbourReadout`."""

    nodes: Literal["every", "last"] = "every"
    """Whether the vector of a node is that of every depth of the encoder, one beside the other, or the last."""
    hidden: int = Field(default=64, ge=1, le=1 << 16)
    layers: int = Field(default=1, ge=1, le=256)
    """Number of hidden layers of the last perceptron."""
    norm: bool = True
    """Whether the perceptrons normalise over channels."""
    scale: Literal["log", "plain"] = "log"
    """How the sums over neighbours are read; the published ones are plain."""
    dropout: Dropout = 0.1
    neighbour_dropout: Dropout = 0.0
    """Probability that a neighbour is left out of a sum in a training step."""

    def width(self, encoder: GCNEncoderConfig) -> int:
        """Width of the vector of a node."""
        return encoder.channels * (encoder.layers + 1 if self.nodes == "every" else 1)

    def build(self, encoder: GCNEncoderConfig) -> CommonNeighbourReadout:
        """The readout for vectors of this encoder."""
        return CommonNeighbourReadout(
            self.width(encoder),
            self.hidden,
            layers=self.layers,
            norm=self.norm,
            dropout=self.dropout,
            is_logarithmic=self.scale == "log",
        )


class NCNConfig(EncodedConfig):
    """Settings of NCN."""

    encoder: GCNEncoderConfig = GCNEncoderConfig(channels=64)
    readout: NCNReadout = NCNReadout()
    training: TrainingConfig = TrainingConfig()


NCN_SPACE: Space = {
    "encoder.channels": Choice(32, 64, 128),
    "encoder.layers": Choice(1, 2, 3),
    "encoder.norm": Choice("graph", "layer", "none"),
    "encoder.residual": Choice(True, False),
    "encoder.dropout": Uniform(0.0, 0.6),
    "encoder.feature_dropout": Uniform(0.0, 0.8),
    "readout.nodes": Choice("every", "last"),
    "readout.norm": Choice(True, False),
    "readout.scale": Choice("log", "plain"),
    "readout.dropout": Uniform(0.0, 0.6),
    "readout.neighbour_dropout": Uniform(0.0, 0.5),
    "training.learning_rate": LogUniform(1e-3, 2e-2),
}


class NCN(PairModel):
    r"""Neural common neighbours: nodes are encoded one by one, and a pair reads its ends and what they share.

    .. math::
        s(p, q) = f\Big(\mathbf{h}_p \odot \mathbf{h}_q \,\Big\Vert\,
            \sum_{u \in N(p) \cap N(q)} \mathbf{h}_u\Big)

    where :math:`\mathbf{h}` are the vectors of a graph convolution on degrees, features or both. Adamic-Adar and
    resource allocation are special cases, if a vector holds a function of the degree. Training links are hidden while
    they are predicted, all of a step at once, as in the published form.

    By default the sums are read on a logarithmic scale, and the vectors of every depth are read side by side. The
    published code reads plain sums, weights the depths, and maps the vectors of neighbours once more before they are
    summed; it has a learning rate each for the encoder and the readout. A step costs a graph convolution, and the
    degrees and the common neighbours of its pairs.

    Reference: Wang et al., 2024, arXiv:2302.00890.
    """

    id = "ncn"
    title = "NCN"
    reference = "Wang et al., Neural common neighbor with completion for link prediction, ICLR, 2024."
    needs: ClassVar[Needs] = Needs()
    Config: ClassVar[type[NCNConfig]] = NCNConfig
    config: NCNConfig
    search_space: ClassVar[Space] = NCN_SPACE

    def build_network(self, shape: Mapping[str, int]) -> NCNNetwork:
        """The network for graphs of that shape."""
        return NCNNetwork(self.config, shape)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the common neighbours and the readout."""
        config = self.config
        common, _ = self.neighbours_per_target(observed)
        width, hidden = config.readout.width(config.encoder), config.readout.hidden
        numbers = num_targets * (2 * width + (2 + config.readout.layers) * hidden)
        memory = FLOAT * KEPT * numbers + _ENTRY * num_targets * common
        return Cost(memory, PASSES * (numbers * hidden + num_targets * common * width))

    def neighbours_per_target(self, observed: Graph, max_single: int = 0) -> tuple[float, float]:
        """Mean numbers of common neighbours, and of neighbours of one end alone, of links and other pairs."""
        pairs = some_pairs(observed, _SAMPLE)
        if len(pairs) == 0:
            return 0.0, 0.0
        overlap = neighbour_overlap(observed.rowptr, observed.col, pairs, max_single)
        is_single = overlap.missing >= 0
        return float((~is_single).sum() / len(pairs)), float(is_single.sum() / len(pairs))

    @property
    def remedy(self) -> str:
        """What to do if training does not fit."""
        return "use fewer channels (encoder.channels) or a smaller batch (training.max_batch)"

    def describe(self, observed: Graph) -> str:
        """Layers and channels."""
        encoder = self.config.encoder
        return f"{encoder.layers} convolutions, {encoder.channels} channels, sums over common neighbours"


class NCNEncoding(NamedTuple):
    """The vectors of the nodes, and the edges whose common neighbours are summed."""

    h: Tensor
    adjacency: Adjacency


class NCNNetwork(PairNetwork):
    """Encoder, sums over common neighbours, readout."""

    encoder: NodeEncoder

    def __init__(self, config: NCNConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        self.encoder = config.encoder.build(shape)
        self.readout = config.readout.build(config.encoder)
        self.reads_every_depth = config.readout.nodes == "every"
        self.neighbour_dropout = config.readout.neighbour_dropout

    def encode(self, graph: GraphInput) -> NCNEncoding:
        """Encodes the nodes; neighbours are found later for the pairs."""
        depths = self.encoder(graph.adjacency, graph.features)
        h = torch.cat(depths, dim=1) if self.reads_every_depth else depths[-1]
        return NCNEncoding(h, graph.adjacency)

    def score(self, encoding: NCNEncoding, pairs: Tensor) -> Tensor:
        """Reads the ends and their common neighbours."""
        overlap = neighbour_overlap(*encoding.adjacency.arrays, pairs.cpu().numpy())
        return self.read_pairs(encoding.h, pairs, overlap, encoding.h.new_ones(len(overlap.node)))

    def read_pairs(self, h: Tensor, pairs: Tensor, overlap: NeighbourOverlap, weight: Tensor) -> Tensor:
        """The logits of pairs, each neighbour of the lists with its weight."""
        rows = SparseRows(overlap.ptr, overlap.node, np.empty(0, dtype=np.float32), len(h))
        common = weighted_rows(h, dropout(weight, self.neighbour_dropout, self.training), rows)
        h_p, h_q = (h.index_select(0, end) for end in pairs.T)
        logits: Tensor = self.readout(h_p * h_q, common)
        return logits
