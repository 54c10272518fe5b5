"""One estimator for the whole job, in the manner of scikit-learn."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError, LinkwlError, UnknownNameError
from linkwl.files import replaced_folder
from linkwl.graph import Graph, load_graph
from linkwl.graph.node_ids import NodeId
from linkwl.models import LinkModel, create_model, rank_missing_links
from linkwl.models.calibration import Calibration
from linkwl.models.candidates import Candidates, OneNode, find_candidates
from linkwl.models.cost import Plan
from linkwl.models.registry import RECOMMENDED, model_ids
from linkwl.predict.explain import Explanation, explain_pair
from linkwl.predict.ranking import Ranking
from linkwl.predict.steady import SteadyModel
from linkwl.records import Evaluation, TrainingRecord
from linkwl.splits import Protocol
from linkwl.splits.protocol import find_protocol
from linkwl.training.evaluate import evaluate_models
from linkwl.training.history import StepReport
from linkwl.training.model_folder import SavedModel, check_replaceable, load_folder, save_model
from linkwl.training.train import train_for_use
from linkwl.typing import FloatArray, Pairs, Scores

AUTO = "auto"
AUTO_MODELS = (RECOMMENDED, "local-2fwl", *model_ids("heuristic"))
"""What ``model="auto"`` compares."""


class Compared(NamedTuple):
    """How a model did when several were compared."""

    model: str
    valid_auc: float


class LinkPredictor:
    """Learns from the links of a graph which others are missing.

    Nodes are named as the graph names them, everywhere. 85 % of the links are learned from, 5 % choose what is to be
    chosen and fit probabilities, and 10 % measure; predictions observe all of them.

    Args:
        model: A model's name, or ``auto``: several are compared on validation links.
        settings: Settings of the model, groups as mappings; what is left out is the default.
        prior: The share of links among the pairs that will be asked about; by default the share of all pairs that are
            linked in the graph.
        seed: Of the split and of training.

    Attributes:
        model_: The trained model.
        graph_: The graph that it was fitted to.
        calibration_: What makes probabilities of scores.
        record_: How it came about, and how well it does.
        compared_: The models that ``auto`` compared, best first.
        choice_: Which model was chosen and why, in a sentence.

    Example:
        >>> import linkwl
        >>> predictor = linkwl.LinkPredictor(model="ra").fit(linkwl.load_dataset("airports"))
        >>> [(link.source, link.target) for link in predictor.recommend(2)]
        [('PIE', 'SFB'), ('ORD', 'SFB')]
    """

    model_: LinkModel
    graph_: Graph
    calibration_: Calibration
    record_: TrainingRecord
    compared_: tuple[Compared, ...]

    def __init__(
        self,
        model: str = RECOMMENDED,
        *,
        settings: Mapping[str, Any] | None = None,
        prior: float | None = None,
        seed: int = 0,
    ) -> None:
        self.model = model
        self.settings = settings
        self.prior = prior
        self.seed = seed

    def fit(
        self,
        graph: Any,
        y: None = None,
        *,
        features: Path | str | None = None,
        on_plan: Callable[[Plan], None] | None = None,
        on_step: Callable[[StepReport], None] | None = None,
    ) -> Self:
        """Learns from a graph.

        Args:
            graph: A :class:`linkwl.Graph` or anything that :func:`linkwl.load_graph` takes; directions are forgotten.
            y: Not used; here for scikit-learn.
            features: A file of node features by node id.
            on_plan: Called before a network is trained, with what that is expected to take.
            on_step: Called after every step of training.

        Raises:
            InputError: If the graph cannot be read, or a setting is unknown.
            SplitError: If it has too few edges, or is too dense for clean negatives.
            MemoryLimitError: If training is expected to take more memory than there is.
        """
        _check_prior(self.prior)
        loaded = load_graph(graph, features=features).to_undirected()
        if self.model == AUTO and self.settings:
            raise InputError("settings are of one model; name it instead of 'auto'.")
        names = AUTO_MODELS if self.model == AUTO else (self.model,)
        models = [create_model(name, **dict(self.settings or {})) for name in names]
        fitted = [
            train_for_use(model, loaded, seed=self.seed, prior=self.prior, on_plan=on_plan, on_step=on_step)
            for model in models
        ]
        fitted.sort(key=lambda saved: -saved.record.valid["auc"])
        self.compared_ = tuple(Compared(saved.model.id, saved.record.valid["auc"]) for saved in fitted)
        return self._take(fitted[0])

    def decision_function(self, pairs: Any, *, graph: Any = None) -> Scores:
        """The model's score of every pair; larger means likelier to be a link.

        Args:
            pairs: Two node names each, shape ``(num_pairs, 2)``.
            graph: Another graph to observe; by default the one that was fitted to.
        """
        return self.rank(pairs, graph=graph).scores

    def predict_proba(self, pairs: Any, *, graph: Any = None, prior: float | None = None) -> FloatArray:
        """The probabilities that every pair is no link, and that it is one; shape ``(num_pairs, 2)``.

        Args:
            pairs: Two node names each, shape ``(num_pairs, 2)``.
            graph: Another graph to observe; by default the one that was fitted to.
            prior: The share of links among such pairs, if it is another one than :meth:`prior_for` says.
        """
        ranking = self.rank(pairs, graph=graph, prior=prior)
        return np.stack([1 - ranking.probabilities, ranking.probabilities], axis=1)

    def rank(self, pairs: Any, *, graph: Any = None, prior: float | None = None) -> Ranking:
        """Scores, probabilities and ranks of given pairs, in their order."""
        observed = self._observed(graph)
        return self.rank_indices(self._indices(observed, pairs), graph=observed, prior=prior)

    def rank_indices(self, pairs: Pairs, *, graph: Graph, prior: float | None = None) -> Ranking:
        """The same of pairs by node index."""
        _check_prior(prior)
        pairs = graph.check_pairs(pairs)
        if len(loops := pairs[pairs[:, 0] == pairs[:, 1]]):
            raise InputError(
                f"a node has no link with itself; leave out the pair of {graph.ids[int(loops[0, 0])]!r} twice."
            )
        return self._ranking(graph, pairs, self._fitted._scorer(graph, pairs), prior)

    def recommend(
        self,
        k: int = 10,
        *,
        for_node: NodeId | None = None,
        candidates: str | Candidates = "all",
        graph: Any = None,
        prior: float | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Ranking:
        """The likeliest missing links, best first; pairs that are linked are never among them.

        Args:
            k: How many.
            for_node: A node, if all of them are to be its own.
            candidates: ``all`` pairs, ``hops:3`` for those that at most three edges join, or others of the graph.
            graph: Another graph to observe; by default the one that was fitted to.
            prior: The share of links among such pairs, if it is another one than :meth:`prior_for` says.
            on_progress: Called with the work done and the work there is.
        """
        if not isinstance(k, int | np.integer) or k < 1:
            raise InputError(f"at least one link must be asked for, a whole number; got {k}.")
        _check_prior(prior)
        observed = self._observed(graph)
        chosen = find_candidates(observed, candidates) if isinstance(candidates, str) else candidates
        if for_node is not None:
            if candidates != "all":
                raise InputError("the candidates of one node are all others; ask for a node or for candidates.")
            chosen = OneNode(observed, int(observed.ids.indices([for_node])[0]))
        found = rank_missing_links(self._fitted._scorer, observed, k, candidates=chosen, on_progress=on_progress)
        return self._ranking(observed, *found, prior)

    def explain(self, pair: Sequence[NodeId], *, graph: Any = None, **options: Any) -> Explanation:
        """Why a pair has its score; see :func:`linkwl.predict.explain_pair`."""
        observed = self._observed(graph)
        if isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
            raise InputError(f"a pair is two different nodes, got {pair!r}.")
        p, q = self._indices(observed, [pair])[0]
        return explain_pair(self._fitted._scorer, observed, (int(p), int(q)), **options)

    def evaluate(self, protocol: Protocol | str = "paper", seeds: Sequence[int] | None = None) -> Evaluation:
        """How well the model does on the graph under a protocol, trained anew on every split."""
        chosen = find_protocol(protocol) if isinstance(protocol, str) else protocol
        fitted = self._fitted
        model = create_model(fitted.model_.id, **fitted.record_.config)
        return evaluate_models(fitted.graph_, [model], chosen, range(chosen.seeds) if seeds is None else seeds)

    def prior_for(self, observed: Graph, given: float | None = None) -> float:
        """The share of links that probabilities assume: what is given or was at `fit`, else that among all pairs."""
        if given is not None:
            return given
        own, fitted_to = self._fitted.calibration_.prior, self._fitted.graph_
        return observed.density if own == fitted_to.density and 0 < observed.density < 1 else own

    def save(self, folder: Path | str) -> None:
        """Writes everything into a folder; one with nothing but a model in it is replaced, all at once.

        Raises:
            InputError: If there is something else.
        """
        target, fitted = Path(folder), self._fitted
        check_replaceable(target)
        with replaced_folder(target) as temporary:
            saved = SavedModel(fitted.model_, fitted.graph_, fitted.calibration_, fitted.record_)
            save_model(saved, temporary)

    @classmethod
    def load(cls, folder: Path | str) -> Self:
        """The predictor of a folder written by :meth:`save` or ``linkwl train``.

        Raises:
            InputError: If the folder holds no model, or one of its files is damaged or does not fit the others.
        """
        return cls.of(load_folder(folder))

    @classmethod
    def of(cls, saved: SavedModel) -> Self:
        """The predictor of a model that is trained already."""
        record = saved.record
        prior = saved.calibration.prior
        given = None if prior == saved.graph.density else prior
        predictor = cls(record.model, settings=record.config, prior=given, seed=record.seed)
        predictor.compared_ = (Compared(record.model, record.valid["auc"]),)
        return predictor._take(saved)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments it was made with."""
        return {name: getattr(self, name) for name in _parameters(type(self))}

    def set_params(self, **params: Any) -> Self:
        """Changes arguments, for the next :meth:`fit`."""
        for name, value in params.items():
            if name not in _parameters(type(self)):
                raise UnknownNameError("parameter", name, _parameters(type(self)))
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        told = [f"{name}={value!r}" for name, value in self.get_params().items() if value != defaults[name].default]
        return f"LinkPredictor({', '.join(told)})"

    @property
    def choice_(self) -> str:
        """Which model it is and why, in a sentence."""
        first, *others = self._fitted.compared_
        if not others:
            return f"{first.model}: nothing was compared with it here."
        after = ", ".join(f"{row.model} {100 * row.valid_auc:.2f} %" for row in others)
        best = f"none has a higher AUC on validation links, {100 * first.valid_auc:.2f} %"
        return f"{first.model}: {best}; after it come {after}."

    @property
    def _fitted(self) -> Self:
        if not hasattr(self, "model_"):
            raise LinkwlError("the predictor has not learned from any graph yet; call `fit` first.")
        return self

    def _take(self, saved: SavedModel) -> Self:
        self.model_, self.graph_, self.calibration_, self.record_ = saved
        self._scorer = SteadyModel(saved.model)
        return self

    def _observed(self, graph: Any) -> Graph:
        return self._fitted.graph_ if graph is None else load_graph(graph).to_undirected()

    def _ranking(self, observed: Graph, pairs: Pairs, scores: Scores, prior: float | None) -> Ranking:
        told = self._fitted.calibration_.probability(scores, self.prior_for(observed, prior))
        return Ranking(observed.ids, pairs, scores, told)

    def _indices(self, observed: Graph, pairs: Any) -> Pairs:
        """The pairs by index."""
        names = np.asarray(pairs)
        if names.dtype.kind in "uf":  # beyond what fits in 64 bits names are texts, and among such numbers others too
            names = np.asarray(pairs, dtype=object)
        if names.size == 0:
            return np.empty((0, 2), dtype=np.int32)
        if names.ndim != 2 or names.shape[1] != 2:
            raise InputError(f"pairs must have shape (num_pairs, 2), got {names.shape}.")
        flat = names.reshape(-1)
        if flat.dtype.kind == "i":
            found = observed.ids.find(pa.array(flat.astype(np.int64)))
        else:
            found = observed.ids.find(pa.array([str(name) for name in flat], type=pa.string()))
        if found.min() < 0:
            name = str(flat[int(np.argmin(found))])
            raise UnknownNameError("node", name, observed.ids.around(name))
        return found.reshape(-1, 2).astype(np.int32)


def _parameters(kind: type) -> list[str]:
    return list(inspect.signature(kind).parameters)


def _check_prior(prior: float | None) -> None:
    if prior is not None and not 0 < prior < 1:
        raise InputError(f"the prior must lie between 0 and 1, got {prior}.")
