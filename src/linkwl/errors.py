"""Every exception a caller may want to catch.

::

    LinkwlError                 the command line prints its sentence and exits with code 2
    ├── InputError              a file or an argument cannot be used as it is
    │   ├── UnknownNameError    no dataset, model or node has that name
    │   └── SplitError          a graph cannot be split as the protocol asks
    ├── MemoryLimitError        the work would take more memory than is free
    ├── OutputError             a result cannot be written to the requested place
    ├── TaskError               a task of an engine failed, or the process that ran it was killed
    └── DownloadError           a benchmark file cannot be fetched, or is not the file it should be

Misuse of the Python API raises plain ``ValueError`` or ``TypeError``. Information that is not an error is a
:class:`LinkwlWarning`; the command line prints it.
"""

from __future__ import annotations

import copyreg
import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from linkwl.printable import printable

_LEAST_SIMILARITY = 0.6
"""Of names that are suggested: `kats` and `katz` have 0.75, `nope` and `indigo` less than a half."""


class LinkwlError(Exception):
    """An error that a user can fix; its text is one sentence that says how.

    Example:
        >>> import linkwl
        >>> try:
        ...     linkwl.load_dataset("airport")
        ... except linkwl.LinkwlError as error:
        ...     print(error)
        unknown dataset 'airport'; did you mean 'airports'? `linkwl datasets list` shows them all.
    """

    def __str__(self) -> str:
        """The sentence, on one line; control characters in names are spelled out."""
        return printable(super().__str__(), lines=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the error's state, so that it can be sent between processes without its arguments."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class LinkwlWarning(UserWarning):
    """Information for the user, for example that a part of the input is not used.

    Example:
        >>> import warnings, linkwl
        >>> warnings.simplefilter("ignore", linkwl.LinkwlWarning)  # to read no more of them
    """


class InputError(LinkwlError):
    """A file or an argument cannot be used as it is.

    Args:
        problem: The actual and the expected value, and the remedy.
        path: The file of the problem.
        line: Its line, counted from 1.

    Example:
        >>> error = InputError("expected two columns; add the second.", path="edges.csv", line=7)
        >>> print(error)
        edges.csv, line 7: expected two columns; add the second.
        >>> error.line
        7
    """

    def __init__(self, problem: str, *, path: Path | str | None = None, line: int | None = None) -> None:
        self.problem = problem
        self.path = None if path is None else Path(path)
        self.line = line
        place = "" if path is None else f"{path}: " if line is None else f"{path}, line {line}: "
        super().__init__(place + problem)


class UnknownNameError(InputError):
    """No dataset, model or node has that name.

    The sentence suggests names that end with it after a separator, as ``concept:city`` does with ``city``, and names
    that are spelled nearly the same.

    Example:
        >>> print(UnknownNameError("model", "kats", ["katz", "ra"]))
        unknown model 'kats'; did you mean 'katz'?
    """

    def __init__(self, kind: str, name: object, known: Iterable[object], *, remedy: str = "") -> None:
        self.name = name
        names = [str(k) for k in known]
        near = _near_names(str(name), names)
        if near:
            offer = f"; did you mean {' or '.join(repr(n) for n in near)}?"
        else:
            offer = f"; known are {', '.join(names)}." if 0 < len(names) <= 30 else "."
        super().__init__(f"unknown {kind} {str(name)!r}{offer}{' ' + remedy if remedy else ''}")


def _near_names(name: str, known: list[str], count: int = 3) -> list[str]:
    """The known names most like another one, without regard to case."""
    wanted = name.casefold()
    folded = {known.casefold(): known for known in reversed(known)}
    endings = [key for key in folded if wanted and key.endswith(wanted) and not key[: -len(wanted)][-1:].isalnum()]
    similar = difflib.get_close_matches(wanted, folded, n=count, cutoff=_LEAST_SIMILARITY)
    return [folded[key] for key in dict.fromkeys([*sorted(endings, key=lambda key: (len(key), key)), *similar])][:count]


class UntrainedError(InputError):
    """A model is asked for scores before it has learned anything."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"{model} has no weights yet; train it with `LinkPredictor.fit` or `linkwl train`, or load a trained model."
        )


class SplitError(InputError):
    """A graph cannot be split as the protocol asks.

    Example:
        >>> import linkwl
        >>> try:
        ...     linkwl.RandomSplit().apply(linkwl.load_graph([("a", "b"), ("b", "c")]), seed=0)
        ... except linkwl.SplitError as error:
        ...     print(str(error)[:36])
        graph: 2 edges are too few to split;
    """


class MemoryLimitError(LinkwlError):
    """The work would take more memory than is free; nothing was started.

    Example:
        >>> import linkwl
        >>> issubclass(linkwl.MemoryLimitError, linkwl.LinkwlError)  # one `except` for everything that a user can fix
        True
    """


class OutputError(LinkwlError):
    """A result cannot be written to the requested place.

    Example:
        >>> print(OutputError("links.csv", "the disk is full"))
        links.csv: cannot be written (the disk is full); choose another place or free it, then run again.
    """

    def __init__(self, path: Path | str, reason: str) -> None:
        self.path = Path(path)
        super().__init__(f"{path}: cannot be written ({reason}); choose another place or free it, then run again.")


class TaskError(LinkwlError):
    """A task of an engine failed with an unexpected error, or the process that ran it was killed.

    Example:
        >>> import linkwl
        >>> from linkwl.engine import InlineEngine
        >>> try:
        ...     list(InlineEngine().map(lambda task: 1 / task, [0]))
        ... except linkwl.TaskError as error:
        ...     print(error)
        0: ZeroDivisionError: division by zero
    """


class DownloadError(LinkwlError):
    """A benchmark file cannot be fetched, or is not the file it should be.

    Example:
        >>> import linkwl
        >>> issubclass(linkwl.DownloadError, linkwl.LinkwlError)  # its text says which file, and where to put it
        True
    """
