from __future__ import annotations

from pathlib import Path

import pytest

from linkwl import InputError, OutputError
from linkwl.cli.feature_options import NOTHING_KNOWN, Known
from linkwl.cli.predict_options import check_dataset, check_options, check_request
from linkwl.graph.reading import AS_DECLARED, Reading

TOP = {
    "files": {"--pairs": None, "--triples": None},
    "is_top": True,
    "per_node": None,
    "side": None,
    "is_dataset": False,
    "candidates": "all",
    "most": None,
    "ranking": "auto",
}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"candidates": "hops:2", "most": 9},
        {"is_top": False, "per_node": 3, "side": "left", "candidates": "hops:2"},
        {"is_top": False, "is_dataset": True},
        {"is_top": False, "files": {"--pairs": Path("x.csv")}},
    ],
)
def test_one_thing_may_be_asked_for(changes):
    check_request(**TOP | changes)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"is_top": False}, "give either --top-k K"),
        ({"is_dataset": True}, "give either --top-k K"),
        ({"side": "left"}, "--side chooses the nodes of --per-node"),
        ({"is_top": False, "per_node": 3, "most": 9}, "give one of them"),
        ({"is_top": False, "files": {"--pairs": Path("x.csv")}, "most": 9}, "use them with --top-k"),
        ({"is_top": False, "per_node": 3, "ranking": "exact"}, "use it with --top-k"),
    ],
)
def test_other_requests_are_refused(changes, says):
    with pytest.raises(InputError, match=says):
        check_request(**TOP | changes)


def test_options_of_another_graph_need_one():
    check_options("g.csv", 0.5, Reading(source="a"), Known(types=Path("t.csv")), "1,2,3")
    check_options(None, None, AS_DECLARED, Known(pair_features=Path("p.csv")), None)
    for how, known, columns, option in (
        (Reading(skip_bad=True), NOTHING_KNOWN, None, "--skip-bad"),
        (AS_DECLARED, Known(features=Path("f.csv")), None, "--features"),
        (AS_DECLARED, NOTHING_KNOWN, "1,2,3", "--columns"),
    ):
        with pytest.raises(InputError, match=f"{option} is about another graph"):
            check_options(None, None, how, known, columns)
    with pytest.raises(InputError, match="a share lies between 0 and 1"):
        check_options(None, 1.0, AS_DECLARED, NOTHING_KNOWN, None)


def test_a_dataset_needs_a_new_folder(tmp_path):
    check_dataset(tmp_path / "new", 0.5, None, None)
    with pytest.raises(InputError, match="name it with --out"):
        check_dataset(None, 0.5, None, None)
    with pytest.raises(InputError, match="give one"):
        check_dataset(tmp_path / "new", 0.5, None, 9)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "thesis.tex").write_text("years of work")
    with pytest.raises((InputError, OutputError)):
        check_dataset(tmp_path / "old", 0.5, None, None)
