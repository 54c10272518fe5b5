"""Files that are either written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

from linkwl.errors import OutputError


def check_writable(path: Path | str, *inputs: Path | str | None) -> None:
    """Raises OutputError now if ``path`` could not be written later, or is one of the ``inputs``."""
    target = Path(path)
    try:
        if target.is_dir():
            raise OutputError(target, "it is a folder")
        if not target.parent.is_dir():
            raise OutputError(target, f"there is no folder {target.parent}")
        if target.exists() and any(item is not None and Path(item).resolve() == target.resolve() for item in inputs):
            raise OutputError(target, "it is an input")
        # A regular file is replaced by a new one in its folder; anything else is written in place.
        place = target if target.exists() and not target.is_file() else target.resolve().parent
    except OSError as error:  # a name that is too long, a folder that is closed
        raise OutputError(target, _reason(error)) from error
    if not os.access(place, os.W_OK):
        raise OutputError(target, "no permission")


def make_folder(path: Path | str) -> Path:
    """Creates the folder ``path`` with its parents, or says why it cannot."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(folder, _reason(error)) from error
    if not os.access(folder, os.W_OK):
        raise OutputError(folder, "no permission")
    return folder


def write_text(path: Path | str, text: str) -> None:
    """Replaces the content of ``path`` by ``text``; see :func:`replaced`."""
    with replaced(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextlib.contextmanager
def replaced(path: Path | str) -> Iterator[Path]:
    """A temporary path that becomes ``path`` when the block ends well.

    The content is synced, then renamed over the target: a reader, or a kill at any moment, sees the old file or the
    new one and never a part. A target that is not a regular file (a pipe, a device) is written in place.

    Raises:
        OutputError: If the disk is full, the place is forbidden or does not exist.
    """
    target = Path(path)
    try:
        if target.is_dir():
            raise OutputError(target, "it is a folder")
        if target.exists() and not target.is_file():
            yield target
            return
        final = target.resolve()  # a link goes on pointing to the file it names
        temporary = final.with_name(f".linkwl-{uuid.uuid4().hex}{target.suffix}")
        try:
            temporary.touch(exist_ok=False)
            if final.exists():
                temporary.chmod(final.stat().st_mode & 0o777)
            yield temporary
            with temporary.open("rb") as stream:
                os.fsync(stream.fileno())
            temporary.replace(final)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(target, _reason(error)) from error


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
