"""The link predictor, an estimator in the style of scikit-learn."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Self, Unpack

import numpy as np

from linkwl.engine import Engine
from linkwl.errors import InputError, LinkwlError, LinkwlWarning, UnknownNameError
from linkwl.files import replaced_folder
from linkwl.graph import Graph, KnowledgeGraph, Observed, load_graph
from linkwl.graph.node_ids import NodeId
from linkwl.graph.node_table import Missing
from linkwl.graph.readers.pair_features import add_pair_features
from linkwl.graph.reading import ReadingOptions
from linkwl.metrics import find_metric
from linkwl.models import LinkModel, Scorer, StepReport, create_model
from linkwl.models.calibration import Calibration
from linkwl.models.cost import TrainingPlan
from linkwl.models.registry import RECOMMENDED, find_row, model_ids
from linkwl.predict.candidates import Candidates
from linkwl.predict.dataset_out import DatasetWriter, Threshold, Written
from linkwl.predict.explain import explain_query
from linkwl.predict.explanation import Explanation
from linkwl.predict.fitting import Fitting, check_workers, fit_models, run_folder
from linkwl.predict.method import Search, search_missing_links
from linkwl.predict.names import find_queries, source_first
from linkwl.predict.per_node import NodeLinks, Side, rank_per_node
from linkwl.predict.question import Question, find_hops
from linkwl.predict.ranking import Ranking
from linkwl.protocols import Protocol, find_protocol, protocol_for
from linkwl.records import Evaluation, TrainingRecord
from linkwl.storage.model_folder import (
    SavedModel,
    check_model_folder,
    check_replaceable,
    checkpoints,
    is_finished,
    load_folder,
    load_record,
    save_model,
)
from linkwl.training import Trainer, evaluate_models
from linkwl.training.train import load_finished
from linkwl.typing import FACT_WORD, FloatArray, Queries, Scores, Task

AUTO = "auto"


def auto_models(task: Task = "pairs") -> list[str]:
    """The models that ``model="auto"`` compares on graphs of pairs, or of triples."""
    return [RECOMMENDED, "local-2fwl", *model_ids("heuristic", task=task)]


class Compared(NamedTuple):
    """The result of one model in a comparison."""

    model: str
    valid: float
    """The selection metric on validation links."""


class LinkPredictor:
    """Learns from the links of a graph, or the facts of a knowledge graph, to predict missing ones.

    Nodes and relations have the names of the graph everywhere. 85 % of the links are for training, 5 % for selection
    and for fitting probabilities, and 10 % for testing; a benchmark of facts has its own division. Predictions observe
    all of them.

    Args:
        model: A model's name, or ``auto``: several are compared on validation links.
        settings: Settings of the model, with groups as mappings; missing settings have their defaults.
        prior: The share of links among the pairs to score; by default the share of all pairs that are linked in the
            graph.
        seed: Seed of the split and of training.

    Attributes:
        model_: The trained model.
        graph_: The graph that it was fitted to.
        calibration_: The calibration of scores to probabilities.
        record_: The training record, with the test results.
        compared_: The models that ``auto`` compared, best first.
        choice_: Which model was chosen and why, in a sentence.

    Example:
        >>> import linkwl
        >>> predictor = linkwl.LinkPredictor(model="ra").fit(linkwl.load_dataset("airports"))
        >>> [(link.source, link.target) for link in predictor.recommend(2)]
        [('PIE', 'SFB'), ('ORD', 'SFB')]
    """

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
        features: Any = None,
        missing_features: Missing = "error",
        pair_features: Any = None,
        folder: Path | str | None = None,
        resume: bool = False,
        checkpoint_seconds: float = 20.0,
        origin: Mapping[str, str | None] | None = None,
        engine: Engine | None = None,
        workers: int | None = None,
        on_plan: Callable[[TrainingPlan], None] | None = None,
        on_step: Callable[[StepReport], None] | None = None,
        **options: Unpack[ReadingOptions],
    ) -> Self:
        """Learns from a graph.

        With ``folder`` the model is saved there at the end, and checkpoints are saved there during training. A killed
        run is resumed by the same call with ``resume``, and ends with the same weights; a finished run is left
        unchanged.

        Args:
            graph: A graph, or anything that :func:`linkwl.load_graph` takes.
            y: Not used; present for compatibility with scikit-learn.
            features: A file of node features by node id, or an object; see :func:`linkwl.load_graph`.
            missing_features: ``"fill"`` to allow nodes without features; see :func:`linkwl.load_graph`.
            pair_features: A file or a table of numbers about pairs; see
                :func:`linkwl.graph.readers.pair_features.add_pair_features`.
            folder: The folder to save the model in; created if missing.
            resume: Whether to resume an unfinished run in the folder.
            checkpoint_seconds: Time between two checkpoints.
            origin: The origin of the graph, for the record.
            engine: The engine that fits models to compare, or that runs the workers; by default inline.
            workers: Number of workers that share the batches of a training step; see
                :class:`linkwl.training.Trainer`. By default this process trains alone.
            on_plan: Called before a network is trained, with the expected cost.
            on_step: Called after every training step, if the engine is inline.
            options: How to read the graph, as in :func:`linkwl.load_graph`: ``source="buyer"``, ``time="date"``, ...

        Raises:
            InputError: If the graph cannot be read, a setting is unknown, or the folder holds another run, or this run
                and ``resume`` is not set.
            SplitError: If the graph has too few edges, or is too dense for clean negatives.
            MemoryLimitError: If training is expected to take more memory than there is.
        """
        _check_prior(self.prior)
        if resume and folder is None:
            raise ValueError("`resume` needs `folder`, the folder of the run to resume.")
        place = None if folder is None else Path(folder)
        if place is not None:
            check_model_folder(place, resume=resume)
        if self.model == AUTO and self.settings:
            raise InputError("settings are for one model; name the model instead of 'auto'.")
        if self.model != AUTO:
            find_row(self.model)  # reports an unknown name before a large file is read
        loaded = load_graph(graph, features=features, missing_features=missing_features, **options)
        loaded = loaded if pair_features is None else add_pair_features(loaded, pair_features)
        view = protocol_for(loaded).view(loaded)
        names = auto_models(view.task) if self.model == AUTO else [self.model]
        models = [create_model(name, view.task, **dict(self.settings or {})) for name in names]
        if place is not None and is_finished(place):
            return self._take_finished(place, models, view)
        if workers is not None:
            check_workers(models)
        trainer = Trainer(
            self.seed,
            checkpoint_seconds=checkpoint_seconds,
            on_plan=on_plan,
            on_step=on_step,
            workers=workers,
            engine=None if workers is None else engine,
        )
        fitting = Fitting(view, trainer, self.prior, dict(origin or {}), resume)
        with run_folder(place, resume=resume):
            saved = self._choose(fit_models(models, fitting, place, engine))
            if place is not None:
                save_model(saved, place)
                for file in checkpoints(place):
                    file.unlink(missing_ok=True)
        return self._take(saved)

    def decision_function(self, pairs: Any, *, graph: Any = None) -> Scores:
        """The model's score of every pair; larger means likelier to be a link.

        Args:
            pairs: Two node names each, shape ``(num_pairs, 2)``.
            graph: Another graph to observe; by default the fitted graph.
        """
        return self.rank(pairs, graph=graph).scores

    def predict_proba(self, pairs: Any, *, graph: Any = None, prior: float | None = None) -> FloatArray:
        """The probabilities that every pair is not a link, and that it is a link; shape ``(num_pairs, 2)``.

        Args:
            pairs: Two node names each, shape ``(num_pairs, 2)``.
            graph: Another graph to observe; by default the fitted graph.
            prior: The share of links among such pairs; by default that of :meth:`prior_for`.
        """
        ranking = self.rank(pairs, graph=graph, prior=prior)
        return np.stack([1 - ranking.probabilities, ranking.probabilities], axis=1)

    def rank(self, pairs: Any, *, graph: Any = None, prior: float | None = None) -> Ranking:
        """Scores, probabilities and ranks of given pairs, in their order."""
        observed = self.observe(graph)
        return self.rank_indices(find_queries(observed, pairs), graph=observed, prior=prior)

    def rank_indices(self, queries: Queries, *, graph: Observed, prior: float | None = None) -> Ranking:
        """Like :meth:`rank`, for queries by index."""
        _check_prior(prior)
        queries = graph.check_queries(queries)
        if graph.task == "pairs" and len(loops := queries[queries[:, 0] == queries[:, 1]]):
            raise InputError(
                f"a node has no link with itself; remove the pair of {graph.ids[int(loops[0, 0])]!r} with itself."
            )
        return self._ranking(graph, queries, self._scorer(graph)(queries), self.prior_for(graph, prior))

    def recommend(
        self,
        k: int = 10,
        *,
        for_node: NodeId | None = None,
        head: NodeId | None = None,
        relation: NodeId | None = None,
        tail: NodeId | None = None,
        relations_of: tuple[NodeId, NodeId] | None = None,
        candidates: str | Candidates = "all",
        most: int | None = None,
        ranking: str = "auto",
        graph: Any = None,
        prior: float | None = None,
        engine: Engine | None = None,
        on_choice: Callable[[Search], None] | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Ranking:
        """The likeliest missing links or facts, best first; known ones are never among them.

        Facts from a node to itself are ranked only if the graph has such facts.

        Args:
            k: Number of links or facts.
            for_node: A node, to rank only its links; or the facts with it as head or as tail.
            head: The head of the facts.
            relation: The relation of the facts.
            tail: The tail of the facts.
            relations_of: Two nodes, to rank the relations from the first to the second and back.
            candidates: ``all`` queries, ``hops:3`` for pairs of nodes within three edges, ``roles`` for facts between
                heads and tails that their relation already has, or other candidates of the graph.
            most: Number of candidates of ``hops:3`` to stop at; then those of random nodes are ranked.
            ranking: ``exact`` to score every candidate; ``screened`` to find the best of all pairs with a screen, see
                :func:`linkwl.predict.screening.screen_missing_links`; ``auto`` for a screen where scoring every pair
                would take more than about ten seconds. :attr:`Ranking.search` tells which was used.
            graph: Another graph to observe; by default the fitted graph.
            prior: The share of links or facts among such queries; by default that of :meth:`prior_for`.
            engine: The engine that scores candidates; by default inline.
            on_choice: Called with the method before the work starts.
            on_progress: Called with the finished work and the total work.
        """
        _check_prior(prior)
        observed = self.observe(graph)
        _check_count(k, observed)
        question = Question(head, relation, tail, for_node, relations_of)
        if isinstance(candidates, str):
            chosen = question.candidates(observed, candidates, most=most)
        elif question.given or most is not None:
            raise InputError("give candidates, or parts of the links to find and a limit, not both.")
        else:
            chosen = candidates
        queries, scores, search = search_missing_links(
            *(self._scorer(observed), observed, k),
            method=ranking,
            candidates=chosen,
            seed=self.seed,
            engine=engine,
            on_choice=on_choice,
            on_progress=on_progress,
        )
        return replace(self._ranking(observed, queries, scores, self.prior_for(observed, prior)), search=search)

    def recommend_per_node(
        self,
        k: int = 10,
        *,
        nodes: Sequence[NodeId] | None = None,
        side: Side | None = None,
        candidates: str = "all",
        graph: Any = None,
        prior: float | None = None,
        engine: Engine | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Ranking:
        """The likeliest missing links of every node, best first, node by node; ranks count within each node.

        Args:
            k: Number of links for each node; nodes with fewer possible links have fewer.
            nodes: Some nodes; by default all, or all of the side.
            side: Of a bipartite graph, the side whose nodes are asked for; of a directed graph, ``left`` for the
                targets of every source, ``right`` for the sources of every target. By default ``left``.
            candidates: ``all`` other nodes, or ``hops:3`` for those within three edges.
            graph: Another graph to observe; by default the fitted graph.
            prior: The share of links among such pairs; by default that of :meth:`prior_for`.
            engine: The engine that scores the links; by default inline.
            on_progress: Called with the number of finished nodes and of all nodes.
        """
        _check_prior(prior)
        observed = self.observe(graph)
        if not isinstance(observed, Graph):
            raise InputError(f"{observed.name} is a graph of triples; ask for the facts of one node instead.")
        _check_count(k, observed)
        chosen = None if nodes is None else observed.ids.indices(nodes)
        links = NodeLinks.of(observed, chosen, side=side, hops=find_hops(candidates))
        found = rank_per_node(self._scorer(observed), links, k, engine=engine, on_progress=on_progress)
        return self._ranking(observed, *found, self.prior_for(observed, prior), ranks_within=links.column)

    def write_scores(
        self,
        folder: Path | str,
        *,
        min_score: float | None = None,
        min_probability: float | None = None,
        question: Question | None = None,
        candidates: str = "all",
        graph: Any = None,
        prior: float | None = None,
        engine: Engine | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Written:
        """Writes every missing link or fact above a threshold as Parquet files; memory is bounded.

        Args:
            folder: A new or empty folder; see :meth:`linkwl.predict.dataset_out.DatasetWriter.write`.
            min_score: The least score; give this or ``min_probability``.
            min_probability: The least probability.
            question: Parts of the links or facts that are given, such as a node; by default none.
            candidates: ``all`` queries, ``hops:3`` or ``roles``; see :meth:`recommend`.
            graph: Another graph to observe; by default the fitted graph.
            prior: The share of links or facts among such queries; by default that of :meth:`prior_for`.
            engine: The engine that scores candidates and writes files; by default inline.
            on_progress: Called with the finished work and the total work.
        """
        _check_prior(prior)
        threshold = Threshold(min_score, min_probability)
        observed = self.observe(graph)
        chosen = (question or Question()).candidates(observed, candidates)
        share, calibration = self.prior_for(observed, prior), self._fitted.calibration_
        writer = DatasetWriter(self._scorer(observed), observed, calibration, share, threshold, chosen)
        return writer.write(folder, engine=engine, on_progress=on_progress)

    def explain(self, query: Sequence[NodeId], *, graph: Any = None, **options: Any) -> Explanation:
        """Explains the score of a pair or triple; see :func:`linkwl.predict.explain_query`."""
        observed = self.observe(graph)
        width = len(observed.query_columns)
        if isinstance(query, str) or len(query) != width:
            what = (
                "a link is explained by its two nodes"
                if width == 2
                else "a fact is explained by its head, relation and tail"
            )
            raise InputError(f"{observed.name} is a graph of {observed.task}: {what}, got {query!r}.")
        found = find_queries(observed, [query])[0].tolist()
        if found[0] == found[-1]:
            what = "link with" if width == 2 else "fact about"
            raise InputError(f"{query[0]!r} is both ends: a {what} itself has no paths to explain it.")
        return explain_query(self._fitted.model_, observed, found, **options)

    def evaluate(
        self,
        protocol: Protocol | str | None = None,
        seeds: Sequence[int] | None = None,
        *,
        engine: Engine | None = None,
    ) -> Evaluation:
        """Evaluates the model on the graph, trained again on every split of a protocol, by default that of `fit`."""
        fitted = self._fitted
        chosen = find_protocol(protocol) if isinstance(protocol, str) else protocol or protocol_for(fitted.graph_)
        splits = range(chosen.seeds) if seeds is None else seeds
        return evaluate_models(fitted.graph_, [fitted.model_], chosen, splits, engine=engine)

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
    def load(cls, folder: Path | str) -> Self:
        """The predictor of a folder written by :meth:`save` or ``linkwl train``.

        Raises:
            InputError: If the folder holds no model, or one of its files is damaged or does not fit the others.
        """
        return cls.of(load_folder(folder))

    @classmethod
    def of(cls, saved: SavedModel) -> Self:
        """The predictor of a trained model."""
        record = saved.record
        prior = saved.calibration.prior
        given = None if prior == saved.graph.density else prior
        predictor = cls(record.model, settings=record.config, prior=given, seed=record.seed)
        return predictor._take(predictor._choose([saved]))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the constructor."""
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
        given = [f"{name}={value!r}" for name, value in self.get_params().items() if value != defaults[name].default]
        return f"LinkPredictor({', '.join(given)})"

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

    def _choose(self, fitted: list[SavedModel]) -> SavedModel:
        """The best of several models on validation links; stores the comparison."""
        fitted.sort(key=lambda saved: -saved.record.valid[saved.record.selects])
        self.compared_ = tuple(Compared(saved.model.id, saved.record.valid[saved.record.selects]) for saved in fitted)
        return fitted[0]

    def _take(self, saved: SavedModel) -> Self:
        self.model_, self.graph_, self.calibration_, self.record_ = saved
        self._prepare = saved.model.exact()
        self._own_scorer: Scorer | None = None
        return self

    def _take_finished(self, folder: Path, models: Sequence[LinkModel], graph: Observed) -> Self:
        """Loads the model that a finished run of these models has saved."""
        name = load_record(folder).model
        model = next((model for model in models if model.id == name), models[0])
        return self._take(self._choose([load_finished(folder, model, graph, self.seed, self.prior)]))

    def _scorer(self, observed: Observed) -> Scorer:
        """The scorer of a graph; that of the fitted graph is cached."""
        fitted = self._fitted
        view = fitted.model_.view(observed)
        if observed is not fitted.graph_:
            return fitted._prepare(view)
        if fitted._own_scorer is None:
            fitted._own_scorer = fitted._prepare(view)
        return fitted._own_scorer

    def _ranking(
        self, observed: Observed, queries: Queries, scores: Scores, prior: float, *, ranks_within: int | None = None
    ) -> Ranking:
        probabilities = self._fitted.calibration_.probability(scores, prior)
        return Ranking(observed.query_columns, source_first(observed, queries), scores, probabilities, ranks_within)


def _parameters(kind: type) -> list[str]:
    return list(inspect.signature(kind).parameters)


def _check_count(k: int, observed: Observed) -> None:
    if not isinstance(k, int | np.integer) or k < 1:
        raise InputError(f"the number of {FACT_WORD[observed.task]}s must be an integer of at least 1, got {k}.")


def _check_prior(prior: float | None) -> None:
    if prior is not None and not 0 < prior < 1:
        raise InputError(f"the prior must lie between 0 and 1, got {prior}.")
