from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from linkwl import Graph, InputError, RandomSplit, audit_split, create_model, evaluate_split, load_graph
from linkwl.datasets import load_airports
from linkwl.protocols import PROTOCOLS
from linkwl.splits import FileSplit, read_split, write_split
from triple_graphs import relatives


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


def test_lists_of_negatives_come_back(tmp_path):
    graph = load_airports()
    ours = PROTOCOLS["heart"].apply(graph, 0)
    write_split(ours, tmp_path)
    theirs = read_split(tmp_path, graph)
    for fold in ("valid", "test"):
        np.testing.assert_array_equal(ours.folds[fold].targets.candidates, theirs.folds[fold].targets.candidates)
    assert theirs.train.targets.candidates is None
    assert audit_split(theirs, graph).passed


@pytest.mark.parametrize("change", ["gap", "order", "text"])
def test_lists_that_are_not_in_order_are_refused(tmp_path, change):
    graph = load_airports()
    write_split(PROTOCOLS["heart"].apply(graph, 0), tmp_path)
    path = tmp_path / "test_negatives.csv"
    rows = path.read_text().splitlines()
    if change == "gap":
        rows = [row for row in rows if not row.endswith(",3")]
    elif change == "order":
        rows[1], rows[-1] = rows[-1], rows[1]
    else:
        rows[1] = rows[1].rsplit(",", 1)[0] + ",x"
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(InputError, match="column `positive` must number the 301 positives from 0"):
        read_split(tmp_path, graph)


def test_a_protocol_can_take_its_split_from_files(folder):
    graph = load_airports()
    files = FileSplit(folder)
    protocol = replace(PROTOCOLS["paper"], id="files", splitter=files, negatives=files)
    split, ours = protocol.apply(graph, 0), RandomSplit().apply(graph, seed=0)
    np.testing.assert_array_equal(split.test.negatives, ours.test.negatives)
    assert split.test.observed.digest == ours.test.observed.digest
    runs = [evaluate_split(create_model("ra"), found, PROTOCOLS["paper"]) for found in (split, ours)]
    assert runs[0].metrics == runs[1].metrics
    assert protocol.to_json()["folder"] == str(folder)


@pytest.mark.parametrize("protocol", ["indigo", "entities-unseen"])
def test_splits_with_parts_that_files_do_not_hold_are_not_written(tmp_path, protocol):
    split = PROTOCOLS[protocol].apply(relatives(), 0)
    with pytest.raises(InputError, match=f"a split of protocol `{protocol}` is not written to files"):
        write_split(split, tmp_path / "split")
    assert not (tmp_path / "split").exists()


def test_lists_of_entities_are_written(tmp_path):
    split = PROTOCOLS["entities-50"].apply(relatives(), 0)
    write_split(split, tmp_path)
    rows = (tmp_path / "test_negatives.csv").read_text().splitlines()
    assert rows[0] == "head,relation,tail,positive"
    assert len(rows) == 1 + len(split.test.negatives)


def test_names_of_any_kind_are_read_again(tmp_path):
    kinds = ("New York {}", "a|{}", "x:{}", "#{}", " {} ", "{};{}", '"{}"', "{},{}", "{}\t{}", "%{}", "{}")
    names = [kinds[k % len(kinds)].format(k, k) for k in range(44)]
    edges = [(names[k], names[(k * step + 1) % 44]) for k in range(44) for step in (2, 3, 5, 7)]
    graph = load_graph([edge for edge in edges if edge[0] != edge[1]])
    split = PROTOCOLS["paper"].apply(graph, 0)
    write_split(split, tmp_path)
    read = read_split(tmp_path, graph)
    assert read.test.observed.digest == split.test.observed.digest
    np.testing.assert_array_equal(read.test.targets.queries, split.test.targets.queries)


def test_a_split_of_directed_edges_keeps_its_directions(tmp_path):
    pairs = np.random.default_rng(0).integers(0, 40, (300, 2))
    graph = Graph.from_pairs(pairs, 40, is_directed=True)
    split = PROTOCOLS["paper"].apply(graph, 0)
    write_split(split, tmp_path)
    read = read_split(tmp_path, graph)
    assert read.test.observed.digest == split.test.observed.digest
    assert audit_split(read, graph).passed
