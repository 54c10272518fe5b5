"""Which columns of a table hold heads, relations and tails."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from linkwl.errors import InputError
from linkwl.graph.column_words import SOURCE_NAMES, TARGET_NAMES, column_key, find_ends
from linkwl.graph.triple_columns import TripleColumns
from linkwl.graph.value_columns import ValueColumns, find_column

Places = tuple[int, int, int]
"""The positions of head, relation and tail."""

_HEADS = ("subject", "subj", "head", "headid", "headentity", "entity1", "h", "s", *SOURCE_NAMES)
_TAILS = ("object", "obj", "tail", "tailid", "tailentity", "entity2", "t", "o", *TARGET_NAMES)
_RELATIONS = ("relation", "relationid", "predicate", "rel", "relationship", "relationtype", "property")
_BETWEEN = ("type", "edgetype", "linktype", "label", "edge", "link", "verb", "r", "p")
"""Names of relations only between the two ends: the third column ``type`` of an edge list is not the relation."""


def find_triple(
    wanted: TripleColumns, values: ValueColumns, names: Sequence[str] | None, num_columns: int, path: Path | None
) -> Places | None:
    """The columns of triples in a table with these column names, if it has names; None for a table of edges.

    Columns that are not requested are found by their usual names, or are the only ones left. Without a request a table
    holds triples if all three columns have usual names and neither weights nor times are requested.

    Raises:
        InputError: If a requested column does not exist, or triples are requested and a column is unclear.
    """
    if not wanted.are_requested:
        return None if names is None or wanted.are_refused or values.names() else find_named_triple(names)
    values.refuse("triples", "leave it out, or read edges with --relation none", path)
    places = {kind: find_column(kind, column, names, num_columns, path) for kind, column in wanted.names.items()}
    if len(set(places.values())) < len(places):
        raise InputError(f"{' and '.join(places)} are the same column; name different ones.", path=path)
    free = [k for k in range(num_columns) if k not in places.values()]
    missing = [kind for kind in ("head", "relation", "tail") if kind not in places]
    if missing == ["head", "tail"] and names is not None:
        ends = find_ends([names[k] for k in free])
        if ends is not None:
            return free[ends[0]], places["relation"], free[ends[1]]
    if names is not None:
        _add_usual(places, missing, names, free)
    elif len(free) >= len(missing):
        free = free[: len(missing)]  # the first ones, in the order head, relation, tail
    left = [kind for kind in missing if kind not in places]
    if len(left) > len(free):
        problem = f"found {num_columns} columns, expected three: head, relation and tail."
        raise InputError(problem, path=path)
    if 0 < len(left) < len(free):
        problem = f"nothing says which column holds the {left[0]}; name it with --{left[0]}."
        raise InputError(problem, path=path)
    places |= dict(zip(left, free, strict=False))
    return places["head"], places["relation"], places["tail"]


def find_requested_ends(
    wanted: TripleColumns, taken: Collection[int], names: Sequence[str] | None, num_columns: int, path: Path | None
) -> tuple[int, int] | None:
    """The two columns of the ends of edges, if one of them or both are requested; others may be taken by values.

    An end that is not requested has a usual name, or the only column left.

    Raises:
        InputError: If one of them does not exist or is taken, they are the same, or one is unclear.
    """
    places = {kind: find_column(kind, column, names, num_columns, path) for kind, column in wanted.names.items()}
    if not places:
        return None
    free = [k for k in range(num_columns) if k not in taken and k not in places.values()]
    for kind, usual in (("head", _HEADS), ("tail", _TAILS)):
        if kind in places:
            continue
        named = None if names is None else _first([column_key(names[k]) for k in free], usual)
        if named is None and len(free) != 1:
            break
        places[kind] = free[named or 0]
    ends = [places[kind] for kind in ("head", "tail") if kind in places]
    if len(set(ends) - set(taken)) < 2:
        raise InputError("an edge has two ends; name its two columns with --source and --target.", path=path)
    return ends[0], ends[1]


def find_named_triple(names: Sequence[str]) -> Places | None:
    """The columns with usual names for head, relation and tail, if there are all three."""
    keys = [column_key(name) for name in names]
    head, relation, tail = (_first(keys, usual) for usual in (_HEADS, _RELATIONS, _TAILS))
    if relation is None and len(keys) == 3 and head == 0 and tail == 2 and keys[1] in _BETWEEN:
        relation = 1
    if head is None or relation is None or tail is None:
        return None
    return head, relation, tail


def _add_usual(places: dict[str, int], missing: list[str], names: Sequence[str], free: list[int]) -> None:
    """Adds the missing columns that have usual names, and takes them from those that are free."""
    for kind, usual in (("head", _HEADS), ("relation", (*_RELATIONS, *_BETWEEN)), ("tail", _TAILS)):
        if kind in missing and (place := _first([column_key(names[k]) for k in free], usual)) is not None:
            places[kind] = free.pop(place)


def _first(keys: Sequence[str], usual: Sequence[str]) -> int | None:
    return next((keys.index(key) for key in usual if key in keys), None)
