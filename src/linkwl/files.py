"""Atomic writing of files and folders, and careful reading of JSON."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linkwl.errors import InputError, OutputError
from linkwl.owner import Owner

_CURRENT_FOLDER = -100  # AT_FDCWD: names are relative to the current folder
_DEEPEST = 30
TEMPORARY = ".linkwl-tmp-"
_swept: set[Path] = set()
_SWAP = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS


def check_writable(path: Path | str, *inputs: Path | str | None) -> None:
    """Raises OutputError if ``path`` cannot be written, or is one of the ``inputs``."""
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
    except OSError as error:  # a name that is too long, or a folder without permissions
        raise OutputError(target, _reason(error)) from error
    if not os.access(place, os.W_OK):
        raise OutputError(target, "no permission")


def check_model_exists(folder: Path | str, file: str = "config.json") -> None:
    """Raises InputError if a folder does not exist, or has no file of a saved model."""
    place = Path(folder)
    if (place / file).exists():
        return
    if not place.exists():
        raise InputError(
            f"there is no such folder; train a model with `linkwl train GRAPH --out {place}`, or correct the name.",
            path=place,
        )
    raise InputError("there is no model in this folder; train one with `linkwl train GRAPH --out DIR`.", path=place)


def make_folder(path: Path | str) -> Path:
    """Creates the folder ``path`` with its parents; raises OutputError if it cannot."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(folder, _reason(error)) from error
    if not os.access(folder, os.W_OK):
        raise OutputError(folder, "no permission")
    return folder


def parse_json(text: str) -> Any:
    """The value of a JSON text; raises ValueError if it is not JSON, or is nested more deeply than any file of ours."""
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error
    level = [value]
    for _ in range(_DEEPEST):
        level = [inner for outer in level if isinstance(outer, dict | list) for inner in _inside(outer)]
        if not level:
            return value
    raise ValueError("the JSON is nested too deeply")


def _inside(value: dict[str, Any] | list[Any]) -> Iterator[Any]:
    return (inner for inner in (value.values() if isinstance(value, dict) else value) if isinstance(inner, dict | list))


def write_text(path: Path | str, text: str) -> None:
    """Replaces the content of ``path`` with ``text``; see :func:`replaced`."""
    with replaced(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextlib.contextmanager
def replaced(path: Path | str) -> Iterator[Path]:
    """A temporary path that is renamed to ``path`` when the block succeeds.

    The content is synced, then renamed over the target: at any moment, even after a kill, the target is the old file or
    the complete new one. A target that is not a regular file (a pipe, a device) is written in place.

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
        final = target.resolve()  # a symbolic link keeps pointing to its file
        temporary = _temporary(final, target.suffix)
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


@contextlib.contextmanager
def replaced_folder(path: Path | str) -> Iterator[Path]:
    """A temporary folder that replaces the whole folder ``path`` when the block succeeds.

    A kill at any moment leaves the old folder or the new one. If the system cannot exchange two folders in one step,
    the old folder is moved aside first.

    Raises:
        OutputError: If the disk is full, the place is forbidden or does not exist.
    """
    target = Path(path)
    try:
        final = target.resolve()
        final.parent.mkdir(parents=True, exist_ok=True)
        temporary = _temporary(final)
        temporary.mkdir()
        try:
            yield temporary
            if not final.exists():
                temporary.rename(final)
            elif not _exchange(temporary, final):
                aside = final.with_name(f".linkwl-old-{uuid.uuid4().hex}")  # never swept: it may be the only copy
                final.rename(aside)
                temporary.rename(final)
                shutil.rmtree(aside)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)  # the old folder, or an unfinished new one
    except OSError as error:
        raise OutputError(target, _reason(error)) from error


@contextlib.contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Lets one process at a time into the block for this folder, if the system supports it."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _temporary(final: Path, suffix: str = "") -> Path:
    """A new name beside ``final`` that says which process it belongs to."""
    _sweep(final.parent)
    return final.with_name(f"{TEMPORARY}{Owner.current().token}-{uuid.uuid4().hex}{suffix}")


def _sweep(folder: Path) -> None:
    """Removes what killed processes have left in a folder; once per process, since a folder may be large."""
    if folder in _swept:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208
            token, _, rest = name.removeprefix(TEMPORARY).rpartition("-")
            if name.startswith(TEMPORARY) and rest and Owner.is_gone(token):
                left = folder / name
                if left.is_dir() and not left.is_symlink():
                    shutil.rmtree(left, ignore_errors=True)
                else:
                    left.unlink(missing_ok=True)


def _exchange(first: Path, second: Path) -> bool:
    """Exchanges two paths in one step; False if the system does not support it."""
    names = [os.fsencode(first), os.fsencode(second)]
    try:
        if sys.platform == "darwin":
            return ctypes.CDLL(None).renamex_np(*names, _SWAP) == 0
        return ctypes.CDLL(None).renameat2(_CURRENT_FOLDER, names[0], _CURRENT_FOLDER, names[1], _SWAP) == 0
    except (AttributeError, OSError, TypeError):
        return False


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
