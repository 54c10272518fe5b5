"""The network of `walk-2fwl`: perceptrons and trees on what is read of a pair, and walks with learned weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from linkwl.models.edge_values import value_channels
from linkwl.models.global_position import POSITION
from linkwl.models.pairs.config import EncoderConfig, ReadoutConfig
from linkwl.models.pairs.pair_model import EVIDENCE, GraphInput, PairNetwork
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.directed_profile import DirectedProfile, directed_channels
from linkwl.nn.encodings import QuantileEncoding, log_scale
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.plain_walks import PlainWalks, RememberedWalks, profile_channels
from linkwl.nn.readout import PairReadout
from linkwl.nn.rounds import WalkRounds
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.tree_sum import TreeSum
from linkwl.sparse.trees import Trees
from linkwl.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from linkwl.models.pairs.walk_two_fwl import WalkTwoFWLConfig

PLACES = "num_position"
"""The entry of a shape with the number of columns of global position; missing without them."""
TREES = ("num_trees", "num_splits", "num_leaves")
"""The entries of a shape with the sizes of the trees; missing without them."""
CONTENT = "num_content"
"""The entry of a shape with the number of axes of the ends' features; missing if they are not read."""


class PairRows(NamedTuple):
    """What is read of pairs on a graph, encoded for perceptrons; nothing in it is learned."""

    graph: GraphInput
    pairs: Tensor
    local: Tensor
    """Walks, similarities and evidence."""
    position: Tensor | None
    """The position in the whole graph."""
    content: Tensor | None
    """The features around the ends: their product and both of them; halves for the two orientations."""
    numbers: FloatArray | None
    """Walks, similarities, evidence and position before they were encoded, for trees; float32."""

    def take(self, chosen: IntArray) -> PairRows:
        """The rows of some of the pairs, for perceptrons."""
        at = torch.from_numpy(chosen).to(self.pairs.device)
        pairs, local = self.pairs.index_select(0, at), self.local.index_select(0, at)
        position, content = (x if x is None else x.index_select(0, at) for x in (self.position, self.content))
        return PairRows(self.graph, pairs, local, position, content, None)


class WalkTwoFWLEncoding(NamedTuple):
    """The encoding of the observed graph."""

    nodes: list[Tensor]
    """Node vectors at every depth of the encoder; none without gates."""
    graph: GraphInput


class WalkTwoFWLNetwork(PairNetwork):
    """Profile of plain walks and similarities, global position, gated walks; readouts.

    Some perceptrons read plain walks alone, as many others the global position as well, and as many again the
    features around both ends or, with gates, the walks with learned weights: the kinds make different errors.
    Trees, once they are grown, read walks and global position, and their sum and the mean of the perceptrons count the
    same.
    """

    def __init__(self, config: WalkTwoFWLConfig, shape: Mapping[str, int]) -> None:
        super().__init__()
        self.steps = shape["steps"]
        num_features = shape["num_features"]
        self.similarity = FeatureSimilarity(num_features) if config.reads_features(num_features) else None
        self.is_directed = bool(shape["is_directed"])
        channels = (directed_channels if self.is_directed else profile_channels)(self.steps)
        channels += self.similarity.channels if self.similarity else 0
        channels += value_channels(shape, self.steps)
        self.encoder = self.walks = None
        self.trees = TreeSum(*(shape[name] for name in TREES)) if TREES[0] in shape else None
        self.keeps_numbers = False
        """Whether rows have the numbers that trees will be grown on."""
        self.quantiles = QuantileEncoding(channels)
        num_evidence, num_position = shape.get(EVIDENCE, 0), shape.get(PLACES, 0)
        self.evidence_quantiles = QuantileEncoding(num_evidence) if num_evidence else None
        self.position_quantiles = QuantileEncoding(num_position) if num_position else None
        self.num_numbers = channels + num_evidence + len(POSITION)
        width, alone = 2 * (channels + num_evidence), config.readout.model_copy(update={"nodes": "none"})
        self.readout = self._build_readout(alone, width, config.encoder)
        if num_position:
            self.position_readout = self._build_readout(alone, width + 2 * num_position, config.encoder)
        self.has_content = CONTENT in shape
        if self.has_content:
            both = 2 * (1 + self.is_directed) * shape[CONTENT]
            self.content_readout = self._build_readout(alone, width + both, config.encoder)
        if config.gates == "on":
            pairs = config.pairs
            self.encoder = config.encoder.build(shape)
            self.walks = WalkRounds(
                config.encoder.channels,
                pairs.channels,
                pairs.rounds,
                is_directed=self.is_directed,
                dropout=pairs.dropout,
            )
            width += (1 + self.is_directed) * pairs.rounds * pairs.channels
            self.gated_readout = self._build_readout(config.readout, width, config.encoder)

    def _build_readout(self, readout: ReadoutConfig, width: int, encoder: EncoderConfig) -> PairReadout:
        """A readout of this width; that of ordered pairs concatenates two halves."""
        width = width // 2 if self.is_directed else width
        return readout.build(width, encoder, is_directed=self.is_directed, product=False)

    @property
    def reads_features(self) -> bool:
        """Whether scores depend on the nodes' features."""
        return self.similarity is not None

    @property
    def reads_evidence(self) -> bool:
        """Whether scores depend on the evidence that attributes give."""
        return self.evidence_quantiles is not None

    @property
    def reads_position(self) -> bool:
        """Whether scores depend on the global position."""
        return self.position_quantiles is not None or self.trees is not None

    def plant(self, trees: Trees) -> dict[str, int]:
        """Adds trees; returns their part of the shape."""
        self.trees = TreeSum.of(trees).to(next(self.parameters()).device)
        return dict(zip(TREES, (len(trees.root), len(trees.feature), len(trees.leaf)), strict=True))

    def fit_evidence(self, sample: Tensor) -> None:
        """Takes the distribution of the evidence, which is read beside the profile, from a sample."""
        if self.evidence_quantiles is not None and len(sample):
            self.evidence_quantiles.fit(sample.to(self._dtype))

    def read(self, adjacency: Adjacency, features: SparseRows | Tensor | None, *, remember: bool = False) -> GraphInput:
        """Also includes the plain walks and smoothed features, which are not learned."""
        kind = RememberedWalks if remember else PlainWalks
        profile = DirectedProfile(adjacency, self.steps).at if self.is_directed else None
        walks = kind(adjacency, self.steps, self.similarity, features, profile=profile)
        return GraphInput(adjacency, features, walks)

    def fit_profile(self, graph: GraphInput, pairs: Tensor) -> None:
        """Takes the distributions of walks and positions from a sample of pairs, if it is not empty."""
        if len(pairs) == 0:
            return
        assert graph.profile is not None
        self.quantiles.fit(graph.profile.at(pairs).to(self._dtype))
        if self.position_quantiles is not None and graph.position is not None:
            self.position_quantiles.fit(graph.position.at(pairs).to(self._dtype))

    def rows(self, graph: GraphInput, pairs: Tensor) -> PairRows:
        """Reads pairs: everything that is not learned."""
        assert graph.profile is not None
        numbers = [graph.profile.at(pairs)]
        local, position = self.quantiles(numbers[0].to(self._dtype)), None
        if self.evidence_quantiles is not None and graph.evidence is not None:
            numbers.append(graph.evidence.at(pairs))
            local = torch.cat([local, self.evidence_quantiles(numbers[-1].to(self._dtype))], dim=1)
        if graph.position is not None:
            numbers.append(graph.position.at(pairs))
            if self.position_quantiles is not None:
                position = self.position_quantiles(numbers[-1].to(self._dtype))
        is_kept = (self.keeps_numbers or self.trees is not None) and graph.position is not None
        content = None
        if self.has_content:
            assert isinstance(graph.profile, PlainWalks)
            content = _content(graph.profile, pairs).to(local)
        return PairRows(graph, pairs, local, position, content, _single(numbers) if is_kept else None)

    def encode(self, graph: GraphInput) -> WalkTwoFWLEncoding:
        """Encodes the nodes; walks are found later for the pairs."""
        nodes = self.encoder(graph.adjacency, graph.features) if self.encoder is not None else []
        return WalkTwoFWLEncoding(nodes, graph)

    def score(self, encoding: WalkTwoFWLEncoding, pairs: Tensor) -> Tensor:
        """The logits, one row per member of the readouts."""
        return self.score_rows(self.rows(encoding.graph, pairs), encoding)

    def score_rows(self, rows: PairRows, encoding: WalkTwoFWLEncoding | None = None) -> Tensor:
        """The logits of pairs that were read before; their graph is encoded, unless its encoding is given."""
        logits = [self.readout(*self._halves(rows.local), [], rows.pairs)]
        if rows.position is not None:
            both = torch.cat([rows.local, rows.position], dim=1)
            logits.append(self.position_readout(*self._halves(both), [], rows.pairs))
        if rows.content is not None:
            halves = zip(self._halves(rows.local), rows.content.chunk(2, dim=1), strict=True)
            first, second = (torch.cat(parts, dim=1) for parts in halves)
            logits.append(self.content_readout(first, second, [], rows.pairs))
        if self.walks is not None:
            logits.append(self._score_gated(rows, encoding or self.encode(rows.graph)))
        members = torch.cat([part.view(-1, len(rows.pairs)) for part in logits])
        if self.trees is None or rows.numbers is None:
            return members
        grown = self.trees(torch.from_numpy(rows.numbers)).to(members)
        return torch.stack([members.mean(dim=0), grown])

    def _score_gated(self, rows: PairRows, encoding: WalkTwoFWLEncoding) -> Tensor:
        """The logits of the perceptrons that also read the walks with learned weights, in both directions."""
        assert self.walks is not None
        pairs, nodes = rows.pairs, encoding.nodes
        heard = [log_scale(x) for x in self.walks(nodes[-1], rows.graph.adjacency, torch.cat([pairs, pairs.flip(1)]))]
        if self.is_directed:
            z = torch.cat([rows.local, *(part for x in heard for part in x.chunk(2))], dim=1)
            return self.gated_readout(*self._halves(z), nodes, pairs)
        z = torch.cat([torch.cat(self._halves(rows.local)), *heard], dim=1)
        return self.gated_readout(*z.chunk(2), nodes, pairs)

    def _halves(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """The two orientations of rows: halves of ordered ones; others are the same in both, and are added."""
        first, second = z.chunk(2, dim=1) if self.is_directed else (z / 2, z / 2)
        return first, second

    @property
    def _dtype(self) -> torch.dtype:
        return next(self.parameters()).dtype


def _single(numbers: list[Tensor]) -> FloatArray:
    """Numbers side by side in float32: those that differ by rounding errors alone become equal."""
    return torch.cat(numbers, dim=1).to("cpu", torch.float32).numpy()


def _content(walks: PlainWalks, pairs: Tensor) -> Tensor:
    first, second = (walks.content(end) for end in pairs.T)
    return torch.cat([first * second, first, first * second, second], dim=1)
