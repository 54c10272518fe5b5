from __future__ import annotations

import gzip

import networkx as nx
import pytest

from linkwl.errors import InputError
from linkwl.graph.readers import read_graph
from linkwl.graph.reading import Reading

CLUB = nx.karate_club_graph()


@pytest.fixture
def read(tmp_path):
    def read(content: str | bytes, **options):
        path = tmp_path / "g.graphml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_graph(path, reading=Reading(**options))

    return read


@pytest.mark.parametrize("rename", [lambda v: v, lambda v: f"é {v}", lambda v: f"{v:03}", lambda v: 10**18 + v])
def test_what_networkx_writes(tmp_path, rename):
    source = nx.relabel_nodes(CLUB, rename)
    source.add_node(rename(99))
    nx.write_graphml(source, tmp_path / "g.graphml")
    graph = read_graph(tmp_path / "g.graphml")
    kind = type(graph.ids[0])
    named = {frozenset((graph.ids[p], graph.ids[q])) for p, q in graph.edges.tolist()}
    assert named == {frozenset(map(kind, edge)) for edge in source.edges}
    assert (graph.num_nodes, graph.is_directed, graph.intake.form) == (35, False, "GraphML")
    assert kind is type(rename(1)) or kind is str


@pytest.mark.parametrize("directed", [None, False, True])
def test_direction_is_what_the_file_says_unless_told(tmp_path, directed):
    nx.write_graphml(nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")]), tmp_path / "g.graphml")
    graph = read_graph(tmp_path / "g.graphml", reading=Reading(directed=directed))
    assert graph.num_edges == (2 if directed is False else 3)
    assert graph.is_directed is (directed is not False)


def test_gzip(tmp_path):
    nx.write_graphml(CLUB, tmp_path / "g.graphml")
    (tmp_path / "g.graphml.gz").write_bytes(gzip.compress((tmp_path / "g.graphml").read_bytes()))
    assert read_graph(tmp_path / "g.graphml.gz").digest == read_graph(tmp_path / "g.graphml").digest


def test_edges_may_name_nodes_of_their_own(read):
    graph = read('<graphml><graph><node id="a"/><edge source="a" target="b"/></graph></graphml>')
    assert list(graph.ids) == ["a", "b"]


def test_a_nested_graph_adds_its_edges_and_does_not_change_direction(read):
    graph = read(
        '<graphml><graph edgedefault="directed"><node id="a"><graph edgedefault="undirected"><node id="b"/>'
        '<edge source="b" target="a"/></graph></node><edge source="a" target="b"/></graph></graphml>'
    )
    assert graph.is_directed
    assert graph.edges.tolist() == [[0, 1], [1, 0]]


def test_another_encoding_that_the_file_names(read):
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><graphml><graph><edge source="é" target="b"/></graph></graphml>'
    assert list(read(text.encode("latin-1")).ids) == ["b", "é"]


BOMB = (
    '<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">'
    + "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 10))
    + ']><graphml><graph><edge source="&a9;" target="b"/></graph></graphml>'
)
SPY = '<!DOCTYPE x [<!ENTITY f SYSTEM "/etc/passwd">]><graphml><graph><edge source="&f;" target="b"/></graph></graphml>'


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("<graphml>\n<graph>\n<node id='a'>\n", 4, "not well-formed XML"),
        ("<graphml>\n<graph></graphml>", 2, "not well-formed XML"),
        ("1,2\n2,3\n", 1, "not well-formed XML"),
        (b"<graphml>\n<graph>\n<edge source='\xe9' target='b'/></graph></graphml>", 3, "not well-formed XML"),
        ("<graphml>\n<graph>\n<node/></graph></graphml>", None, "has no 'id' attribute"),
        ("<graphml><graph><edge source='a'/></graph></graphml>", None, "has no 'target' attribute"),
        ("<?xml version='1.0' encoding='klingon'?><graphml/>", None, "encoding"),
        ("<?xml version='1.0' encoding='shift_jis'?><graphml/>", None, "encoding"),
        ("<graphml><graph><edge source='-1' target='2'/></graph></graphml>", None, "node id -1 is negative"),
        (BOMB, 1, "declares entities of its own"),
        (SPY, 1, "declares entities of its own"),
    ],
)
def test_what_is_refused(read, content, line, words):
    with pytest.raises(InputError, match=words) as caught:
        read(content)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)
