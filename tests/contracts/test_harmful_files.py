"""Small files that would take all memory or time, or end the process: each is read, or refused in one sentence."""

from __future__ import annotations

import gzip
import io
import os
import random
import sys
import zipfile
from pathlib import Path
from xml.parsers import expat

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.io
import scipy.sparse as sp

from linkwl import InputError, MemoryLimitError, limit_memory, load_graph
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.features import read_features
from linkwl.memory import VARIABLE, _used

linux = pytest.mark.skipif(sys.platform != "linux", reason="Linux says how much memory is in use")


@pytest.fixture
def little_memory(monkeypatch):
    """The process may take another 200 MB."""
    monkeypatch.setenv(VARIABLE, "1TB")  # restored after the test
    limit_memory(_used("VmRSS") + 200_000_000)


def write_bomb(path: Path, line: bytes, count: int = 64) -> None:
    """A gzip file of ``count`` times 16 MB."""
    member = gzip.compress(line * ((1 << 24) // len(line)))
    path.write_bytes(member * count)


@linux
@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("line", [b"ann,bob\n", b"a", b"   \n"])
def test_a_gzip_file_that_grows_beyond_memory(tmp_path, line):
    path = tmp_path / "g.csv.gz"
    write_bomb(path, line)
    with pytest.raises(MemoryLimitError, match=r"g\.csv\.gz: its text, unpacked, .* that are free; use a part of it"):
        load_graph(path)


def test_binary_content_is_not_unpacked_to_its_end(tmp_path, monkeypatch):
    path = tmp_path / "g.csv.gz"
    write_bomb(path, b"\0", count=16)
    taken = []
    read = gzip.GzipFile.read
    monkeypatch.setattr(gzip.GzipFile, "read", lambda self, size=-1: taken.append(size) or read(self, size))
    with pytest.raises(InputError, match="this is a binary file"):
        load_graph(path)
    assert 0 < sum(taken) <= 1 << 21


def npz(**parts) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **parts)
    return stream.getvalue()


HUGE = np.array([1 << 30, 1 << 30])
ONE = np.ones(1)
EMPTY_MATRICES = {
    "coo": npz(format=b"coo", shape=HUGE, data=ONE, row=np.array([5]), col=np.array([7])),
    "dia": npz(format=b"dia", shape=HUGE, data=np.ones((1, 9)), offsets=np.array([1])),
    "csr without rows": npz(format=b"csr", shape=HUGE, data=ONE, indices=np.array([1]), indptr=np.array([0, 1])),
    "csc": npz(format=b"csc", shape=HUGE, data=ONE, indices=np.array([1]), indptr=np.array([0, 1])),
    "bsr": npz(format=b"bsr", shape=HUGE, data=np.ones((1, 1, 1)), indices=np.array([1]), indptr=np.array([0, 1])),
}


@pytest.mark.parametrize("form", EMPTY_MATRICES)
def test_a_sparse_matrix_of_a_billion_empty_rows(tmp_path, form):
    path = tmp_path / "g.npz"
    path.write_bytes(EMPTY_MATRICES[form])
    assert path.stat().st_size < 2000
    for read in (load_graph, lambda path: read_features(path, NodeIds(3))):
        with pytest.raises(InputError, match=r"g\.npz: the matrix has 1,073,741,824 rows and only \d entries"):
            read(path)


def test_empty_rows_are_no_harm_by_themselves(tmp_path):
    sp.save_npz(tmp_path / "g.npz", sp.coo_array((ONE, ([5], [7])), shape=(100_000, 100_000)))
    graph = load_graph(tmp_path / "g.npz")
    assert (graph.num_nodes, graph.num_edges) == (100_000, 1)


@linux
@pytest.mark.usefixtures("little_memory")
def test_an_archive_that_grows_beyond_memory(tmp_path):
    with zipfile.ZipFile(tmp_path / "g.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("data", "row", "col"):
            archive.writestr(f"{name}.npy", bytes(1 << 26))
    with pytest.raises(MemoryLimitError, match=r"g\.npz: its matrix takes about"):
        load_graph(tmp_path / "g.npz")


def npy(dtype: str, shape: str, content: bytes = b"") -> bytes:
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + content


@pytest.mark.parametrize(
    "content",
    [
        npy("<U0", f"({1 << 40}, 2)"),
        npy("<U0", "(3, 3)"),
        npy("|V0", f"({1 << 62}, 2)"),
        npy("<i8", f"({1 << 40}, 2)", bytes(16)),
        npy("<i8", f"({1 << 70}, {1 << 70})"),
        npy("<i8", "(-1, -2)", bytes(16)),
        npy("<i8", "(1, 2)", bytes(17)),
        npy("<i8", "(" * 50 + ")" * 50),
        npy("|O", "(1, 2)", bytes(16)),
        npy("<U1", "(1, 2)", b"a\0\0\0\0\0\x11\0"),
        npy(">U1", "(1, 2)", b"\0\x11\0\0\0\0\0a"),
    ],
)
def test_an_array_that_is_not_as_large_as_it_says(tmp_path, content):
    path = tmp_path / "g.npy"
    path.write_bytes(content)
    for read in (load_graph, lambda path: read_features(path, NodeIds(3))):
        with pytest.raises(InputError, match="not a numeric array written by `numpy.save`; write it again"):
            read(path)


@linux
@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("is_category", [True, False])
def test_a_table_with_a_long_name_in_every_row(tmp_path, is_category):
    path = tmp_path / "g.parquet"
    names = pa.DictionaryArray.from_arrays(np.zeros(40_000, np.int32), ["x" * 100_000])
    pq.write_table(pa.table({"source": names, "target": range(40_000)}), path, store_schema=is_category)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(MemoryLimitError, match=r"g\.parquet: its table takes about 8\.\d GB"):
        load_graph(path)


def test_long_names_that_fit_are_read(tmp_path, monkeypatch):
    """A chunk of Arrow's texts has at most 2 GB; here the limit is 2 kB."""
    monkeypatch.setattr("linkwl.graph.readers.parquet._LARGEST_CHUNK", 2000)
    names = [f"{k % 7}" * 300 for k in range(100)]
    pq.write_table(pa.table({"source": names, "target": [f"n{k}" for k in range(100)]}), tmp_path / "g.parquet")
    graph = load_graph(tmp_path / "g.parquet")
    assert graph.digest == load_graph([(name, f"n{k}") for k, name in enumerate(names)]).digest


@linux
@pytest.mark.usefixtures("little_memory")
def test_a_table_of_many_equal_rows(tmp_path):
    path = tmp_path / "g.parquet"
    rows = pa.table({"source": np.zeros(1 << 20, np.int64), "target": np.ones(1 << 20, np.int64)})
    with pq.ParquetWriter(path, rows.schema) as writer:
        for _ in range(64):
            writer.write_table(rows)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(MemoryLimitError, match=r"g\.parquet: its table takes about 3\.\d GB"):
        load_graph(path)


def damaged_matrices(count: int):
    """A MATLAB file with random changes, often to what it says about sizes and types."""
    stream = io.BytesIO()
    matrix = sp.random_array((30, 30), density=0.2, format="csc", rng=np.random.default_rng(0))
    scipy.io.savemat(stream, {"net": matrix})
    whole, rng = stream.getvalue(), random.Random(0)
    for _ in range(count):
        content = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            content[rng.randrange(120, 400)] = rng.choice([0, 1, 255, 127, 128, rng.randrange(256)])
        yield bytes(content)


def test_damaged_matlab_files_end_no_process(tmp_path):
    path = tmp_path / "g.mat"
    refused = 0
    for content in damaged_matrices(12):
        path.write_bytes(content)
        try:
            load_graph(path)
        except (InputError, MemoryLimitError) as error:
            assert str(error).startswith(str(path))
            refused += 1
    assert refused > 3


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import ctypes; ctypes.string_at(0)", "crashes SciPy's reader"),
        ("import os; os.abort()", "crashes SciPy's reader"),
        ("raise SystemExit(3)", "crashes SciPy's reader"),
        ("while True: pass", "takes more than 1 seconds"),
        ("import time; time.sleep(60)", "takes more than 1 seconds"),
    ],
)
def test_whatever_happens_to_the_reader_of_matlab_files(tmp_path, monkeypatch, code, says):
    """The reader is replaced by one that crashes or hangs."""
    child, real = tmp_path / "child.py", Path("src/linkwl/graph/readers/matlab_child.py")
    start = (Path(__file__).parents[2] / real).read_text().split("if __name__")[0]
    child.write_text(f"{start}\n_limit(int(sys.argv[3]), int(sys.argv[4]))\n{code}\n")
    monkeypatch.setattr("linkwl.graph.readers.matlab._CHILD", child)
    monkeypatch.setattr("linkwl.graph.readers.matlab._SECONDS", 1)
    monkeypatch.setattr("linkwl.graph.readers.matlab._PATIENCE", 3)
    path = tmp_path / "g.mat"
    scipy.io.savemat(path, {"net": np.eye(3)})
    with pytest.raises(InputError, match=says):
        load_graph(path)


@linux
@pytest.mark.usefixtures("little_memory")
def test_a_matrix_in_a_matlab_file_that_grows_beyond_memory(tmp_path):
    path = tmp_path / "g.mat"
    scipy.io.savemat(path, {"net": np.zeros((6000, 6000))}, do_compression=True)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(MemoryLimitError, match=r"g\.mat: its matrix takes more memory than is free"):
        load_graph(path)


@pytest.mark.parametrize("text", ["1" * 300_000 + "x", "1." + "1" * 300_000 + "x", "9" * 300_000, " " * 300_000 + "x"])
def test_long_numbers_take_linear_time(tmp_path, text):
    """Time that grows with the square of the length would be minutes."""
    path = tmp_path / "g.csv"
    path.write_text(f"source,target,weight\n{text},b,1\nb,c,2\n")
    assert load_graph(path).num_edges == 2
    path.write_text(f"a,b,{text}\nb,c,2\n")
    try:
        load_graph(path)
    except InputError as error:
        assert "g.csv" in str(error)


@pytest.mark.parametrize("line", ["x" * 9_000_000, "a,b\n" * 100 + "1" * 9_000_000, "# " + "x" * 9_000_000 + "\na,b"])
def test_lines_of_many_megabytes_are_refused(tmp_path, line):
    path = tmp_path / "g.csv"
    path.write_text(line)
    for read in (load_graph, lambda path: read_features(path, NodeIds(3))):
        with pytest.raises(InputError, match=r"g\.csv, line \d+: this line has 9,000,00\d bytes, more than a row"):
            read(path)


def test_rows_of_many_columns_are_refused(tmp_path):
    (tmp_path / "g.csv").write_text("," * 400_000)
    with pytest.raises(InputError, match=r"line 1: found 400,001 columns, at most 262,144 are read"):
        load_graph(tmp_path / "g.csv")


def graphml(attribute: str) -> str:
    return f"""<graphml><graph edgedefault="undirected"><node id="a" x="{attribute}"/><node id="b"/>
<edge source="a" target="b"><data key="d">{attribute}</data></edge></graph></graphml>"""


def test_large_attributes_are_parsed_once(tmp_path, monkeypatch):
    path = tmp_path / "g.graphml"
    path.write_text(graphml("x" * 20_000_000))
    fed = []

    class Parser:
        """A parser that counts what it is given."""

        def __init__(self, *arguments):
            object.__setattr__(self, "inner", expat_parser(*arguments))

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def __setattr__(self, name, value):
            setattr(self.inner, name, value)

        def Parse(self, data, is_final):  # noqa: N802 - the name in expat
            fed.append(len(data))
            return self.inner.Parse(data, is_final)

    expat_parser = expat.ParserCreate
    monkeypatch.setattr(expat, "ParserCreate", Parser)
    assert load_graph(path).num_edges == 1
    assert fed == [path.stat().st_size]


@pytest.mark.parametrize(
    "text",
    [
        "<a>" * 200_000,
        "<graphml>" + "<graph>" * 100_000 + "</graph>" * 100_000 + "</graphml>",
        '<!DOCTYPE g [<!ENTITY a "aaaaaaaaaa">'
        + "".join(f'<!ENTITY {chr(98 + k)} "{f"&{chr(97 + k)};" * 10}">' for k in range(10))
        + "]><graphml>&k;</graphml>",
        '<!DOCTYPE g [<!ENTITY a SYSTEM "file:///etc/passwd">]><graphml><graph><node id="&a;"/></graph></graphml>',
    ],
)
def test_xml_that_nests_or_expands_without_end(tmp_path, text):
    path = tmp_path / "g.graphml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"g\.graphml"):
        load_graph(path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes have a parent")
def test_the_reader_of_matlab_files_does_not_import_torch():
    import subprocess

    child = Path(__file__).parents[2] / "src/linkwl/graph/readers/matlab_child.py"
    code = f"import runpy, sys; runpy.run_path({str(child)!r}); print('torch' in sys.modules, 'linkwl' in sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_a_damaged_footer_does_not_end_the_process(tmp_path):
    """Pyarrow ends the process if one asks for the sizes of a column whose levels are damaged."""
    path = tmp_path / "g.parquet"
    pq.write_table(pa.table({"head": ["a", "b"], "relation": ["r", "s"], "tail": ["b", "c"]}), path)
    whole = path.read_bytes()
    for place in [k for k in range(len(whole) // 3, len(whole)) if whole[k] == 2]:
        path.write_bytes(whole[:place] + b"\x06" + whole[place + 1 :])
        try:
            load_graph(path)
        except (InputError, MemoryLimitError) as error:
            assert "g.parquet" in str(error)
