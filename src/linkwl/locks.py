"""Folders that one run at a time may write to."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from linkwl.errors import InputError
from linkwl.files import exclusive, make_folder, parse_json, write_text
from linkwl.owner import Owner

LOCK = ".linkwl-lock"
"""The file that says which process writes to a folder."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Makes the folder and keeps other runs out of it for a block; a lock of a process that has ended does not count.

    A folder that did not exist and is still empty after the block is removed.

    Raises:
        InputError: If another run is writing to the folder; the sentence names its process.
        OutputError: If the folder cannot be made or written to.
    """
    is_new = not os.path.lexists(folder)
    make_folder(folder)
    lock = folder / LOCK
    owner = Owner.current()
    with exclusive(folder):
        _refuse(folder, _owner_of(lock))
        write_text(lock, _text(owner))
    try:
        yield
    finally:
        if _owner_of(lock) == owner:
            lock.unlink(missing_ok=True)
        if is_new:
            with suppress(OSError):  # it is not empty
                folder.rmdir()


def check_unlocked(folder: Path) -> None:
    """Raises InputError if the run of another process is writing to the folder."""
    owner = _owner_of(folder / LOCK)
    _refuse(folder, None if owner == Owner.current() else owner)


def _refuse(folder: Path, owner: Owner | None) -> None:
    if owner is None or not owner.is_running:
        return
    place = "" if owner.is_here else f" on {owner.machine.split()[0]}"
    remedy = "" if owner.is_here else f"; if it has ended, delete {folder / LOCK}"
    raise InputError(
        f"another run (process {owner.pid}{place}) is writing to this folder; wait for it, or choose another{remedy}.",
        path=folder,
    )


def _text(owner: Owner) -> str:
    return json.dumps(owner._asdict()) + "\n"


def _owner_of(lock: Path) -> Owner | None:
    """The owner that a lock names; None if there is no lock, or it is damaged."""
    try:
        values = parse_json(lock.read_text(encoding="utf-8"))
        return Owner(str(values["machine"]), int(values["pid"]), str(values["start"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
