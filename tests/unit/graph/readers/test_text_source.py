from __future__ import annotations

import gzip
import os
import random
import re

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkwl.errors import InputError
from linkwl.graph.readers import text_source
from linkwl.graph.readers.text_source import check_file, find_line, map_file, numbered_lines, read_text


@pytest.fixture
def path(tmp_path):
    return tmp_path / "text.csv"


def refusal(path) -> InputError:
    with pytest.raises(InputError) as caught:
        read_text(path)
    assert caught.value.path == path
    return caught.value


def test_plain_and_zipped_are_the_same(path):
    for content in (b"a,b\n", gzip.compress(b"a,b\n"), gzip.compress(b"a,") + gzip.compress(b"b\n")):
        path.write_bytes(content)
        assert read_text(path).to_pybytes() == b"a,b\n"


def test_a_byte_order_mark_is_dropped(path):
    path.write_bytes(b"\xef\xbb\xbfa,b")
    assert read_text(path).to_pybytes() == b"a,b"


@pytest.mark.parametrize(
    "content", [b"", b"\xef\xbb\xbf", b" \n\t\r\n", gzip.compress(b"", mtime=0), gzip.compress(b"\n", mtime=0)]
)
def test_nothing_in_it(path, content):
    path.write_bytes(content)
    assert "the file is empty" in str(refusal(path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PAR1\0", "Parquet"),
        (b"PK\x03\x04\0", "zip archive"),
        (b"\x93NUMPY\x01\0", "NumPy array"),
        (b"MATLAB 5.0 MAT-file\0", "MATLAB"),
        ("a,b".encode("utf-16"), "UTF-16"),
        ("a,b".encode("utf-16-le"), "binary file"),
        (random.Random(0).randbytes(10) + b"\0", "binary file"),
    ],
)
def test_what_is_no_text(path, content, words):
    path.write_bytes(content)
    assert words in str(refusal(path))
    path.write_bytes(gzip.compress(content))
    assert words in str(refusal(path))


@pytest.mark.parametrize("start", [b"x", b"PAR1,PAR2", b"MATLAB,C"])
def test_names_that_look_like_a_magic_number(path, start):
    path.write_bytes(start)
    assert read_text(path).to_pybytes() == start


@pytest.mark.parametrize("at", [5, 70_000, 3_000_000])
def test_a_nul_byte_anywhere_is_found_with_its_line(path, at):
    content = bytearray(b"a,b\n" * 1_000_000)
    content[at] = 0
    path.write_bytes(content)
    error = refusal(path)
    assert "NUL" in str(error)
    assert error.line == at // 4 + 1


def test_a_damaged_gzip_file(path):
    content = bytearray(gzip.compress(random.Random(0).randbytes(5000)))
    path.write_bytes(content[:-100])
    assert "ends too early" in str(refusal(path))
    path.write_bytes(content[:12])
    assert "ends too early" in str(refusal(path))
    content[2500] ^= 0xFF
    path.write_bytes(content)
    assert "damaged" in str(refusal(path))


def test_check_file(tmp_path, path):
    with pytest.raises(InputError, match="no such file"):
        check_file(path)
    with pytest.raises(InputError, match="this is a folder"):
        check_file(tmp_path)
    path.touch()
    with pytest.raises(InputError, match="empty"):
        check_file(path)
    with pytest.raises(InputError, match="cannot be read"):
        check_file(tmp_path / ("x" * 300))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe or a device"):
        check_file(tmp_path / "pipe")
    path.write_text("x")
    check_file(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_forbidden_file(path):
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(InputError, match="permission denied"):
        check_file(path)


def test_a_file_name_that_is_not_utf8(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.csv")
    path.write_bytes(b"a,b\n")
    assert read_text(path).to_pybytes() == b"a,b\n"


def test_a_mapped_file_is_its_bytes(path):
    content = random.Random(1).randbytes(10_000)
    path.write_bytes(content)
    assert map_file(path).to_pybytes() == content


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"", []),
        (b"a", [(1, 0, b"a")]),
        (b"a\n", [(1, 0, b"a")]),
        (b"a\n\nb", [(1, 0, b"a"), (2, 2, b""), (3, 3, b"b")]),
        (b"a\r\nb\r\n", [(1, 0, b"a"), (2, 3, b"b")]),
        (b"a\rb\r", [(1, 0, b"a"), (2, 2, b"b")]),
        (b"a\x0bb\x1cc\xc2\x85d\n", [(1, 0, b"a\x0bb\x1cc\xc2\x85d")]),
    ],
)
def test_numbered_lines(text, lines):
    assert list(numbered_lines(pa.py_buffer(text))) == lines


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("shift", range(4))
def test_lines_across_blocks(end, shift):
    """The end of a block falls before, within and after the end of a line."""
    text = b"x" * ((1 << 20) - shift) + end + b"y" * 100 + end + b"z"
    lines = list(numbered_lines(pa.py_buffer(text)))
    assert [(number, len(line)) for number, _, line in lines] == [(1, (1 << 20) - shift), (2, 100), (3, 1)]
    assert all(text[offset : offset + len(line)] == line for _, offset, line in lines)


@given(st.text("a\r\n", max_size=60), st.integers(1, 7))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_blocks_of_any_size_give_the_same_lines(monkeypatch, text, size):
    content = text.encode()
    ends = list(re.finditer(rb"\r\n|\r|\n|$", content))
    starts = [0, *(end.end() for end in ends)]
    expected = [
        (k + 1, start, content[start : end.start()]) for k, (start, end) in enumerate(zip(starts, ends, strict=False))
    ]
    if expected[-1][1] == len(content):
        expected.pop()  # nothing follows the last end of a line
    monkeypatch.setattr(text_source, "_BLOCK_BYTES", size)
    assert list(numbered_lines(pa.py_buffer(content))) == expected


def test_find_line():
    content = pa.py_buffer(b"a\nb\n\na\n")
    assert find_line(content, 1, lambda line: line == b"a") == 1
    assert find_line(content, 2, lambda line: line == b"a") == 4
    assert find_line(content, 1, lambda line: line == b"c") is None
