"""Small valid files of every reader, and random damage to them."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.io
import scipy.sparse as sp

from linkwl import LinkwlError, load_graph
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.features import read_features

NUM_NODES = 17
NUMBERS = np.array([(k, (k * k + 1) % NUM_NODES) for k in range(NUM_NODES)])
EDGES = [(f"n{p}", f"n{q}") for p, q in NUMBERS]
FACTS = [(f"n{p}", f"r{p % 3}", f"n{q}") for p, q in NUMBERS]
_E = "http://e.org/"
_RDF = "".join(f"<{_E}{h}> <{_E}{r}> <{_E}{t}> .\n" for h, r, t in FACTS)
_TURTLE = f"@prefix ex: <{_E}> .\n" + "".join(f"ex:{h} ex:{r} ex:{t} .\n" for h, r, t in FACTS)


def _written(write: Callable[[io.BytesIO], Any]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def _lines(rows: Any, separator: str, header: str = "") -> bytes:
    return (header + "\n".join(separator.join(map(str, row)) for row in rows) + "\n").encode()


def _parquet(names: str, rows: Any, **options: Any) -> bytes:
    table = pa.table(dict(zip(names.split(), map(list, zip(*rows, strict=True)), strict=True)))
    return _written(lambda stream: pq.write_table(table, stream, **options))


def _npz(form: str) -> bytes:
    matrix = sp.coo_array((np.ones(NUM_NODES), NUMBERS.T), shape=(NUM_NODES, NUM_NODES)).asformat(form)
    return _written(lambda stream: sp.save_npz(stream, matrix))


def _mat(net: Any, **options: Any) -> bytes:
    return _written(lambda stream: scipy.io.savemat(stream, {"net": net, "other": np.arange(6.0)}, **options))


_MATRIX = sp.coo_array((np.ones(NUM_NODES), NUMBERS.T), shape=(NUM_NODES, NUM_NODES)).tocsc()
_ATTRIBUTED = nx.Graph()
_ATTRIBUTED.add_edges_from((*edge, {"weight": k / 4}) for k, edge in enumerate(EDGES))
_WITH_NODES = _ATTRIBUTED.copy()
for _k, _node in enumerate(_WITH_NODES):
    _WITH_NODES.nodes[_node].update(lat=_k / 2, lon=-_k, kind="ab"[_k % 2], open=_k % 3 == 0)
_X = np.random.default_rng(0).random((NUM_NODES, 3), dtype=np.float32)
_HDF5 = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\2IM" + bytes(384) + b"\x89HDF\r\n\x1a\n" + bytes(64)

GRAPH_FILES: dict[str, bytes] = {
    "plain.csv": _lines(EDGES, ","),
    "header.csv": _lines(EDGES, ",", "source,target\n"),
    "weights.csv": _lines([(*edge, k / 4) for k, edge in enumerate(EDGES)], ";", "source;target;weight\n"),
    "numbers.tsv": _lines(NUMBERS, "\t"),
    "spaces.txt": _lines(NUMBERS, "  ", "# comment\n"),
    "bars.txt": _lines(EDGES, "|"),
    "quoted.csv": _lines([(f'"{a}"', f'"{b}, x"') for a, b in EDGES], ","),
    "zipped.csv.gz": gzip.compress(_lines(EDGES, ",")),
    "triples.tsv": _lines(FACTS, "\t"),
    "triples.csv": _lines(FACTS, ",", "head,relation,tail\n"),
    "triples.csv.gz": gzip.compress(_lines(FACTS, ",")),
    "a.graphml": _written(lambda stream: nx.write_graphml(nx.Graph(EDGES), stream)),
    "zipped.graphml.gz": gzip.compress(_written(lambda stream: nx.write_graphml(nx.DiGraph(EDGES), stream))),
    "sparse.mat": _mat(_MATRIX),
    "zipped.mat": _mat(_MATRIX, do_compression=True),
    "dense.mat": _mat(_MATRIX.toarray()),
    "version4.mat": _mat(_MATRIX.toarray(), format="4"),
    "version7.3.mat": _HDF5,
    "pairs.npy": _written(lambda stream: np.save(stream, NUMBERS)),
    "names.npy": _written(lambda stream: np.save(stream, np.array(EDGES))),
    "matrix.npy": _written(lambda stream: np.save(stream, _MATRIX.toarray())),
    **{f"{form}.npz": _npz(form) for form in ("csr", "csc", "coo", "dia", "bsr")},
    "general.mtx": _written(lambda stream: scipy.io.mmwrite(stream, _MATRIX, symmetry="general")),
    "symmetric.mtx": _written(lambda stream: scipy.io.mmwrite(stream, _MATRIX + _MATRIX.T, field="pattern")),
    "zipped.mtx.gz": gzip.compress(_written(lambda stream: scipy.io.mmwrite(stream, _MATRIX, field="integer"))),
    "names.parquet": _parquet("source target", EDGES),
    "numbers.parquet": _parquet("source target", NUMBERS.tolist(), compression="gzip"),
    "plain.parquet": _parquet("source target", EDGES, use_dictionary=False, compression="none"),
    "triples.parquet": _parquet("head relation tail", FACTS),
    "a.gml": _written(lambda stream: nx.write_gml(_ATTRIBUTED, stream)),
    "a.gexf": _written(lambda stream: nx.write_gexf(_ATTRIBUTED, stream)),
    "a.net": _written(lambda stream: nx.write_pajek(nx.Graph(EDGES), stream)),
    "a.adjlist": _written(lambda stream: nx.write_adjlist(nx.Graph(EDGES), stream)),
    "data.edgelist": _written(lambda stream: nx.write_edgelist(_ATTRIBUTED, stream)),
    "node_link.json": json.dumps(nx.node_link_data(_ATTRIBUTED, edges="links")).encode(),
    **{
        f"nodes.{ending}": _written(partial(getattr(nx, f"write_{ending}"), _WITH_NODES))
        for ending in ("gml", "gexf", "graphml")
    },
    "nodes.json": json.dumps(nx.node_link_data(_WITH_NODES, edges="links")).encode(),
    "rows.json": json.dumps([{"source": a, "target": b} for a, b in EDGES]).encode(),
    "rows.jsonl": _lines([(json.dumps({"source": a, "target": b}),) for a, b in EDGES], ""),
    "rows.ndjson": _lines([(json.dumps({"head": h, "relation": r, "tail": t}),) for h, r, t in FACTS], ""),
    "short.pq": _parquet("source target", EDGES),
    "matrix.csv": _lines(_MATRIX.toarray().astype(int), ","),
    "zipped.csv.bz2": bz2.compress(_lines(EDGES, ",")),
    "zipped.csv.xz": lzma.compress(_lines(EDGES, ",")),
    "zipped.csv.zst": pa.compress(_lines(EDGES, ","), codec="zstd", asbytes=True),
    "a.nt": _RDF.encode(),
    "a.ttl": _TURTLE.encode(),
}
"""Graphs by file name; a new reader is a row here."""

_WIDE = sp.csr_array(_MATRIX[: NUM_NODES // 2])
SIDE_FILES: dict[str, bytes] = {
    "labels.csv": _lines(
        [(f"n{k}", *row) for k, row in enumerate(_WIDE.toarray().astype(int))],
        ",",
        "," + ",".join("abcdefghijklmnopq") + "\n",
    ),
    "plain.csv": _lines(_WIDE.toarray().astype(int), ","),
    "wide.npz": _written(lambda stream: sp.save_npz(stream, _WIDE)),
    "wide.npy": _written(lambda stream: np.save(stream, _WIDE.toarray())),
    "wide.mtx": _written(lambda stream: scipy.io.mmwrite(stream, _WIDE)),
}
"""Matrices whose rows and columns are two sides, by file name."""

FEATURE_FILES: dict[str, bytes] = {
    "x.csv": _lines([(f"n{k}", *row) for k, row in enumerate(_X)], ","),
    "x.csv.gz": gzip.compress(_lines([(f"n{k}", *row) for k, row in enumerate(_X)], ",", "node,a,b,c\n")),
    "x.parquet": _parquet("node a b c", [(f"n{k}", *row) for k, row in enumerate(_X.tolist())]),
    "x.npy": _written(lambda stream: np.save(stream, _X)),
    "x.npz": _written(lambda stream: sp.save_npz(stream, sp.csr_array(_X))),
}
"""Features of nodes by file name."""

_NAMED, _NUMBERED = NodeIds(pa.array(sorted(f"n{k}" for k in range(NUM_NODES)))), NodeIds(NUM_NODES)

READERS: dict[str, tuple[bytes, Callable[[Path], Any]]] = (
    {name: (content, load_graph) for name, content in GRAPH_FILES.items()}
    | {f"sides {name}": (content, partial(load_graph, bipartite=True)) for name, content in SIDE_FILES.items()}
    | {
        f"features {name}": (content, partial(read_features, ids=_NUMBERED if ".np" in name else _NAMED))
        for name, content in FEATURE_FILES.items()
    }
)
"""The content of a valid file, and the function that reads it."""

_LARGE = [b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\0\0\0\0", b"\x01\0\0\0", b"\xff" * 8, b"9" * 30]


_SIGNS = [b'"', b"\n", b"\r", b"\0", b",", b"<", b"&", b"\xef\xbb\xbf", b"-", b"nan", b"\xed\xa0\x80"]


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The content with one to four changes: bytes, numbers, cuts, copies and joints."""
    found = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(found) + 1)
        kind = rng.randrange(8)
        if kind == 0:
            found[place : place + 1] = bytes([rng.randrange(256)])
        elif kind == 1 and place < len(found):
            found[place] ^= 1 << rng.randrange(8)
        elif kind == 2:
            large = rng.choice(_LARGE)
            found[place : place + len(large)] = large
        elif kind == 3:
            del found[place : place + rng.randint(1, 200)]
        elif kind == 4:
            found[place:place] = rng.randbytes(rng.randint(1, 30))
        elif kind == 5:
            start = rng.randrange(len(found) + 1)
            found[place:place] = found[start : start + rng.randint(1, 400)]
        elif kind == 6:
            found[place:place] = rng.choice(_SIGNS)
        elif rng.random() < 0.3:
            found = found[:place]
    return bytes(found)


def outcome(name: str, path: Path) -> str:
    """``read`` or ``refused``; any other error is raised."""
    try:
        READERS[name][1](path)
    except LinkwlError as error:
        assert path.name in str(error), f"the sentence does not name the file: {error}"
        assert "\n" not in str(error), f"more than one line: {error}"
        return "refused"
    return "read"


def file_name(name: str) -> str:
    """The name of a damaged file, with the ending that its reader needs."""
    return name.removeprefix("features ")
