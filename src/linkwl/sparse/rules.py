"""Rules: what paths of relations between two entities say about a further relation between them.

A rule says that entities joined by one fact, or by a path of two facts of given kinds, are also joined by a fact of
another relation. How often it holds is counted in the graph itself. A third kind of evidence is likeness: relation r
joins h and t if r joins h to entities like t, or entities like h to t; two entities are alike if they stand in the same
relations to the same entities. These are walks of three steps of which two are of one kind.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray, Pairs, Queries

RULE_FEATURES = (
    "fact lift",
    "fact share",
    "path lift",
    "path share",
    "like heads",
    "most like head",
    "like tails",
    "most like tail",
)
"""The columns of :func:`rule_features`."""
MOST_COUNTED = 200_000
"""Number of facts that rules are counted on; of larger graphs an even sample."""
MOST_WALKS = 1 << 24
"""Number of walks of two facts beside a fact that are listed, about; of denser graphs fewer facts are counted."""
MOST_COMPARED = 20_000
"""Number of facts that are compared on each side to find entities that are alike."""
_UNIT = 4.0


class Rules(NamedTuple):
    """The rules of a graph with R relations, and what is needed to apply them.

    A rule of one fact has as its body a role from the head to the tail; a rule of two facts has two roles. Rules that
    never hold are left out.
    """

    ptr: IntArray
    other: IntArray
    role: IntArray
    """The facts at every entity; see :class:`linkwl.graph.Incidence`."""
    fact_lift: FloatArray
    """``fact_lift[s, r]``: how much likelier a fact in role s makes relation r, as a logarithm in quarters."""
    fact_share: FloatArray
    """The share of the pairs with a fact in role s that relation r joins as well."""
    path: IntArray
    """The bodies of rules of two facts, ascending: ``first * 2 R + second``."""
    path_ptr: IntArray
    """The rules with body ``path[k]`` are at ``path_ptr[k] : path_ptr[k + 1]``."""
    path_relation: IntArray
    path_lift: FloatArray
    path_share: FloatArray
    path_walks: FloatArray
    """The number of walks with each body."""
    likeness: FloatArray
    """For each entry of an entity, how much it counts if another entity has the same: less if many have."""
    size: FloatArray
    """For each entity, the length by which its likeness to others is divided."""


def read_rules(ptr: IntArray, other: IntArray, role: IntArray, triples: Queries, num_relations: int) -> Rules:
    """Counts the rules of one and two facts that hold in a graph, and how often.

    Args:
        ptr: The entries of entity v are at ``ptr[v] : ptr[v + 1]``.
        other: The entity at the other end of each fact, ascending for each entity.
        role: The role of the entity itself in the fact; below 2 R.
        triples: The facts.
        num_relations: The number of relations, R.
    """
    num_nodes, num_roles = len(ptr) - 1, 2 * num_relations
    frequency = np.bincount(triples[:, 1], minlength=num_relations).astype(np.float64)
    chance = (frequency + 0.5) / max(num_nodes, 1) ** 2  # that a relation joins two entities drawn at random
    step = max(1, -(-len(triples) // MOST_COUNTED))
    counted = np.ascontiguousarray(triples[::step], dtype=np.int32)
    num_walks = _list_walks(ptr, other, role, num_relations, counted, np.empty(0, dtype=np.int64))
    if num_walks > MOST_WALKS:
        counted = np.ascontiguousarray(counted[:: -(-num_walks // MOST_WALKS)])
        num_walks = _list_walks(ptr, other, role, num_relations, counted, np.empty(0, dtype=np.int64))
    scale = len(triples) / max(len(counted), 1)

    with_fact = np.zeros((num_roles, num_relations))
    _count_facts(ptr, other, role, counted, with_fact)
    with_fact *= scale
    total = np.tile(frequency, 2)[:, None]
    fact_lift = np.where(with_fact > 0, np.log((with_fact + 2 * chance) / (total + 2) / chance) / _UNIT, 0)

    found = np.empty(num_walks, dtype=np.int64)
    _list_walks(ptr, other, role, num_relations, counted, found)
    found.sort()
    first = np.flatnonzero(np.diff(found, prepend=-1))
    rule, number = found[first], np.diff(first, append=len(found)) * scale
    body, relation = np.divmod(rule, max(num_relations, 1))
    walks = _count_walks(ptr, role, num_nodes, num_relations)[np.divmod(body, max(num_roles, 1))]
    start = np.flatnonzero(np.diff(body, prepend=-1))
    path = body[start]

    shared, place = _count_equal(other.astype(np.int64) * num_roles + role)
    likeness = np.where(shared > 1, shared**-0.5, 0)[place]
    owner = np.repeat(np.arange(num_nodes), np.diff(ptr))
    size = np.sqrt(np.bincount(owner, weights=likeness, minlength=num_nodes) + 1)
    return Rules(
        ptr,
        other,
        role,
        fact_lift.astype(np.float32),
        (with_fact / (total + 2)).astype(np.float32),
        path,
        np.append(start, len(body)).astype(np.int64),
        relation.astype(np.int32),
        (np.log((number + 2 * chance[relation]) / (walks + 2) / chance[relation]) / _UNIT).astype(np.float32),
        (number / (walks + 2)).astype(np.float32),
        walks,
        likeness.astype(np.float32),
        size.astype(np.float32),
    )


def _count_equal(values: IntArray) -> tuple[FloatArray, IntArray]:
    """How often each distinct value occurs, and the place of every value among the distinct ones; by sorting."""
    order = np.argsort(values, kind="stable")
    is_new = np.diff(values[order], prepend=-1) != 0
    place = np.empty(len(values), dtype=np.int64)
    place[order] = np.cumsum(is_new) - 1
    return np.bincount(place).astype(np.float64), place


def _count_walks(ptr: IntArray, role: IntArray, num_nodes: int, num_relations: int) -> FloatArray:
    """The number of walks of two facts by their roles: ``[s, q]`` counts the walks that leave in role s, then q."""
    owner = np.repeat(np.arange(num_nodes), np.diff(ptr))
    counts = sp.csr_array((np.ones(len(role)), (owner, role)), shape=(num_nodes, 2 * num_relations))
    turned = np.roll(np.arange(2 * num_relations), -num_relations)
    arrive = sp.csr_array(counts[:, turned])  # arriving by role s is leaving by its inverse
    return (arrive.T @ counts).toarray()


@kernel
def _count_facts(ptr, other, role, triples, counts):
    for i in range(len(triples)):
        h, r, t = triples[i, 0], triples[i, 1], triples[i, 2]
        k = ptr[h] + np.searchsorted(other[ptr[h] : ptr[h + 1]], t)
        while k < ptr[h + 1] and other[k] == t:
            if role[k] != r and h != t:
                counts[role[k], r] += 1
            k += 1


@kernel
def _list_walks(ptr, other, role, num_relations, triples, out):
    """The body and the relation of every walk of two facts beside a fact; only counts if ``out`` is empty."""
    first = np.zeros(len(ptr) - 1, dtype=np.int64)
    stamp = np.full(len(ptr) - 1, -1, dtype=np.int64)
    marked, total = -1, 0
    for i in range(len(triples)):
        h, r, t = triples[i, 0], triples[i, 1], triples[i, 2]
        if h == t:
            continue
        if h != marked:
            marked = h
            _mark(ptr, other, h, h, first, stamp)
        for k in range(ptr[t], ptr[t + 1]):
            u = other[k]
            if u in (h, t) or stamp[u] != h:
                continue
            second = _inverse(role[k], num_relations)
            j = first[u]
            while j < ptr[h + 1] and other[j] == u:
                if len(out):
                    out[total] = (np.int64(role[j]) * 2 * num_relations + second) * num_relations + r
                total += 1
                j += 1
    return total


@kernel
def _mark(ptr, other, node, value, first, stamp):
    """Notes for each neighbour of a node the first of the node's entries for it."""
    for k in range(ptr[node], ptr[node + 1]):
        u = other[k]
        if stamp[u] != value:
            stamp[u] = value
            first[u] = k


@kernel
def _inverse(role, num_relations):
    return role + num_relations if role < num_relations else role - num_relations


def rule_features(rules: Rules, pairs: Pairs, relations: IntArray | None = None) -> FloatArray:
    """The evidence of rules and of likeness for relations between a head and a tail.

    The columns are the largest lift of a rule of one fact, and the probability that one of these rules holds if they
    are independent; the same for rules of two facts; then the sum of the likenesses of the head to other heads of the
    relation with the same tail, on a logarithmic scale, and the largest; and the same for tails. The relation's own
    fact from head to tail counts as no evidence.

    Args:
        rules: The rules of the graph.
        pairs: Heads and tails.
        relations: Some relations for each pair; by default all.

    Shape:
        - pairs: ``(num_pairs, 2)``
        - relations: ``(num_pairs, num_asked)``
        - output: ``(num_pairs, num_asked or num_relations, 8)``, float32
    """
    pairs = np.ascontiguousarray(pairs, dtype=np.int32)
    num_relations = rules.fact_lift.shape[1]
    if relations is None:
        asked, width = np.empty((len(pairs), 0), dtype=np.int32), num_relations
    else:
        asked = np.ascontiguousarray(relations, dtype=np.int32)
        width = asked.shape[1]
    out = np.zeros((len(pairs), width, len(RULE_FEATURES)), dtype=np.float32)
    run_ranges(
        lambda start, stop: _fill_features(rules, pairs[start:stop], asked[start:stop], MOST_COMPARED, out[start:stop]),
        len(pairs),
        smallest=64,
    )
    return out


@kernel
def _fill_features(rules, pairs, asked, most_compared, out):
    ptr, other, role = rules.ptr, rules.other, rules.role
    num_relations = rules.fact_lift.shape[1]
    num_nodes = len(ptr) - 1
    first, stamp = np.zeros((2, num_nodes), dtype=np.int64), np.full((2, num_nodes), -1, dtype=np.int64)
    found = np.zeros((num_relations, out.shape[2]), dtype=np.float32)
    for i in range(len(pairs)):
        h, t = pairs[i, 0], pairs[i, 1]
        if h == t:
            continue
        found[:] = 0
        for side in range(2):
            _mark(ptr, other, pairs[i, side], i, first[side], stamp[side])
        if stamp[0, t] == i:
            k = first[0, t]
            while k < ptr[h + 1] and other[k] == t:
                for r in range(num_relations):
                    if r != role[k]:
                        found[r, 0] = max(found[r, 0], rules.fact_lift[role[k], r])
                        found[r, 1] += (1 - found[r, 1]) * rules.fact_share[role[k], r]
                k += 1
        for k in range(ptr[t], ptr[t + 1]):
            u = other[k]
            if u in (h, t) or stamp[0, u] != i:
                continue
            second = _inverse(role[k], num_relations)
            j = first[0, u]
            while j < ptr[h + 1] and other[j] == u:
                body = np.int64(role[j]) * 2 * num_relations + second
                place = np.searchsorted(rules.path, body)
                if place < len(rules.path) and rules.path[place] == body:
                    for m in range(rules.path_ptr[place], rules.path_ptr[place + 1]):
                        r = rules.path_relation[m]
                        found[r, 2] = max(found[r, 2], rules.path_lift[m])
                        found[r, 3] += (1 - found[r, 3]) * min(rules.path_share[m], np.float32(1))
                j += 1
        _add_alike(rules, t, h, num_relations, first[0], stamp[0], i, most_compared, found[:, 4:6])
        _add_alike(rules, h, t, 0, first[1], stamp[1], i, most_compared, found[:, 6:8])
        for r in range(num_relations):
            found[r, 4], found[r, 6] = np.log1p(4 * found[r, 4]), np.log1p(4 * found[r, 6])
        if asked.shape[1] == 0:
            out[i] = found
        else:
            for k in range(asked.shape[1]):
                out[i, k] = found[asked[i, k]]


@kernel
def _add_alike(rules, fixed, wanted, lowest_role, first, stamp, value, most_compared, found):
    """Adds the likeness of ``wanted`` to others at ``fixed``, by relation; roles start at ``lowest_role``."""
    ptr, other, role = rules.ptr, rules.other, rules.role
    num_relations = rules.fact_lift.shape[1]
    last, like, num_compared = -1, np.float32(0), 0
    for k in range(ptr[fixed], ptr[fixed + 1]):
        u, r = other[k], role[k] - lowest_role
        if r < 0 or r >= num_relations or u in (wanted, fixed):
            continue
        if u != last:
            if num_compared > most_compared:
                break
            num_compared += ptr[u + 1] - ptr[u]
            last, like = u, np.float32(0)
            for j in range(ptr[u], ptr[u + 1]):
                v = other[j]
                if v in (wanted, u) or stamp[v] != value:
                    continue
                m = first[v]
                while m < ptr[wanted + 1] and other[m] == v:
                    if role[m] == role[j]:
                        like += rules.likeness[j]
                        break
                    m += 1
            like /= rules.size[u] * rules.size[wanted]
        found[r, 0] += like
        found[r, 1] = max(found[r, 1], like)
