"""Downloads one file of the catalogue: streamed, checked while streaming, and written atomically."""

from __future__ import annotations

import hashlib
import urllib.request
from collections.abc import Callable, Generator
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from typing import TypeAlias
from urllib.error import HTTPError

from linkwl.datasets.catalogue import DataFile
from linkwl.errors import DownloadError
from linkwl.files import make_folder, replaced

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of bytes received so far and the total number of bytes."""

_CHUNK_BYTES = 64 * 1024
_TIMEOUT_SECONDS = 30.0


def download_file(file: DataFile, target: Path, *, on_progress: Progress | None = None) -> None:
    """Downloads ``file`` from its address to ``target``; only the exact bytes are accepted.

    Raises:
        DownloadError: If the address cannot be reached, or serves bytes that differ from the catalogue.
        OutputError: If ``target`` cannot be written.
    """
    make_folder(target.parent)
    digest, received = hashlib.sha256(), 0
    with replaced(target) as temporary:
        with closing(_chunks(file, target)) as chunks, temporary.open("wb") as stream:
            for chunk in chunks:
                stream.write(chunk)
                digest.update(chunk)
                received += len(chunk)
                if on_progress is not None and received <= file.num_bytes:
                    on_progress(received, file.num_bytes)
        if received != file.num_bytes or digest.hexdigest() != file.sha256:
            size = f"more than {file.num_bytes}" if received > file.num_bytes else str(received)
            raise DownloadError(
                f"{file.url} served {size} bytes that are not {file.path} ({file.num_bytes} bytes, "
                f"sha256 {file.sha256}), so nothing was kept; {_remedy(file, target)}."
            )


def _chunks(file: DataFile, target: Path) -> Generator[bytes]:
    """The bytes in chunks, at most one byte more than expected: one is enough to know that the file is wrong."""
    left = file.num_bytes + 1
    # Network errors are OSErrors too: they must be converted, or `replaced` would report a disk error.
    try:
        with urllib.request.urlopen(file.url, timeout=_TIMEOUT_SECONDS) as response:
            while chunk := response.read(min(left, _CHUNK_BYTES)):
                left -= len(chunk)
                yield chunk
    except (OSError, HTTPException) as error:
        if isinstance(error, HTTPError):
            error.close()  # closes the connection of the server's answer
        reason = getattr(error, "reason", None) or error
        raise DownloadError(
            f"{file.path} cannot be downloaded from {file.url} ({reason}); {_remedy(file, target)}."
        ) from error


def _remedy(file: DataFile, target: Path) -> str:
    return f"try again later, set LINKWL_DATA to a folder that holds {file.path}, or save the file by hand as {target}"
