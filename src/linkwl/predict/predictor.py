"""The link predictor, an estimator in the style of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, Unpack

from linkwl.engine import Engine
from linkwl.errors import InputError
from linkwl.graph import load_graph
from linkwl.graph.node_table import Missing
from linkwl.graph.readers.decisions import read_decisions
from linkwl.graph.readers.pair_features import add_pair_features
from linkwl.graph.reading import ReadingOptions
from linkwl.models import StepReport, create_model
from linkwl.models.cost import TrainingPlan
from linkwl.models.registry import RECOMMENDED, find_row, model_ids
from linkwl.predict.device import find_device, put_on
from linkwl.predict.fitted_model import check_prior
from linkwl.predict.fitting import Fitting, check_workers, fit_models, run_folder
from linkwl.predict.missing_links import MissingLinks
from linkwl.predict.shown_steps import shown_steps
from linkwl.protocols import Protocol, find_protocol, protocol_for
from linkwl.records import Evaluation
from linkwl.storage.model_folder import check_model_folder, checkpoints, is_finished, save_model
from linkwl.training import Trainer, evaluate_models
from linkwl.typing import Task

AUTO = "auto"


def auto_models(task: Task = "pairs") -> list[str]:
    """The models that ``model="auto"`` compares on graphs of pairs, or of triples."""
    return [RECOMMENDED, "local-2fwl", *model_ids("heuristic", task=task)]


class LinkPredictor(MissingLinks):
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
        device: The device that networks are trained on and compute with, such as ``"cpu"`` or ``"cuda"``; by default a
            graphics card if there is one. Formulas and trees always compute on the processor.

    Attributes:
        model_: The trained model.
        graph_: The graph that it was fitted to.
        calibration_: The calibration of scores to probabilities.
        record_: The training record, with the test results.
        compared_: The models that ``auto`` compared, best first.
        choice_: Which model was chosen and why, in a sentence.
        classes_: The two answers of :meth:`predict`, 0 and 1.
        device_: The device that the fitted model computes on.

    Example:
        >>> import linkwl
        >>> predictor = linkwl.LinkPredictor(model="ra").fit(linkwl.load_dataset("airports"))
        >>> [(link.source, link.target) for link in predictor.recommend(2)]
        [('PIE', 'SFB'), ('ORD', 'SFB')]
        >>> [link.target for link in predictor.recommend(1, for_node="JNU")]
        ['WRG']
        >>> [(link.source, link.target) for link in predictor.recommend_per_node(1, nodes=["JNU", "ORD"])]
        [('JNU', 'WRG'), ('ORD', 'SFB')]
        >>> predictor.predict_proba([("JNU", "WRG")]).round(2).tolist()  # not a link, a link
        [[0.11, 0.89]]
        >>> predictor.decision_function([("JNU", "WRG")]).tolist(), predictor.explain(("JNU", "WRG")).score
        ([0.75], 0.75)
        >>> round(predictor.record_.test["auc"], 2), predictor.evaluate("hits", seeds=[0]).protocol["id"]
        (0.9, 'hits')
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     predictor.save(f"{folder}/model")
        ...     again = linkwl.LinkPredictor.load(f"{folder}/model")
        ...     print(again.predict_proba([("JNU", "WRG")]).round(2).tolist())
        [[0.11, 0.89]]
    """

    def fit(
        self,
        graph: Any,
        y: None = None,
        *,
        features: Any = None,
        missing_features: Missing = "error",
        pair_features: Any = None,
        decisions: Any = None,
        folder: Path | str | None = None,
        resume: bool = False,
        checkpoint_seconds: float = 20.0,
        origin: Mapping[str, str | None] | None = None,
        engine: Engine | None = None,
        workers: int | None = None,
        on_plan: Callable[[TrainingPlan], None] | None = None,
        on_step: Callable[[StepReport], None] | None = None,
        progress: bool | None = None,
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
            decisions: A file or a table of decisions about missing links, with the columns ``source``, ``target`` and
                ``verdict``, and for facts ``relation``. Accepted links are added to the graph, rejected ones are
                negatives of training and are not recommended again; those for ``later`` are not used.
            folder: The folder to save the model in; created if missing.
            resume: Whether to resume an unfinished run in the folder.
            checkpoint_seconds: Time between two checkpoints.
            origin: The origin of the graph, for the record.
            engine: The engine that fits models to compare, or that runs the workers; by default inline.
            workers: Number of workers that share the batches of a training step; see
                :class:`linkwl.training.Trainer`. By default this process trains alone.
            on_plan: Called before a network is trained, with the expected cost.
            on_step: Called after every training step, if the engine is inline.
            progress: Whether to show a progress bar; None for one in a notebook or a terminal, unless ``on_step`` is
                given.
            options: How to read the graph, as in :func:`linkwl.load_graph`: ``source="buyer"``, ``time="date"``, ...

        Raises:
            InputError: If the graph or the decisions cannot be read, a setting is unknown, or the folder holds another
                run, or this run and ``resume`` is not set.
            SplitError: If the graph has too few edges, or is too dense for clean negatives.
            MemoryLimitError: If training is expected to take more memory than there is.
        """
        check_prior(self.prior)
        find_device(self.device)
        if resume and folder is None:
            raise ValueError("`resume` needs `folder`, the folder of the run to resume.")
        place = None if folder is None else Path(folder)
        if place is not None:
            check_model_folder(place, resume=resume)
        if not isinstance(self.settings or {}, Mapping):
            raise TypeError(f"`settings` must map names to values, got {self.settings!r}.")
        if self.model == AUTO and self.settings:
            raise InputError("settings are for one model; name the model instead of 'auto'.")
        if self.model != AUTO:
            find_row(self.model)  # reports an unknown name before a large file is read
        loaded = load_graph(graph, features=features, missing_features=missing_features, **options)
        loaded = loaded if pair_features is None else add_pair_features(loaded, pair_features)
        view = protocol_for(loaded).view(loaded)
        judged = None if decisions is None else read_decisions(decisions, view)
        names = auto_models(view.task) if self.model == AUTO else [self.model]
        models = [create_model(name, view.task, **(self.settings or {})) for name in names]
        for model in models:
            put_on(model, self.device)
        if place is not None and is_finished(place):
            return self._take_finished(place, models, view, judged)
        if workers is not None:
            check_workers(models)
        with run_folder(place, resume=resume), shown_steps(on_step, progress) as report:
            trainer = Trainer(
                self.seed,
                checkpoint_seconds=checkpoint_seconds,
                on_plan=on_plan,
                on_step=report,
                workers=workers,
                engine=None if workers is None else engine,
            )
            fitting = Fitting(view, trainer, self.prior, dict(origin or {}), resume, judged)
            saved = self._choose(fit_models(models, fitting, place, engine))
            if place is not None:
                save_model(saved, place)
                for file in checkpoints(place):
                    file.unlink(missing_ok=True)
        return self._take(saved)

    def evaluate(
        self,
        protocol: Protocol | str | None = None,
        seeds: Sequence[int] | None = None,
        *,
        engine: Engine | None = None,
        progress: bool | None = None,
    ) -> Evaluation:
        """Evaluates the model on the graph, trained again on every split of a protocol, by default that of `fit`.

        Args:
            protocol: The protocol or its name.
            seeds: A split each; by default as many as the protocol recommends.
            engine: The engine that works on the splits; by default inline.
            progress: Whether to show a progress bar; None for one in a notebook or a terminal.
        """
        fitted = self._fitted
        chosen = find_protocol(protocol) if isinstance(protocol, str) else protocol or protocol_for(fitted.graph_)
        splits = range(chosen.seeds) if seeds is None else seeds
        with shown_steps(None, progress) as report:
            return evaluate_models(fitted.graph_, [fitted.model_], chosen, splits, engine=engine, on_step=report)
