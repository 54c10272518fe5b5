from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph import load_graph
from linkwl.graph.readers import read_graph
from linkwl.graph.reading import Reading

CLUB = nx.karate_club_graph()
MATRIX = nx.to_scipy_sparse_array(CLUB, weight=None)


@pytest.mark.parametrize(
    "net", [sp.csc_array(MATRIX), MATRIX.toarray(), MATRIX.toarray() > 0, MATRIX.astype("u1").toarray()]
)
@pytest.mark.parametrize("options", [{}, {"do_compression": True}, {"format": "4"}])
def test_dense_and_sparse_matrices(tmp_path, net, options):
    if options.get("format") == "4":
        net = net.astype(float)
    scipy.io.savemat(tmp_path / "club.mat", {"net": net, "other": np.ones((2, 3))}, **options)
    graph = read_graph(tmp_path / "club.mat")
    assert graph.digest == load_graph(CLUB).digest
    assert (graph.name, graph.intake.form, graph.intake.reversed_duplicates) == ("club", "MATLAB matrix", 78)


def test_direction(tmp_path):
    scipy.io.savemat(tmp_path / "a.mat", {"net": np.eye(3, k=-1)})
    assert read_graph(tmp_path / "a.mat", reading=Reading(directed=True)).edges.tolist() == [[1, 0], [2, 1]]


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"net": np.ones((2, 3))}, "must be square, this one is 2 x 3"),
        ({"net": np.ones((2, 2, 2))}, "must be square, this one is 2 x 2 x 2"),
        ({"net": "text"}, "must be square"),
        ({"Net": np.ones((2, 2)), "b": 1}, "expected the matrix in a variable `net`, found: Net, b"),
        ({}, "found: none"),
        ({"net": {"field": 1}}, "must hold numbers"),
        ({"net": np.array([[1, "a"], ["b", 2]], dtype=object)}, "must hold numbers"),
        ({"net": np.eye(3) * 1j}, "must hold numbers"),
        ({"net": np.full((3, 3), np.nan)}, "NaN or infinite"),
    ],
)
def test_what_is_refused(tmp_path, variables, words):
    scipy.io.savemat(tmp_path / "a.mat", variables)
    with pytest.raises(InputError, match=words):
        read_graph(tmp_path / "a.mat")


def test_files_that_are_none(tmp_path):
    path = tmp_path / "a.mat"
    scipy.io.savemat(path, {"net": np.random.default_rng(0).random((50, 50))}, do_compression=True)
    content = path.read_bytes()
    hdf5 = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\0\2IM" + b"\0" * 384 + b"\x89HDF\r\n\x1a\n"
    for bad, words in (
        (b"1,2\n2,3\n", "not a readable MATLAB file"),
        (content[:-1000], "not a readable MATLAB file"),
        (hdf5, "MATLAB 7.3 files are not read; save it again with `save -v7`"),
    ):
        path.write_bytes(bad)
        with pytest.raises(InputError, match=words):
            read_graph(path)
