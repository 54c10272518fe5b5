"""Reads the bytes of a text file, plain or compressed, and checks that they are text."""

from __future__ import annotations

import bz2
import gzip
import lzma
import mmap
import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa

from linkwl.errors import InputError, MemoryLimitError
from linkwl.kernel import kernel
from linkwl.memory import available_memory, check_memory, size_text
from linkwl.threads import run_ranges

SAMPLE_BYTES = 1 << 16
_BLOCK_BYTES = 1 << 20
_MEMORY_PER_BYTE = 2.0
"""The least memory that columns and edges take, per byte of text."""

_NOT_TEXT = {
    b"PAR1": "a Parquet file; give it the ending .parquet",
    b"PK\x03\x04": "a zip archive (or a spreadsheet); unpack it, or save it as CSV",
    b"\x93NUMPY": "a NumPy array; give it the ending .npy",
    b"MATLAB": "a MATLAB file; give it the ending .mat",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8, or use --encoding utf-16",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8, or use --encoding utf-16",
}


def read_text(path: Path, encoding: str | None = None) -> pa.Buffer:
    """The UTF-8 content of a file without its byte-order mark; a plain file is mapped, not copied.

    Args:
        path: The file, perhaps compressed with gzip, bzip2, xz or zstd.
        encoding: The encoding of the text; by default UTF-8.

    Raises:
        InputError: If the file is missing, empty, not text, damaged, or not in this encoding.
    """
    check_file(path)
    content = map_file(path)
    unpack = next((unpack for magic, unpack in _PACKED.items() if re.match(magic, content)), None)
    if unpack is None:
        check_memory(_MEMORY_PER_BYTE * content.size, f"{path}: the graph in it", "use a part of it, or Parquet")
    else:
        content = unpack(path, encoding is not None)
    if encoding is not None:
        content = pa.py_buffer(_decode(content, encoding, path))
    head = content.slice(0, min(SAMPLE_BYTES, content.size)).to_pybytes()
    has_nul = _has_nul(content)
    for magic, what in _NOT_TEXT.items():
        if head.startswith(magic) and (has_nul or not magic.isascii()):  # PAR1 is also a gene, MATLAB also a name
            raise InputError(f"this is {what}.", path=path)
    if has_nul:
        line = find_line(content, 1, lambda line: b"\0" in line)
        raise InputError("this is a binary file, with a NUL byte; expected text.", path=path, line=line)
    if head.startswith(b"\xef\xbb\xbf"):
        content, head = content.slice(3), head[3:]
    if not head.strip():
        raise InputError("the file is empty; write it again or name another.", path=path)
    return content


def check_file(path: Path) -> None:
    """Raises InputError unless ``path`` is a readable, non-empty file."""
    try:
        if not path.exists():
            raise InputError("no such file; check the name and the folder.", path=path)
        if path.is_dir():
            raise InputError("this is a folder; name a file in it.", path=path)
        if not path.is_file():
            raise InputError("this is a pipe or a device; save its content to a file.", path=path)
        with path.open("rb") as stream:
            is_empty = not stream.read(1)
    except OSError as error:
        raise InputError(
            f"the file cannot be read ({(error.strerror or 'error').lower()}); check its name and its permissions.",
            path=path,
        ) from error
    if is_empty:
        raise InputError("the file is empty; write it again or name another.", path=path)


def map_file(path: Path) -> pa.Buffer:
    """The bytes of a non-empty file, mapped into memory."""
    with path.open("rb") as stream:
        return pa.py_buffer(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


def numbered_lines(content: pa.Buffer) -> Iterator[tuple[int, int, bytes]]:
    r"""The lines of a text, without their ends (``\n``, ``\r\n`` or ``\r``): number from 1, offset, bytes."""
    reader = pa.BufferReader(content)
    number, offset = 1, 0
    begun: list[bytes] = []  # parts of a line that continues in the next block
    ahead = b""
    while block := ahead + reader.read(_BLOCK_BYTES):
        ahead = reader.read(1) if block.endswith(b"\r") else b""
        if ahead == b"\n":
            block, ahead = block + ahead, b""
        lines = block.splitlines(keepends=True)
        last = b"" if lines[-1].endswith((b"\r", b"\n")) else lines.pop()
        if lines:
            lines[0] = b"".join([*begun, lines[0]])
            begun.clear()
        begun.append(last)
        for line in lines:
            yield number, offset, line.rstrip(b"\r\n")
            number += 1
            offset += len(line)
    if rest := b"".join(begun):
        yield number, offset, rest


def read_all(stream: IO[bytes] | gzip.GzipFile, path: Path, *, may_have_nul: bool = False) -> pa.Buffer:
    """The content of a stream, such as that of a compressed file, whose size is known only when it has been read.

    The size is checked as it grows. Unless the text may have NUL bytes, as in UTF-16, it is read up to the first only:
    it will be refused.

    Raises:
        MemoryLimitError: If the text does not fit into memory.
    """
    limit = available_memory()
    content = bytearray()
    while block := stream.read(_BLOCK_BYTES):
        content += block
        if limit is not None and (1 + _MEMORY_PER_BYTE) * len(content) > limit:
            raise MemoryLimitError(
                f"{path}: its text, unpacked, and the graph in it take more than the {size_text(limit)} that are free; "
                "use a part of it."
            )
        if b"\0" in block and not may_have_nul:
            break
    return pa.py_buffer(content)


def find_line(content: pa.Buffer, first: int, is_wanted: Callable[[bytes], bool]) -> int | None:
    """The number of the first line, from line ``first`` on, for which ``is_wanted`` is true."""
    return next((number for number, _, line in numbered_lines(content) if number >= first and is_wanted(line)), None)


def _has_nul(content: pa.Buffer) -> bool:
    text = np.frombuffer(content, np.uint8)
    return min(run_ranges(lambda start, stop: _smallest_byte(text[start:stop]), len(text), smallest=1 << 20)) == 0


@kernel
def _smallest_byte(text):  # type: ignore[no-untyped-def]
    smallest = np.uint8(255)
    for byte in text:
        smallest = min(smallest, byte)
    return smallest


def _decode(content: pa.Buffer, encoding: str, path: Path) -> bytes:
    """The text in UTF-8."""
    try:
        return content.to_pybytes().decode(encoding).encode()
    except LookupError as error:
        problem = f"there is no encoding {encoding!r} of texts; usual ones are latin-1, cp1252, utf-16 and shift_jis."
        raise InputError(problem, path=path) from error
    except UnicodeError as error:
        problem = f"the text is not in the encoding {encoding}; try another one, such as latin-1 or cp1252."
        raise InputError(problem, path=path) from error


def _unpack(kind: str, path: Path, may_have_nul: bool) -> pa.Buffer:
    """The content of a compressed file."""
    openers: dict[str, Callable[[Path], Any]] = {
        "gzip": gzip.open,
        "bzip2": bz2.open,
        "xz": lzma.open,
        "zstd": lambda path: pa.input_stream(str(path), compression="zstd"),
    }
    try:
        with openers[kind](path) as stream:
            return read_all(stream, path, may_have_nul=may_have_nul)
    except EOFError as error:
        raise InputError(f"the {kind} file ends too early; fetch or compress it again.", path=path) from error
    except (OSError, ValueError, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"the {kind} file is damaged; fetch or compress it again.", path=path) from error


_PACKED: dict[bytes, Callable[[Path, bool], pa.Buffer]] = {
    rb"\x1f\x8b": partial(_unpack, "gzip"),
    rb"BZh[1-9]1AY&SY": partial(_unpack, "bzip2"),
    rb"\xfd7zXZ\x00": partial(_unpack, "xz"),
    rb"\x28\xb5\x2f\xfd": partial(_unpack, "zstd"),
}
"""How to read compressed files, by patterns of their first bytes."""
