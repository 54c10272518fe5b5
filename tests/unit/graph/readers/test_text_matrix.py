from __future__ import annotations

import numpy as np
import pytest

from linkwl import InputError, MemoryLimitError, load_graph

RING = np.roll(np.eye(6, dtype=int), 1, axis=0) + np.roll(np.eye(6, dtype=int), -1, axis=0)


def text(matrix, separator=",") -> str:
    return "\n".join(separator.join(map(str, row)) for row in matrix) + "\n"


@pytest.fixture
def read(tmp_path):
    def read(content: str, **options):
        (tmp_path / "m.txt").write_text(content)
        return load_graph(tmp_path / "m.txt", **options)

    return read


@pytest.mark.parametrize("separator", [",", "\t", " ", ";", "   "])
def test_separators(read, separator):
    graph = read(text(RING, separator))
    assert (graph.num_nodes, graph.num_edges) == (6, 6)
    assert graph.intake.form.startswith("a matrix in ")


@pytest.mark.parametrize(
    "content",
    [
        "1 2 5\n2 3 4\n3 1 2\n",  # edges with weights
        "1,2,3,4,5\n2,3,4,5,6\n3,4,5,6,7\n4,5,6,7,8\n",  # a row is missing
        "source,target,weight\n0,1,1\n1,2,1\n1,0,1\n",
        "1,2\n2,1\n",
    ],
)
def test_other_tables(read, content):
    assert "matrix" not in read(content).intake.form


def test_a_matrix_can_be_read_as_edges(read):
    assert read(text(RING), source=1, target=2).num_nodes == 2


def test_a_bad_cell(read):
    header = "," + ",".join("abcdef") + "\n"
    rows = [f"{name}," + ",".join(map(str, row)) for name, row in zip("abcdef", RING, strict=True)]
    good = header + "\n".join(rows)
    assert list(read(good).ids) == list("abcdef")
    with pytest.raises(InputError, match="matrix holds NaN"):
        read(good.replace("f,1", "f,nan"))


def test_a_cell_that_is_no_number_deep_inside(read):
    big = np.zeros((300, 300), dtype=int)
    big[0, 1] = big[1, 0] = 1
    rows = text(big).splitlines()
    rows[299] = rows[299].replace("0", "x", 1)
    with pytest.raises(InputError, match="'x' is not a number") as caught:
        read("\n".join(rows))
    assert caught.value.line == 300


def test_memory_is_checked_first(read, monkeypatch):
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 200)
    with pytest.raises(MemoryLimitError, match="a matrix of 6 rows and 6 columns takes about"):
        read(text(RING))
