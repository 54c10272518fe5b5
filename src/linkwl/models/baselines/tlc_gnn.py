"""TLC-GNN: a graph convolution and the persistent homology of what two nodes have near."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.graph import Graph
from linkwl.models.base import Needs
from linkwl.models.cost import FETCH, FLOAT, KEPT, PASSES, Cost
from linkwl.models.gradient import TrainingConfig
from linkwl.models.pairs.config import EncodedConfig, EncoderConfig
from linkwl.models.pairs.pair_model import GraphInput, PairModel, PairNetwork, PairProfile
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.encoder import GCNConv, NodeEncoder
from linkwl.nn.norms import dropout
from linkwl.nn.persistence_images import PersistenceImages
from linkwl.nn.sparse_linear import SparseRows
from linkwl.sparse.vicinity_images import RESOLUTION, Vicinity

_SLOPE = 0.2  # of the leaky ReLU
_RADIUS, _FARTHEST = 2.0, 40.0  # of the Fermi-Dirac decoder


class TLCGNNConfig(EncodedConfig):
    """Settings of TLC-GNN."""

    encoder: EncoderConfig = EncoderConfig(channels=64, layers=1, dropout=0.3)
    latent: int = Field(default=32, ge=1, le=1 << 16)
    """Length of a node's vector."""
    unit_ball: bool = False
    """Whether longer vectors are cut to length one, as published."""
    hops: int = Field(default=2, ge=1, le=8)
    """Largest distance of a node of the vicinity from both ends."""
    max_nodes: int = Field(default=50, ge=1, lt=1 << 31)
    """If a vicinity has more nodes, only those at most one hop from both ends are in it."""
    roots: bool = True
    """Whether the ends are always in the vicinity; else there is no image where one is not, as published."""
    bandwidth: float = Field(default=0.2, ge=0.01, le=10)
    """Standard deviation of a point of the image; 1 as published."""
    logarithm: bool = True
    """Whether the logarithm of one plus the image is read; the published one reads the image."""
    hidden: int = Field(default=64, ge=1, le=1 << 16)
    """Width of the decoder."""
    decoder: Literal["logit", "fermi-dirac"] = "logit"
    """How the decoder ends: with a logit, or as published with a distance and a Fermi-Dirac distribution."""
    dropout: float = Field(default=0.2, ge=0, lt=1)
    """Dropout before the second convolution and in the decoder."""
    training: TrainingConfig = TrainingConfig()


class TLCGNN(PairModel):
    r"""TLC-GNN: the distance of two encoded nodes, and a persistence image of the nodes that both have near.

    .. math::
        s(i, j) = f\big((\mathbf{h}_i - \mathbf{h}_j)^2 \,\big\Vert\, \mathrm{image}(i, j)\big), \qquad
        H = \sigma\big(\hat{A}\, \sigma(\hat{A} X W_1)\, W_2\big)

    The image has 5 x 5 pixels and comes from the extended persistence of the vicinity of the pair, filtered by the sum
    of the distances to both ends: :func:`linkwl.sparse.vicinity_images.vicinity_images`. It is computed on the graph
    without the edge of the pair, in every step anew: a kernel makes it fast enough.

    In the published system the edge of a training link stays in the graph, and the vicinity of one hop holds the nodes
    at most one hop from both ends. Both ends are among them only if they are adjacent, and for all other pairs the
    image is zero. So an image that is not zero marks training links, and links to be found never have one. Here
    the ends are always in the vicinity, nodes at two hops as well (at one hop if there are too many), and the edge
    never is, so that an image says the same of training links and others. ``--config paper`` has the published
    vicinity, image and decoder, without the leak: links are hidden while they are predicted, so with one hop, on Cora
    and Citeseer, all images are zero, in training as in a test, and it is a graph convolution that decodes distances.

    The published filter weighs paths by Ollivier-Ricci curvature, an optimal transport problem for every edge; here
    distances count hops, as its code also offers. A point counts by the absolute difference of its values; the
    published weight is zero for points that die before they are born, such as loops. Time grows with the edges near
    the targets.
    """

    id = "tlc-gnn"
    title = "TLC-GNN"
    reference = "Yan et al., Link prediction with persistent homology: an interactive view, ICML, 2021."
    Config: ClassVar[type[TLCGNNConfig]] = TLCGNNConfig
    config: TLCGNNConfig
    needs: ClassVar[Needs] = Needs()
    search_space: ClassVar[Space] = {
        "encoder.channels": Choice(32, 64, 128),
        "encoder.layers": Choice(1, 2),
        "encoder.norm": Choice("graph", "layer", "none"),
        "encoder.dropout": Uniform(0.0, 0.7),
        "encoder.feature_dropout": Uniform(0.0, 0.8),
        "latent": Choice(16, 32, 64),
        "hops": Choice(1, 2),
        "max_nodes": Choice(25, 50, 100, 200),
        "bandwidth": LogUniform(0.05, 1.0),
        "hidden": Choice(25, 64, 128),
        "dropout": Uniform(0.0, 0.6),
        "training.learning_rate": LogUniform(1e-3, 2e-2),
    }

    def build_network(self, shape: Mapping[str, int]) -> TLCGNNNetwork:
        """The network for graphs of that shape."""
        return TLCGNNNetwork(self.config, shape)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the second convolution, of the decoder, and of images with as many nodes as they may have."""
        config = self.config
        width = config.latent + RESOLUTION**2
        memory = FLOAT * KEPT * (num_targets * (width + config.hidden) + observed.num_nodes * config.latent)
        near = (
            float((observed.degree.astype(float) ** 2).sum()) / max(observed.num_nodes, 1) if config.hops > 1 else 0.0
        )
        operations = num_targets * (PASSES * width * config.hidden + FETCH * (near + config.max_nodes))
        return Cost(float(memory), float(operations))

    def describe(self, observed: Graph) -> str:
        """Vectors and vicinity."""
        return f"{self.config.latent} channels, images of the nodes {self.config.hops} hops from both ends"


class _Encoding(NamedTuple):
    nodes: Tensor
    images: PairProfile


class TLCGNNNetwork(PairNetwork):
    """Two convolutions, and a decoder of squared differences and images."""

    encoder: NodeEncoder

    def __init__(self, config: TLCGNNConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        self.config = config
        self.encoder = config.encoder.build(shape)
        self.conv = GCNConv(config.encoder.channels, config.latent)
        self.hidden = nn.Linear(config.latent + RESOLUTION**2, config.hidden)
        self.out = nn.Linear(config.hidden, 1)
        for linear in (self.hidden, self.out):
            nn.init.xavier_normal_(linear.weight)

    def read(self, adjacency: Adjacency, features: SparseRows | Tensor | None, *, remember: bool = False) -> GraphInput:
        """The graph, and its images."""
        config = self.config
        vicinity = Vicinity(config.hops, config.max_nodes, config.roots)
        images = PersistenceImages(adjacency, vicinity, config.bandwidth, remember=remember)
        return GraphInput(adjacency, features, images)

    def encode(self, graph: GraphInput) -> _Encoding:
        """The vectors of the nodes."""
        assert graph.profile is not None
        x = self.encoder(graph.adjacency, graph.features)[-1]
        h = self.conv(dropout(x, self.config.dropout, self.training), graph.adjacency).relu()
        if self.config.unit_ball:
            h = h / h.norm(dim=1, keepdim=True).clamp(min=1)
        return _Encoding(h, graph.profile)

    def score(self, encoding: _Encoding, pairs: Tensor) -> Tensor:
        """Decodes the squared differences of the ends and the image of each pair."""
        h = encoding.nodes
        apart = (h.index_select(0, pairs[:, 0]) - h.index_select(0, pairs[:, 1])).square()
        image = encoding.images.at(pairs)
        image = (image.log1p() if self.config.logarithm else image).to(apart)
        hidden = F.leaky_relu(self.hidden(torch.cat([apart, image], dim=1)), _SLOPE)
        y = self.out(dropout(hidden, self.config.dropout, self.training))[:, 0]
        if self.config.decoder == "logit":
            return y
        return _RADIUS - y.abs().clamp(max=_FARTHEST)
