"""node2vec: skip-gram vectors of random walks, and logistic regression."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field

from linkwl.errors import UntrainedError
from linkwl.graph import Graph
from linkwl.memory import check_memory
from linkwl.models.array_state import check_arrays
from linkwl.models.base import FormulaScorer, GradientTrainer, LinkModel, ModelConfig, Needs, Scorer
from linkwl.models.baselines.walk_vectors import WalkVectorsConfig, walk_memory, walk_vectors
from linkwl.models.history import History
from linkwl.models.logistic_regression import search_logistic
from linkwl.models.space import Choice, LogUniform, Space
from linkwl.protocols import TrainingData
from linkwl.splits import sample_negatives
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, Pairs, Scores


class Node2VecConfig(WalkVectorsConfig):
    """Settings of node2vec."""

    window: int = Field(default=3, ge=1, le=1000)
    """The largest distance of two nodes that meet in a walk; 10 as published."""
    parts: int = Field(default=5, ge=1, le=1000)
    """Number of parts of the edges, each classified by vectors of walks without it; 1 as published."""


class Node2Vec(LinkModel):
    r"""node2vec: vectors of nodes that meet in random walks, and a logistic curve over their products.

    .. math::
        s_{ij} = \sum_c w_c\, z_{ic}\, z_{jc} + b

    The vectors :math:`z` come from skip-gram with negative sampling on second-order walks; see
    :func:`linkwl.sparse.random_walks.random_walks` and :func:`linkwl.sparse.skip_gram.skip_gram`. A logistic regression
    learns :math:`w` from edges and as many non-edges. In the published form, ``parts=1``, these edges are in the walks,
    so the regression sees nearer pairs than it is asked about later. By default the edges are divided into parts: for
    each, the vectors come from walks without it and the regression learns from its edges; the score is the mean over
    all parts. Nodes without edges get the mean vector.

    The walks are those of the train edges: edges added after training change nothing. The time is
    O(n walks length window channels) for each part.
    """

    id = "node2vec"
    title = "node2vec"
    reference = "Grover and Leskovec, node2vec: scalable feature learning for networks, KDD, 2016."
    Config: ClassVar[type[Node2VecConfig]] = Node2VecConfig
    config: Node2VecConfig
    needs = Needs(same_nodes=True)
    gives_logits = True
    search_space: ClassVar[Space] = {
        "channels": Choice(32, 64, 128),
        "p": LogUniform(0.25, 4.0),
        "q": LogUniform(0.25, 4.0),
        "window": Choice(2, 3, 5, 10),
        "epochs": Choice(1, 2, 4),
    }

    def __init__(self, config: ModelConfig | None = None) -> None:
        super().__init__(config)
        self._state: dict[str, NDArray[Any]] = {}

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Walks, learns vectors, and classifies the edges of each part."""
        begin = time.perf_counter()
        observed = data.train.observed
        assert isinstance(observed, Graph)
        self.check(observed)
        self._check_memory(observed)
        positives = data.train.positives
        generator = np.random.default_rng(trainer.seed)
        count = min(len(positives), data.reserved.num_absent)
        negatives = sample_negatives(data.reserved, count, generator, known=data.rejected)
        part_of = [generator.permutation(len(pairs)) % self.config.parts for pairs in (positives, negatives)]
        vectors, slopes, intercepts = [], [], []
        for part in range(self.config.parts):
            links, others = (pairs[of == part] for pairs, of in zip((positives, negatives), part_of, strict=True))
            graph = observed if self.config.parts == 1 else observed.without(links)
            z = self._embed(graph, generator)
            x = _products(z, np.concatenate([links, others]))
            curve = search_logistic(x, np.repeat([1.0, 0.0], [len(links), len(others)]), generator)
            vectors.append(z)
            slopes.append(curve.slope)
            intercepts.append(curve.intercept)
        self.shape = {"num_nodes": observed.num_nodes}
        self._state = {
            "vectors": np.stack(vectors),
            "slope": np.stack(slopes).astype(np.float32),
            "intercept": np.array(intercepts, dtype=np.float32),
        }
        return History(seconds=time.perf_counter() - begin)

    def prepare(self, observed: Graph) -> Scorer:
        """A scorer of the nodes that the model was trained on."""
        self.check(observed)
        if not self._state:
            raise UntrainedError(self.id)
        self.check_nodes(observed)
        return FormulaScorer(observed, partial(_scores, dict(self._state)))

    def describe(self, observed: Graph) -> str:
        """The walks and the vectors."""
        config = self.config
        ensemble = "" if config.parts == 1 else f", mean of {config.parts}"
        return f"{config.channels} channels from {config.walks} walks of {config.length} nodes{ensemble}"

    def state(self) -> dict[str, NDArray[Any]]:
        """Vectors and the coefficients of the regressions."""
        return self._state

    def expected_state(self, shape: Mapping[str, int]) -> dict[str, Any]:
        """One row of vectors and coefficients for each part."""
        parts, channels = self.config.parts, self.config.channels
        shapes = {
            "vectors": (parts, shape["num_nodes"], channels),
            "slope": (parts, channels),
            "intercept": (parts,),
        }
        return {name: torch.empty(size, device="meta") for name, size in shapes.items()}

    def load_state(self, state: Mapping[str, NDArray[Any]], shape: Mapping[str, int]) -> None:
        """Loads a copy of vectors and coefficients.

        Raises:
            ValueError: If an array is missing, unknown, or of another shape or dtype.
        """
        check_arrays(self.id, state, self.expected_state(shape))
        self._state = {name: np.array(array) for name, array in state.items()}
        self.shape = dict(shape)

    def _embed(self, graph: Graph, generator: np.random.Generator) -> FloatArray:
        """Vectors of all nodes, from walks on this graph."""
        return walk_vectors(graph, self.config, generator)

    def _check_memory(self, observed: Graph) -> None:
        config, n = self.config, observed.num_nodes
        vectors = 4.0 * n * config.channels * config.parts
        products = 8.0 * 6 * observed.num_edges / config.parts * config.channels
        what = f"training {self.id} on {observed.name}"
        check_memory(vectors + walk_memory(n, config) + products, what, "lower 'walks', 'channels' or 'parts'")


def _products(z: FloatArray, pairs: Pairs) -> FloatArray:
    """The products of the two vectors of each pair; float64."""
    return z[pairs[:, 0]].astype(np.float64) * z[pairs[:, 1]]


def _scores(state: Mapping[str, NDArray[Any]], pairs: Pairs) -> Scores:
    """The mean log-odds over all parts."""
    return np.concatenate(run_ranges(lambda start, stop: _block_scores(state, pairs[start:stop]), len(pairs)))


def _block_scores(state: Mapping[str, NDArray[Any]], pairs: Pairs) -> Scores:
    total = np.zeros(len(pairs))
    for z, slope, intercept in zip(state["vectors"], state["slope"], state["intercept"], strict=True):
        # A sum over a row, unlike a matrix product, does not depend on the other rows.
        total += (_products(z, pairs) * slope).sum(axis=1) + np.float64(intercept)
    return total / len(state["vectors"])
