"""The lifecycle of every model: fit, prepare, score; save and load."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from linkwl.errors import InputError
from linkwl.graph import Graph, Observed
from linkwl.graph.queries import check_nodes, checked_pairs
from linkwl.models.evidence import ANYTHING, Evidence
from linkwl.models.history import History
from linkwl.models.needs import Needs as Needs  # exported from here
from linkwl.models.space import Space
from linkwl.protocols import TrainingData
from linkwl.typing import FloatArray, IntArray, Pairs, Queries, Scores, Task

if TYPE_CHECKING:
    from linkwl.models.gradient import GradientModel

G = TypeVar("G", bound=Observed)

_ROW_BLOCK = 1 << 18
"""Number of pairs that are scored at a time, if rows are scored pair by pair."""


@dataclass(frozen=True)
class RetiredSetting:
    """A setting of earlier releases; files with it can still be read if its value changes nothing."""

    reason: str
    """Why it no longer exists, as a part of a sentence."""
    harmless: tuple[Any, ...] | None = None
    """Its values that give today's model; None for all values."""


class ModelConfig(BaseModel):
    """The settings of a model; the defaults of a heuristic are the published values."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    retired: ClassVar[Mapping[str, RetiredSetting]] = {}
    """Settings of earlier releases by name."""
    added: ClassVar[Mapping[str, Any]] = {}
    """Settings that files of earlier releases lack, with the values that give those models, if not today's defaults."""

    @classmethod
    def without_retired(cls, model: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings without those that no longer exist.

        Raises:
            InputError: If one of those has a value that would change the model.
        """
        for name, setting in cls.retired.items():
            if name in settings and setting.harmless is not None and settings[name] not in setting.harmless:
                raise InputError(f"{model} has no setting {name}={settings[name]} any more: {setting.reason}.")
        return {name: value for name, value in settings.items() if name not in cls.retired}


class GradientTrainer(Protocol):
    """The trainer that fits a model; implemented by :class:`linkwl.training.Trainer`."""

    @property
    def seed(self) -> int:
        """The seed of the weights, the batches and dropout."""

    def descend(self, model: GradientModel, data: TrainingData) -> History:
        """Finds the weights of a model by gradient descent."""


class Scorer(ABC):
    """A model that has read one graph: an immutable value that scores queries, from any thread.

    The score of a query does not depend on the queries scored with it nor, in an undirected graph, on the order of its
    two nodes.

    Args:
        observed: The graph that was read.

    Example:
        >>> import linkwl
        >>> path = linkwl.Graph.from_pairs([(0, 1), (1, 2), (2, 3)], num_nodes=4)
        >>> scorer = linkwl.create_model("cn").prepare(path)  # reads the graph once
        >>> scorer([(0, 2), (0, 3)]).tolist()
        [1.0, 0.0]
    """

    quick: float = 4e5
    """Number of queries above which all pairs are screened by default; infinite if no screen would be faster."""

    def __init__(self, observed: Observed) -> None:
        self.observed = observed

    def __call__(self, queries: Queries) -> Scores:
        """One finite float64 score per query; larger means likelier to hold.

        Args:
            queries: Node indices, shape ``(num_queries, 2)``, or triples, shape ``(num_queries, 3)``.

        Raises:
            ValueError: If they have another shape, are not integers, or name nodes that do not exist.
        """
        checked = self.observed.check_queries(queries)
        return self._score(checked) if len(checked) else np.empty(0)

    def rows(self, sources: IntArray) -> FloatArray:
        """The scores of whole rows, for graphs of pairs: each source with every node, itself included.

        By default pair by pair, in blocks; a scorer overrides it where rows take less time than as many pairs.

        Args:
            sources: Nodes, shape ``(num_sources,)``.

        Returns:
            Float64, shape ``(num_sources, num_nodes)``; the scores of :meth:`__call__`.

        Raises:
            ValueError: If a node does not exist.
        """
        nodes = np.asarray(sources, dtype=np.int64).reshape(-1)
        checked = check_nodes(np.stack([nodes, nodes], axis=1), self.observed.num_nodes)[:, 0]
        return self._rows(checked) if len(checked) else np.empty((0, self.observed.num_nodes))

    def _rows(self, sources: IntArray) -> FloatArray:
        """The scores of whole rows, for checked sources; int32, at least one."""
        every = np.arange(self.observed.num_nodes, dtype=np.int32)
        size = max(1, _ROW_BLOCK // max(len(every), 1))
        blocks = (sources[start : start + size] for start in range(0, len(sources), size))
        rows = [self(np.stack([np.repeat(b, len(every)), np.tile(every, len(b))], axis=1)) for b in blocks]
        return np.concatenate(rows).reshape(len(sources), len(every))

    def relations(self, pairs: Pairs) -> FloatArray:
        """The scores of every relation from a head to a tail, for graphs of triples.

        Args:
            pairs: Heads and tails, shape ``(num_pairs, 2)``.

        Returns:
            Float64, shape ``(num_pairs, num_relations)``.

        Raises:
            ValueError: If they have another shape, are not integers, or name nodes that do not exist.
        """
        checked = check_nodes(checked_pairs(pairs), self.observed.num_nodes)
        return self._relations(checked)

    def _relations(self, pairs: Pairs) -> FloatArray:
        """The scores of every relation, for checked pairs; int32."""
        count = len(self.observed.query_columns["relation"])
        heads, tails = np.repeat(pairs, count, axis=0).T
        triples = np.stack([heads, np.tile(np.arange(count), len(pairs)), tails], axis=1)
        return self(triples).reshape(len(pairs), count)

    @abstractmethod
    def _score(self, queries: Queries) -> Scores:
        """The scores of checked queries; int32, at least one."""


class FormulaScorer(Scorer):
    """A scorer that applies a function to the queries.

    Args:
        observed: The graph that was read.
        function: Returns the scores of checked queries; it must not have side effects.
        rows: Returns the scores of checked sources with all nodes, if that takes less time; the same bits.
    """

    quick = math.inf

    def __init__(
        self,
        observed: Observed,
        function: Callable[[Queries], Scores],
        *,
        rows: Callable[[IntArray], FloatArray] | None = None,
    ) -> None:
        super().__init__(observed)
        self._function, self._function_of_rows = function, rows

    def _rows(self, sources: IntArray) -> FloatArray:
        return super()._rows(sources) if self._function_of_rows is None else self._function_of_rows(sources)

    def _score(self, queries: Queries) -> Scores:
        return self._function(queries)


class LinkModel(ABC):
    """Scores queries about an observed graph: pairs that may be links, or triples that may be facts.

    A model sees only the observed graph and the queries, never held-out edges. A formula overrides :meth:`prepare`
    alone; a model with its own way of learning also overrides :meth:`fit`; networks are
    :class:`linkwl.models.gradient.GradientModel` and override ``logits``.

    Args:
        config: The settings; by default the default settings.

    Example:
        >>> import linkwl
        >>> path = linkwl.Graph.from_pairs([(0, 1), (1, 2), (2, 3)], num_nodes=4)
        >>> linkwl.create_model("cn")(path, [(0, 2), (0, 3)]).tolist()
        [1.0, 0.0]
    """

    id: ClassVar[str]
    """The name on the command line."""
    title: ClassVar[str]
    """The name in a table."""
    reference: ClassVar[str]
    """The publication of the model."""
    Config: ClassVar[type[ModelConfig]] = ModelConfig
    task: ClassVar[Task] = "pairs"
    needs: ClassVar[Needs] = Needs()
    search_space: ClassVar[Space] = {}
    """The settings that tuning varies; empty if there is nothing to tune."""
    gives_logits: ClassVar[bool] = False
    """Whether scores are log-odds. Others may have long tails: twice as many neighbours do not square the odds."""

    config: ModelConfig
    shape: Mapping[str, int]
    """The numbers that :meth:`load_state` needs besides the settings; empty if nothing has been learned."""

    def __init__(self, config: ModelConfig | None = None) -> None:
        self.config = self.Config() if config is None else config
        if type(self.config) is not self.Config:
            raise TypeError(f"`config` must be a {self.Config.__name__}, got {config!r}.")
        self.shape = {}

    @property
    def is_transductive(self) -> bool:
        """Whether it knows only the nodes that it was trained on; settings may decide, or the graph of training."""
        return self.needs.same_nodes

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Learns from the train fold; a formula has nothing to learn.

        Args:
            data: The train and validation folds; the validation fold is used only to select.
            trainer: The seed and the training loop.
        """
        return History()

    @abstractmethod
    def prepare(self, observed: Any) -> Scorer:
        """Reads a graph once; the result is an immutable value that scores queries from any thread.

        Raises:
            InputError: If the model cannot read such a graph.
        """

    def exact(self) -> Callable[[Observed], Scorer]:
        """A variant of :meth:`prepare`, for the current model, whose scorers always give a query the same bits.

        The bits depend neither on the other queries nor on the number of threads. Formulas are exact anyway.
        """
        return self.prepare

    def __call__(self, observed: Observed, queries: Queries) -> Scores:
        """Reads a graph and scores queries about it; see :meth:`prepare`."""
        return self.prepare(observed)(queries)

    @abstractmethod
    def describe(self, observed: Any) -> str:
        """How the scores are computed on this graph, in a few words."""

    def view(self, observed: G) -> G:
        """The graph as the model can read it: without directions if it reads none, and scores are the same both ways.

        Directed graphs of pairs are fitted and scored through here; :meth:`prepare` itself refuses them.
        """
        is_directed = self.task == observed.task == "pairs" and observed.is_directed
        return cast("G", observed.links) if is_directed and not self.needs.directed else observed

    def evidence(self, observed: Graph) -> Evidence:
        """What the score of a pair may depend on, for explanations; a formula names what it reads."""
        return ANYTHING

    def check(self, observed: Observed) -> None:
        """Raises InputError if the model cannot read such a graph; called by every :meth:`prepare`."""
        if observed.task != self.task:
            raise InputError(f"{self.id} scores {self.task}, and {observed.name} is a graph of {observed.task}.")
        if self.task == "pairs" and observed.is_directed and not self.needs.directed:
            raise InputError(
                f"{self.id} needs an undirected graph, and {observed.name} is directed; load it with directed=False."
            )
        if isinstance(observed, Graph) and self.needs.weights:
            self._check_weights(observed)
        if self.needs.features and observed.features is None:
            raise InputError(f"{self.id} needs node features, and {observed.name} has none; give them with --features.")

    def _check_weights(self, observed: Graph) -> None:
        if observed.weight is not None and not (observed.weight > 0).all():
            raise InputError(
                f"{self.id} takes the weight of an edge for its strength, and some weights of {observed.name} are 0 or "
                "negative; leave those edges out, or read the graph without weights."
            )

    def check_nodes(self, observed: Observed) -> None:
        """Raises InputError if the model knows only its own nodes and the graph has more or fewer of them."""
        if self.is_transductive and observed.num_nodes != self.shape["num_nodes"]:
            raise InputError(
                f"{self.id} knows only the {self.shape['num_nodes']} nodes it was trained on, and {observed.name} has "
                f"{observed.num_nodes}; train it on that graph."
            )

    def clone(self) -> Self:
        """An untrained model with the same settings."""
        return type(self)(self.config)

    def state(self) -> dict[str, NDArray[Any]]:
        """The learned arrays by name, not copied."""
        return {}

    def expected_state(self, shape: Mapping[str, int]) -> dict[str, Any]:
        """Shapes and dtypes of :meth:`state` for a shape, as torch's meta tensors that take no memory."""
        return {}

    def load_state(self, state: Mapping[str, NDArray[Any]], shape: Mapping[str, int]) -> None:
        """Loads the learned state of a model with the same settings.

        Raises:
            ValueError: If an array is missing, unknown, or of another shape or dtype.
        """
        if state:
            raise ValueError(f"`state` must be empty for {self.id}, which learns nothing; got {min(state)!r}.")
        self.shape = dict(shape)

    def __repr__(self) -> str:
        settings = ", ".join(f"{key}={value!r}" for key, value in self.config)
        return f"{type(self).__name__}({settings})"
