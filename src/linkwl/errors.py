"""Every exception a caller may want to catch.

::

    LinkwlError                 the command line prints its sentence and exits with code 2
    ├── InputError              a file or an argument cannot be used as it is
    │   ├── UnknownNameError    no dataset, model or node of that name
    │   └── SplitError          a graph cannot be split as the protocol asks
    ├── MemoryLimitError        the work would take more memory than there is
    ├── OutputError             a result cannot be written where it was asked for
    └── DownloadError           a benchmark file cannot be fetched, or is not the file it should be

Misuse of the Python API raises plain ``ValueError`` or ``TypeError``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class LinkwlError(Exception):
    """Something a user can mend; its text is one sentence that says how."""


class InputError(LinkwlError):
    """A file or an argument cannot be used as it is.

    Args:
        problem: What was found, what was expected and the remedy.
        path: The file it was found in.
        line: Its line there, counted from 1.
    """

    def __init__(self, problem: str, *, path: Path | str | None = None, line: int | None = None) -> None:
        self.problem = problem
        self.path = None if path is None else Path(path)
        self.line = line
        place = "" if path is None else f"{path}: " if line is None else f"{path}, line {line}: "
        super().__init__(place + problem)


class UnknownNameError(InputError):
    """No dataset, model or node of that name; the sentence offers the nearest ones."""

    def __init__(self, kind: str, name: object, known: Iterable[object], *, remedy: str = "") -> None:
        self.name = name
        names = [str(k) for k in known]
        folded = {known.casefold(): known for known in reversed(names)}
        near = [folded[k] for k in difflib.get_close_matches(str(name).casefold(), folded, n=3, cutoff=0.4)]
        if near:
            offer = f"; did you mean {' or '.join(repr(n) for n in near)}?"
        else:
            offer = f"; known are {', '.join(names)}." if 0 < len(names) <= 30 else "."
        super().__init__(f"unknown {kind} {str(name)!r}{offer}{' ' + remedy if remedy else ''}")


class SplitError(InputError):
    """A graph cannot be split as the protocol asks."""


class MemoryLimitError(LinkwlError):
    """The work would take more memory than there is; nothing was started."""


class OutputError(LinkwlError):
    """A result cannot be written where it was asked for."""

    def __init__(self, path: Path | str, reason: str) -> None:
        self.path = Path(path)
        super().__init__(f"{path}: cannot be written ({reason}); choose another place or free it, then run again.")


class DownloadError(LinkwlError):
    """A benchmark file cannot be fetched, or is not the file it should be."""
