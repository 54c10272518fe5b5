"""`walk-2fwl` beside models of PyKEEN: the same splits, the same candidates and the same metrics, in one run.

    pip install -c constraints.txt -r benchmarks/pykeen.txt

Inductive graphs are tested on other entities; there PyKEEN has NodePiece, with and without message passing. Graphs that
are split at random are tested on their own entities; there it has RotatE, which ranked far better than ComplEx after
the same time. Each of its models gets three minutes of one core: 20 seconds for each of two learning rates, the rest
for the better one. Weights and rate are those with the best MRR on the validation lists that also select our weights.
Our model has its default settings.

A list is a fact with other tails, or with other heads, and PyKEEN scores it with its own functions for that. It also
ranks the test facts with its own evaluator, whose MRR must be ours.

    OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1 python benchmarks/pykeen_models.py     the figures, as JSON
    python benchmarks/pykeen_models.py table                                     the record as a table
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measure import collected, draws_table

from linkwl import KnowledgeGraph, create_model, load_dataset
from linkwl.protocols import TrainingData, find_protocol
from linkwl.splits import Split, Targets
from linkwl.training import Trainer
from linkwl.typing import Scores

OURS = "walk-2fwl"
PROTOCOLS = ("entities-50", "entities")
INDUCTIVE = ("NodePiece", "NodePiece with CompGCN")
TRANSDUCTIVE = ("RotatE",)
RATES = {"RotatE": (0.01, 0.05)} | dict.fromkeys(INDUCTIVE, (0.001, 0.01))
SECONDS, TRIAL_SECONDS = 180, 20
"""Of the processor, for a model and for the trial of a learning rate."""
MAX_EPOCHS = 2000
PATIENCE = 10
"""Number of validations without a better one."""
BATCH = 256
RECORD = Path(__file__).parent / "results" / "pykeen_models.json"


class Case(NamedTuple):
    """A graph and the models of PyKEEN for it."""

    name: str
    models: tuple[str, ...]

    def __str__(self) -> str:
        return self.name

    def load(self) -> KnowledgeGraph:
        """The graph; one whose division is dropped is split at random."""
        graph = load_dataset(self.name.split(",")[0])
        assert isinstance(graph, KnowledgeGraph)
        return graph if self.models == INDUCTIVE else graph.select(np.ones(graph.num_facts, dtype=bool))


CASES = (
    Case("fb237_v1", INDUCTIVE),
    Case("wn18rr_v1", INDUCTIVE),
    Case("world", TRANSDUCTIVE),
    Case("fb237_v1, its own entities", TRANSDUCTIVE),
)


def measure(case: Case) -> dict[str, Any]:
    """How far ours is above the best model of PyKEEN, in points of test MRR among 50 entities."""
    graph = case.load()
    splits = {name: find_protocol(name).apply(graph, 0) for name in PROTOCOLS}
    found = {OURS: measure_ours(splits)} | {name: measure_theirs(name, splits, graph) for name in case.models}
    mrr = {name: 100 * values["entities-50"]["mrr"] for name, values in found.items()}
    best = max(case.models, key=lambda name: mrr[name])
    return {
        "what": f"points of MRR among 50 entities of {OURS} above the best model of PyKEEN ({best}) on {case.name}",
        "value": mrr[OURS] - mrr[best],
        "at_least": 0,
        "graph": case.name,
        "facts": graph.num_facts,
        "models": found,
    }


def measure_ours(splits: dict[str, Split]) -> dict[str, Any]:
    """The metrics of our model; both protocols have the same facts and validation lists, so it is trained once."""
    protocol = find_protocol(PROTOCOLS[0])
    model: Any = create_model(OURS, "triples")
    start = time.process_time()
    model.fit(TrainingData.of(splits[protocol.id], protocol), Trainer())
    seconds = time.process_time() - start
    scorer = model.prepare(splits[protocol.id].test.observed)
    return {"seconds": seconds} | _metrics(splits, lambda targets: scorer(targets.queries))


def measure_theirs(name: str, splits: dict[str, Split], graph: KnowledgeGraph) -> dict[str, Any]:
    """The metrics of a model of PyKEEN, and the MRR of its own evaluator."""
    import torch
    from pykeen.evaluation import RankBasedEvaluator

    split = splits[PROTOCOLS[0]]
    start = time.process_time()
    trials = [train(name, split, rate, TRIAL_SECONDS) for rate in RATES[name]]
    rate = max(trials, key=lambda found: found.valid).rate
    best = train(name, split, rate, SECONDS - len(trials) * TRIAL_SECONDS)
    seconds = time.process_time() - start
    mode: Any = "testing" if split.is_inductive else None
    known = graph.division.unseen if graph.division is not None else graph
    if graph.division is not None:
        known = known.with_(np.concatenate([graph.division.unseen_valid, graph.division.unseen_test]))
    facts = splits["entities"].test.positives
    own = RankBasedEvaluator(mode=mode, add_defaults=True).evaluate(
        best.model,
        torch.from_numpy(facts[: len(facts) // 2].astype(np.int64)),
        batch_size=BATCH,
        use_tqdm=False,
        additional_filter_triples=torch.from_numpy(known.triples.astype(np.int64)),
    )
    return {
        "seconds": seconds,
        "rate": best.rate,
        "epoch": best.epoch,
        "valid": best.valid,
        "own_mrr": own.get_metric("both.realistic.inverse_harmonic_mean_rank"),
    } | _metrics(splits, lambda targets: list_scores(best.model, targets, mode))


def _metrics(splits: dict[str, Split], score: Callable[[Targets], Scores]) -> dict[str, dict[str, float]]:
    return {
        name: find_protocol(name).measure(split.test.targets, score(split.test.targets))
        for name, split in splits.items()
    }


class Trained(NamedTuple):
    """A model of PyKEEN with the weights that were best on validation lists."""

    model: Any
    rate: float
    epoch: int
    valid: float


def train(name: str, split: Split, rate: float, seconds: float) -> Trained:
    """Trains a model of PyKEEN until validation lists are ranked no better, or the time is over."""
    import torch
    from pykeen.training import SLCWATrainingLoop
    from pykeen.training.callbacks import TrainingCallback
    from pykeen.utils import set_random_seed

    set_random_seed(0)
    model, factory = build(name, split)
    optimizer = torch.optim.Adam(model.get_grad_params(), lr=rate)
    mode: Any = "training" if split.is_inductive else None
    sampler = {"num_negs_per_pos": 32}
    loop = SLCWATrainingLoop(
        model=model, triples_factory=factory, optimizer=optimizer, negative_sampler_kwargs=sampler, mode=mode
    )
    protocol, valid = find_protocol(PROTOCOLS[0]), split.valid.targets
    end = time.process_time() + seconds

    class Selection(TrainingCallback):
        """Keeps the best weights."""

        best, best_epoch, failures, weights = -1.0, 0, 0, model.state_dict()

        def post_epoch(self, epoch: int, epoch_loss: float, **kwargs: Any) -> None:
            is_over = time.process_time() > end
            if epoch % 5 and not is_over:
                return
            mrr = protocol.measure(valid, list_scores(model, valid, mode))["mrr"]
            if mrr > self.best:
                self.best, self.best_epoch, self.failures = mrr, epoch, 0
                self.weights = {key: value.clone() for key, value in model.state_dict().items()}
            else:
                self.failures += 1
            model.train()
            self.training_loop._should_stop = is_over or self.failures >= PATIENCE  # as its own stopper does

    selection = Selection()
    loop.train(factory, num_epochs=MAX_EPOCHS, batch_size=BATCH, use_tqdm=False, callbacks=selection)
    model.load_state_dict(selection.weights)
    print(
        f"  {name}, rate {rate}: MRR {selection.best:.4f} at epoch {selection.best_epoch}", file=sys.stderr, flush=True
    )
    return Trained(model, rate, selection.best_epoch, selection.best)


def build(name: str, split: Split) -> tuple[Any, Any]:
    """A model of PyKEEN without weights yet, and the facts that it is trained on."""
    from pykeen.losses import NSSALoss
    from pykeen.models import InductiveNodePiece, InductiveNodePieceGNN, RotatE

    factory = _factory(split.train.observed)
    if name in INDUCTIVE:
        family = InductiveNodePieceGNN if name == INDUCTIVE[1] else InductiveNodePiece
        model: Any = family(
            triples_factory=factory,
            inference_factory=_factory(split.test.observed),
            num_tokens=12,
            aggregation="mlp",
            embedding_dim=64,
            loss=NSSALoss(margin=15),
            random_seed=0,
        )
    else:
        loss = NSSALoss(margin=9, adversarial_temperature=1.0)
        model = RotatE(triples_factory=factory, embedding_dim=100, loss=loss, random_seed=0)
    return model, factory


def _factory(graph: Any) -> Any:
    import torch
    from pykeen.triples import CoreTriplesFactory

    return CoreTriplesFactory.create(
        mapped_triples=torch.from_numpy(graph.triples.astype(np.int64)),
        num_entities=graph.num_nodes,
        num_relations=graph.num_relations,
        create_inverse_triples=True,
    )


def list_scores(model: Any, targets: Targets, mode: str | None) -> Scores:
    """The scores of :attr:`Targets.queries` by a model of PyKEEN: lists of tails by tails, lists of heads by heads."""
    import torch

    facts = torch.from_numpy(targets.positives.astype(np.int64))
    half = len(facts) // 2
    with torch.no_grad():
        tails = [model.predict_t(batch, mode=mode) for batch in facts[:half, :2].split(BATCH)]
        heads = [model.predict_h(batch, mode=mode) for batch in facts[half:, 1:].split(BATCH)]
    table = torch.cat([*tails, *heads]).double().numpy()
    rows = np.repeat(np.arange(len(facts)), np.diff(targets.candidates))
    own = np.where(np.arange(len(facts)) < half, targets.positives[:, 2], targets.positives[:, 0])
    others = np.where(rows < half, targets.negatives[:, 2], targets.negatives[:, 0])
    return np.concatenate([table[np.arange(len(facts)), own], table[rows, others]])


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    head = "MRR among 50 | Hits@10 among 50 | MRR among all | Hits@10 among all | training, s"
    lines = [f"| graph | model | {head} |", "|---|---|--:|--:|--:|--:|--:|"]
    for figure in figures:
        models = figure["models"]
        for model, found in models.items():
            cells = []
            for protocol in PROTOCOLS:
                for metric in ("mrr", "hits@10"):
                    best = max(values[protocol][metric] for values in models.values())
                    value = found[protocol][metric]
                    cells.append(f"**{100 * value:.1f}**" if value == best else f"{100 * value:.1f}")
            name = f"`{model}`" if model == OURS else f"{model}, PyKEEN"
            lines.append(f"| {figure['graph']} | {name} | {' | '.join(cells)} | {found['seconds']:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    logging.getLogger("pykeen").setLevel(logging.ERROR)
    json.dump(collected(measure, CASES, RECORD), sys.stdout)


if __name__ == "__main__":
    main()
