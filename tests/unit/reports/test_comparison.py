from __future__ import annotations

import pytest

from linkwl.records import Evaluation, GraphRecord, RunRecord
from linkwl.reports.comparison import compare_runs
from linkwl.reports.comparison_figure import draw_comparison

PROTOCOL = {"id": "paper", "metrics": ["auc", "ap"], "valid_ratio": 0.05, "test_ratio": 0.1}
SCORES = {
    # valid AUC by split, test AUC, seconds
    "cn": ([0.80, 0.81, 0.79], 0.9, 0.01),
    "walk-2fwl": ([0.95, 0.94, 0.96], 0.7, 8.0),
    "ra": ([0.949, 0.942, 0.957], 0.8, 0.02),
}


def evaluation(scores=SCORES, splits=3, refusals=None):
    runs = [
        RunRecord(
            model=model,
            seed=seed,
            metrics={"auc": test, "ap": test},
            valid={"auc": valid[seed], "ap": 0.5},
            seconds={"prepare": 0.0, "fit": seconds, "predict": 0.0},
            steps=0,
            peak_memory_mb=1.0,
            split="s",
        )
        for seed in range(splits)
        for model, (valid, test, seconds) in scores.items()
    ]
    return Evaluation(GraphRecord("ring", 5, 5, "d"), PROTOCOL, tuple(runs), refusals=refusals or {})


def test_models_are_ordered_by_validation_and_not_by_test():
    comparison = compare_runs(evaluation())
    assert [row.model for row in comparison.standings] == ["walk-2fwl", "ra", "cn"]
    assert comparison.best.valid == pytest.approx(0.95)
    assert [row.ties for row in comparison.standings] == [True, True, False]


def test_the_recommendation_names_the_best_and_a_quicker_one_that_ties():
    first, second = compare_runs(evaluation()).sentences
    assert first == (
        "recommended: walk-2fwl, with the highest validation AUC over the 3 splits (95.00 %; 70.00 % on test links)"
    )
    assert second.startswith("ra is not clearly worse (-0.07 ± ")
    assert second.endswith("takes 0.02 seconds instead of 8, 400 times less")


def test_nothing_quicker_ties_with_the_quickest():
    scores = {"ra": SCORES["ra"], "cn": SCORES["cn"]}
    assert len(compare_runs(evaluation(scores)).sentences) == 1


def test_one_split_does_not_tell_differences():
    comparison = compare_runs(evaluation(splits=1))
    assert all(row.ties for row in comparison.standings)
    assert "one split cannot tell" in comparison.sentences[1]


def test_the_selecting_metric_decides():
    selects = {"selects": "ap"}
    records = evaluation()
    comparison = compare_runs(Evaluation(records.graph, PROTOCOL | selects, records.runs))
    assert comparison.metric == "ap"
    assert [row.model for row in comparison.standings] == ["cn", "walk-2fwl", "ra"]  # all equal: as they were run


def test_the_picture_is_the_same_for_the_same_values(tmp_path):
    comparison = compare_runs(evaluation())
    draw_comparison(comparison, tmp_path / "a.png")
    draw_comparison(comparison, tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
