"""Checks of the free memory before large arrays are allocated."""

from __future__ import annotations

import os
from pathlib import Path

from linkwl.errors import MemoryLimitError


def check_memory(needed: float, what: str, remedy: str, *, limit: float | None = None) -> None:
    """Checks that work fits into memory.

    Args:
        needed: An estimate in bytes.
        what: The name of the work, for the message.
        remedy: What to do instead, as the end of a sentence.
        limit: Limit in bytes; by default the free memory.

    Raises:
        MemoryLimitError: If the work does not fit.
    """
    allowed = available_memory() if limit is None else limit
    if allowed is not None and needed > allowed:
        source = "is free" if limit is None else "is the limit"
        raise MemoryLimitError(f"{what} takes about {size_text(needed)}, and {size_text(allowed)} {source}; {remedy}.")


def available_memory() -> int | None:
    """Bytes available without swapping, within the limit of a container; None if the system does not report it."""
    free = [_meminfo(), _container()]
    known = [amount for amount in free if amount is not None]
    if known:
        return max(0, min(known))
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _meminfo(path: Path = Path("/proc/meminfo")) -> int | None:
    """Available memory according to Linux."""
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _container(folder: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Memory left within a container's limit; pages that only cache files can be reclaimed and do not count."""
    try:
        limit, used = (int((folder / name).read_text()) for name in ("memory.max", "memory.current"))
        stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        return limit - used + int(stat.get("inactive_file", 0))
    except (OSError, ValueError):  # no container, or "max": no limit
        return None


def size_text(num_bytes: float) -> str:
    """A number of bytes as text."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if num_bytes >= size:
            return f"{num_bytes / size:.1f} {unit}"
    return f"{num_bytes / 1e3:.1f} kB"
