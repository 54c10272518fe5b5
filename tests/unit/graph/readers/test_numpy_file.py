from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph import load_graph
from linkwl.graph.readers import read_graph
from linkwl.graph.readers.numpy_file import load_dense, load_sparse

CLUB = nx.karate_club_graph()
MATRIX = nx.to_scipy_sparse_array(CLUB, weight=None)


@pytest.mark.parametrize("form", ["bsr", "coo", "csc", "csr", "dia"])
def test_sparse_matrices(tmp_path, form):
    sp.save_npz(tmp_path / "a.npz", MATRIX.asformat(form))
    graph = read_graph(tmp_path / "a.npz")
    assert graph.digest == load_graph(CLUB).digest
    assert graph.intake.form == "SciPy sparse matrix"


@pytest.mark.parametrize("dtype", ["i2", ">i8", "u4"])
def test_arrays_of_pairs(tmp_path, dtype):
    edges = np.array(CLUB.edges, dtype=dtype)
    for array in (edges, np.asfortranarray(edges)):
        np.save(tmp_path / "a.npy", array)
        assert read_graph(tmp_path / "a.npy").digest == load_graph(CLUB).digest


def test_arrays_of_names(tmp_path):
    np.save(tmp_path / "a.npy", np.array([("ann", "bob"), ("bob", "cid")]))
    assert list(read_graph(tmp_path / "a.npy").ids) == ["ann", "bob", "cid"]
    for dtype, order in ((">U3", "C"), ("<U3", "F")):
        np.save(tmp_path / "a.npy", np.array([("ann", "bob"), ("bob", "cid")], dtype=dtype, order=order))
        assert list(read_graph(tmp_path / "a.npy").ids) == ["ann", "bob", "cid"]
    np.save(tmp_path / "a.npy", np.array([("ann", "b\ud800")]))
    with pytest.raises(InputError, match="half a character"):
        read_graph(tmp_path / "a.npy")


def test_a_square_array_is_a_matrix(tmp_path):
    np.save(tmp_path / "a.npy", MATRIX.toarray())
    assert read_graph(tmp_path / "a.npy").digest == load_graph(CLUB).digest


class Trap:
    """Pickled, it would make a file when it is loaded."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_pickles_are_refused_and_not_run(tmp_path):
    trap = np.array([[Trap(tmp_path / "sprung"), 1]], dtype=object)
    np.save(tmp_path / "a.npy", trap, allow_pickle=True)
    np.savez(tmp_path / "a.npz", format=trap, data=trap, row=trap, col=trap, shape=trap)
    for name, words in (("a.npy", "not a numeric array"), ("a.npz", "not a sparse matrix")):
        with pytest.raises(InputError, match=words):
            read_graph(tmp_path / name)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    "parts",
    [
        {"indices": [7, 1], "indptr": [0, 1, 2, 2]},
        {"indices": [-1, 1], "indptr": [0, 1, 2, 2]},
        {"indices": [0, 1], "indptr": [0, 2, 1, 2]},
        {"indices": [0, 1], "indptr": [0, 1]},
        {"indices": [0, 1], "indptr": [0, 1, 2, 5]},
    ],
)
def test_indices_that_point_nowhere_are_refused(tmp_path, parts):
    arrays = {key: np.array(value) for key, value in parts.items()}
    np.savez(tmp_path / "a.npz", format=b"csr", shape=np.array([3, 3]), data=np.ones(2), **arrays)
    with pytest.raises(InputError, match="not a sparse matrix written by `scipy.sparse.save_npz`"):
        read_graph(tmp_path / "a.npz")
    np.savez(tmp_path / "a.npz", format=b"coo", shape=np.array([3, 3]), data=np.ones(1), row=[5], col=[0])
    with pytest.raises(InputError, match="not a sparse matrix"):
        load_sparse(tmp_path / "a.npz")


@pytest.mark.parametrize("name", ["a.npy", "a.npz"])
@pytest.mark.parametrize("content", [b"1,2\n", b"\x93NUMPY\x01\x00\x10\x00{broken", b"PK\x03\x04broken"])
def test_other_files(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match="written by"):
        read_graph(tmp_path / name)


def test_an_npz_of_arrays_is_no_sparse_matrix(tmp_path):
    np.savez(tmp_path / "a.npz", edges=np.array(CLUB.edges))
    with pytest.raises(InputError, match="not a sparse matrix"):
        read_graph(tmp_path / "a.npz")
    (tmp_path / "a.npz").rename(tmp_path / "a.npy")
    with pytest.raises(InputError, match="not a numeric array"):
        read_graph(tmp_path / "a.npy")


def test_a_matrix_that_is_not_square(tmp_path):
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(np.ones((2, 3))))
    with pytest.raises(InputError, match="this one is 2 x 3"):
        read_graph(tmp_path / "a.npz")


def test_a_truncated_array(tmp_path):
    np.save(tmp_path / "a.npy", np.array(CLUB.edges))
    path = tmp_path / "b.npy"
    path.write_bytes((tmp_path / "a.npy").read_bytes()[:-50])
    with pytest.raises(InputError, match="not a numeric array"):
        load_dense(path)
