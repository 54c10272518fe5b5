from __future__ import annotations

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.graph import load_graph
from linkwl.graph.readers.benchmark_folder import find_labelled, read_benchmark_folder, read_labelled
from triple_graphs import write_triples

TRAIN = [("001", "likes", "b"), ("b", "knows", "c"), ("c", "likes", "001")]
VALID = [("b", "likes", "c")]
TEST = [("c", "hates", "b")]


@pytest.fixture
def folder(tmp_path):
    for part, facts in (("train", TRAIN), ("valid", VALID), ("test", TEST)):
        write_triples(tmp_path / "toy" / f"{part}.txt", facts)
    return tmp_path / "toy"


@pytest.fixture
def inductive(folder):
    unseen = folder.with_name("toy_ind")
    write_triples(unseen / "train.txt", [("x", "likes", "y"), ("y", "adores", "z"), ("b", "knows", "x")])
    write_triples(unseen / "valid.txt", [("x", "likes", "z")])
    write_triples(unseen / "test.txt", [("z", "knows", "x"), ("y", "likes", "x")])
    return folder


def named(graph, facts):
    columns = graph.query_columns.values()
    return [tuple(ids[int(i)] for ids, i in zip(columns, fact, strict=True)) for fact in facts]


def test_a_folder_is_a_graph_with_a_division(folder):
    graph = load_graph(folder)
    assert (graph.name, graph.num_nodes, graph.num_facts) == ("toy", 3, 5)
    assert list(graph.ids) == ["001", "b", "c"]
    assert set(named(graph, graph.triples)) == {*TRAIN, *VALID, *TEST}
    division = graph.division
    assert sorted(named(graph, division.train)) == sorted(TRAIN)
    assert (named(graph, division.valid), named(graph, division.test)) == (VALID, TEST)
    assert not division.is_inductive
    assert (graph.intake.rows, graph.intake.form) == (5, "benchmark folder")


def test_relations_of_training_come_first(inductive):
    graph = read_benchmark_folder(inductive)
    assert list(graph.relations) == ["knows", "likes", "hates", "adores"]
    assert graph.division.unseen.relations is graph.relations
    assert "1 of the relations occur only among the other entities" in graph.intake.notes


def test_a_folder_beside_it_is_the_test_graph(inductive):
    graph = load_graph(inductive)
    division, unseen = graph.division, graph.division.unseen
    assert unseen.name == "toy_ind"
    assert list(unseen.ids) == ["b", "x", "y", "z"]
    assert unseen.num_facts == 3
    assert named(unseen, division.unseen_valid) == [("x", "likes", "z")]
    assert set(named(unseen, division.unseen_test)) == {("z", "knows", "x"), ("y", "likes", "x")}
    assert any("1 of the other entities have the name of an entity in training" in note for note in graph.intake.notes)
    (inductive / "test.txt").unlink()  # an inductive test does not need it
    (inductive.with_name("toy_ind") / "valid.txt").unlink()
    again = load_graph(inductive).division
    assert (len(again.test), len(again.unseen_valid), len(again.unseen_test)) == (0, 0, 2)


def test_the_order_of_lines_does_not_matter_and_copies_are_counted(folder):
    before = read_benchmark_folder(folder)
    write_triples(folder / "train.txt", [*TRAIN[::-1], TRAIN[0]])
    after = read_benchmark_folder(folder)
    assert after.digest == before.digest
    assert np.array_equal(after.division.train, before.division.train)
    assert (after.intake.rows, after.intake.duplicates) == (6, 1)


def test_copies_in_the_test_graph_are_counted(inductive):
    path = inductive.with_name("toy_ind") / "train.txt"
    path.write_text(path.read_text() + "x\tlikes\ty\n")
    graph = load_graph(inductive)
    assert graph.division.unseen.num_facts == 3
    assert "1 repeated rows about the other entities were merged" in graph.intake.notes


def test_the_folder_one_is_in(inductive, monkeypatch):
    monkeypatch.chdir(inductive)
    graph = load_graph(".")
    assert (graph.name, graph.division.is_inductive) == ("toy", True)


@pytest.mark.parametrize(
    ("part", "content", "line", "problem"),
    [
        ("train", b"a\tb\n", 1, "expected head, relation and tail, separated by tabs, found 2 columns"),
        ("train", b"a\tr\tb\n\na r b\n", 3, "found 1 columns"),
        ("valid", b"a\tr\tb\n\n\na\t \tb\n", 4, "the relation is empty; complete this line"),
        ("valid", b"a\tr\tb\na\tr\t\xff\n", 2, "not UTF-8"),
        ("valid", b"b\tlikes\tc\n001\tlikes\tb\n", 2, "this fact is also in train.txt"),
        ("test", b"", None, "the file is empty"),
    ],
)
def test_bad_lines_are_named(folder, part, content, line, problem):
    (folder / f"{part}.txt").write_bytes(content)
    with pytest.raises(InputError, match=problem) as caught:
        load_graph(folder)
    assert (caught.value.path, caught.value.line) == (folder / f"{part}.txt", line)


def test_a_folder_without_its_files_is_refused(folder, tmp_path):
    with pytest.raises(InputError, match=r"this is a folder; name a file in it, or a folder of a benchmark"):
        load_graph(tmp_path)
    (folder / "test.txt").unlink()
    with pytest.raises(InputError, match=r"test\.txt: no such file; a benchmark needs test\.txt"):
        load_graph(folder)
    with pytest.raises(InputError, match="no weight can be read from the folder of a benchmark; omit it"):
        load_graph(folder, weight="w")
    with pytest.raises(InputError, match="features cannot be added to the folder of a benchmark"):
        load_graph(folder, features="f.csv")


def write_labels(path, negatives):
    rows = []
    for positive, negative in zip([("z", "knows", "x"), ("y", "likes", "x")], negatives, strict=True):
        rows += [(*positive, "1"), (*negative, "0")]
    write_triples(path, rows)


def test_labels_are_read_in_the_order_of_their_numbers(inductive, tmp_path):
    graph = read_benchmark_folder(inductive)
    for k, relation in ((10, "hates"), (2, "adores")):
        write_labels(tmp_path / "labels" / f"test{k}.txt", [("x", relation, "x"), ("z", "likes", "y")])
    paths = find_labelled(tmp_path / "labels")
    assert [path.name for path in paths] == ["test2.txt", "test10.txt"]
    first, second = read_labelled(paths, graph).division.labels
    unseen = graph.division.unseen
    assert named(unseen, first.positives) == [("z", "knows", "x"), ("y", "likes", "x")]
    assert named(unseen, first.negatives) == [("x", "adores", "x"), ("z", "likes", "y")]
    assert named(unseen, second.negatives)[0] == ("x", "hates", "x")


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (("nobody", "likes", "x", "0"), r"test0\.txt, line 5: unknown head 'nobody'"),
        (("x", "likez", "x", "0"), r"line 5: unknown relation 'likez'; did you mean 'likes'"),
        (("x", "likes", "x", "2"), r"line 5: the label must be 1 for a fact or 0 for none, found '2'"),
        (("x", "likes", "x"), r"line 5: expected head, relation, tail and label, separated by tabs, found 3 columns"),
        (("x", "likes", "x", "1"), r"the triples with label 1 are not the 2 facts of test\.txt, each once"),
    ],
)
def test_bad_labels_are_named(inductive, tmp_path, row, problem):
    path = tmp_path / "labels" / "test0.txt"
    write_labels(path, [("x", "likes", "x"), ("z", "likes", "y")])
    with path.open("a") as file:
        file.write("\t".join(row) + "\n")
    with pytest.raises(InputError, match=problem):
        read_labelled([path], read_benchmark_folder(inductive))


def test_labels_need_a_folder_and_a_benchmark(inductive, tmp_path):
    with pytest.raises(InputError, match="no such folder; expected one of labelled files"):
        find_labelled(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"there is no \.txt file in this folder"):
        find_labelled(tmp_path / "empty")
    graph = read_benchmark_folder(inductive)
    with pytest.raises(InputError, match="toy is not a benchmark with a test of its own"):
        read_labelled([], graph.without(graph.division.test))
