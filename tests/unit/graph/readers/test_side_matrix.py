from __future__ import annotations

import pytest

from linkwl import InputError, load_graph

LABELLED = ",E1,E2,E3,E4\nann,1,0,1,0\nbob,0,1,1,0\ncid,1,0,0,0\n"
R = "E1 E2 E3 E4\nann 1 0 1 0\nbob 0 1 1 0\ncid 1 0 0 0\n"
PLAIN = "1,0,1,0,0\n0,1,1,0,1\n1,0,0,0,0\n"


def edges(graph):
    return {(graph.ids.left[p], graph.ids.right[q]) for p, q in graph.edges.tolist()}


@pytest.mark.parametrize("text", [LABELLED, R, LABELLED.replace(",", ";"), LABELLED.replace("ann", '"ann"')])
def test_labels_above_and_beside(tmp_path, text):
    (tmp_path / "m.csv").write_text(text)
    graph = load_graph(tmp_path / "m.csv", bipartite=True)
    assert edges(graph) == {("ann", "E1"), ("ann", "E3"), ("bob", "E2"), ("bob", "E3"), ("cid", "E1")}
    assert (graph.num_nodes, graph.part.tolist()) == (7, [0, 0, 0, 1, 1, 1, 1])  # E4 has no edge
    assert graph.intake.notes[0] == "two sides, the rows of the matrix and its columns"


def test_zeros_and_ones(tmp_path):
    (tmp_path / "m.csv").write_text(PLAIN)
    graph = load_graph(tmp_path / "m.csv", bipartite=True)
    assert edges(graph) == {(0, 0), (0, 2), (1, 1), (1, 2), (1, 4), (2, 0)}
    assert graph.num_nodes == 8


def test_a_square_matrix(tmp_path):
    (tmp_path / "m.csv").write_text("0,1,0,0,1\n0,0,0,0,0\n0,0,1,0,0\n1,0,0,0,0\n0,1,0,0,0\n")
    graph = load_graph(tmp_path / "m.csv", bipartite=True)
    assert (graph.num_nodes, edges(graph)) == (10, {(0, 1), (0, 4), (2, 2), (3, 0), (4, 1)})
    assert load_graph(tmp_path / "m.csv", bipartite="auto").part is None


def test_values(tmp_path):
    (tmp_path / "m.csv").write_text(LABELLED.replace("1,0,1,0", "5,0,2.5,0"))
    graph = load_graph(tmp_path / "m.csv", bipartite=True, weight=True)
    assert sorted(graph.edge_weight.tolist()) == [1, 1, 1, 2.5, 5]
    assert load_graph(tmp_path / "m.csv", bipartite=True, threshold=2).num_edges == 2
    (tmp_path / "dense.csv").write_text(",a,b,c\nx,.1,.2,.3\ny,.5,.2,.4\nz,.1,.9,.1\n")
    with pytest.raises(InputError, match="100% of the pairs have a value"):
        load_graph(tmp_path / "dense.csv", bipartite=True)


def test_what_is_no_matrix(tmp_path):
    (tmp_path / "table.csv").write_text("user,item,stars,at\nann,1,5,100\nbob,2,3,101\n")
    assert load_graph(tmp_path / "table.csv", bipartite=True).num_edges == 2
    (tmp_path / "pairs.csv").write_text("0,1\n1,0\n1,1\n")
    assert load_graph(tmp_path / "pairs.csv", bipartite=True).num_edges == 3


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (LABELLED.replace("bob", "ann"), {}, "two rows of the matrix have the same label"),
        (LABELLED + 1200 * "dan,1,0,0,0\n" + "eve,1,x,0,0\n", {}, "line 1205: 'x' is not a number"),
        (LABELLED, {"directed": True}, "leave out --directed"),
    ],
)
def test_what_is_refused(tmp_path, text, options, words):
    (tmp_path / "m.csv").write_text(text)
    with pytest.raises(InputError, match=words):
        load_graph(tmp_path / "m.csv", bipartite=True, **options)


def test_a_clear_matrix_asks(tmp_path):
    (tmp_path / "m.csv").write_text(LABELLED)
    with pytest.raises(InputError, match="looks like a matrix with the labels 'E1', 'E2', .*use --bipartite"):
        load_graph(tmp_path / "m.csv")
    assert load_graph(tmp_path / "m.csv", bipartite="auto").num_edges == 5


@pytest.mark.parametrize(
    "text", [",user,film,stars\n0,1,7,5\n1,2,7,3\n2,2,9,1\n", ",source,target\n7,1,7\n8,2,7\n", "a,b\n1,2\n2,3\n"]
)
@pytest.mark.parametrize("options", [{}, {"bipartite": True}])
def test_tables_with_the_index_of_pandas(tmp_path, text, options):
    (tmp_path / "t.csv").write_text(text)
    graph = load_graph(tmp_path / "t.csv", **options)
    assert graph.num_edges == text.count("\n") - 1
    assert (graph.part is not None) == bool(options or "user" in text)
