"""What our model reads from a knowledge graph: roles, rules and the structure of pairs."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp
import torch
from scipy.sparse.csgraph import connected_components

from linkwl.graph import KnowledgeGraph
from linkwl.kernel import kernel
from linkwl.memory import check_memory
from linkwl.nn.query_grid import GridColumns, QueryGrid
from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.triple_ensemble import EndRows, PairInputs
from linkwl.ranges import range_entries
from linkwl.sparse.pair_structure import pair_structure, two_step_walks
from linkwl.sparse.roles import ROLE_FEATURES, Roles, read_roles, role_features
from linkwl.sparse.rules import RULE_FEATURES, Rules, read_rules, rule_features
from linkwl.typing import FloatArray, IntArray, Pairs

MAX_STEPS = 10
"""The largest distance between two entities that is distinguished."""
PAIR_CHANNELS = MAX_STEPS + 2 + 11
QUERY_CHANNELS = 2 * len(ROLE_FEATURES) + 4 + 2 + 6 + len(RULE_FEATURES)
_COUNT, _NEAR = ROLE_FEATURES.index("count"), ROLE_FEATURES.index("near")
_GRID_COLUMNS = GridColumns(
    heads=(*range(5), 10, 11),
    tails=(*range(5, 10), 12, 13),
    relations=tuple(range(16, 22)),
    entries=(14, *range(22, QUERY_CHANNELS)),
    flag=15,
)
"""The columns of :meth:`TripleReading.query_features`."""
_BYTES_PER_ROLE_PAIR = 60


class TripleReading:
    """Statistics of one graph, and the features of queries about it; read once and never changed.

    Args:
        graph: The observed graph.
        num_known: Number of relations of training, the first ones of the graph; others have no weights of their own.
    """

    def __init__(self, graph: KnowledgeGraph, num_known: int) -> None:
        self.graph, self.num_known = graph, num_known
        num_roles = 2 * graph.num_relations + (0 if graph.types is None else len(graph.types.names))
        check_memory(
            _BYTES_PER_ROLE_PAIR * num_roles**2,
            f"how the {num_roles:,} roles of {graph.name} go together",
            "merge rare relations",
        )

    @cached_property
    def roles(self) -> Roles:
        """The roles of entities; types of entities are further roles."""
        graph, incidence = self.graph, self.graph.incidence
        entity = np.repeat(np.arange(graph.num_nodes), np.diff(incidence.ptr))
        role, num_asked = incidence.role, 2 * graph.num_relations
        num_roles = num_asked
        if graph.types is not None:
            entity = np.concatenate([entity, np.repeat(np.arange(graph.num_nodes), np.diff(graph.types.ptr))])
            role = np.concatenate([role, num_asked + graph.types.col])
            num_roles += len(graph.types.names)
        return read_roles(entity, role, graph.num_nodes, num_roles, num_asked, self._adjacency)

    @cached_property
    def rules(self) -> Rules:
        """The rules that hold in the graph."""
        return read_rules(*self.graph.incidence, self.graph.triples, self.graph.num_relations)

    @cached_property
    def relations(self) -> FloatArray:
        """Six statistics of each relation.

        The logarithm of its number of facts; heads and tails per fact; the share of facts whose reverse is a fact; and
        the logarithms of the shares of entities that are heads, and tails.
        """
        graph = self.graph
        triples, count = graph.triples, graph.num_relations
        facts = np.bincount(triples[:, 1], minlength=count)
        heads, tails = self.roles.num_entities[: 2 * count].reshape(2, count)
        turned = graph.contains(triples[:, ::-1])
        both_ways = np.bincount(triples[:, 1], weights=turned, minlength=count)
        some, everyone = np.maximum(facts, 1), max(graph.num_nodes, 1)
        columns = [np.log1p(facts), heads / some, tails / some, both_ways / some]
        columns += [np.log((heads + 0.5) / everyone), np.log((tails + 0.5) / everyone)]
        return np.stack(columns, axis=1).astype(np.float32)

    def pair_features(self, pairs: Pairs) -> FloatArray:
        """The structure of pairs: distance, common neighbours and the like; ``(num_pairs, PAIR_CHANNELS)``."""
        links = self.graph.links
        distance, linked, common, allocation, walks = self._structure(pairs).T
        steps = np.eye(MAX_STEPS + 2, dtype=np.float32)[distance.astype(np.int64)]
        head, tail = pairs.T
        part, size = self._components
        columns = [linked, np.log1p(common), np.sqrt(allocation), np.log1p(walks)]
        columns += [np.log1p(links.degree[end]) for end in (head, tail)]
        columns += [np.log1p(self.roles.ptr[end + 1] - self.roles.ptr[end]) for end in (head, tail)]
        columns += [size[head], size[tail], part[head] == part[tail]]
        return np.concatenate([steps, np.stack(columns, axis=1)], axis=1).astype(np.float32)

    def _structure(self, pairs: Pairs) -> FloatArray:
        links = self.graph.links
        return pair_structure(links.rowptr, links.col, pairs, MAX_STEPS, walks=self._walks)

    @cached_property
    def _walks(self) -> IntArray:
        return two_step_walks(self.graph.links.rowptr, self.graph.links.col)

    def query_features(self, pairs: Pairs, relations: IntArray | None = None) -> FloatArray:
        """Statistics that mean the same for every relation; ``(num_pairs, num_asked, QUERY_CHANNELS)``.

        Args:
            pairs: Heads and tails.
            relations: Some relations for each pair, ``(num_pairs, num_asked)``; by default all.
        """
        count = self.graph.num_relations
        rules = rule_features(self.rules, pairs, relations)
        if relations is None:
            relations = np.broadcast_to(np.arange(count), (len(pairs), count))
        head, tail = (np.repeat(end, relations.shape[1]) for end in pairs.T)
        asked = relations.reshape(-1)
        as_head, as_tail = role_features(self.roles, head, asked), role_features(self.roles, tail, count + asked)
        turned = [role_features(self.roles, head, count + asked), role_features(self.roles, tail, asked)]
        reverse = np.zeros((len(pairs), count), dtype=np.float32)
        owner, role = self.direct_roles(pairs)
        is_back = role >= count
        reverse[owner[is_back], role[is_back] - count] = 1
        has_both = (as_head[:, _COUNT] > 0) & (as_tail[:, _COUNT] > 0)
        columns = [as_head, as_tail, *(part[:, [_COUNT, _NEAR]] for part in turned)]
        columns += [np.take_along_axis(reverse, relations, axis=1).reshape(-1, 1), has_both[:, None].astype(np.float32)]
        columns += [self.relations[asked], rules.reshape(-1, len(RULE_FEATURES))]
        return np.concatenate(columns, axis=1, dtype=np.float32).reshape(*relations.shape, QUERY_CHANNELS)

    def query_grid(self, pairs: Pairs) -> QueryGrid:
        """The :meth:`query_features` of all relations, with those of each head and each tail computed once."""
        count, (heads, head), (tails, tail) = (
            self.graph.num_relations,
            *(np.unique(end, return_inverse=True) for end in pairs.T),
        )
        entries = np.empty((len(pairs), count, 1 + len(RULE_FEATURES)), dtype=np.float32)
        entries[..., 0] = 0
        entries[..., 1:] = rule_features(self.rules, pairs)
        owner, role = self.direct_roles(pairs)
        is_back = role >= count
        entries[owner[is_back], role[is_back] - count, 0] = 1
        as_head, as_tail = self._role_table(heads, 0), self._role_table(tails, count)
        return QueryGrid(
            _GRID_COLUMNS,
            as_head,
            as_tail,
            head.reshape(-1),
            tail.reshape(-1),
            self.relations,
            entries,
            as_head[..., _COUNT] > 0,
            as_tail[..., _COUNT] > 0,
        )

    def _role_table(self, entities: IntArray, first_role: int) -> FloatArray:
        """The features of entities in the roles of one side, and two of those of the other: ``(num, R, 7)``."""
        count = self.graph.num_relations
        asked = np.tile(np.arange(2 * count), len(entities))
        table = role_features(self.roles, np.repeat(entities, 2 * count), asked)
        table = table.reshape(len(entities), 2, count, -1)
        own, other = (0, 1) if first_role == 0 else (1, 0)
        return np.concatenate([table[:, own], table[:, other][..., [_COUNT, _NEAR]]], axis=2)

    def direct_roles(self, pairs: Pairs) -> tuple[IntArray, IntArray]:
        """The roles in which heads stand to their tails: the pair and the role of each."""
        ptr, other, role = self.graph.incidence
        owner, entries = range_entries(*_find_entries(ptr, other, np.ascontiguousarray(pairs, dtype=np.int32)))
        return owner, role[entries]

    def pair_inputs(self, pairs: Pairs, features: FloatArray | None = None) -> PairInputs:
        """The inputs of the network for pairs.

        Args:
            pairs: Heads and tails.
            features: Their :meth:`pair_features`, if they are known.
        """
        heads, head = np.unique(pairs[:, 0], return_inverse=True)
        tails, tail = np.unique(pairs[:, 1], return_inverse=True)
        owner, role = self.direct_roles(pairs)
        found = self.pair_features(pairs) if features is None else features
        return PairInputs(
            self._end_rows(heads),
            self._end_rows(tails),
            torch.from_numpy(head),
            torch.from_numpy(tail),
            self._sparse_rows(owner, role, np.ones(len(role), dtype=np.float32), len(pairs)),
            torch.from_numpy(found),
        )

    def _end_rows(self, nodes: IntArray) -> EndRows:
        roles = self.roles
        own, own_entries = range_entries(roles.ptr[nodes], roles.ptr[nodes + 1])
        near, near_entries = range_entries(roles.near_ptr[nodes], roles.near_ptr[nodes + 1])
        counts = np.log1p(roles.times[own_entries])
        return EndRows(
            self._sparse_rows(own, roles.role[own_entries], counts, len(nodes)),
            self._sparse_rows(near, roles.near_role[near_entries], roles.near_share[near_entries], len(nodes)),
        )

    def _sparse_rows(self, owner: IntArray, role: IntArray, value: FloatArray, num_rows: int) -> SparseRows:
        """Rows of known roles; those of relations that training has never seen, and types, are left out."""
        count, known = self.graph.num_relations, self.num_known
        relation = np.where(role < count, role, role - count)
        is_known = (relation < known) & (role < 2 * count)
        column = np.where(role < count, role, relation + known)[is_known]
        rowptr = np.zeros(num_rows + 1, dtype=np.int64)
        np.cumsum(np.bincount(owner[is_known], minlength=num_rows), out=rowptr[1:])
        return SparseRows(rowptr, column.astype(np.int32), value[is_known], 2 * known)

    @cached_property
    def _adjacency(self) -> sp.csr_array:
        links = self.graph.links
        ones = np.ones(len(links.col))
        return sp.csr_array((ones, links.col, links.rowptr), shape=(self.graph.num_nodes,) * 2)

    @cached_property
    def _components(self) -> tuple[IntArray, FloatArray]:
        """The component of each entity, and the logarithm of its size."""
        _, part = connected_components(self._adjacency, directed=False)
        return part, np.log1p(np.bincount(part, minlength=1)[part])


@kernel
def _find_entries(ptr, other, pairs):  # type: ignore[no-untyped-def]
    """The range of the first entity's entries for the second, of each pair."""
    starts, stops = np.empty(len(pairs), dtype=np.int64), np.empty(len(pairs), dtype=np.int64)
    for i in range(len(pairs)):
        row = other[ptr[pairs[i, 0]] : ptr[pairs[i, 0] + 1]]
        starts[i] = ptr[pairs[i, 0]] + np.searchsorted(row, pairs[i, 1])
        stops[i] = ptr[pairs[i, 0]] + np.searchsorted(row, pairs[i, 1], side="right")
    return starts, stops
