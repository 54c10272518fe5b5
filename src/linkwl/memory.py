"""How much memory there is, asked before a large array is made rather than found out by being killed."""

from __future__ import annotations

import os
from pathlib import Path

from linkwl.errors import MemoryLimitError


def check_memory(needed: float, what: str, remedy: str, *, limit: float | None = None) -> None:
    """Refuses work that would not fit.

    Args:
        needed: An estimate in bytes.
        what: The work, to name it in the sentence.
        remedy: What to do instead, as the rest of a sentence.
        limit: How much may be taken, in bytes; the memory that is free now if left out.

    Raises:
        MemoryLimitError: If more is needed than there is.
    """
    allowed = available_memory() if limit is None else limit
    if allowed is not None and needed > allowed:
        there = "is free" if limit is None else "is the limit"
        raise MemoryLimitError(f"{what} takes about {size_text(needed)}, and {size_text(allowed)} {there}; {remedy}.")


def available_memory() -> int | None:
    """Bytes that can be taken without swapping, within the limit of a container; None where the system does not say."""
    free = [_meminfo(), _container()]
    known = [amount for amount in free if amount is not None]
    if known:
        return max(0, min(known))
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _meminfo(path: Path = Path("/proc/meminfo")) -> int | None:
    """What Linux says can be had."""
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _container(folder: Path = Path("/sys/fs/cgroup")) -> int | None:
    """What a container's limit leaves; pages that only cache files can be given back and do not count."""
    try:
        limit, used = (int((folder / name).read_text()) for name in ("memory.max", "memory.current"))
        stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        return limit - used + int(stat.get("inactive_file", 0))
    except (OSError, ValueError):  # no container, or "max": one without a limit
        return None


def size_text(num_bytes: float) -> str:
    """A number of bytes as people say it."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if num_bytes >= size:
            return f"{num_bytes / size:.1f} {unit}"
    return f"{num_bytes / 1e3:.1f} kB"
