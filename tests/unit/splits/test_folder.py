from __future__ import annotations

import pytest

from linkwl import InputError, RandomSplit, audit_split
from linkwl.datasets import load_airports
from linkwl.splits import read_split, write_split


@pytest.fixture
def folder(tmp_path):
    write_split(RandomSplit().apply(load_airports(), seed=0), tmp_path / "split")
    return tmp_path / "split"


def test_what_is_written_comes_back(folder):
    graph = load_airports()
    ours, theirs = RandomSplit().apply(graph, seed=0), read_split(folder, graph)
    for name, fold in ours.folds.items():
        other = theirs.folds[name]
        assert fold.positives.tolist() == other.positives.tolist()
        assert fold.negatives.tolist() == other.negatives.tolist()
        assert fold.observed.digest == other.observed.digest
    assert audit_split(theirs, graph).passed


def test_a_leak_in_somebodys_files_is_found(folder):
    test_edges = (folder / "test.csv").read_text().splitlines()
    source, target = test_edges[1].replace('"', "").split(",")
    with (folder / "train.csv").open("a") as file:
        file.write(f"{target},{source}\n")
    graph = load_airports()
    broken = [check.name for check in audit_split(read_split(folder, graph), graph).checks if not check.passed]
    assert broken == [
        "train and test share no positive",
        "train: no held-out edge is observed",
        "valid: no held-out edge is observed",
        "test: no held-out edge is observed",
    ]


def test_negatives_may_be_missing(folder):
    for name in ("train", "valid", "test"):
        (folder / f"{name}_negatives.csv").unlink()
    split = read_split(folder, load_airports())
    assert len(split.test.negatives) == 0
    assert audit_split(split, load_airports()).passed


def test_an_unknown_node_is_named_with_its_line(folder):
    with (folder / "valid.csv").open("a") as file:
        file.write("ATL,ATX\n")
    lines = len((folder / "valid.csv").read_text().splitlines())
    with pytest.raises(InputError, match=rf"valid.csv, line {lines}: unknown node 'ATX'; did you mean"):
        read_split(folder, load_airports())


def test_a_missing_folder_or_fold_is_refused(folder, tmp_path):
    with pytest.raises(InputError, match=r"no such folder; expected one with train.csv"):
        read_split(tmp_path / "nowhere", load_airports())
    (folder / "test.csv").unlink()
    with pytest.raises(InputError, match=r"test.csv: no such file"):
        read_split(folder, load_airports())
