"""Timed and weighted graphs of a git history: files that change together, and who changes which file."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np

from linkwl import Graph

_LARGEST = 10
"""Files of the largest commit that is read: larger ones move or reformat everything."""
_MARK = "\x01"


def changed_together(repository: Path) -> Graph:
    """Files, and which were changed in one commit: how often, and first when."""
    rows = [(a, b, when) for when, _, files in _commits(repository) for a, b in combinations(files, 2)]
    return _graph(rows, f"{_name(repository)} files")


def authors_of_files(repository: Path) -> Graph:
    """Authors and files, and who changed which: how often, and first when; bipartite."""
    rows = [(f"<{who}>", file, when) for when, who, files in _commits(repository) for file in files]
    return _graph(rows, f"{_name(repository)} authors", is_bipartite=True)


def _commits(repository: Path) -> Iterator[tuple[int, str, list[str]]]:
    """The time, author and files of every commit that is not a merge."""
    form = f"--format={_MARK}%at%x09%ae"
    command = ["git", "-C", str(repository), "log", "--no-merges", "--no-renames", "--name-only", form]
    text = subprocess.run(command, check=True, capture_output=True, text=True, errors="replace").stdout
    for commit in text.split(_MARK)[1:]:
        head, *files = [line for line in commit.splitlines() if line]
        when, who = head.split("\t")
        if len(files) <= _LARGEST:
            yield int(when), who.lower(), sorted(files)


def _graph(rows: list[tuple[str, str, int]], name: str, *, is_bipartite: bool = False) -> Graph:
    """The graph of rows; the weight of an edge is the number of its rows, its time that of the first."""
    number = {end: k for k, end in enumerate(sorted({end for row in rows for end in row[:2]}))}
    pairs = np.array([[number[a], number[b]] for a, b, _ in rows], dtype=np.int32)
    time = np.array([when for *_, when in rows], dtype=np.int64)
    part = np.array([not end.startswith("<") for end in number], dtype=np.int8) if is_bipartite else None
    return Graph.from_pairs(pairs, len(number), name=name, weight=np.ones(len(rows)), time=time, part=part)


def _name(repository: Path) -> str:
    """The name of a repository, from ``.../name`` or ``.../owner+name/repo``."""
    place = repository.resolve()
    return (place.parent if place.name in ("repo", ".git") else place).name.rpartition("+")[2]
