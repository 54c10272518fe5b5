"""The base of the models of pairs: nodes are encoded once, then any pairs are scored."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.graph.features import Features
from linkwl.models.base import Needs, Scorer
from linkwl.models.cost import FLOAT, Cost, encoder_cost
from linkwl.models.gradient import GradientModel, as_scores, mean_of_members, torch_threads
from linkwl.models.pair_evidence import PairEvidence, check_evidence, evidence_names, sample_evidence
from linkwl.models.pairs.config import EncodedConfig
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.encoder import NodeEncoder
from linkwl.nn.evidence_head import Evidence, EvidenceHead
from linkwl.nn.sparse_linear import SparseRows
from linkwl.protocols.protocol import ScoreQueries
from linkwl.typing import Pairs, Scores

EVIDENCE = "num_evidence"
"""The entry of a shape with the number of columns of evidence; missing without attributes."""
FEW_NUMBERS = 1 << 20
"""For arrays smaller than this, waking a second thread does not pay."""


class PairProfile(Protocol):
    """Numbers of pairs that are not learned."""

    def at(self, pairs: Tensor) -> Tensor:
        """One row per pair; float64, on the device of the pairs."""


class GraphInput(NamedTuple):
    """The input of a network from a graph, independent of its weights."""

    adjacency: Adjacency
    features: SparseRows | Tensor | None
    profile: PairProfile | None = None
    """What a network reads of pairs besides, such as walks between their ends."""
    evidence: Evidence | None = None
    """What attributes say about pairs."""
    position: Evidence | None = None
    """Where pairs lie in the whole graph."""


class Encoded(NamedTuple):
    """A graph as :meth:`PairNetwork.logits` reads it."""

    encoding: Any
    """The encoding of the network."""
    evidence: Evidence | None


class PairNetwork(nn.Module, ABC):
    """A network that scores pairs: the graph is read by :meth:`encode`, the pairs by :meth:`score`."""

    encoder: NodeEncoder | None
    """The node encoder, if there is one."""
    evidence_head: EvidenceHead | None

    def __init__(self, shape: Mapping[str, int] | None = None) -> None:
        super().__init__()
        channels = (shape or {}).get(EVIDENCE, 0)
        self.evidence_head = EvidenceHead(channels) if channels else None

    @property
    def reads_evidence(self) -> bool:
        """Whether scores depend on the evidence that attributes give."""
        return self.evidence_head is not None

    def fit_evidence(self, sample: Tensor) -> None:
        """Takes the distribution of the evidence from a sample."""
        if self.evidence_head is not None:
            self.evidence_head.fit(sample)

    @property
    def reads_features(self) -> bool:
        """Whether scores depend on the nodes' features."""
        return self.encoder is not None and self.encoder.input.features is not None

    def read(self, adjacency: Adjacency, features: SparseRows | Tensor | None, *, remember: bool = False) -> GraphInput:
        """The input from a graph, independent of the weights.

        Args:
            adjacency: The observed edges.
            features: The nodes' features.
            remember: Whether to cache results for pairs, since the same pairs will be scored again.
        """
        return GraphInput(adjacency, features)

    @abstractmethod
    def encode(self, graph: GraphInput) -> Any:
        """The encoding of the observed graph, independent of the pairs to score."""

    @abstractmethod
    def score(self, encoding: Any, pairs: Tensor) -> Tensor:
        """One logit per pair, independent of the others; or one row per member of an ensemble."""

    def read_graph(self, graph: GraphInput) -> Encoded:
        """Encodes the observed graph, and keeps its evidence."""
        return Encoded(self.encode(graph), graph.evidence)

    def logits(self, graph: Encoded, pairs: Tensor) -> Tensor:
        """The scores of :meth:`score`, plus what attributes say."""
        logits = self.score(graph.encoding, pairs)
        if self.evidence_head is None or graph.evidence is None:
            return logits
        return logits + self.evidence_head(graph.evidence.at(pairs))

    def forward(self, graph: GraphInput, pairs: Tensor) -> Tensor:
        """Encodes and scores."""
        return self.logits(self.read_graph(graph), pairs)


class PairModel(GradientModel):
    """A model whose network is a :class:`PairNetwork`."""

    Config: ClassVar[type[EncodedConfig]] = EncodedConfig
    config: EncodedConfig
    needs: ClassVar[Needs] = Needs(directed=True)
    quick: ClassVar[float] = Scorer.quick
    """Number of pairs above which they are screened by default; see :attr:`linkwl.models.Scorer.quick`."""

    def __init__(self, config: EncodedConfig | None = None) -> None:
        super().__init__(config)
        self._train_features: tuple[Features | None, SparseRows | Tensor | None] = (None, None)

    def measure(self, observed: Graph) -> dict[str, int]:
        """Feature width, largest degree of either direction, the kinds of edges and features, columns of evidence."""
        arriving = int(np.bincount(observed.col, minlength=1).max())
        num_evidence = len(evidence_names(observed.attributes, is_directed=observed.is_directed))
        return ({EVIDENCE: num_evidence} if num_evidence else {}) | {
            "num_features": observed.num_features,
            "max_degree": max(int(observed.degree.max(initial=0)), arriving),
            "is_directed": int(observed.is_directed),
            "is_sparse": int(sp.issparse(observed.features)),
        }

    def start(self, observed: Graph, seed: int) -> None:
        """Initialises the weights for graphs like this one, and prepares its features for training."""
        self._train_features = (None, None)
        super().start(observed, seed)
        features, encoder = self._features(observed), self._pair_network.encoder
        self._train_features = (observed.features, features)
        if self._pair_network.reads_evidence:
            self._pair_network.fit_evidence(torch.from_numpy(sample_evidence(observed, seed)).to(self.device))
        if encoder is None:
            return
        node_input = encoder.input
        if isinstance(features, Tensor):
            node_input.standardise(features)
        elif features is not None and node_input.features is not None:
            node_input.features.start_at_principal_axes(features, seed)

    def to(self, device: torch.device | str) -> Self:
        """Moves the model, without the features prepared for training, to another device."""
        self._train_features = (None, None)
        return super().to(device)

    def logits(self, observed: Graph, queries: Pairs) -> Tensor:
        """One differentiable logit per pair."""
        network = self._network_for(observed)
        return network(self._read(observed), torch.from_numpy(ordered(observed, queries)).to(self.device))

    def make_scorer(self, observed: Graph) -> PairScorer:
        """Encodes the graph once."""
        self._network_for(observed)
        with torch.no_grad(), torch_threads(self.num_threads(observed, 0)):
            encoded = self._pair_network.read_graph(self._read(observed))
        return PairScorer(self, observed, encoded)

    def watch(self, observed: Graph) -> ScoreQueries:
        """Reads the graph once; every call encodes it with the current weights."""
        network = self._network_for(observed)
        graph = self._read(observed, remember=True)

        def look(queries: Pairs) -> Scores:
            with torch.no_grad(), self.evaluating(), torch_threads(self.num_threads(observed, len(queries))):
                return self.score_pairs(network.read_graph(graph), observed, queries)

        return look

    def score_pairs(self, encoded: Encoded, observed: Graph, pairs: Pairs) -> Scores:
        """The scores of pairs on an encoded graph: each distinct pair is scored once, in blocks."""
        first, second = ordered(observed, pairs).T
        keys, place = np.unique(first * observed.num_nodes + second, return_inverse=True)
        different = np.stack(np.divmod(keys, observed.num_nodes), axis=1)
        blocks = torch.from_numpy(different).to(self.device).split(self.block_size)
        network = self._pair_network
        logits = torch.cat([mean_of_members(network.logits(encoded, block), len(block)) for block in blocks])
        return as_scores(logits)[place.reshape(-1)]

    def read_features(self, features: Features) -> SparseRows | Tensor:
        """The features as the encoder reads them."""
        return scaled_tensors(features)

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """Whether the node and pair vectors are few."""
        return (observed.num_nodes + num_targets) * self.config.encoder.channels < FEW_NUMBERS

    def cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the weights, of the encoder on the graph, and of the pair layers on both target orientations."""
        encoder = encoder_cost(self.config.encoder, observed)
        return self.weights_cost(observed) + encoder + self.pair_cost(observed, num_targets)

    def weights_cost(self, observed: Graph) -> Cost:
        """The cost of the weights: each has a gradient, the two moments of Adam, a running mean and a best value."""
        try:
            weights = sum(weight.numel() for weight in self.expected_state(self.measure(observed)).values())
        except RuntimeError:  # more than torch can count
            return Cost(math.inf)
        return Cost(FLOAT * 6.0 * weights)

    @abstractmethod
    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of the pair layers for the targets of one training step."""

    @property
    def _pair_network(self) -> PairNetwork:
        network = self.trained
        assert isinstance(network, PairNetwork)
        return network

    def _network_for(self, observed: Graph) -> PairNetwork:
        """The network, after a check that it fits the graph."""
        network = self._pair_network
        if network.reads_features:
            check_features(self.id, self.shape, observed)
        if network.reads_evidence:
            check_evidence(self.id, self.shape[EVIDENCE], observed)
        if observed.is_directed != bool(self.shape["is_directed"]):
            was, is_now = ("undirected", "directed") if observed.is_directed else ("directed", "undirected")
            raise InputError(f"{self.id} was trained on {was} edges, and {observed.name} is {is_now}; train it anew.")
        return network

    def _read(self, observed: Graph, *, remember: bool = False) -> GraphInput:
        """The network's input from a graph."""
        network, evidence = self._pair_network, None
        if network.reads_evidence:
            evidence = Evidence(PairEvidence(observed), remember=remember)
        graph = network.read(self._adjacency(observed), self._features(observed), remember=remember)
        return graph._replace(evidence=evidence)

    def _adjacency(self, observed: Graph) -> Adjacency:
        adjacency = Adjacency.from_csr(observed.rowptr, observed.col, is_symmetric=not observed.is_directed)
        return adjacency.to(self.device)

    def _features(self, observed: Graph) -> SparseRows | Tensor | None:
        """The features in the encoder's form; those of the training graph are prepared once."""
        if observed.features is None or self.config.encoder.input == "degree":
            return None
        source, ready = self._train_features
        if source is observed.features:
            return ready
        features = self.read_features(observed.features)
        return features.to(self.device) if isinstance(features, Tensor) else features


class PairScorer(Scorer):
    """A network of pairs and a graph that it has encoded.

    Args:
        model: A frozen model.
        observed: The graph.
        encoded: The graph as its network reads it.
    """

    def __init__(self, model: PairModel, observed: Graph, encoded: Encoded) -> None:
        super().__init__(observed)
        self._model, self._graph, self._encoded = model, observed, encoded
        self._threads = torch.get_num_threads()
        self.quick = model.quick

    def _score(self, queries: Pairs) -> Scores:
        threads = 1 if self._model.is_small(self._graph, len(queries)) else self._threads
        with torch.no_grad(), torch_threads(threads):
            return self._model.score_pairs(self._encoded, self._graph, queries)


def ordered(observed: Graph, pairs: Pairs) -> Pairs:
    """The pairs as int64; undirected pairs have the smaller node first, so both orders are the same pair."""
    return (pairs if observed.is_directed else np.sort(pairs, axis=1)).astype(np.int64)


def as_tensors(features: Features) -> SparseRows | Tensor:
    """A copy of dense features, or the stored entries of sparse ones."""
    if isinstance(features, np.ndarray):
        return torch.from_numpy(features.copy())
    rowptr, col = features.indptr.astype(np.int64), features.indices.astype(np.int32)
    return SparseRows(rowptr, col, features.data, features.shape[1])


def check_features(model: str, shape: Mapping[str, int], observed: Graph) -> None:
    """Raises InputError if a graph has other features than a model with ``num_features`` and ``is_sparse`` needs."""
    if observed.num_features != shape["num_features"]:
        raise InputError(
            f"{model} was trained with {shape['num_features']} features per node, and {observed.name} has "
            f"{observed.num_features or 'none'}; give it the same features."
        )
    if sp.issparse(observed.features) != shape["is_sparse"]:
        was, is_now = ("dense", "sparse") if sp.issparse(observed.features) else ("sparse", "dense")
        raise InputError(
            f"{model} was trained with {was} features, and those of {observed.name} are {is_now}; "
            "give it the same kind."
        )


def scaled_tensors(features: Features) -> SparseRows | Tensor:
    """Sparse rows are scaled to a sum of one, so that long rows do not dominate; dense rows are unchanged."""
    rows = as_tensors(features)
    if isinstance(rows, Tensor):
        return rows
    total = np.abs(features).sum(axis=1)
    scale = np.divide(1.0, total, where=total > 0, out=np.zeros(len(total), dtype=np.float32))
    return replace(rows, value=rows.value * np.repeat(scale, np.diff(rows.rowptr)))
