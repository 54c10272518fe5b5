"""The state of a fitted predictor: its model, its graph and its calibration; in memory and in a folder."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from linkwl.errors import InputError, LinkwlError, LinkwlWarning
from linkwl.files import replaced_folder
from linkwl.graph import Graph, KnowledgeGraph, Observed, load_graph
from linkwl.graph.decisions import Decisions
from linkwl.graph.readers.pair_features import add_pair_features
from linkwl.html_table import text_html
from linkwl.metrics import find_metric
from linkwl.models import LinkModel, Scorer
from linkwl.models.calibration import Calibration
from linkwl.models.registry import RECOMMENDED
from linkwl.predict.device import device_of, find_device, put_on
from linkwl.predict.estimator import Estimator
from linkwl.predict.fitted_view import predictor_html
from linkwl.predict.names import source_first
from linkwl.predict.ranking import Ranking
from linkwl.predict.rejected import Rejected
from linkwl.predict.second_values import describe_second
from linkwl.records import TrainingRecord
from linkwl.storage.model_folder import (
    SavedModel,
    check_replaceable,
    load_folder,
    load_record,
    recorded_decisions,
    save_model,
)
from linkwl.training.train import load_finished
from linkwl.typing import FACT_WORD, Queries, Scores


class Compared(NamedTuple):
    """The result of one model in a comparison."""

    model: str
    valid: float
    """The selection metric on validation links."""


class FittedModel(Estimator):
    """What the methods of :class:`linkwl.LinkPredictor` have in common."""

    model_: LinkModel
    graph_: Observed
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
        device: str | None = None,
    ) -> None:
        self.model = model
        self.settings = settings
        self.prior = prior
        self.seed = seed
        self.device = device

    def prior_for(self, observed: Observed, given: float | None = None) -> float:
        """The share of links or facts that probabilities assume: given here or to `fit`, by default that in the graph.

        It is the share among all possible pairs or triples, also for those of one question: that a head is likely to
        have a relation is part of the score, and a larger prior for it would count the same evidence twice.
        """
        if given is not None:
            return given
        own, fitted_to = self._fitted.calibration_.prior, self._fitted.graph_
        return observed.density if own == fitted_to.density and 0 < observed.density < 1 else own

    def save(self, folder: Path | str) -> None:
        """Writes everything to a folder; a folder that contains only a model is replaced atomically.

        Raises:
            InputError: If the folder contains other files.
        """
        target, fitted = Path(folder), self._fitted
        check_replaceable(target)
        with replaced_folder(target) as temporary:
            saved = SavedModel(fitted.model_, fitted.graph_, fitted.calibration_, fitted.record_)
            save_model(saved, temporary)

    @classmethod
    def load(cls, folder: Path | str, *, device: str | None = None) -> Self:
        """The predictor of a folder written by :meth:`save` or ``linkwl train``.

        Args:
            folder: The folder.
            device: The device to compute on, as in :class:`linkwl.LinkPredictor`.

        Raises:
            InputError: If the folder holds no model, or one of its files is damaged or does not fit the others; or if
                there is no such device.
        """
        find_device(device)  # reports an unknown one before the folder is read
        return cls.of(load_folder(folder), device=device)

    @classmethod
    def of(cls, saved: SavedModel, *, device: str | None = None) -> Self:
        """The predictor of a trained model."""
        record = saved.record
        prior = saved.calibration.prior
        given = None if prior == saved.graph.density else prior
        predictor = cls(record.model, settings=record.config, prior=given, seed=record.seed, device=device)
        return predictor._take(predictor._choose([saved]))

    @property
    def device_(self) -> str:
        """The device that the fitted model computes on."""
        return device_of(self._fitted.model_)

    @property
    def choice_(self) -> str:
        """Which model was chosen and why, in a sentence."""
        first, *others = self._fitted.compared_
        if not others:
            return f"{first.model}: no other model was compared."
        after = ", ".join(f"{row.model} {100 * row.valid:.2f} %" for row in others)
        metric = find_metric(self.record_.selects).title
        what = FACT_WORD[self.graph_.task]
        best = f"none has a higher {metric} on validation {what}s, {100 * first.valid:.2f} %"
        return f"{first.model}: {best}; after it come {after}."

    def observe(self, graph: Any, *, pair_features: Any = None) -> Observed:
        """The graph that predictions are about: the given graph, in a form the model can read, or the fitted graph.

        Relations are matched by name. Those that the fitted graph does not have come after the others. Directions are
        kept if the fitted graph has them, and dropped if not, with a warning. Attributes are matched by name, and put
        on the scales of the fitted graph.

        Args:
            graph: Another graph to observe; by default the fitted graph.
            pair_features: Numbers of pairs that replace those of the graph.

        Raises:
            InputError: If the model knows only the nodes that it was trained on, and the graph has others; or if the
                fitted graph is directed and this one is not.
        """
        fitted = self._fitted
        if pair_features is None and (graph is None or graph is fitted.graph_):
            return fitted.graph_
        observed = load_graph(fitted.graph_ if graph is None else graph, directed=self.directed)
        observed = observed if pair_features is None else add_pair_features(observed, pair_features)
        if observed.task == "pairs" and observed.is_directed and not self.directed:
            problem = f"the directions of the edges are dropped, because {fitted.model_.id} was trained without them"
            warnings.warn(f"{observed.name}: {problem}.", LinkwlWarning, stacklevel=2)
            observed = observed.links
        if isinstance(observed, KnowledgeGraph) and isinstance(fitted.graph_, KnowledgeGraph):
            observed = observed.with_relations(fitted.graph_.relations)
        if isinstance(observed, Graph) and isinstance(fitted.graph_, Graph):
            observed = observed.with_columns_of(fitted.graph_)
        if fitted.model_.is_transductive and list(observed.ids) != list(fitted.graph_.ids):
            raise InputError(
                f"{fitted.model_.id} knows only the nodes it was trained on, and {observed.name} has others; train it "
                "on that graph."
            )
        return observed

    @property
    def directed(self) -> bool | None:
        """True if predictions are about directed edges, else None; the argument of :func:`linkwl.load_graph`."""
        graph = self._fitted.graph_
        return True if graph.task == "pairs" and graph.is_directed else None

    @property
    def _fitted(self) -> Self:
        if not hasattr(self, "model_"):
            raise LinkwlError("the predictor is not fitted yet; call `fit` first.")
        return self

    @property
    def prepare_exactly(self) -> Callable[[Observed], Scorer]:
        """Reads a graph with the fitted model; see :meth:`linkwl.models.LinkModel.exact`."""
        return self._fitted._prepare

    def _repr_html_(self) -> str:
        return predictor_html(self) if hasattr(self, "model_") else text_html(repr(self))

    def _choose(self, fitted: list[SavedModel]) -> SavedModel:
        """The best of several models on validation links; stores the comparison."""
        fitted.sort(key=lambda saved: -saved.record.valid[saved.record.selects])
        self.compared_ = tuple(Compared(saved.model.id, saved.record.valid[saved.record.selects]) for saved in fitted)
        return fitted[0]

    def _take(self, saved: SavedModel) -> Self:
        put_on(saved.model, self.device)
        self.model_, self.graph_, self.calibration_, self.record_ = saved
        self._prepare = saved.model.exact()
        self._own_scorer: Scorer | None = None
        return self

    def _take_finished(
        self, folder: Path, models: Sequence[LinkModel], graph: Observed, decisions: Decisions | None
    ) -> Self:
        """Loads the model that a finished run of these models has saved."""
        name = load_record(folder).model
        model = next((model for model in models if model.id == name), models[0])
        saved = load_finished(folder, model, graph, self.seed, self.prior, decisions=decisions)
        return self._take(self._choose([saved]))

    def _scorer(self, observed: Observed) -> Scorer:
        """The scorer of a graph; that of the fitted graph is cached."""
        fitted = self._fitted
        view = fitted.model_.view(observed)
        if observed is not fitted.graph_:
            return fitted._prepare(view)
        if fitted._own_scorer is None:
            fitted._own_scorer = fitted._prepare(view)
        return fitted._own_scorer

    def _rejected(self, observed: Observed) -> Rejected | None:
        """The queries of a graph that were rejected when the model was trained."""
        fitted = self._fitted
        return Rejected.of(recorded_decisions(fitted.record_, fitted.graph_).rejected, fitted.graph_, observed)

    def _ranking(
        self, observed: Observed, queries: Queries, scores: Scores, prior: float, *, ranks_within: int | None = None
    ) -> Ranking:
        probabilities = self._fitted.calibration_.probability(scores, prior)
        ordered = source_first(observed, queries)
        functional = describe_second(observed, queries)
        return Ranking(observed.query_columns, ordered, scores, probabilities, ranks_within, functional=functional)


def check_prior(prior: float | None) -> None:
    """Raises InputError if a prior is no share."""
    if prior is not None and not 0 < prior < 1:
        raise InputError(f"the prior must lie between 0 and 1, got {prior}.")
