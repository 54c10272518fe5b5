"""The free memory: how much there is, checks before large arrays are allocated, and what to say when it runs out."""

from __future__ import annotations

import errno
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from linkwl.errors import InputError, MemoryLimitError

VARIABLE = "LINKWL_MAX_MEMORY"
"""The environment variable with the most memory that this process and those that it starts may use, each."""

_UNITS = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_AMOUNT = re.compile(r"\s*(\d{1,20}(?:\.\d{1,20})?)\s*([kmgt]i?|)b?\s*", re.IGNORECASE)
_ALLOCATION_WORDS = ("allocate memory", "not enough memory", "out of memory", "bad_alloc", "can't start new thread")
"""In the messages of a RuntimeError: of torch on a CPU and on a GPU, of C++, and of Python."""


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
    """Bytes available without swapping, within every limit of this process; None if the system does not report it.

    The limits are those of its control groups (containers, slices of systemd, jobs of a cluster), of ``ulimit``, and of
    :func:`limit_memory`.
    """
    if hasattr(_asked, "answer"):
        found: int | None = _asked.answer
        return found
    free = [_meminfo(), *_control_groups(), *_process_limits(), _own_limit()]
    known = [amount for amount in free if amount is not None]
    if known:
        return max(0, min(known))
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


_asked = threading.local()


@contextmanager
def memory_asked_once() -> Iterator[None]:
    """Within the block, this thread asks the system once how much memory is free.

    It is for many short pieces of work in a row, each of which takes less time than the question.
    """
    if hasattr(_asked, "answer"):
        yield
        return
    _asked.answer = available_memory()
    try:
        yield
    finally:
        del _asked.answer


def limit_memory(amount: float | str | None) -> None:
    """Limits the memory of this process, and of each process that it starts from now on.

    Work that is estimated to take more is refused before it starts. On the command line this is ``--max-memory``; the
    environment variable ``LINKWL_MAX_MEMORY`` does the same.

    Args:
        amount: Bytes, or a text such as ``"4GB"`` or ``"512 MiB"``; None removes the limit.

    Raises:
        InputError: If the text is not an amount of memory.

    Example:
        >>> limit_memory("4GB")
        >>> available_memory() <= 4e9
        True
        >>> limit_memory(None)
    """
    if amount is None:
        os.environ.pop(VARIABLE, None)
    else:
        os.environ[VARIABLE] = str(parse_size(str(amount)))


def parse_size(text: str) -> int:
    """The number of bytes of a text such as ``4GB``; raises InputError if it is none."""
    found = _AMOUNT.fullmatch(text)
    size = float(found[1]) * _UNITS[found[2].lower()] if found else 0.0
    if not 1 <= size < 2**63:
        raise InputError(f"{text!r} is not an amount of memory; write it like 4GB or 512MB.")
    return int(size)


def size_text(num_bytes: float) -> str:
    """A number of bytes as text."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if num_bytes >= size:
            return f"{num_bytes / size:.1f} {unit}"
    return f"{num_bytes / 1e3:.1f} kB"


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory could not be allocated, by whichever library."""
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    if isinstance(error, RuntimeError):
        return any(words in str(error).lower() for words in _ALLOCATION_WORDS)
    return isinstance(error, MemoryError)  # NumPy's and Arrow's errors are subclasses


@contextmanager
def memory_refused(what: str, remedy: str) -> Iterator[None]:
    """Turns allocation errors within the block, of whichever library, into a MemoryLimitError."""
    try:
        yield
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        raise MemoryLimitError(f"{what} takes more memory than is free; {remedy}.") from error


def _meminfo(path: Path = Path("/proc/meminfo")) -> int | None:
    """Available memory according to Linux."""
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _control_groups(own: Path = Path("/proc/self/cgroup"), root: Path = Path("/sys/fs/cgroup")) -> Iterator[int | None]:
    """Memory left in the control groups of this process: its own and all around it, of version 1 and 2.

    A container often sees its own group as the root; then the folders of its outer name do not exist.
    """
    try:
        lines = own.read_text().splitlines()
    except OSError:
        lines = []
    groups = {"memory": "/", "": "/"}  # by controller; version 2 has no names for them
    for line in lines:
        _, kinds, place = line.split(":", 2)
        groups |= dict.fromkeys(kinds.split(","), place)
    for kind, top in (("", root), ("", root / "unified"), ("memory", root / "memory")):
        inside = PurePosixPath(groups[kind]).relative_to("/")
        for group in (inside, *inside.parents):
            yield _left_in(top / group, "memory.max", "memory.current", "inactive_file")
            yield _left_in(top / group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")


def _left_in(group: Path, limit: str, used: str, reclaimable: str) -> int | None:
    """Memory left in a control group; pages that only cache files can be reclaimed and do not count."""
    try:
        most, current = (int((group / name).read_text()) for name in (limit, used))
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        return most - current + int(stat.get(reclaimable, 0))
    except (OSError, ValueError):  # no such group, or "max": no limit
        return None


def _process_limits() -> Iterator[int]:
    """What ``ulimit`` leaves: of the address space (``-v``) and of the data segment (``-d``)."""
    try:
        import resource
    except ImportError:  # not a Unix system
        return
    for kind, use in ((resource.RLIMIT_AS, "VmSize"), (resource.RLIMIT_DATA, "VmData")):
        most = resource.getrlimit(kind)[0]
        if most != resource.RLIM_INFINITY:
            yield most - _used(use)


def _own_limit() -> int | None:
    """What the user's own limit leaves."""
    text = os.environ.get(VARIABLE)
    return parse_size(text) - _used("VmRSS") if text else None


def _used(field: str, path: Path = Path("/proc/self/status")) -> int:
    """Memory of this process by kind; 0 if the system does not report it."""
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:")), 0)
