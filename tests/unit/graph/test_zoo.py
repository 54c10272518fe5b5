"""The file zoo: small files as people have them, each with what must be read or the sentence that must be said."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from collections.abc import Callable
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

from linkwl import Graph, InputError, KnowledgeGraph, load_graph


class Animal(NamedTuple):
    """A file, and what must be read from it."""

    file: str
    content: str | bytes
    nodes: int
    edges: int
    note: str = ""
    """A part of the notes."""
    directed: bool = False
    options: dict[str, Any] = {}
    weights: list[float] | None = None
    """Ascending."""
    times: list[float] | None = None
    sides: tuple[int, int] | None = None
    names: tuple[str | int, ...] = ()
    """Some of the nodes."""


def written(write: Callable[..., None], graph: nx.Graph, **options: Any) -> bytes:
    stream = io.BytesIO()
    write(graph, stream, **options)
    return stream.getvalue()


def matrix(values, separator: str = ",") -> str:
    return "".join(separator.join(f"{value:g}" for value in row) + "\n" for row in values)


def labelled(values, names, corner: str = "", separator: str = ",") -> str:
    rows = "".join(separator.join([str(name), *(f"{v:g}" for v in row)]) + "\n" for name, row in zip(names, values))  # noqa: B905
    return separator.join([corner, *map(str, names)]) + "\n" + rows


def zstd(content: bytes) -> bytes:
    return pa.compress(content, codec="zstd", asbytes=True)


LES = nx.les_miserables_graph()
PEOPLE = [f"{name} {k}" for k, name in enumerate(["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Guy", "Hal"])]
WEB = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "a")])
RATED = nx.Graph([("a", "b", {"weight": 2.5, "kind": "x"}), ("b", "c", {"weight": 0.5, "kind": "y"})])
RATED.nodes["a"]["colour"] = "red"
RATINGS = [(u, m, (u + m) % 5 + 1, 881250949 + 60 * u + m) for u in range(1, 13) for m in range(1, 21) if (u * m) % 4]
SHORT = "source,target\nann,bob\nbob,cid\n"
CORRELATIONS = np.corrcoef(np.random.default_rng(0).normal(size=(12, 30)))
ONE_WAY = np.array([[0, 1, 0, 0, 1], [0, 0, 1, 0, 0], [1, 0, 0, 1, 0], [0, 0, 0, 0, 1], [0, 1, 0, 0, 0]])
DEPENDENCIES = "".join(f"p{k}\tp{k + 1}\n" for k in range(12)) + "p1\tp0\np2\tp1\np3\tp2\n"

ZOO = {
    # plain lists
    "SNAP": Animal("web.txt", "# Nodes: 3\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n", 3, 2, "no header"),
    "SNAP that declares directions": Animal(
        "wiki.txt", "# Directed graph: wiki.txt\n1\t2\n2\t3\n", 3, 2, "directed, as the comment `# Directed", True
    ),
    "KONECT": Animal("out.x", "% asym unweighted\n% 3 3 3\n1 2\n2 1\n2 3\n", 3, 3, "as the comment `% asym", True),
    "KONECT, bipartite": Animal("out.y", "% bip weighted\n1 1 3\n2 1 4\n2 3 5\n", 4, 3, "two sides, as", sides=(2, 2)),
    "STRING": Animal(
        "links.txt.gz",
        gzip.compress(b"protein1 protein2 combined_score\n9606.ENSP1 9606.ENSP2 490\n9606.ENSP2 9606.ENSP1 490\n"),
        2,
        1,
        "ignored column `combined_score` (to use: --weight combined_score)",
    ),
    "semicolons and decimal commas": Animal(
        "de.csv", "von;nach;betrag\na;b;0,5\nb;c;1,25\n", 3, 2, "weight from column `betrag`",
        options={"weight": "betrag", "source": "von", "target": "nach"}, weights=[0.5, 1.25],
    ),
    "Excel in Windows": Animal(
        "excel.csv", "sep=;\r\nsource;target\r\nMünchen;Köln\r\n".encode("cp1252"), 2, 1,
        options={"encoding": "cp1252"}, names=("Köln", "München"),
    ),
    "UTF-16": Animal("wide.csv", SHORT.encode("utf-16"), 3, 2, options={"encoding": "utf-16"}),
    "a byte-order mark": Animal("bom.csv", "\ufeff" + SHORT, 3, 2, "edges from columns `source` and `target`"),
    # headers
    "genes": Animal("g.csv", "gene_a,gene_b\nTP53,MDM2\nMDM2,MDM4\n", 3, 2, "`gene_a,gene_b` read as a header"),
    "deals": Animal("d.csv", "buyer,seller\nann,bob\nbob,cid\n", 3, 2, "directions from `buyer` to `seller` not used"),
    "flights": Animal("f.csv", "origin,destination\nBonn,Rome\nRome,Oslo\n", 3, 2, "to `destination` not used"),
    "a header that is an edge": Animal("e.csv", "buyer,seller\na,b\n", 4, 2, "no header", options={"header": False}),
    "an edge that is a header": Animal(
        "h.csv", "Otto,Anna\nann,bob\nbob,cid\n", 3, 2, "`Otto` and `Anna`", options={"header": True}
    ),
    "columns by position": Animal(
        "p.csv", "x1,ann,7,bob\nx2,bob,9,cid\n", 3, 2, "edges from columns 2 and 4",
        options={"source": 2, "target": 4, "weight": 3}, weights=[7, 9],
    ),
    # weights and times
    "contacts with times": Animal(
        "sms.txt", "1 2 1082040961\n3 4 1082155839\n5 2 1082414391\n", 5, 3, "ignored column 3 (to use: --time 3)"
    ),
    "dates": Animal(
        "mail.csv", "from,to,date\na,b,2024-05-31\nb,c,2024-06-01\n", 3, 2, "time from column `date`",
        options={"time": "date"}, times=[1717113600, 1717200000],
    ),
    "copies that add up": Animal(
        "calls.csv", "source,target,count\na,b,2\na,b,3\nb,c,1\n", 3, 2, "weights of copies added up",
        options={"weight": "count"}, weights=[1, 5],
    ),
    "copies of which the last counts": Animal(
        "calls.csv", "source,target,count\na,b,2\na,b,3\nb,c,1\n", 3, 2, "last weight of copies kept",
        options={"weight": "count", "merge": "last"}, weights=[1, 3],
    ),
    # directions
    "dependencies": Animal("debian.tsv", DEPENDENCIES, 13, 12, "25% of the edges are listed both ways"),
    "dependencies, by reciprocity": Animal(
        "debian.tsv", DEPENDENCIES, 13, 15, "directed, because 25%", True, {"directed": "auto"}
    ),
    "both ways": Animal(
        "both.csv", "1,2\n2,1\n2,3\n3,2\n", 3, 2, "undirected, because 100%", options={"directed": "auto"}
    ),
    "followers": Animal(
        "x.csv", "follower,followee\nann,bob\nbob,cid\n", 3, 2, "directed, because the columns are", True,
        {"directed": "auto"},
    ),
    # sides
    "MovieLens with a header": Animal(
        "ratings.csv",
        "userId,movieId,rating,timestamp\n" + "".join("{},{},{},{}\n".format(*row) for row in RATINGS),
        24, len(RATINGS), "two sides, because the columns are called `userId` and `movieId`", sides=(9, 15),
    ),
    "MovieLens without": Animal(
        "u.data", "".join("{}\t{}\t{}\t{}\n".format(*row) for row in RATINGS), 24, len(RATINGS), "weight from column 3",
        options={"bipartite": True, "weight": 3, "time": 4}, sides=(9, 15),
        weights=sorted(row[2] for row in RATINGS), times=sorted(row[3] for row in RATINGS),
    ),
    "women at events": Animal(
        "women.csv", "".join(f"{name},E{k}\n" for k in range(4) for name in PEOPLE[k : k + 3]), 10, 12,
        "no name is in both columns: if they are two kinds of things, use --bipartite",
    ),
    "women at events, by detection": Animal(
        "women.csv", "".join(f"{name},E{k}\n" for k in range(4) for name in PEOPLE[k : k + 3]), 10, 12,
        "two sides, because no name is in both columns", options={"bipartite": "auto"}, sides=(6, 4),
    ),
    "numbers and names": Animal(
        "tags.tsv", "1\tred\n2\tred\n2\tblue\n3\tblue\n4\tgreen\n5\tred\n", 8, 6,
        "two sides, because one column holds numbers and the other names", sides=(5, 3),
    ),
    "two-mode Pajek": Animal(
        "women.net", '*Vertices 5 3\n1 "ann"\n2 "bob"\n3 "cid"\n4 "E1"\n5 "E2"\n*Edges\n1 4\n2 4\n3 5\n1 5\n', 5, 4,
        "two sides", sides=(3, 2), names=("ann", "E2"),
    ),
    # matrices
    "a matrix": Animal("m.csv", matrix(nx.to_numpy_array(LES)), 77, 254, "not used as weights"),
    "a labelled matrix": Animal(
        "m.csv", labelled(nx.to_numpy_array(LES), LES), 77, 254, options={"weight": True}, names=("Valjean",),
        weights=sorted(w for _, _, w in LES.edges(data="weight")),
    ),
    "a matrix that R wrote": Animal(
        "m.txt", labelled(nx.to_numpy_array(LES), LES, separator=" ").lstrip(), 77, 254, names=("Cosette",)
    ),
    "a matrix with numbers as labels": Animal("m.csv", labelled(ONE_WAY, range(5, 10)), 5, 7, "", True, names=(5, 9)),
    "a matrix below names": Animal("m.csv", "a,b,c,d,e\n" + matrix(ONE_WAY), 5, 7, "not symmetric", True, names=("e",)),
    "a triangle": Animal("m.csv", matrix(np.triu(nx.to_numpy_array(nx.cycle_graph(6)))), 6, 6, "is triangular"),
    "a small matrix": Animal("m.csv", "0,1,1\n1,0,0\n1,0,0\n", 3, 2),
    "three weighted edges": Animal("e.csv", "0,1,5\n1,2,3\n0,2,4\n", 3, 3, "ignored column 3"),
    "correlations": Animal(
        "c.csv", matrix(CORRELATIONS), 12, int((np.triu(CORRELATIONS, 1) >= 0.2).sum()), "at least 0.2",
        options={"threshold": 0.2, "weight": True},
        weights=sorted(float(f"{x:g}") for x in CORRELATIONS[np.triu_indices(12, 1)] if x >= 0.2),
    ),
    # formats
    "Matrix Market": Animal(
        "g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n%\n4 4 3\n2 1\n3 1\n4 3\n", 4, 3, names=(1, 4)
    ),
    "a matrix of women and events": Animal(
        "m.csv", ",E1,E2\nann,1,1\nbob,0,1\ncid,1,0\n", 5, 4, "the rows of the matrix and its columns",
        options={"bipartite": True}, sides=(3, 2), names=("ann", "E2"),
    ),
    "GML": Animal(
        "g.gml", written(nx.write_gml, RATED), 3, 2, "`colour`: ignored, the same text", options={"weight": "weight"},
        weights=[0.5, 2.5], names=("a", "c"),
    ),
    "GML with directions": Animal("g.gml", written(nx.write_gml, WEB), 4, 5, directed=True),
    "GML of Newman": Animal(
        "karate.gml",
        'Creator "Mark"\ngraph\n[\n  node\n  [\n    id 1\n  ]\n  node\n  [\n    id 2\n  ]\n  edge\n  [\n'
        "    source 1\n    target 2\n    value 3\n  ]\n]\n",
        2, 1, "ignored edge attribute `value` (to use: --weight value)", names=(1, 2),
    ),
    "GEXF": Animal(
        "g.gexf", written(nx.write_gexf, RATED), 3, 2, "edge attributes `weight`, `kind` (to use: --weight weight",
        names=("a",),
    ),
    "GEXF with directions": Animal("g.gexf", written(nx.write_gexf, WEB), 4, 5, directed=True),
    "Pajek": Animal(
        "g.net", written(nx.write_pajek, RATED), 3, 2, "nodes named by their labels", options={"weight": True},
        weights=[0.5, 2.5],
    ),
    "Pajek with arcs": Animal("g.net", "*Vertices 3\n*Arcs\n1 2\n2 1\n2 3 5\n", 3, 3, "ignored edge attribute", True),
    "Pajek with lists": Animal("g.net", "*vertices 4\n*edgeslist\n1 2 3\n3 4\n", 4, 3),
    "GraphML": Animal(
        "g.graphml", written(nx.write_graphml, RATED), 3, 2, "`colour`: ignored, the same text",
        options={"weight": "weight"}, weights=[0.5, 2.5],
    ),
    "edges of networkx": Animal("g.edgelist", written(nx.write_edgelist, nx.path_graph(4)), 4, 3, names=(0, 3)),
    "edges of networkx with data": Animal(
        "g.edgelist", written(nx.write_edgelist, RATED), 3, 2, "ignored edge attribute `kind` (to use: --type kind)",
        options={"weight": "weight"}, weights=[0.5, 2.5],
    ),
    "edges of networkx without data": Animal(
        "g.edgelist", written(nx.write_edgelist, nx.path_graph(4), data=False), 4, 3, "no header"
    ),
    "neighbours of networkx": Animal("g.adjlist", written(nx.write_adjlist, nx.star_graph(4)), 5, 4, names=(0, 4)),
    "nodes and links of networkx": Animal(
        "g.json", json.dumps(nx.node_link_data(RATED, edges="links")), 3, 2, "ignored edge attribute `kind`",
        options={"weight": "weight"}, weights=[0.5, 2.5],
    ),
    "nodes and edges with directions": Animal(
        "g.json", json.dumps(nx.node_link_data(WEB, edges="edges")), 4, 5, directed=True
    ),
    "d3 by position": Animal(
        "g.json", json.dumps({"nodes": [{"name": "x"}, {"name": "y"}], "links": [{"source": 0, "target": 1}]}), 2, 1,
        names=("x", "y"),
    ),
    "neighbours as JSON": Animal("g.json", '{"a": ["b", "c"], "b": ["c"], "d": []}', 4, 3),
    "pairs as JSON": Animal("g.json", '[["a", "b"], ["b", "c"]]', 3, 2),
    "objects per line": Animal(
        "log.jsonl", '{"src": "a", "dst": "b", "ts": 5}\n{"src": "b", "dst": "c", "ts": 9}\n', 3, 2,
        "time from column `ts`", options={"time": "ts"}, times=[5, 9],
    ),
    # packed
    "zstd": Animal("g.csv.zst", zstd(SHORT.encode()), 3, 2),
    "bzip2": Animal("g.csv.bz2", bz2.compress(SHORT.encode()), 3, 2),
    "xz": Animal("g.csv.xz", lzma.compress(SHORT.encode()), 3, 2),
    "a format that the name does not tell": Animal("graph.dat", '[["a", "b"]]', 2, 1, options={"format": "json"}),
    # bad lines
    "bad lines": Animal(
        "g.csv", "source,target\na,b\nb\nc,d,e\n,x\nd,e\n", 4, 2,
        "skipped 3 lines that cannot be read, the first is line 3: expected 2 columns", options={"skip_bad": True},
    ),
    "bad numbers": Animal(
        "g.csv", "1,2,5\n2,3,x\n3,-1,2\n3,4,7\n", 4, 2, "skipped 2 lines", options={"skip_bad": True, "weight": 3},
        weights=[5, 7],
    ),
    "bad bytes": Animal(
        "g.csv", b"a,b\nb,caf\xe9\nb,c\n", 3, 2, "skipped 1 line that cannot be read, line 2: this line is not UTF-8",
        options={"skip_bad": True},
    ),
    "bad JSON": Animal("g.jsonl", '{"from":"a","to":"b"}\n{\n', 2, 1, "skipped 1 line", options={"skip_bad": True}),
}  # fmt: skip


@pytest.mark.parametrize("animal", ZOO.values(), ids=ZOO)
def test_what_is_read(tmp_path, animal):
    path = tmp_path / animal.file
    path.write_bytes(animal.content.encode() if isinstance(animal.content, str) else animal.content)
    graph = load_graph(path, **animal.options)
    assert isinstance(graph, Graph)
    assert (graph.num_nodes, graph.num_edges, graph.is_directed) == (animal.nodes, animal.edges, animal.directed)
    assert animal.note in "; ".join(graph.intake.notes)
    assert (None if graph.weight is None else sorted(graph.edge_weight.tolist())) == animal.weights
    assert (None if graph.time is None else sorted(graph.edge_time.tolist())) == animal.times
    assert (None if graph.part is None else tuple(np.bincount(graph.part).tolist())) == animal.sides
    assert set(animal.names) <= set(graph.ids)


class Refused(NamedTuple):
    file: str
    content: str | bytes
    says: str
    options: dict[str, Any] = {}
    line: int | None = None


REFUSED = {
    "correlations": Refused("c.csv", matrix(CORRELATIONS), r"100% of the pairs have a value.*with --threshold"),
    "a threshold above all": Refused("c.csv", matrix(CORRELATIONS), "no value .* at least 2", {"threshold": 2}),
    "a threshold for edges": Refused("g.csv", SHORT, "`threshold` says nothing about a text", {"threshold": 2}),
    "another encoding": Refused("g.csv", "München,Köln\n".encode("latin-1"), "--encoding, as in latin-1", line=1),
    "a wrong encoding": Refused("g.csv", "München,Köln\n", "no encoding 'klingon'", {"encoding": "klingon"}),
    "UTF-16": Refused("g.csv", SHORT.encode("utf-16"), "--encoding utf-16"),
    "no such column": Refused("g.csv", SHORT, "no column `buyer`; the columns are", {"source": "buyer"}),
    "no header to name": Refused("g.csv", "1,2\n2,3\n", "no header; name the column .* position", {"source": "buyer"}),
    "columns that say nothing": Refused("g.csv", "p,q,r\na,b,c\nd,e,f\n", "--source and --target", {"header": True}, 2),
    "an odd cycle": Refused("g.gml", written(nx.write_gml, nx.cycle_graph(3)), "odd length", {"bipartite": True}),
    "sides with directions": Refused(
        "g.csv", "1,2\n", "already tell the ends apart", {"bipartite": True, "directed": True}
    ),
    "labels in another order": Refused("m.csv", ",a,b\nb,0,1\na,1,0\n", "nothing says which two", line=2),
    "no such attribute": Refused(
        "g.gml", written(nx.write_gml, RATED), "no edge has an attribute `size`; there are: `weight`, `kind`",
        {"weight": "size"},
    ),
    "an attribute of some edges": Refused(
        "g.json", '{"nodes": [], "links": [{"source": 1, "target": 2, "w": 3}, {"source": 2, "target": 3}]}',
        "the edge between '2' and '3' has no attribute `w`", {"weight": "w"},
    ),
    "GML that stops": Refused("g.gml", "graph [ node [ id 1 ]", "ends within a list"),
    "GML without a value": Refused("g.gml", "graph [\nnode [ id label 2 ] ]", "`id` has no value", line=2),
    "GML that is CSV": Refused("g.gml", "a,b\nb,c\n", "this is not GML", line=1),
    "GML with an unknown end": Refused("g.gml", "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "not listed"),
    "GEXF with entities": Refused("g.gexf", '<!DOCTYPE x [<!ENTITY a "b">]><gexf/>', "declares entities", line=1),
    "GEXF with an unknown end": Refused(
        "g.gexf", '<gexf><graph><nodes><node id="a"/></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>',  # noqa: E501
        "'b', which is not listed",
    ),
    "Pajek without nodes": Refused("g.net", "1 2\n2 3\n", r"expected `\*Vertices`", line=1),
    "Pajek beyond its nodes": Refused("g.net", "*Vertices 2\n*Edges\n1 3\n", "1 to 2; found '3'", line=3),
    "Pajek with far too many nodes": Refused("g.net", "*Vertices 999999999\n*Edges\n1 3\n", r"correct `\*Vertices`"),
    "JSON that stops": Refused("g.json", '{"nodes": [', "not valid JSON", line=1),
    "JSON of something else": Refused("g.json", '{"a": 1}', "as networkx and d3 write it"),
    "JSON that is deep": Refused("g.json", "[" * 100_000, "nested too deeply"),
    "a bad line of JSON": Refused("g.jsonl", '{"from":"a","to":"b"}\nx\n', "not valid JSON", line=2),
    "data that is code": Refused("g.edgelist", "1 2 {'a': exit()}\n", "no dictionary of plain values", line=1),
    "an edge without data": Refused("g.edgelist", "1 2 {}\n1 3\n", "expected two names and a dictionary", line=2),
    "Matrix Market": Refused("g.mtx", "%%MatrixMarket matrix coordinate\n2 2 1\n1 2\n", "expected a first", line=1),
    "zstd that stops": Refused("g.csv.zst", zstd(SHORT.encode() * 99)[:-9], "the zstd file is damaged"),
    "xz that stops": Refused("g.csv.xz", lzma.compress(SHORT.encode())[:-9], "the xz file ends too early"),
    "an unknown format": Refused("g.csv", SHORT, "unknown format 'dot'; known are csv", {"format": "dot"}),
    "an option of texts": Refused("g.gml", written(nx.write_gml, WEB), "`header` says nothing", {"header": True}),
    "nothing but bad lines": Refused("g.csv", "source,target\n,a\nb,\n", "none of its 2 lines", {"skip_bad": True}),
}  # fmt: skip


@pytest.mark.parametrize("refused", REFUSED.values(), ids=REFUSED)
def test_what_is_said(tmp_path, refused):
    path = tmp_path / refused.file
    path.write_bytes(refused.content.encode() if isinstance(refused.content, str) else refused.content)
    with pytest.raises(InputError, match=refused.says) as caught:
        load_graph(path, **refused.options)
    assert caught.value.line == refused.line
    assert "\n" not in str(caught.value)


def test_types_of_edges_make_triples(tmp_path):
    (tmp_path / "deals.csv").write_text("buyer,seller,deal\nann,bob,lease\nbob,cid,sale\n")
    nx.write_gml(RATED, tmp_path / "g.gml")
    for file, option in (("deals.csv", "deal"), ("g.gml", "kind")):
        graph = load_graph(tmp_path / file, type=option)
        assert isinstance(graph, KnowledgeGraph)
        assert (graph.num_nodes, graph.num_relations, graph.num_facts) == (3, 2, 2)


def test_the_zoo_is_large():
    assert len(ZOO) + len(REFUSED) >= 80
