"""Graph files of every format, damaged: a graph whose every part holds together, or one sentence."""

from __future__ import annotations

import gzip

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkwl import Graph, KnowledgeGraph, LinkwlError, load_graph

EDGES = [(f"n{k}", f"n{(k * k + 1) % 17}") for k in range(17)]
NUMBERS = np.array([(k, (k * k + 1) % 17) for k in range(17)])
TEXT = "source,target\n" + "\n".join(f"{a},{b}" for a, b in EDGES)
some = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
many = settings(some, max_examples=5000)
many_triples = settings(some, max_examples=3000)

FACTS = [(f"n{k}", f"r{k % 3}", f"n{(k * k + 1) % 17}") for k in range(17)]
TRIPLES = "".join(f"{h}\t{r}\t{t}\n" for h, r, t in FACTS)
E, XSD = "http://e.org/", "http://www.w3.org/2001/XMLSchema#"
STATEMENTS = "".join(f"<{E}{h}> <{E}{r}> <{E}{t}> .\n" for h, r, t in FACTS)
RDF = (
    STATEMENTS
    + f"""_:x <{E}r1> <{E}n1> .
<{E}n1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{E}Person> .
<{E}n1> <{E}age> "30"^^<{XSD}integer> .
<{E}n1> <{E}label> "Ann \\"A\\" Lee"@en .
"""
)
TURTLE = (
    f"@prefix ex: <{E}> .\n"
    + "".join(f"ex:{h} ex:{r} ex:{t} .\n" for h, r, t in FACTS)
    + """
_:x ex:r1 ex:n1 , [ ex:r2 ex:n2 ] .
ex:n1 a ex:Person ; ex:age 30 ; ex:label "Ann 'A' Lee"@en .
ex:n3 ex:r1 ( ex:n1 ex:n2 ) .
"""
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The same graph in every format, as bytes by ending."""
    folder = tmp_path_factory.mktemp("whole")
    pq.write_table(pa.table({"source": [a for a, _ in EDGES], "target": [b for _, b in EDGES]}), folder / "g.parquet")
    np.save(folder / "g.npy", NUMBERS)
    sp.save_npz(folder / "g.npz", sp.coo_array((np.ones(17), NUMBERS.T), shape=(17, 17)).tocsr())
    nx.write_graphml(nx.Graph(EDGES), folder / "g.graphml")
    files = {path.suffix: path.read_bytes() for path in folder.iterdir()}
    return files | {
        ".csv": TEXT.encode(),
        ".tsv": TEXT.replace(",", "\t").encode(),
        ".txt": TEXT.replace(",", " ").encode(),
        ".csv.gz": gzip.compress(TEXT.encode()),
    }


@pytest.fixture(scope="module")
def whole_triples(tmp_path_factory):
    """The same triples in every format, as bytes by ending."""
    head, relation, tail = (list(column) for column in zip(*FACTS, strict=True))
    path = tmp_path_factory.mktemp("whole") / "g.parquet"
    pq.write_table(pa.table({"head": head, "relation": relation, "tail": tail}), path)
    return {
        ".parquet": path.read_bytes(),
        ".tsv": TRIPLES.encode(),
        ".csv": b"head,relation,tail\n" + TRIPLES.replace("\t", ",").encode(),
        ".csv.gz": gzip.compress(TRIPLES.encode()),
        ".nt": RDF.encode(),
        ".ttl": TURTLE.encode(),
    }


def damage(whole, tmp_path, data):
    """Writes one of the files with one to three changes."""
    ending = data.draw(st.sampled_from(sorted(whole)))
    content = bytearray(whole[ending])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, max(len(content) - 1, 0)))
        kind = data.draw(st.integers(0, 3))
        if kind == 0 and content:
            content[place] ^= data.draw(st.integers(1, 255))
        elif kind == 1:
            del content[place : place + data.draw(st.integers(1, 200))]
        elif kind == 2:
            content[place:place] = data.draw(st.binary(min_size=1, max_size=30))
        else:
            content = bytearray(data.draw(st.binary(max_size=60)))
    path = tmp_path / f"graph{ending}"
    path.write_bytes(content)
    return path


def load_or_sentence(path):
    """The graph of a file; None if it is refused in one sentence that names it."""
    try:
        return load_graph(path)
    except LinkwlError as error:
        assert path.name in str(error)
        assert "\n" not in str(error)
        return None


def check_graph(graph):
    assert isinstance(graph, Graph)
    assert len(graph.ids) == graph.num_nodes == len(set(graph.ids))
    assert graph.num_edges == len({tuple(edge) for edge in graph.edges.tolist()}) > 0
    assert 0 <= graph.edges.min() <= graph.edges.max() < graph.num_nodes
    assert (graph.edges[:, 0] != graph.edges[:, 1]).all()


def check_damaged_graph(whole, tmp_path, data):
    graph = load_or_sentence(damage(whole, tmp_path, data))
    if graph is not None:
        check_graph(graph)


def check_damaged_triples(whole_triples, tmp_path, data):
    graph = load_or_sentence(damage(whole_triples, tmp_path, data))
    if not isinstance(graph, KnowledgeGraph):  # two columns may be left, which are edges
        return None if graph is None else check_graph(graph)
    for names in (graph.ids, graph.relations, *(() if graph.types is None else (graph.types.names,))):
        assert list(names) == sorted(set(names))
    assert graph.num_facts == len({tuple(triple) for triple in graph.triples.tolist()}) > 0
    assert graph.check_queries(graph.triples).tolist() == graph.triples.tolist()
    assert len(graph.incidence.other) == 2 * graph.num_facts
    assert graph.features is None or graph.features.shape[0] == graph.num_nodes
    assert graph.intake.rows == graph.num_facts + graph.intake.duplicates
    return None


def test_whole_files_are_read(whole, tmp_path):
    for ending, content in whole.items():
        (tmp_path / f"graph{ending}").write_bytes(content)
        graph = load_graph(tmp_path / f"graph{ending}").to_undirected()
        assert (graph.num_nodes, graph.num_edges) == (17, 17), ending


@given(st.data())
@some
def test_damaged_graphs(whole, tmp_path, data):
    check_damaged_graph(whole, tmp_path, data)


@pytest.mark.slow
@given(st.data())
@many
def test_many_damaged_graphs(whole, tmp_path, data):
    check_damaged_graph(whole, tmp_path, data)


def test_whole_triples_are_read(whole_triples, tmp_path):
    for ending, content in whole_triples.items():
        (tmp_path / f"graph{ending}").write_bytes(content)
        graph = load_graph(tmp_path / f"graph{ending}")
        assert isinstance(graph, KnowledgeGraph), ending
        named = {(graph.ids[h], graph.relations[r], graph.ids[t]) for h, r, t in graph.triples.tolist()}
        assert set(FACTS) <= named, ending


@given(st.data())
@some
def test_damaged_triples(whole_triples, tmp_path, data):
    check_damaged_triples(whole_triples, tmp_path, data)


@pytest.mark.slow
@given(st.data())
@many_triples
def test_many_damaged_triples(whole_triples, tmp_path, data):
    check_damaged_triples(whole_triples, tmp_path, data)
