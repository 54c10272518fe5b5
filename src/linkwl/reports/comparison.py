"""Several models on one graph: in order, with those that tie, and the one to use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from linkwl.metrics import PairedDifference, find_metric, paired_difference
from linkwl.models.registry import ROWS
from linkwl.records import Evaluation, RunRecord


@dataclass(frozen=True)
class Standing:
    """A model among others."""

    model: str
    title: str
    runs: tuple[RunRecord, ...]
    valid: float
    """The mean of the selecting metric on validation targets."""
    gap: PairedDifference
    """The best model minus this one on validation targets."""

    @property
    def seconds(self) -> float:
        """The mean time to fit and to score the test targets."""
        return fmean(run.seconds["fit"] + run.seconds["predict"] for run in self.runs)

    @property
    def ties(self) -> bool:
        """Whether the splits do not tell it from the best."""
        return not self.gap.is_clear


@dataclass(frozen=True)
class Comparison:
    """Models in the order of their validation scores, the best first."""

    standings: tuple[Standing, ...]
    metric: str
    evaluation: Evaluation

    @property
    def best(self) -> Standing:
        """The model to use: the best on validation targets."""
        return self.standings[0]

    @property
    def quickest_tie(self) -> Standing | None:
        """The fastest model that the splits do not tell from the best; None if it is the best itself."""
        quickest = min((row for row in self.standings if row.ties), key=lambda row: row.seconds)
        return None if quickest is self.best else quickest

    @property
    def sentences(self) -> list[str]:
        """The recommendation."""
        title, best, splits = find_metric(self.metric).title, self.best, len(self.evaluation.seeds)
        seeds = "split" if splits == 1 else f"{splits} splits"
        found = [
            f"recommended: {best.model}, with the highest validation {title} over the {seeds} "
            f"({100 * best.valid:.2f} %; {_test(best, self.metric)} on test links)"
        ]
        if splits == 1:
            found.append("one split cannot tell which differences are noise; try --seeds 3 or more")
        elif quickest := self.quickest_tie:
            ratio = best.seconds / max(quickest.seconds, 1e-9)
            found.append(
                f"{quickest.model} is not clearly worse ({-100 * quickest.gap.mean:+.2f} ± "
                f"{100 * quickest.gap.margin:.2f} points) and takes {quickest.seconds:.3g} seconds instead of "
                f"{best.seconds:.3g}{f', {ratio:.0f} times less' if ratio >= 2 else ''}"
            )
        return found


def compare_runs(evaluation: Evaluation) -> Comparison:
    """Orders the models of an evaluation; models are chosen on validation targets, never on test targets.

    Args:
        evaluation: Runs of at least one model, each on all seeds.
    """
    metric = evaluation.protocol.get("selects") or evaluation.protocol["metrics"][0]
    runs = {model: [run for run in evaluation.runs if run.model == model] for model in evaluation.summary}
    means = {model: fmean(run.valid[metric] for run in found) for model, found in runs.items()}
    order = sorted(means, key=lambda model: (-means[model], list(means).index(model)))
    best = _valid(runs[order[0]], metric)
    standings = (
        Standing(
            model,
            ROWS[model].title if model in ROWS else model,
            tuple(runs[model]),
            means[model],
            paired_difference(best, _valid(runs[model], metric), overlap=_overlap(evaluation)),
        )
        for model in order
    )
    return Comparison(tuple(standings), metric, evaluation)


def _valid(runs: Sequence[RunRecord], metric: str) -> list[float]:
    return [run.valid[metric] for run in sorted(runs, key=lambda run: run.seed)]


def _overlap(evaluation: Evaluation) -> float:
    """Validation links per training link, as the protocol has them."""
    valid, test = (float(evaluation.protocol.get(name, 0.0)) for name in ("valid_ratio", "test_ratio"))
    return valid / max(1 - valid - test, 1e-9)


def _test(row: Standing, metric: str) -> str:
    values = [run.metrics[metric] for run in row.runs if metric in run.metrics]
    return f"{100 * fmean(values):.2f} %" if values else "not measured"
