"""The graph autoencoder: a graph convolution and a decoder of two nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from torch import Tensor

from linkwl.graph import Graph
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost
from linkwl.models.gradient import TrainingConfig
from linkwl.models.pairs.config import EncoderConfig, PairConfig, ReadoutConfig
from linkwl.models.pairs.pair_model import GraphInput, PairModel, PairNetwork
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.nn.encoder import NodeEncoder


class GCNEncoderConfig(EncoderConfig):
    """The node encoder, with residual connections."""

    residual: bool = False
    """Whether a node's first vector is added to its vector after every convolution."""

    def build(self, shape: Mapping[str, int]) -> NodeEncoder:
        """The encoder for graphs of this shape."""
        encoder = super().build(shape)
        encoder.residual = self.residual
        return encoder


class GCNConfig(PairConfig):
    """Settings of the graph autoencoder."""

    encoder: GCNEncoderConfig = GCNEncoderConfig(channels=64)
    readout: ReadoutConfig = ReadoutConfig(hidden=64)
    training: TrainingConfig = TrainingConfig()


class GCN(PairModel):
    r"""The graph autoencoder: nodes are encoded one by one, and two vectors are decoded into a score.

    .. math::
        s(p, q) = f(\mathbf{h}_p \odot \mathbf{h}_q), \qquad
        H^{l+1} = \sigma(\hat{A} H^l W_l)

    The input :math:`H^0` encodes degrees, features or both. The model knows what 1-WL knows of each end and nothing of
    the pair, so it shows what the pair layers of the other networks add. Ma et al. recommend linear propagation
    (``encoder.activation = false``) and to add :math:`H^0` after every layer (``encoder.residual = true``); on
    validation links of USAir and C.ele the first made no difference and the second was worse. The decoder is a
    perceptron that reads the products, and also the sums and the cosine of both ends; ``readout.kind = "sum"`` is the
    inner product. Training links are hidden while they are predicted. A layer costs :math:`O((m + n c) c)`.

    Reference: Kipf and Welling, 2016, arXiv:1611.07308; Ma et al., 2024, arXiv:2411.03845.
    """

    id = "gcn"
    title = "GCN autoencoder"
    reference = "Ma et al., Reconsidering the performance of GAE in link prediction, 2024."
    Config: ClassVar[type[GCNConfig]] = GCNConfig
    config: GCNConfig
    search_space: ClassVar[Space] = {
        "encoder.channels": Choice(32, 64, 128),
        "encoder.layers": Choice(1, 2, 3, 4),
        "encoder.norm": Choice("graph", "layer", "none"),
        "encoder.activation": Choice(True, False),
        "encoder.residual": Choice(True, False),
        "encoder.input": Choice("auto", "degree", "features"),
        "encoder.dropout": Uniform(0.0, 0.6),
        "encoder.input_dropout": Uniform(0.0, 0.6),
        "encoder.feature_dropout": Uniform(0.0, 0.8),
        "readout.kind": Choice("mlp", "sum"),
        "readout.nodes": Choice("every", "last"),
        "readout.layers": Choice(1, 2),
        "readout.dropout": Uniform(0.0, 0.6),
        "training.learning_rate": LogUniform(1e-3, 2e-2),
    }

    def build_network(self, shape: Mapping[str, int]) -> GCNNetwork:
        """The network for graphs of that shape."""
        return GCNNetwork(self.config, shape)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the decoder."""
        encoder, readout = self.config.encoder, self.config.readout
        width = 2 * encoder.channels * (encoder.layers + 1)
        memory = FLOAT * KEPT * num_targets * (width + readout.layers * readout.hidden)
        return Cost(float(memory), float(PASSES * num_targets * width * readout.hidden))

    def describe(self, observed: Graph) -> str:
        """Layers, channels and decoder."""
        encoder = self.config.encoder
        decoder = {"mlp": "a perceptron", "linear": "a linear map", "sum": "the inner product"}
        reads = decoder[self.config.readout.kind]
        return f"{encoder.layers} convolutions, {encoder.channels} channels, {reads} of both ends"


class GCNNetwork(PairNetwork):
    """Encoder and readout of the two ends."""

    encoder: NodeEncoder

    def __init__(self, config: GCNConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        self.encoder = config.encoder.build(shape)
        self.readout = config.readout.build(0, config.encoder, is_directed=bool(shape["is_directed"]), product=True)

    def encode(self, graph: GraphInput) -> list[Tensor]:
        """The vectors of the nodes at every depth."""
        nodes: list[Tensor] = self.encoder(graph.adjacency, graph.features)
        return nodes

    def score(self, encoding: list[Tensor], pairs: Tensor) -> Tensor:
        """Reads both ends; the pair has no vector of its own."""
        nothing = encoding[-1].new_empty(len(pairs), 0)
        return self.readout(nothing, nothing, encoding, pairs)
