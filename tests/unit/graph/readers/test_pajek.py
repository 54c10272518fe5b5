from __future__ import annotations

import networkx as nx
import pytest

from linkwl import InputError, load_graph


@pytest.fixture
def read(tmp_path):
    def read(content: str, **options):
        (tmp_path / "g.net").write_text(content)
        return load_graph(tmp_path / "g.net", **options)

    return read


def test_what_networkx_writes(tmp_path):
    drawn = nx.relabel_nodes(nx.gnm_random_graph(8, 12, seed=1, directed=True), "node {}".format)
    nx.write_pajek(drawn, tmp_path / "g.net")
    graph = load_graph(tmp_path / "g.net")
    assert graph.is_directed
    assert {(graph.ids[p], graph.ids[q]) for p, q in graph.edges.tolist()} == set(drawn.edges)


def test_sections(read):
    graph = read(
        '*Network x\n% note\n*Vertices 3\n1 a\n2 b\n3 c\n*Arcs :1 "likes"\n1 2 4\n*Edges\n2 3 5\n', weight=True
    )
    assert graph.edges.tolist() == [[0, 1], [1, 2], [2, 1]]
    assert graph.edge_weight.tolist() == [4, 5, 5]
    assert "relations of lines not used" in graph.intake.notes
    assert read("*Vertices 3\n*Matrix\n0 1 0\n1 0 2\n0 2 0\n").edges.tolist() == [[0, 1], [1, 2]]
    assert read("*Vertices 3\n*Matrix\n0 1 0\n0 0 2\n0 0 0\n").is_directed


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("*Vertices\n", 1, "expected one `\\*Vertices` with the number"),
        ("*Vertices 2\n*Partition x\n", 2, "section \\*Partition is not read"),
        ("*Vertices 2\n*Arcs\n1\n", 3, "1 to 2; found nothing"),
        ("*Vertices 2\n0 a\n", 2, "found '0'"),
    ],
)
def test_what_is_refused(read, content, line, words):
    with pytest.raises(InputError, match=words) as caught:
        read(content)
    assert caught.value.line == line
