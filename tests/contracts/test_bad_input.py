"""Bad input through the command line: one sentence (file, line, remedy), exit code 2, nothing written."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.io
import scipy.sparse as sp

from linkwl.cli.main import run


class Outcome(NamedTuple):
    code: int
    stdout: str
    stderr: str


class Row(NamedTuple):
    """One kind of bad input."""

    command: str
    """After ``linkwl``, with files of the working folder."""
    says: str
    """What the sentence says was found."""
    remedy: str
    """What it says to do about it."""
    files: dict[str, str | bytes]
    names: str = ""
    """The file that is to blame."""
    line: int | None = None


def written(write: Callable[[io.BytesIO], object]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def npy(array) -> bytes:
    return written(lambda stream: np.save(stream, array))


def npz(matrix) -> bytes:
    return written(lambda stream: sp.save_npz(stream, sp.csr_array(matrix)))


def mat(**variables) -> bytes:
    return written(lambda stream: scipy.io.savemat(stream, variables))


def parquet(**columns) -> bytes:
    return written(lambda stream: pq.write_table(pa.table(columns), stream))


def ring(n: int, reach: int = 1) -> str:
    return "".join(f"{k},{(k + step) % n}\n" for k in range(n) for step in range(1, reach + 1))


PATH = "0,1\n1,2\n"
INSPECT = "inspect g.csv"
WITH_CSV = "inspect g.csv --features x.csv"
WITH_NPY = "inspect g.csv --features x.npy"
WITH_NPZ = "inspect g.csv --features x.npz"
WITH_PARQUET = "inspect g.csv --features x.parquet"
TRUNCATED = gzip.compress(random.Random(0).randbytes(500).hex().encode())[:-60]
DIRECTED = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
<node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>"""
TRIPLES = "a,r,b\nb,r,c\n"
RDF = "<http://a/a> <http://a/r> <http://a/b> .\n"
COMPARE = "wl compare g.csv --link 0 1 --link 0 2"
BOTH = "wl compare g.csv --link 0 1 h.csv --link 0 1"
REFINE = "wl refine g.csv --test 1-wl"
LABELLED = f"{REFINE} --labels l.csv"
TRAIN = "train g.csv --out m"
COMPLETE = "".join(f"{p},{q}\n" for p in range(10) for q in range(p))

ROWS = {
    # the file
    "missing file": Row("inspect nowhere.csv", "no such file", "check the name", {}, "nowhere.csv"),
    "missing file in a missing folder": Row("inspect no/where", "no such file", "check the name", {}, "no/where"),
    "missing features": Row(WITH_CSV, "no such file", "check the name", {"g.csv": PATH}, "x.csv"),
    "folder": Row("inspect .", "this is a folder", "name a file in it", {}, "."),
    "folder without validation": Row(
        "inspect .", "no such file", "needs valid.txt", {"train.txt": "a\tr\tb\n"}, "valid.txt"
    ),
    "folder with a bad line": Row(
        "inspect .",
        "expected head, relation and tail",
        "separated by tabs",
        {"train.txt": "a\tr\tb\na r b\n", "valid.txt": "", "test.txt": ""},
        "train.txt",
        2,
    ),
    "empty file": Row(INSPECT, "the file is empty", "write it again", {"g.csv": ""}, "g.csv"),
    "only blank lines": Row(INSPECT, "the file is empty", "write it again", {"g.csv": "\n \n\n"}, "g.csv"),
    "empty gzip": Row(INSPECT, "the file is empty", "write it again", {"g.csv": gzip.compress(b"")}, "g.csv"),
    "empty matrix file": Row("inspect g.mat", "the file is empty", "write it again", {"g.mat": ""}, "g.mat"),
    "empty features": Row(WITH_CSV, "the file is empty", "write it again", {"g.csv": PATH, "x.csv": ""}, "x.csv"),
    "truncated gzip": Row(INSPECT, "ends too early", "compress it again", {"g.csv": TRUNCATED}, "g.csv"),
    "damaged gzip": Row(INSPECT, "damaged", "compress it again", {"g.csv": b"\x1f\x8b" + b"no" * 50}, "g.csv"),
    "binary file": Row(INSPECT, "binary file", "expected text", {"g.csv": b"\x7fELF\2\1\1\0\0\0"}, "g.csv", 1),
    "Parquet called CSV": Row(INSPECT, "Parquet", "ending .parquet", {"g.csv": parquet(a=[1], b=[2])}, "g.csv"),
    "zip called CSV": Row(INSPECT, "zip archive", "unpack it", {"g.csv": npz(np.eye(3))}, "g.csv"),
    "array called CSV": Row(INSPECT, "NumPy array", "ending .npy", {"g.csv": npy(np.eye(3))}, "g.csv"),
    "matrix called CSV": Row(INSPECT, "MATLAB", "ending .mat", {"g.csv": mat(net=np.eye(3))}, "g.csv"),
    "UTF-16": Row(INSPECT, "UTF-16", "save it as UTF-8", {"g.csv": PATH.encode("utf-16")}, "g.csv"),
    "not UTF-8": Row(INSPECT, "not UTF-8", "save the file as UTF-8", {"g.csv": b"a,b\nb,caf\xe9\n"}, "g.csv", 2),
    "not UTF-8, deep inside": Row(
        INSPECT, "not UTF-8", "save the file as UTF-8", {"g.csv": b"a,b\n" * 30_000 + b"\xe9,b\n"}, "g.csv", 30_001
    ),
    "CSV called Parquet": Row(
        "inspect g.parquet", "not a readable", "write it again", {"g.parquet": PATH}, "g.parquet"
    ),
    "CSV called .mat": Row("inspect g.mat", "not a readable MATLAB file", "`save -v7`", {"g.mat": PATH}, "g.mat"),
    "CSV called .npz": Row("inspect g.npz", "not a sparse matrix", "write it again", {"g.npz": PATH}, "g.npz"),
    "CSV called .npy": Row("inspect g.npy", "not a numeric array", "write it again", {"g.npy": PATH}, "g.npy"),
    "broken GraphML": Row(
        "inspect g.graphml",
        "not well-formed XML",
        "write the file again",
        {"g.graphml": "<a>\n<b></a>"},
        "g.graphml",
        2,
    ),
    "limit that is no amount": Row(
        "--max-memory lots inspect g.csv", "not an amount of memory", "write it like 4GB", {"g.csv": PATH}
    ),
    "matrix of empty rows": Row(
        "inspect g.npz",
        "1,073,741,824 rows and only 1 entries",
        "write an edge list",
        {
            "g.npz": written(
                lambda stream: sp.save_npz(stream, sp.coo_array(([1], ([5], [7])), shape=(1 << 30, 1 << 30)))
            )
        },
        "g.npz",
    ),
    "line of many megabytes": Row(
        INSPECT,
        "more than a row of a table",
        "put each row on a line",
        {"g.csv": "a,b\n" + "x" * 9_000_000},
        "g.csv",
        2,
    ),
    "settings nested too deeply": Row(
        "train g.csv --out m --config c.toml",
        "nested too deeply",
        "",
        {"g.csv": PATH, "c.toml": "a = " + "[" * 3000 + "]" * 3000},
        "c.toml",
    ),
    # triples
    "triples that look like nothing": Row(
        INSPECT, "nothing says which two hold the node ids", "with --relation", {"g.csv": "a,b,c\nd,e,f\n"}, "g.csv", 1
    ),
    "ragged triple": Row(INSPECT, "expected 3 columns", "fix this line", {"g.csv": f"{TRIPLES}c,r\n"}, "g.csv", 3),
    "empty relation": Row(
        INSPECT, "a relation is empty", "every triple needs one", {"g.csv": "head,relation,tail\na,,b\n"}, "g.csv", 2
    ),
    "empty head": Row(
        INSPECT, "a node id is empty", "three names: head, relation and tail", {"g.csv": f"{TRIPLES},r,b\n"}, "g.csv", 3
    ),
    "header of triples only": Row(
        INSPECT, "only a header", "three names per line (head,", {"g.csv": "head,relation,tail\n"}, "g.csv", 1
    ),
    "triples and a fourth column": Row(
        INSPECT, "4 columns", "use --relation 2", {"g.csv": "a,r,b,x\nb,r,c,y\nc,s,d,z\n"}, "g.csv", 1
    ),
    "no such column of relations": Row(
        f"{INSPECT} --relation deal",
        "there is no column `deal`",
        "the columns are `head`",
        {"g.csv": "head,relation,tail\na,r,b\n"},
        "g.csv",
    ),
    "a column by name without a header": Row(
        f"{INSPECT} --relation deal", "there is no header", "by its position, 1 to 3", {"g.csv": TRIPLES}, "g.csv"
    ),
    "two columns of triples": Row(
        f"{INSPECT} --relation 2", "found 2 columns", "expected three", {"g.csv": "a,b\nb,c\n"}, "g.csv"
    ),
    "one column twice": Row(
        f"{INSPECT} --head 2 --relation 2", "are the same column", "name different ones", {"g.csv": TRIPLES}, "g.csv"
    ),
    "an unclear column of tails": Row(
        f"{INSPECT} --head x --relation y",
        "nothing says which column holds the tail",
        "name it with --tail",
        {"g.csv": "x,y,z,w\na,r,b,c\n"},
        "g.csv",
    ),
    "one end of edges": Row(
        f"{INSPECT} --head 1 --relation none",
        "an edge has two ends",
        "--source and --target",
        {"g.csv": TRIPLES},
        "g.csv",
    ),
    "columns of a matrix": Row(
        "inspect g.npy --relation 2", "names a column of a table", "leave it out", {"g.npy": npy(np.eye(3))}, "g.npy"
    ),
    "columns of a dataset": Row("inspect airports --relation 2", "in the catalogue", "leave it out", {}),
    "types of a dataset": Row("inspect airports --types t.csv", "in the catalogue", "entities in a file", {}),
    "types of edges": Row(
        f"{INSPECT} --types t.csv", "this is a graph of edges", "triples", {"g.csv": PATH, "t.csv": "0,x\n"}, "g.csv"
    ),
    "type of an unknown entity": Row(
        f"{INSPECT} --types t.csv",
        "1 of 2 rows are of entities that are not in the graph",
        "remove them",
        {"g.csv": TRIPLES, "t.csv": "a,person\nz,person\n"},
        "t.csv",
        2,
    ),
    "empty type": Row(
        f"{INSPECT} --types t.csv",
        "the type of node 'a' is empty",
        "write one",
        {"g.csv": TRIPLES, "t.csv": "a,person\na,\n"},
        "t.csv",
        2,
    ),
    "Parquet triple without a relation": Row(
        "inspect g.parquet",
        "column `relation` has no relation in row 2",
        "fill it or drop the row",
        {"g.parquet": parquet(head=["a", "b"], relation=["r", None], tail=["b", "c"])},
        "g.parquet",
    ),
    "broken N-Triples": Row(
        "inspect g.nt",
        "expected `<subject> <predicate> <object> .`",
        "fix this line",
        {"g.nt": f"{RDF}<a> .\n"},
        "g.nt",
        2,
    ),
    "Turtle called N-Triples": Row(
        "inspect g.nt", "this is Turtle", "ending .ttl", {"g.nt": "@prefix a: <http://a/> .\n"}, "g.nt", 1
    ),
    "N-Triples that are not UTF-8": Row(
        "inspect g.nt", "not UTF-8", "save the file as UTF-8", {"g.nt": RDF.encode() + b"\xff\n"}, "g.nt", 2
    ),
    "N-Triples without facts": Row(
        "inspect g.nt",
        "no statement between two entities",
        "alone are no graph",
        {"g.nt": '<http://a/a> <http://a/r> "x" .\n'},
        "g.nt",
    ),
    "broken Turtle": Row(
        "inspect g.ttl", "not valid Turtle", "fix this line", {"g.ttl": f"{RDF}a:b a:c\n"}, "g.ttl", 2
    ),
    "RDF in XML": Row("inspect g.rdf", ".rdf files are not read", "convert it to Turtle", {"g.rdf": "<a/>"}, "g.rdf"),
    "columns of RDF": Row(
        "inspect g.nt --relation 2", "names a column of a table", "leave it out", {"g.nt": RDF}, "g.nt"
    ),
    "tests of triples": Row(
        "wl refine g.csv --test 1-wl", "these are triples", "with --undirected", {"g.csv": TRIPLES}, "g.csv"
    ),
    # its lines
    "header only": Row(
        INSPECT, "only a header", "two node ids per line below", {"g.csv": "source,target\n"}, "g.csv", 1
    ),
    "only comments": Row(INSPECT, "only comments", "expected two node ids per line", {"g.csv": "# a b\n"}, "g.csv"),
    "one column": Row(INSPECT, "found one column", "separated by commas", {"g.csv": "1\n2\n3\n"}, "g.csv", 1),
    "wrong delimiter": Row(INSPECT, "found one column", "separated by commas", {"g.csv": "1:2\n2:3\n"}, "g.csv", 1),
    "another delimiter below": Row(INSPECT, "found 1", "fix this line", {"g.csv": "1,2\n2,3\n3;4\n"}, "g.csv", 3),
    "ragged line": Row(
        INSPECT,
        "expected 2 columns as in the other lines, found 3",
        "fix this line",
        {"g.csv": "1,2\n\n2,3,4\n5,6\n"},
        "g.csv",
        3,
    ),
    "ragged line, deep inside": Row(
        INSPECT, "expected 2 columns", "fix this line", {"g.csv": "1,2\n" * 300_000 + "7\n1,2\n"}, "g.csv", 300_001
    ),
    "header unlike the rows": Row(
        INSPECT,
        "the header has 2 columns, the rows below have 3",
        "make them agree",
        {"g.csv": "source,target\n1,2,3\n4,5,6\n"},
        "g.csv",
        1,
    ),
    "open quote": Row(
        INSPECT, "does not end in its line", "close the quote", {"g.csv": 'a,b\n"c,d\ne,f\n'}, "g.csv", 2
    ),
    "empty id": Row(INSPECT, "a node id is empty", "every line needs two", {"g.csv": "a,b\n,c\n"}, "g.csv", 2),
    "columns that could be anything": Row(
        INSPECT,
        "3 columns, and nothing says which two hold the node ids",
        "--source and --target",
        {"g.csv": "a,b,c\nd,e,f\n"},
        "g.csv",
        1,
    ),
    "a header that names no ends": Row(
        INSPECT,
        "3 columns, and nothing says which two hold the node ids",
        "--source and --target",
        {"g.csv": "id,x,y\n2026,ann,bob\n2025,bob,cid\n"},
        "g.csv",
        2,
    ),
    "a format that networkx reads": Row(
        "inspect g.graph6",
        ".graph6 files are not read",
        "convert it to GraphML or CSV",
        {"g.graph6": "A_\n"},
        "g.graph6",
    ),
    "a format that is not GML": Row(
        "inspect g.gml", "this is not GML", "write the file again", {"g.gml": "graph [ ]\n,"}, "g.gml", 2
    ),
    "a choice that is none": Row(f"{INSPECT} --directed=maybe", "--directed maybe", "yes, no or auto", {"g.csv": PATH}),
    "correlations": Row(
        INSPECT, "100% of the pairs have a value", "--threshold", {"g.csv": "1,.5,.2\n.5,1,.3\n.2,.3,1\n"}, "g.csv"
    ),
    "an encoding that is none": Row(
        f"{INSPECT} --encoding klingon", "no encoding 'klingon'", "latin-1", {"g.csv": PATH}, "g.csv"
    ),
    "a format that is none": Row(f"{INSPECT} --format dot", "unknown format 'dot'", "known are csv", {"g.csv": PATH}),
    "sides and directions": Row(
        f"{INSPECT} --bipartite --directed",
        "already tell the ends apart",
        "leave out --directed",
        {"g.csv": PATH},
        "g.csv",
    ),
    "sides of triples": Row(
        f"{INSPECT} --relation 2 --bipartite",
        "types instead of sides",
        "leave out --bipartite",
        {"g.csv": TRIPLES},
        "g.csv",
    ),
    "a column that is not there": Row(
        f"{INSPECT} --source buyer", "there is no header", "by its position", {"g.csv": PATH}, "g.csv"
    ),
    "the same column twice": Row(f"{INSPECT} --source 1 --head 1", "name the same column", "give one", {"g.csv": PATH}),
    "a merge that is none": Row(f"{INSPECT} --merge mean", "--merge mean", "sum", {"g.csv": PATH}),
    # its ids and edges
    "negative ids": Row(
        INSPECT, "node id -3 is negative", "use whole numbers from 0", {"g.csv": "1,2\n2,-3\n"}, "g.csv", 2
    ),
    "float ids": Row(
        INSPECT, "2.5 is not written as a whole number", "use digits only", {"g.csv": "1,2\n2.5,3\n"}, "g.csv", 2
    ),
    "whole floats as ids": Row(INSPECT, "1.0 is not written as", "use digits only", {"g.csv": "1.0,2.0\n"}, "g.csv", 1),
    "float ids in Parquet": Row(
        "inspect g.parquet",
        "`source`: node id 1.5",
        "use digits only",
        {"g.parquet": parquet(source=[1.5], target=[2.5])},
        "g.parquet",
    ),
    "negative ids in an array": Row(
        "inspect g.npy", "node id -1 is negative", "use whole numbers", {"g.npy": npy(np.array([[0, -1]]))}, "g.npy"
    ),
    "missing id in Parquet": Row(
        "inspect g.parquet",
        "no node id in row 2",
        "fill it or drop the row",
        {"g.parquet": parquet(source=[1, None], target=[2, 3])},
        "g.parquet",
    ),
    "matrix not square, .mat": Row(
        "inspect g.mat",
        "must be square, this one is 2 x 3",
        "a row and a column per node",
        {"g.mat": mat(net=np.ones((2, 3)))},
        "g.mat",
    ),
    "matrix not square, .npz": Row(
        "inspect g.npz",
        "must be square, this one is 2 x 3",
        "a row and a column per node",
        {"g.npz": npz(np.ones((2, 3)))},
        "g.npz",
    ),
    "matrix under another name": Row(
        "inspect g.mat", "found: A", "rename it", {"g.mat": mat(A=np.ones((3, 3)))}, "g.mat"
    ),
    "no edge": Row(INSPECT, "no edge between two different nodes", "at least one", {"g.csv": "1,1\n2,2\n"}, "g.csv"),
    "no edge in a matrix": Row(
        "inspect g.npz", "no edge between two different nodes", "at least one", {"g.npz": npz(np.eye(3))}, "g.npz"
    ),
    "no row in Parquet": Row(
        "inspect g.parquet",
        "no rows",
        "expected an edge in each",
        {"g.parquet": parquet(a=pa.array([], pa.int64()), b=pa.array([], pa.int64()))},
        "g.parquet",
    ),
    # its features
    "text among numbers": Row(
        WITH_CSV,
        "`b` is 'hot', and most others are numbers",
        "correct it, or leave it empty",
        {"g.csv": PATH, "x.csv": "node,a,b\n0,1,2\n1,1,hot\n2,1,2\n"},
        "x.csv",
        3,
    ),
    "a table of labels": Row(
        WITH_CSV,
        "`b`: ignored, a label (3 different texts)",
        "nothing in the table can be compared",
        {"g.csv": PATH, "x.csv": "node,b\n0,x\n1,y\n2,z\n"},
        "x.csv",
    ),
    "a latitude of the wrong size": Row(
        WITH_CSV,
        "95 is no latitude",
        "--coordinates plane:COL,COL or none",
        {"g.csv": PATH, "x.csv": "node,lat,lon\n0,1,2\n1,95,3\n2,1,2\n"},
        "x.csv",
        3,
    ),
    "unknown coordinates": Row(
        f"{WITH_CSV} --coordinates map:a,c",
        "there is no column `c`",
        "the columns are `a`, `b`",
        {"g.csv": PATH, "x.csv": "node,a,b\n0,1,2\n1,1,3\n2,1,2\n"},
    ),
    "coordinates of no form": Row(
        f"{WITH_CSV} --coordinates a,b",
        "expected auto, none, or two columns",
        "map:lat,lon or plane:x,y",
        {"g.csv": PATH, "x.csv": "node,a,b\n0,1,2\n1,1,3\n2,1,2\n"},
    ),
    "infinite features": Row(
        WITH_CSV,
        "feature 1 is not a finite number",
        "infinite values",
        {"g.csv": PATH, "x.csv": "0,1\n1,2\n2,-inf\n"},
        "x.csv",
        3,
    ),
    "NaN features, .npy": Row(
        WITH_NPY,
        "feature 1 of row 2 is not a finite number",
        "replace missing",
        {"g.csv": PATH, "x.npy": npy(np.array([[1], [np.nan], [3]]))},
        "x.npy",
    ),
    "infinite features, .npz": Row(
        WITH_NPZ,
        "feature 1 of row 3 is not a finite number",
        "replace missing",
        {"g.csv": PATH, "x.npz": npz(np.array([[0], [0], [np.inf]]))},
        "x.npz",
    ),
    "infinite value in Parquet": Row(
        WITH_PARQUET,
        "node 1: `a` is not a finite number",
        "leave the field empty",
        {"g.csv": PATH, "x.parquet": parquet(node=[0, 1, 2], a=[1, float("inf"), 3])},
        "x.parquet",
    ),
    "empty feature": Row(
        WITH_CSV, "feature '' is not a number", "finite numbers", {"g.csv": PATH, "x.csv": "0,1\n1,\n2,3\n"}, "x.csv", 2
    ),
    "text for a feature": Row(
        WITH_CSV,
        "feature 'hot' is not a number",
        "finite numbers",
        {"g.csv": PATH, "x.csv": "0,1\n1,hot\n2,3\n"},
        "x.csv",
        2,
    ),
    "feature rows missing": Row(
        WITH_CSV,
        "1 of 3 nodes have no row of features, the first is 1",
        "add a row for each, or use --missing-features fill",
        {"g.csv": PATH, "x.csv": "0,1\n2,3\n"},
        "x.csv",
    ),
    "feature rows missing, .npy": Row(
        WITH_NPY,
        "1 of 3 nodes have no row of features, the first is 2",
        "add a row for each",
        {"g.csv": PATH, "x.npy": npy(np.ones((2, 2)))},
        "x.npy",
    ),
    "feature rows left over": Row(
        WITH_CSV,
        "1 rows are left over, the first for node '7'",
        "remove them",
        {"g.csv": PATH, "x.csv": "0,1\n1,2\n7,5\n2,3\n"},
        "x.csv",
        3,
    ),
    "feature rows left over, .npz": Row(
        WITH_NPZ,
        "1 rows are left over, the first for node 3",
        "remove them",
        {"g.csv": PATH, "x.npz": npz(np.ones((4, 2)))},
        "x.npz",
    ),
    "feature row twice": Row(
        WITH_CSV, "node '1' has a second row", "keep one", {"g.csv": PATH, "x.csv": "0,1\n1,2\n1,3\n2,4\n"}, "x.csv", 3
    ),
    "features of another graph": Row(
        WITH_CSV,
        "none of its node ids is in the graph",
        "the features of another graph",
        {"g.csv": PATH, "x.csv": "ann,1\nbob,2\n"},
        "x.csv",
    ),
    "rows by number for nodes with names": Row(
        WITH_NPY,
        "nodes have names (as 'ann')",
        "give the features as CSV or Parquet",
        {"g.csv": "ann,bob\n", "x.npy": npy(np.ones((2, 2)))},
        "x.npy",
    ),
    "ragged features": Row(
        WITH_CSV, "expected 3 columns", "fix this line", {"g.csv": PATH, "x.csv": "0,1,2\n1,2\n2,3,4\n"}, "x.csv", 2
    ),
    "features, header only": Row(
        WITH_CSV, "only a header", "its features per line below", {"g.csv": PATH, "x.csv": "node,a\n"}, "x.csv", 1
    ),
    # splits
    "too few edges to evaluate": Row(
        "evaluate g.csv --model cn", "19 edges are too few", "at least 20 are needed", {"g.csv": ring(19)}, "g"
    ),
    "too few edges to audit": Row("audit g.csv", "2 edges are too few", "at least 20 are needed", {"g.csv": PATH}, "g"),
    "too dense to evaluate": Row(
        "evaluate g.csv --model cn", "too dense: 45 negatives are needed", "remove edges", {"g.csv": COMPLETE}
    ),
    "too dense to audit": Row("audit g.csv", "too dense: 45 negatives are needed", "remove edges", {"g.csv": COMPLETE}),
    "split folder missing": Row(
        "audit g.csv --split parts", "no such folder", "expected one with train.csv", {"g.csv": PATH}, "parts"
    ),
    # decisions
    "decisions missing": Row(f"{TRAIN} --decisions d.csv", "no such file", "check the name", {"g.csv": PATH}, "d.csv"),
    "decision about an unknown node": Row(
        f"{TRAIN} --decisions d.csv",
        "unknown node '77'",
        "",
        {"g.csv": ring(30), "d.csv": "source,target,verdict\n1,77,accepted\n"},
        "d.csv",
        2,
    ),
    "decision against an edge": Row(
        f"{TRAIN} --decisions d.csv",
        "(1, 2) is rejected here, and is a link of g",
        "remove this line",
        {"g.csv": ring(30), "d.csv": "source,target,verdict\n1,2,rejected\n"},
        "d.csv",
        2,
    ),
    "two decisions": Row(
        f"{TRAIN} --decisions d.csv",
        "(1, 3) is rejected here and accepted in line 2",
        "keep one",
        {"g.csv": ring(30), "d.csv": "source,target,verdict\n1,3,accepted\n3,1,rejected\n"},
        "d.csv",
        3,
    ),
    # names
    "unknown dataset": Row("inspect coar", "unknown dataset 'coar'", "did you mean 'cora'", {}),
    "unknown dataset, described": Row("datasets info usiar", "unknown dataset 'usiar'", "did you mean 'usair'", {}),
    "dataset of no near name": Row("inspect qqq", "unknown dataset 'qqq'", "`linkwl datasets list`", {}),
    "unknown model": Row(
        "evaluate g.csv --model jacard", "unknown model 'jacard'", "did you mean 'jaccard'", {"g.csv": ring(30)}
    ),
    "no model": Row("evaluate g.csv --model ,", "no model named", "choose from cn", {"g.csv": ring(30)}),
    "unknown protocol": Row(
        "audit g.csv --protocol papr", "unknown protocol 'papr'", "did you mean 'paper'", {"g.csv": ring(30)}
    ),
    "no seeds": Row("evaluate g.csv --model cn --seeds 0", "--seeds 0", "at least one", {"g.csv": ring(30)}),
    # settings
    "unknown setting": Row(
        "evaluate g.csv --model katz --set bta=1",
        "unknown katz setting 'bta'",
        "did you mean 'beta'",
        {"g.csv": ring(30)},
    ),
    "setting of a model without any": Row(
        "evaluate g.csv --model cn --set a=1", "cn has no settings", "got 'a'", {"g.csv": ring(30)}
    ),
    "bad value": Row(
        "evaluate g.csv --model katz --set beta=x", "'beta' must be a valid number", "got 'x'", {"g.csv": ring(30)}
    ),
    "bad --set": Row(
        "evaluate g.csv --model katz --set beta", "not of the form key=value", "--set beta=0.01", {"g.csv": ring(30)}
    ),
    "config missing": Row(
        "evaluate g.csv --model katz --config c.toml",
        "no such file",
        "check the name and the folder",
        {"g.csv": ring(30)},
        "c.toml",
    ),
    "config not TOML": Row(
        "evaluate g.csv --model katz --config c.toml",
        "not valid TOML",
        "line 1",
        {"g.csv": ring(30), "c.toml": "beta: 1"},
        "c.toml",
    ),
    "config not YAML": Row(
        "evaluate g.csv --model katz --config c.yaml",
        "not valid YAML",
        "",
        {"g.csv": ring(30), "c.yaml": "a: 1\nb: ["},
        "c.yaml",
        2,
    ),
    "config of no settings": Row(
        "evaluate g.csv --model katz --config c.yaml",
        "expected settings by name",
        "`beta = 0.01`",
        {"g.csv": ring(30), "c.yaml": "- 1"},
        "c.yaml",
    ),
    "config of an unknown setting": Row(
        "evaluate g.csv --model katz --config c.toml",
        "unknown katz setting 'bta'",
        "did you mean 'beta'",
        {"g.csv": ring(30), "c.toml": "bta = 1"},
    ),
    "config of an unknown setting in a group": Row(
        "evaluate g.csv --model local-2wl --config c.toml",
        "unknown local-2wl setting 'training.learning_rat'",
        "did you mean 'training.learning_rate'",
        {"g.csv": ring(30), "c.toml": "[training]\nlearning_rat = 1"},
    ),
    "unknown setting in a group": Row(
        "evaluate g.csv --model local-2fwl --set encoder.chanels=8",
        "unknown local-2fwl setting 'encoder.chanels'",
        "did you mean 'encoder.channels'",
        {"g.csv": ring(30)},
    ),
    "bad value in a group": Row(
        "evaluate g.csv --model 2wl --set training.max_steps=0",
        "'training.max_steps' must be greater than or equal to 1",
        "got '0'",
        {"g.csv": ring(30)},
    ),
    "a group without a setting": Row(
        "evaluate g.csv --model 2wl --set encoder=8",
        "'encoder' is a group of settings and takes no value",
        "as in encoder.channels",
        {"g.csv": ring(30)},
    ),
    "settings that were never tuned": Row(
        "evaluate g.csv --model 2wl --config tuned",
        "--config tuned: the package has no such settings of 2wl for g.csv",
        "omit --config to use the defaults, or name a file",
        {"g.csv": ring(30)},
    ),
    # converted graphs
    "a folder that is not empty to convert to": Row(
        "convert g.csv full",
        "full: this is not an empty folder",
        "choose another name",
        {"g.csv": ring(30), "full/a": "b"},
    ),
    "a list of arrays that is damaged": Row(
        "inspect graph",
        "the list of its arrays is damaged",
        "convert the graph again",
        {"graph/graph.json": '{"format": "linkwl mapped graph 1", "arrays": 3}'},
        "graph/graph.json",
    ),
    "a part of a Parquet folder that is damaged": Row(
        "inspect parts", "not a readable Parquet file", "write it again", {"parts/a.parquet": "PAR1"}, "parts/a.parquet"
    ),
    # tuning
    "unknown sampler": Row(
        "tune g.csv --model mf --sampler tpee --out s",
        "unknown sampler 'tpee'",
        "did you mean 'tpe'",
        {"g.csv": ring(30)},
    ),
    "a database of another kind for a study": Row(
        "tune g.csv --model mf --storage mysql://me@host/x --out s",
        "--storage mysql://...: expected a file",
        "sqlite:///FILE or postgresql://",
        {"g.csv": ring(30)},
    ),
    "a text file as the storage of a study": Row(
        "tune g.csv --model mf --storage notes.txt --out s",
        "--storage notes.txt: this is not a readable storage of studies",
        "name another, or a new one",
        {"g.csv": ring(30), "notes.txt": "a,b\nc,d\n"},
    ),
    # training
    "settings of several models": Row(
        f"{TRAIN} --model auto --set beta=1",
        "compares models with their default settings",
        "name one",
        {"g.csv": ring(30)},
    ),
    "unknown model to train": Row(
        f"{TRAIN} --model 2flw", "unknown model '2flw'", "did you mean '2fwl'", {"g.csv": ring(30)}
    ),
    "two models to train": Row(
        f"{TRAIN} --model 2wl,2fwl", "--model 2wl,2fwl: one model is trained at a time", "name one", {"g.csv": ring(30)}
    ),
    "missing file to train on": Row("train h.csv --model 2wl --out m", "no such file", "check the name", {}, "h.csv"),
    "too long a name for a model": Row(
        f"train g.csv --model 2wl --out {'x' * 300}",
        "cannot be written",
        "choose another place",
        {"g.csv": ring(30)},
        "x" * 300,
    ),
    "too few edges to train on": Row(
        f"{TRAIN} --model 2wl", "10 edges are too few to split", "at least 20 are needed", {"g.csv": ring(10)}
    ),
    "too dense to train on": Row(
        f"{TRAIN} --model 2wl", "the graph is too dense", "remove edges or add nodes", {"g.csv": COMPLETE}
    ),
    "too dense for the negatives of a step": Row(
        f"{TRAIN} --model 2wl --set training.batch_ratio=1 --set training.negatives_per_positive=2",
        "pairs are neither edges nor held out",
        "lower 'training.batch_ratio'",
        {"g.csv": ring(14, 3)},
    ),
    "a folder with a model": Row(
        "train g.csv --model 2wl --out .",
        "this folder already holds a trained model",
        "choose another folder",
        {"g.csv": ring(30), "model.safetensors": "x"},
        ".",
    ),
    "a folder with an unfinished run": Row(
        "train g.csv --model 2wl --out .",
        "this folder holds an unfinished run",
        "continue it with --resume, or choose another folder",
        {"g.csv": ring(30), "checkpoint.safetensors": "x"},
        ".",
    ),
    "a damaged checkpoint": Row(
        "train g.csv --model 2wl --out . --resume",
        "not a readable safetensors file",
        "it is damaged or something else",
        {"g.csv": ring(30), "checkpoint.safetensors": "x" * 100},
        "checkpoint.safetensors",
    ),
    "a model without its record": Row(
        "train g.csv --model 2wl --out . --resume",
        "no such file",
        "check the name",
        {"g.csv": ring(30), "model.safetensors": "x"},
        "record.json",
    ),
    "a model into a file": Row(
        "train g.csv --model 2wl --out g.csv", "cannot be written", "choose another place", {"g.csv": ring(30)}, "g.csv"
    ),
    # Weisfeiler-Lehman tests: links
    "link from a node to itself": Row(
        "wl compare g.csv --link 1 1 --link 0 2",
        "link (1, 1) joins a node to itself",
        "two different ends",
        {"g.csv": PATH},
    ),
    "unknown node in a link": Row(
        "wl compare g.csv --link ann bob --link ann dan",
        "unknown node 'dan'",
        "did you mean 'ann'",
        {"g.csv": "ann,bob\nbob,cid\n"},
        "g.csv",
    ),
    "unknown node in the second graph": Row(
        "wl compare g.csv --link 0 1 h.csv --link 0 7",
        "unknown node '7'",
        "known are 0, 1",
        {"g.csv": PATH, "h.csv": "0,1\n"},
        "h.csv",
    ),
    "no link": Row("wl compare g.csv", "expected two links, got 0", "give --link twice", {"g.csv": PATH}),
    "one link": Row("wl compare g.csv --link 0 1", "expected two links, got 1", "give --link twice", {"g.csv": PATH}),
    "three links": Row(
        f"{COMPARE} --link 1 2", "expected two links, got 3", "as in `--link 0 2 --link 0 3`", {"g.csv": PATH}
    ),
    "link with one end": Row(
        "wl compare g.csv --link 0 1 --link 2",
        "`--link 2 --json` does not name two nodes",
        "a link has two ends, as in `--link 3 7`",
        {"g.csv": PATH},
    ),
    # graphs and names
    "directed graph, compared": Row(
        "wl compare g.graphml --link a b --link b a",
        "the graph is directed",
        "--undirected",
        {"g.graphml": DIRECTED},
        "g.graphml",
    ),
    "directed graph, refined": Row(
        "wl refine g.graphml --test 2-wl", "the graph is directed", "--undirected", {"g.graphml": DIRECTED}, "g.graphml"
    ),
    "unknown graph": Row("wl refine shrikande --test 1-wl", "unknown graph", "did you mean 'shrikhande'", {}),
    "graph of no near name": Row("wl refine qqqq --test 1-wl", "unknown graph 'qqqq'", "`linkwl wl --help`", {}),
    "missing second graph": Row(BOTH, "no such file", "check the name", {"g.csv": PATH}, "h.csv"),
    "unknown test": Row("wl refine g.csv --test 2wl", "unknown test '2wl'", "did you mean '2-wl'", {"g.csv": PATH}),
    "unknown test among others": Row(
        f"{COMPARE} --tests 1-wl,2-flw", "unknown test '2-flw'", "did you mean '2-fwl'", {"g.csv": PATH}
    ),
    "no test": Row(f"{COMPARE} --tests ,", "no test named", "choose from 1-wl, local-2-wl", {"g.csv": PATH}),
    "two tests at once": Row("wl refine g.csv --test 1-wl,2-wl", "by one test at a time", "name one", {"g.csv": PATH}),
    "unknown reading": Row(
        f"{COMPARE} --reading hidden", "unknown reading 'hidden'", "removed, masked, visible", {"g.csv": PATH}
    ),
    "unknown engine": Row(f"{COMPARE} --engine quick", "unknown engine 'quick'", "fast, exact", {"g.csv": PATH}),
    "unknown engine, refined": Row(
        f"{REFINE} --engine exakt", "unknown engine 'exakt'", "did you mean 'exact'", {"g.csv": PATH}
    ),
    "a proof that does not exist": Row(
        "wl refine g.csv --test 1-wl+01 --verify", "no proof for 1-wl+01", "use --engine exact", {"g.csv": PATH}
    ),
    # node labels
    "labels for one of two graphs": Row(
        f"{BOTH} --labels l.csv",
        "1 file of labels is given for 2 graphs",
        "`--labels A.csv --labels B.csv`",
        {"g.csv": PATH, "h.csv": PATH, "l.csv": "0,x\n1,x\n2,y\n"},
    ),
    "labels twice for one graph": Row(
        f"{COMPARE} --labels l.csv --labels l.csv",
        "2 files of labels are given for 1 graph",
        "`--labels A.csv`",
        {"g.csv": PATH, "l.csv": "0,x\n1,x\n2,y\n"},
    ),
    "missing labels": Row(LABELLED, "no such file", "check the name", {"g.csv": PATH}, "l.csv"),
    "a node without a label": Row(
        LABELLED,
        "1 of 3 nodes have no label, the first is 1",
        "add a row for each",
        {"g.csv": PATH, "l.csv": "node,label\n0,x\n2,x\n"},
        "l.csv",
    ),
    "a label left over": Row(
        LABELLED,
        "1 rows are left over, the first for node '7'",
        "remove them",
        {"g.csv": PATH, "l.csv": "node,label\n0,x\n1,x\n7,x\n2,x\n"},
        "l.csv",
        4,
    ),
    "a node with two labels": Row(
        LABELLED,
        "node '1' has a second label",
        "keep one",
        {"g.csv": PATH, "l.csv": "node,label\n0,x\n1,x\n1,y\n2,x\n"},
        "l.csv",
        4,
    ),
    "an empty label": Row(
        LABELLED,
        "the label of node '1' is empty",
        "write one, such as `none`",
        {"g.csv": PATH, "l.csv": "node,label\n0,x\n1,\n2,x\n"},
        "l.csv",
        3,
    ),
    "labels of another graph": Row(
        LABELLED,
        "none of its node ids is in the graph",
        "the labels of another graph",
        {"g.csv": PATH, "l.csv": "ann,x\nbob,x\n"},
        "l.csv",
    ),
    "columns that could be labels": Row(
        LABELLED,
        "3 columns, and nothing says which one holds the labels",
        "name it `label` in a header",
        {"g.csv": PATH, "l.csv": "0,x,1\n1,x,2\n2,y,3\n"},
        "l.csv",
        1,
    ),
    "labels as an array": Row(
        f"{REFINE} --labels l.npy",
        "labels are not read from a .npy file",
        "write CSV or Parquet with columns `node` and `label`",
        {"g.csv": PATH, "l.npy": npy(np.arange(3))},
        "l.npy",
    ),
    # memory and size
    "too little memory for 2-fwl": Row(
        "wl refine g.csv --test 2-fwl --memory-limit 0.001",
        "2-fwl on 165 nodes takes about",
        "use local-2-fwl",
        {"g.csv": ring(165)},
    ),
    "too little memory for local-2-fwl": Row(
        "wl refine g.csv --test local-2-fwl --memory-limit 0.001",
        "local-2-fwl on 400 nodes takes about",
        "use local-2-wl or 2-wl",
        {"g.csv": ring(400)},
    ),
    "too little memory to compare": Row(
        f"{COMPARE} --memory-limit 0.001",
        "and 1.0 MB is the limit",
        "Choose the tests to run with --tests",
        {"g.csv": ring(400)},
    ),
    "no memory": Row(f"{REFINE} --memory-limit 0", "--memory-limit 0", "gigabytes above 0", {"g.csv": PATH}),
    "more rows than anyone would read": Row(
        "wl refine g.csv --test 2-wl --out c.csv",
        "more than 50,000,000",
        "write the colours of its nodes with --test 1-wl",
        {"g.csv": ring(7_100)},
    ),
    "graphs of one node": Row("wl table --max-nodes 1", "up to 1 nodes", "from 2 to 8", {}),
    "far too many graphs": Row("wl table --max-nodes 99", "up to 99 nodes", "from 2 to 8", {}),
    # where to write
    "colours into a missing folder": Row(
        f"{REFINE} --out no/c.csv", "there is no folder no", "choose another place", {"g.csv": PATH}, "no/c.csv"
    ),
    "colours over an input": Row(
        f"{REFINE} --out g.csv", "it is an input", "choose another place", {"g.csv": PATH}, "g.csv"
    ),
    "colours and JSON in one file": Row(
        f"{REFINE} --out out.json", "--out and --json both name out.json", "give two files", {"g.csv": PATH}
    ),
    "colours in another format": Row(
        f"{REFINE} --out colours.xlsx", "written as CSV or Parquet", "end the name in", {"g.csv": PATH}, "colours.xlsx"
    ),
    "too little memory for the proof": Row(
        "wl refine gadget36-twisted --test local-2-fwl --verify --memory-limit 0.00006",
        "the proof for 1296 pairs takes about 82.9 kB",
        "skip the proof",
        {},
    ),
    "tables and JSON in one file": Row(
        "wl table --markdown out.json", "--markdown and --json both name out.json", "give two files", {}
    ),
    "figures into a file": Row(
        "wl figures --out g.csv", "cannot be written", "choose another place", {"g.csv": PATH}, "g.csv"
    ),
    # the paper's tables
    "table without its dataset": Row(
        "bench table1 --datasets cora", "unknown dataset of table1: 'cora'", "Known: usair, ns, pb", {}
    ),
    "table of no dataset": Row("bench table2 --datasets ,", "no dataset of table2 named", "choose from cora", {}),
    "table without its model": Row(
        "bench table1 --models local2fwl", "unknown model 'local2fwl'", "did you mean 'local-2fwl'", {}
    ),
    "table of unknown settings": Row(
        "bench table1 --settings tunde", "unknown kind of settings 'tunde'", "did you mean 'tuned'", {}
    ),
    "table of no seeds": Row("bench table1 --seeds 0", "--seeds 0", "an integer of at least 1", {}),
    "table by no process": Row("bench table2 --jobs 0", "--jobs 0", "an integer of at least 1", {}),
    "table by an unknown engine": Row("bench table1 --engine dask", "unknown engine 'dask'", "inline, processes:N", {}),
    "table by a cluster without an address": Row(
        "bench table1 --engine ray:head", "engine 'ray:head'", "expected the address of a Ray cluster", {}
    ),
    "table by half a process": Row(
        "bench table1 --engine processes:0.5", "engine 'processes:0.5'", "an integer N of at least 1", {}
    ),
    "table by two engines": Row("bench table1 --engine inline --jobs 2", "--jobs and --engine", "give one of them", {}),
    "table without records": Row(
        "bench table1 --draw-only --out none",
        "there is no record of table1",
        "run `linkwl bench table1` first",
        {},
        "none/table1",
    ),
    "table into a file": Row(
        "bench table1 --out g.csv", "cannot be written", "choose another place", {"g.csv": PATH}, "g.csv"
    ),
    "times of no runs": Row("bench time --runs 0", "--runs 0", "of at least 1", {}),
    "times of no splits": Row("bench time --seeds 0", "--seeds 0", "of at least 1", {}),
    "times of another dataset": Row(
        "bench time --datasets coar", "unknown dataset of time: 'coar'", "did you mean 'cora'", {}
    ),
    "times without records": Row(
        "bench time --draw-only --out none",
        "there is no record of times",
        "run `linkwl bench time` first",
        {},
        "none/time.jsonl",
    ),
    "times into a file": Row(
        "bench time --out g.csv", "cannot be written", "choose another place", {"g.csv": PATH}, "g.csv"
    ),
}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def linkwl(folder, monkeypatch, capsys) -> Iterator[Callable[..., Outcome]]:
    """The command line, in this process: a new one would cost a second for each row."""

    def call(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["linkwl", *arguments])
        with pytest.raises(SystemExit) as caught:
            run()
        return Outcome(caught.value.code or 0, *capsys.readouterr())

    return call


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def sentence(stderr: str) -> str:
    """The one line that is all there is to read."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    assert len(lines) == 1, stderr
    assert lines[0].startswith("error: "), stderr
    return lines[0].removeprefix("error: ")


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_bad_input(linkwl, folder, row):
    write(folder, row.files)
    outcome = linkwl(*row.command.split(), "--json", "out.json")
    assert outcome.code == 2
    assert outcome.stdout == ""
    message = sentence(outcome.stderr)
    place = f"{row.names}, line {row.line}: " if row.line else f"{row.names}: " if row.names else ""
    assert message.startswith(place)
    assert row.says in message
    assert row.remedy in message
    assert {path.name for path in folder.iterdir()} == {Path(name).parts[0] for name in row.files}


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("no/where/out.json", "there is no folder no/where"),
        ("g.csv/out.json", "there is no folder g.csv"),
        (".", "it is a folder"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        "inspect g.csv",
        "audit g.csv",
        "evaluate g.csv --model cn",
        "train g.csv --model 2wl --out m",
        "doctor",
        "datasets list",
        COMPARE,
        REFINE,
        "wl table",
        "wl figures --out figures",
    ],
)
def test_unwritable_output_is_refused_before_the_work(linkwl, folder, command, target, reason):
    write(folder, {"g.csv": ring(30)})
    outcome = linkwl(*command.split(), "--json", target)
    assert outcome.code == 2
    message = sentence(outcome.stderr)
    assert message.startswith(f"{target}: cannot be written ({reason}); choose another place")
    assert [path.name for path in folder.iterdir()] == ["g.csv"]
    assert (folder / "g.csv").read_text() == ring(30)


@pytest.mark.parametrize(
    "command",
    [
        "inspect g.csv",
        "audit g.csv",
        "evaluate g.csv --model cn",
        "train g.csv --model 2wl --out m",
        COMPARE,
        REFINE,
    ],
)
def test_the_input_is_not_overwritten(linkwl, folder, command):
    write(folder, {"g.csv": ring(30)})
    outcome = linkwl(*command.split(), "--json", "./g.csv")
    assert outcome.code == 2
    assert "g.csv: cannot be written (it is an input)" in sentence(outcome.stderr)
    assert (folder / "g.csv").read_text() == ring(30)


def test_names_that_are_too_long(linkwl, folder):
    write(folder, {"g.csv": ring(30)})
    long = "a" * 300
    for arguments in (("inspect", long), ("inspect", f"{long}.csv"), ("inspect", "g.csv", "--json", long)):
        outcome = linkwl(*arguments)
        assert outcome.code == 2
        sentence(outcome.stderr)


@pytest.mark.thorough
def test_a_closed_standard_output(folder):
    write(folder, {"g.csv": ring(30)})
    command = f"{Path(sys.executable).parent / 'linkwl'} inspect g.csv --json - >&-"
    outcome = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert outcome.returncode == 2
    assert "standard output: cannot be written (it is closed)" in outcome.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_forbidden_output(linkwl, folder):
    write(folder, {"g.csv": ring(30)})
    (folder / "locked").mkdir(mode=0o500)
    outcome = linkwl("inspect", "g.csv", "--json", "locked/out.json")
    assert outcome.code == 2
    assert "no permission" in sentence(outcome.stderr)


def test_a_folder_that_cannot_be_made(linkwl, folder):
    write(folder, {"g.csv": ring(30), "file": ""})
    outcome = linkwl("audit", "g.csv", "--out", "file/parts")
    assert outcome.code == 2
    assert outcome.stderr.splitlines()[-1].startswith("error: file/parts: cannot be written (not a directory)")
    assert {path.name for path in folder.iterdir()} == {"g.csv", "file"}


full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")


@full_disk
@pytest.mark.parametrize("command", ["inspect g.csv", "evaluate g.csv --model cn --seeds 1"])
def test_full_disk(linkwl, folder, command):
    write(folder, {"g.csv": ring(30)})
    outcome = linkwl(*command.split(), "--json", "/dev/full")
    assert outcome.code == 2
    last = outcome.stderr.splitlines()[-1]
    assert last.startswith("error: /dev/full: cannot be written (no space left on device); choose another place")
    assert "Traceback" not in outcome.stderr


@pytest.mark.thorough
@full_disk
def test_full_disk_behind_standard_output(folder):
    write(folder, {"g.csv": ring(30)})
    command = [sys.executable, "-m", "linkwl", "inspect", "g.csv", "--json", "-"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        "error: standard output: cannot be written (no space left on device)"
    )
    assert "Traceback" not in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["missing file", "ragged line", "unknown model"])
def test_the_installed_command_does_the_same(folder, name):
    row = ROWS[name]
    write(folder, row.files)
    command = [str(Path(sys.executable).with_name("linkwl")), *row.command.split(), "--json", "out.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert row.says in sentence(done.stderr)
    assert {path.name for path in folder.iterdir()} == set(row.files)


class TestAccepted:
    """What looks bad and is not."""

    @pytest.fixture
    def inspect(self, linkwl, folder):
        def inspect(content: str | bytes, *options: str) -> dict:
            write(folder, {"g.csv": content})
            outcome = linkwl("inspect", "g.csv", *options, "--json", "-")
            assert outcome.code == 0
            return json.loads(outcome.stdout)

        return inspect

    @pytest.mark.parametrize("text", ["a,b\nb,c\n", "source,target\na,b\nb,c\n"])
    def test_a_byte_order_mark(self, inspect, text):
        with_mark, without = inspect(text.encode("utf-8-sig")), inspect(text)
        assert with_mark == without
        assert (with_mark["nodes"], with_mark["edges"]) == (3, 2)

    def test_loops_and_duplicates_are_merged_and_counted(self, inspect):
        found = inspect("a,b\na,b\nb,a\nb,a\na,a\nb,c\nd,d\n")
        assert (found["nodes"], found["edges"], found["isolated_nodes"]) == (4, 2, 1)
        counts = {key: found["intake"][key] for key in ("rows", "self_loops", "duplicates", "reversed_duplicates")}
        assert counts == {"rows": 7, "self_loops": 2, "duplicates": 2, "reversed_duplicates": 1}
        directed = inspect("a,b\na,b\nb,a\nb,a\na,a\nb,c\nd,d\n", "--directed")
        assert (directed["edges"], directed["intake"]["reversed_duplicates"]) == (3, 0)

    def test_the_counts_are_told_to_people_too(self, linkwl, folder):
        write(folder, {"g.csv": "a,b\nb,a\na,b\na,a\n"})
        outcome = linkwl("inspect", "g.csv")
        assert outcome.stdout == ""
        assert "1 self-loops (their nodes stay)" in outcome.stderr
        assert "1 repeated rows, 1 edges listed both ways" in outcome.stderr

    def test_an_old_result_is_replaced_only_by_a_whole_one(self, linkwl, folder):
        write(folder, {"g.csv": "1,2\n3\n", "out.json": "old"})
        assert linkwl("inspect", "g.csv", "--json", "out.json").code == 2
        assert (folder / "out.json").read_text() == "old"
        write(folder, {"g.csv": "1,2\n"})
        assert linkwl("inspect", "g.csv", "--json", "out.json").code == 0
        assert json.loads((folder / "out.json").read_text())["edges"] == 1
        assert {path.name for path in folder.iterdir()} == {"g.csv", "out.json"}
