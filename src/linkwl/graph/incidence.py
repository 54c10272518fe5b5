"""The facts at every entity, outgoing and incoming, in compressed rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwl.typing import IntArray, Queries


class Incidence(NamedTuple):
    """For every entity v the entries (other entity, role), ascending, at positions ``ptr[v]`` to ``ptr[v + 1]``.

    With R relations, a fact (v, r, u) gives v the entry (u, r), and a fact (u, r, v) gives it (u, R + r): a role is a
    relation or its inverse. A loop (v, r, v) gives v both entries. So there are two entries for each fact.
    """

    ptr: IntArray
    """int64, shape ``(num_nodes + 1,)``."""
    other: IntArray
    """int32, shape ``(2 * num_facts,)``."""
    role: IntArray
    """int32, shape ``(2 * num_facts,)``; below 2 R."""


def find_incidence(triples: Queries, num_nodes: int, num_relations: int) -> Incidence:
    """The entries of every entity, in time of sorting the facts.

    Raises:
        ValueError: If the roles of so many relations do not fit in 32 bits.
    """
    if 2 * num_relations > 2**31:
        raise ValueError(f"{num_relations} relations have {2 * num_relations} roles, at most {2**31} are supported.")
    head, relation, tail = triples.T
    entity = np.concatenate([head, tail])
    other = np.concatenate([tail, head])
    role = np.concatenate([relation, relation + np.int32(num_relations)])
    if num_nodes * num_nodes * 2 * num_relations < 2**63:  # sorting integers is faster than sorting rows
        numbers = np.sort((entity.astype(np.int64) * num_nodes + other) * (2 * num_relations) + role)
        pair, roles = np.divmod(numbers, max(2 * num_relations, 1))
        other, role = (pair % max(num_nodes, 1)).astype(np.int32), roles.astype(np.int32)
    else:
        order = np.lexsort((role, other, entity))
        other, role = other[order], role[order]
    ptr = np.zeros(num_nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(entity, minlength=num_nodes), out=ptr[1:])
    found = Incidence(ptr, other, role)
    for array in found:
        array.setflags(write=False)
    return found
