from __future__ import annotations

import os
import pickle
from collections import OrderedDict, defaultdict

import numpy as np
import pytest

from linkwl.datasets.unpickle import unpickle
from linkwl.errors import InputError


class Calls:
    """Pickles as a call of ``function(*arguments)`` at load time."""

    def __init__(self, function, *arguments):
        self.function, self.arguments = function, arguments

    def __reduce__(self):
        return self.function, self.arguments


def by_name(name, argument):
    """A protocol 2 pickle that calls ``module name`` with one text."""
    return b"\x80\x02c" + name.replace(" ", "\n").encode() + b"\nU" + bytes([len(argument)]) + argument + b"\x85R."


@pytest.mark.parametrize("protocol", [0, 2, 5])
@pytest.mark.parametrize("kind", ["system", "eval", "open"])
def test_code_is_refused_and_not_run(tmp_path, kind, protocol):
    trace = tmp_path / "trace"
    bomb = {
        "system": Calls(os.system, f"touch {trace}"),
        "eval": Calls(eval, f"open({str(trace)!r}, 'w').close()"),
        "open": Calls(open, str(trace), "w"),
    }[kind]
    path = tmp_path / "ind.cora.graph"
    path.write_bytes(pickle.dumps([bomb], protocol=protocol))
    with pytest.raises(InputError, match="asks for .* which no Planetoid file needs"):
        unpickle(path)
    assert not trace.exists()


@pytest.mark.parametrize(
    "name",
    [
        "__builtin__ eval",
        "builtins eval",
        "builtins list",
        "numpy.core.multiarray scalar",
        "numpy.core.multiarray fromfile",
        "numpy._core.multiarray _reconstruct",
        "numpy load",
        "collections OrderedDict",
        "scipy.sparse.csr csc_matrix",
        "posix system",
    ],
)
def test_names_beside_the_six_are_refused(tmp_path, name):
    path = tmp_path / "ind.cora.graph"
    path.write_bytes(by_name(name, b"1"))
    with pytest.raises(InputError, match=name.replace(" ", r"\.")):
        unpickle(path)


def test_dotted_names_do_not_reach_through(tmp_path):
    path = tmp_path / "ind.cora.graph"
    path.write_bytes(b"\x80\x04\x8c\x0bcollections\x8c\x20defaultdict.__init__.__globals__\x93.")
    with pytest.raises(InputError, match="defaultdict.__init__"):
        unpickle(path)


def test_subclasses_of_plain_data_are_refused(tmp_path):
    path = tmp_path / "ind.cora.graph"
    path.write_bytes(pickle.dumps(OrderedDict(a=1), protocol=2))
    with pytest.raises(InputError):
        unpickle(path)


def test_neighbour_lists_are_read(tmp_path):
    path = tmp_path / "ind.cora.graph"
    path.write_bytes(pickle.dumps(defaultdict(list, {0: [1, 1], 1: [0]}), protocol=2))
    # Python 3 writes the old module names when the protocol is below 3, as Python 2 did.
    assert unpickle(path) == {0: [1, 1], 1: [0]}


def test_matrices_are_read(tmp_path, benchmark_data):
    matrix = unpickle(benchmark_data / "planetoid" / "ind.cora.tx")
    assert matrix.shape == (1000, 1433) and matrix.dtype == np.float32
    assert set(matrix.data) == {1.0}
