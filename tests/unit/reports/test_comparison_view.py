from __future__ import annotations

from evaluations import SCORES, evaluation
from linkwl.reports.comparison import compare_runs


def test_the_best_is_on_top_in_every_form():
    comparison = compare_runs(evaluation(refusals={"seal": "too <large>"}))
    order = ["walk-2fwl", "ra", "cn"]
    assert (len(comparison), [row.model for row in comparison]) == (3, order)
    lines = repr(comparison).splitlines()
    assert lines[0] == "ring, protocol paper, 3 splits"
    assert [line.split()[0] for line in lines[2:5]] == order
    assert lines[5].startswith("recommended: walk-2fwl")
    assert lines[-1] == "left out: seal: too <large>"
    made = comparison._repr_html_()
    places = [made.index(f">{model}<") for model in order]
    assert places == sorted(places)
    assert "recommended: walk-2fwl" in made
    assert "left out: seal: too &lt;large&gt;" in made


def test_a_frame_has_means_and_deviations():
    frame = compare_runs(evaluation()).to_pandas()
    assert list(frame.columns) == [
        *("model", "valid_auc", "auc", "auc_std", "ap", "ap_std", "seconds", "ties", "recommended"),
    ]
    assert frame["recommended"].tolist() == [True, False, False]
    assert frame["auc"].round(9).tolist() == [0.7, 0.8, 0.9]


def test_one_model_on_one_split_is_a_table_without_advice():
    comparison = compare_runs(evaluation({"cn": SCORES["cn"]}, splits=1))
    assert repr(comparison).splitlines()[0] == "ring, protocol paper, 1 split"
    assert len(repr(comparison).splitlines()) == 3
    assert "±" not in repr(comparison)
    assert comparison.to_pandas()["auc_std"].tolist() == [0.0]
