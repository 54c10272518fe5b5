from __future__ import annotations

from dataclasses import replace

import pytest

from evaluations import PROTOCOL, SCORES, evaluation
from linkwl.records import Evaluation
from linkwl.reports.comparison import compare_runs
from linkwl.reports.comparison_figure import draw_comparison


def test_models_are_ordered_by_validation_and_not_by_test():
    comparison = compare_runs(evaluation())
    assert [row.model for row in comparison.standings] == ["walk-2fwl", "ra", "cn"]
    assert comparison.best.valid == pytest.approx(0.95)
    assert [row.ties for row in comparison.standings] == [True, True, False]


def test_the_recommendation_names_the_best_and_a_quicker_one_that_ties():
    first, second = compare_runs(evaluation()).sentences
    assert first == ("recommended: walk-2fwl, with the highest validation AUC (95.00 %; 70.00 % on test links)")
    assert second.startswith("ra is not clearly worse (-0.07 ± ")
    assert second.endswith("takes 0.02 seconds instead of 8, 400 times less")


def test_nothing_quicker_ties_with_the_quickest():
    scores = {"ra": SCORES["ra"], "cn": SCORES["cn"]}
    assert len(compare_runs(evaluation(scores)).sentences) == 1


def test_few_splits_do_not_tell_differences():
    for splits, sentence in ((1, "1 split cannot tell"), (2, "2 splits cannot tell")):
        comparison = compare_runs(evaluation(splits=splits))
        assert comparison.quickest_tie is None
        assert sentence in comparison.sentences[1]


def test_a_model_that_loses_much_does_not_tie_however_noisy_the_splits():
    noisy = {"walk-2fwl": ([0.9, 0.99, 0.8], 0.9, 9.0), "cn": ([0.99, 0.6, 0.8], 0.7, 0.1)}
    comparison = compare_runs(evaluation(noisy))
    assert not comparison.standings[1].gap.is_clear
    assert comparison.quickest_tie is None


def test_splits_of_the_same_links_give_no_interval():
    records = evaluation()
    comparison = compare_runs(replace(records, protocol=PROTOCOL | {"split": "temporal"}))
    assert not any(row.ties for row in comparison.standings)
    assert comparison.quickest_tie is None


def test_nothing_is_recommended_without_enough_links_or_below_chance():
    few = compare_runs(evaluation(edges=60))
    assert few.recommended is None
    assert few.sentences == [
        "no recommendation: 9 validation links in all splits are too few to choose by; 100 would do (try 34 seeds)"
    ]
    below = {"cn": ([0.4, 0.3, 0.45], 0.6, 0.1), "ra": ([0.1, 0.2, 0.3], 0.6, 0.1)}
    assert "better than chance" in compare_runs(evaluation(below)).sentences[0]
    assert compare_runs(evaluation(below)).to_json() == {"ranking": ["cn", "ra"], "recommended": None}


def test_of_equal_models_the_quickest_comes_first():
    equal = {"walk-2fwl": ([1.0, 1.0, 1.0], 0.9, 9.0), "cn": ([1.0, 1.0, 1.0], 0.7, 0.1)}
    assert [row.model for row in compare_runs(evaluation(equal)).standings] == ["cn", "walk-2fwl"]


def test_the_selecting_metric_decides():
    selects = {"selects": "ap"}
    records = evaluation()
    comparison = compare_runs(Evaluation(records.graph, PROTOCOL | selects, records.runs))
    assert comparison.metric == "ap"
    assert [row.model for row in comparison.standings] == ["cn", "ra", "walk-2fwl"]  # all equal: by their times


def test_the_picture_is_the_same_for_the_same_values(tmp_path):
    comparison = compare_runs(evaluation())
    draw_comparison(comparison, tmp_path / "a.png")
    draw_comparison(comparison, tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
