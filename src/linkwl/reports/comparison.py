"""Several models on one graph: in order, with those that tie, and the one to use."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from linkwl.frames import to_frame
from linkwl.metrics import PairedDifference, find_metric, paired_difference
from linkwl.models.registry import ROWS
from linkwl.records import Evaluation, RunRecord
from linkwl.reports.comparison_view import comparison_columns, comparison_html, comparison_text, seconds_text

_CLOSE = 0.01
"""A model that loses more than this does not tie, however noisy the splits are."""
_ENOUGH_SPLITS = 3
_REDRAWN = (None, "covering", "by entities")
"""Splitters whose seeds hold out other links; those of the others differ in negatives and training alone."""
_ENOUGH_LINKS = 100
"""Validation links of all splits together, below which nothing is recommended."""


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
        return _seconds(self.runs)

    @property
    def ties(self) -> bool:
        """Whether it is within a point of the best, and the splits do not tell the two apart."""
        return math.isfinite(self.gap.margin) and not self.gap.is_clear and self.gap.mean <= _CLOSE


@dataclass(frozen=True)
class Comparison:
    """Models in the order of their validation scores, the best first; iterating gives their standings."""

    standings: tuple[Standing, ...]
    metric: str
    evaluation: Evaluation
    num_valid: int
    """Number of validation links of all splits; 0 if it is not known."""

    def __len__(self) -> int:
        return len(self.standings)

    def __iter__(self) -> Iterator[Standing]:
        return iter(self.standings)

    @property
    def best(self) -> Standing:
        """The model with the highest validation score; of equal ones the quickest."""
        return self.standings[0]

    @property
    def recommended(self) -> Standing | None:
        """The best model; None if there were too few hidden links to tell, or no model is better than chance."""
        return None if self._doubt else self.best

    @property
    def quickest_tie(self) -> Standing | None:
        """The quickest model that ties with the best; None if it is the best itself, or there are too few splits."""
        if len(self.evaluation.seeds) < _ENOUGH_SPLITS:
            return None
        quickest = min((row for row in self.standings if row.ties), key=lambda row: row.seconds, default=self.best)
        return None if quickest is self.best else quickest

    @property
    def sentences(self) -> list[str]:
        """The recommendation, or why there is none."""
        if self._doubt:
            return [f"no recommendation: {self._doubt}"]
        title, best, splits = find_metric(self.metric).title, self.best, len(self.evaluation.seeds)
        found = [
            f"recommended: {best.model}, with the highest validation {title} "
            f"({100 * best.valid:.2f} %; {_test(best, self.metric)} on test links)"
        ]
        if splits < _ENOUGH_SPLITS:
            found.append(f"{splits} split{'' if splits == 1 else 's'} cannot tell differences from noise; try 3 seeds")
        elif quickest := self.quickest_tie:
            ratio = best.seconds / max(quickest.seconds, 1e-9)
            less = f", {'over 1000' if ratio > 1000 else f'{ratio:.0f}'} times less" if ratio >= 2 else ""
            found.append(
                f"{quickest.model} is not clearly worse ({-100 * quickest.gap.mean:+.2f} ± "
                f"{100 * quickest.gap.margin:.2f} points) and takes {seconds_text(quickest.seconds)} seconds "
                f"instead of {seconds_text(best.seconds)}{less}"
            )
        return found

    @property
    def _doubt(self) -> str:
        """Why nothing can be recommended; empty if something can."""
        if 0 < self.num_valid < _ENOUGH_LINKS:
            return (
                f"{self.num_valid} validation links in all splits are too few to choose by; "
                f"{_ENOUGH_LINKS} would do (try {math.ceil(_ENOUGH_LINKS * self._splits / self.num_valid)} seeds)"
            )
        if self.metric == "auc" and self.best.valid <= 0.5:
            return "no model finds hidden links better than chance"
        return ""

    @property
    def _splits(self) -> int:
        return len(self.evaluation.seeds)

    def to_pandas(self) -> Any:
        """A row for each model, the best first: means over the splits, and their standard deviations; needs pandas."""
        return to_frame(comparison_columns(self))

    def plot(self, ax: Any = None) -> Any:
        """Draws a row per model on axes of matplotlib; see :func:`linkwl.plots.plot_comparison`."""
        from linkwl.reports.new_axes import new_axes  # matplotlib takes a while to import
        from linkwl.reports.panels import draw_standings

        axes = new_axes((6.4, 0.32 * len(self) + 1.0)) if ax is None else ax
        draw_standings(axes, self)
        return axes

    def __repr__(self) -> str:
        return comparison_text(self)

    def _repr_html_(self) -> str:
        return comparison_html(self)

    def to_json(self) -> dict[str, Any]:
        """The order of the models and the recommended one, as plain values."""
        recommended = self.recommended
        return {
            "ranking": [row.model for row in self.standings],
            "recommended": None if recommended is None else recommended.model,
        }


def compare_runs(evaluation: Evaluation) -> Comparison:
    """Orders the models of an evaluation; models are chosen on validation targets, never on test targets.

    Args:
        evaluation: Runs of at least one model, each on all seeds.
    """
    metric = evaluation.protocol.get("selects") or evaluation.protocol["metrics"][0]
    runs = {model: [run for run in evaluation.runs if run.model == model] for model in evaluation.summary}
    means = {model: fmean(run.valid[metric] for run in found) for model, found in runs.items()}
    order = sorted(means, key=lambda model: (-round(means[model], 9), _seconds(runs[model])))
    best = _valid(runs[order[0]], metric)
    standings = (
        Standing(
            model,
            ROWS[model].title if model in ROWS else model,
            tuple(runs[model]),
            means[model],
            _difference(evaluation, best, _valid(runs[model], metric)),
        )
        for model in order
    )
    share = evaluation.protocol.get("valid_ratio", 0.0)
    num_valid = round(share * evaluation.graph.edges) * len(evaluation.seeds)
    return Comparison(tuple(standings), metric, evaluation, num_valid)


def _seconds(runs: Sequence[RunRecord]) -> float:
    return fmean(run.seconds["fit"] + run.seconds["predict"] for run in runs)


def _valid(runs: Sequence[RunRecord], metric: str) -> list[float]:
    return [run.valid[metric] for run in sorted(runs, key=lambda run: run.seed)]


def _difference(evaluation: Evaluation, first: list[float], second: list[float]) -> PairedDifference:
    """First minus second over the splits; without an interval if all splits have the same links."""
    found = paired_difference(first, second, overlap=_overlap(evaluation))
    return found if evaluation.protocol.get("split") in _REDRAWN else replace(found, margin=math.inf, p_value=1.0)


def _overlap(evaluation: Evaluation) -> float:
    """Validation links per training link, as the protocol has them."""
    valid, test = (float(evaluation.protocol.get(name, 0.0)) for name in ("valid_ratio", "test_ratio"))
    return valid / max(1 - valid - test, 1e-9)


def _test(row: Standing, metric: str) -> str:
    values = [run.metrics[metric] for run in row.runs if metric in run.metrics]
    return f"{100 * fmean(values):.2f} %" if values else "not measured"
