"""The bytes of a text file, plain or gzipped, once they are known to be text."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa

from linkwl.errors import InputError

SAMPLE_BYTES = 1 << 16

_NOT_TEXT = {
    b"PAR1": "a Parquet file; give it the ending .parquet",
    b"PK\x03\x04": "a zip archive (or a spreadsheet); unpack it, or save it as CSV",
    b"\x93NUMPY": "a NumPy array; give it the ending .npy",
    b"MATLAB": "a MATLAB file; give it the ending .mat",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
}


def read_text(path: Path) -> pa.Buffer:
    """The UTF-8 content of a file without its byte-order mark; a plain file is mapped, not copied.

    Raises:
        InputError: If the file is missing, empty, not text, or a damaged gzip file.
    """
    check_file(path)
    with path.open("rb") as stream:
        is_gzip = stream.read(2) == b"\x1f\x8b"
    content = pa.py_buffer(_unzip(path)) if is_gzip else pa.memory_map(str(path)).read_buffer()
    head = content.slice(0, min(SAMPLE_BYTES, content.size)).to_pybytes()
    for magic, what in _NOT_TEXT.items():
        if head.startswith(magic):
            raise InputError(f"this is {what}.", path=path)
    if b"\0" in head:
        raise InputError("this is a binary file; expected text with two node ids per line.", path=path)
    if head.startswith(b"\xef\xbb\xbf"):
        content, head = content.slice(3), head[3:]
    if not head.strip():
        raise InputError("the file is empty; expected two node ids per line.", path=path)
    return content


def check_file(path: Path) -> None:
    """Raises InputError unless ``path`` is a readable file with something in it."""
    if not path.exists():
        raise InputError("no such file; check the name and the folder.", path=path)
    if path.is_dir():
        raise InputError("this is a folder; name a file in it.", path=path)
    try:
        with path.open("rb") as stream:
            is_empty = not stream.read(1)
    except OSError as error:
        raise InputError(f"the file cannot be read ({(error.strerror or 'error').lower()}).", path=path) from error
    if is_empty:
        raise InputError("the file is empty.", path=path)


def numbered_lines(content: pa.Buffer) -> Iterator[tuple[int, bytes]]:
    """The lines of a text with their numbers, from 1, without their ends."""
    reader = pa.BufferReader(content)
    number, rest = 1, b""
    while block := reader.read(1 << 24):
        lines = (rest + block).split(b"\n")
        rest = lines.pop()
        for line in lines:
            yield number, line.rstrip(b"\r")
            number += 1
    if rest:
        yield number, rest.rstrip(b"\r")


def find_line(content: pa.Buffer, first: int, is_wanted: Callable[[bytes], bool]) -> int | None:
    """The number of the first line, from line ``first`` on, that is wanted; blank lines are passed over."""
    for number, line in numbered_lines(content):
        if number >= first and line.strip() and is_wanted(line):
            return number
    return None


def _unzip(path: Path) -> bytes:
    try:
        with gzip.open(path) as stream:
            return stream.read()
    except EOFError as error:
        raise InputError("the gzip file ends too early; fetch or compress it again.", path=path) from error
    except (OSError, zlib.error) as error:
        raise InputError("the gzip file is damaged; fetch or compress it again.", path=path) from error
