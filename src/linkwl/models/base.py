"""The one interface of every model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.typing import Pairs, Scores, Task

Scorer: TypeAlias = Callable[[Graph, Pairs], Scores]
"""What gives every pair of an observed graph a score, as models do when they are called."""


@dataclass(frozen=True)
class Needs:
    """What a model can make use of, or cannot do without."""

    directed: bool = False
    """Whether it reads the directions of edges; others are given graphs without."""
    weights: bool = False
    """Whether it reads the weights of edges."""
    features: bool = False
    """Whether it cannot do without node features."""
    same_nodes: bool = False
    """Whether it knows only the nodes that it was trained on."""


class ModelConfig(BaseModel):
    """The settings of a model; the defaults of a heuristic are the published values."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class LinkModel(ABC):
    """Scores node pairs of an observed graph; larger means likelier to be a link.

    A model sees the observed graph and the pairs, nothing else: held-out edges are never in its hands. The score of a
    pair does not depend on the pairs scored with it, nor, in an undirected graph, on the order of its two nodes.

    Args:
        config: The settings; the defaults if left out.
    """

    id: ClassVar[str]
    """The name on the command line."""
    title: ClassVar[str]
    """The name in a table."""
    reference: ClassVar[str]
    """Where the model was published."""
    Config: ClassVar[type[ModelConfig]] = ModelConfig
    task: ClassVar[Task] = "pairs"
    needs: ClassVar[Needs] = Needs()

    config: ModelConfig

    def __init__(self, config: ModelConfig | None = None) -> None:
        self.config = self.Config() if config is None else config
        if type(self.config) is not self.Config:
            raise TypeError(f"`config` must be a {self.Config.__name__}, got {config!r}.")

    def __call__(self, observed: Graph, pairs: Pairs) -> Scores:
        """One finite float64 score per pair.

        Args:
            observed: The graph whose edges may be used.
            pairs: Node indices, shape ``(num_pairs, 2)``.

        Raises:
            InputError: If the graph is directed and the model knows undirected edges only.
            ValueError: If `pairs` has another shape, holds no whole numbers, or names nodes that do not exist.
        """
        if observed.is_directed and not self.needs.directed:
            raise InputError(f"{self.id} needs an undirected graph; forget the directions by `graph.to_undirected()`.")
        checked = observed.check_pairs(pairs)
        return self._score(observed, checked) if len(checked) else np.empty(0)

    @abstractmethod
    def describe(self, observed: Graph) -> str:
        """How the scores come about on this graph, in a few words."""

    @abstractmethod
    def _score(self, observed: Graph, pairs: Pairs) -> Scores:
        """The scores of pairs that have been checked; int32, shape ``(num_pairs, 2)``."""

    def __repr__(self) -> str:
        settings = ", ".join(f"{key}={value!r}" for key, value in self.config)
        return f"{type(self).__name__}({settings})"
