"""Graphs derived from a graph: with fewer edges, turned round, or with other columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self

import numpy as np

from linkwl.graph import csr, edge_columns
from linkwl.graph.attributes import Attributes
from linkwl.graph.compressed_rows import CompressedRows
from linkwl.graph.features import Features, checked_features
from linkwl.graph.intake import Intake
from linkwl.threads import run_all
from linkwl.typing import BoolArray, IntArray, Pairs


@dataclass(frozen=True, eq=False, repr=False)
class DerivedGraphs(CompressedRows):
    """The methods of :class:`linkwl.Graph` that keep its nodes and change its edges or columns."""

    def select(self, keep: BoolArray) -> Self:
        """The same nodes with only the edges ``edges[keep]``."""
        if keep.dtype != np.bool_ or keep.shape != (self.num_edges,):
            raise ValueError(f"`keep` must hold one flag per edge ({self.num_edges}), got {keep.dtype} {keep.shape}.")
        return self.subgraphs(keep.view(np.int8), [(1,)])[0]

    def subgraphs(self, label: IntArray, groups: Sequence[Collection[int]]) -> list[Self]:
        """The same nodes, for each group with only the edges whose label is in it.

        Args:
            label: A small non-negative integer for every edge.
            groups: Labels to keep, for each of the graphs.
        """
        label_of_entry = label if self.is_directed else csr.labels_of_entries(self.rowptr, self.col, label)
        labels = np.arange(int(label.max(initial=0)) + 1)
        return run_all(lambda group: self._with_entries(label_of_entry, np.isin(labels, list(group))), groups)

    def _with_entries(self, label: IntArray, is_kept: BoolArray) -> Self:
        """The same nodes with only the entries whose label is kept; one label per entry."""
        rowptr, col = csr.filter_rows(self.rowptr, self.col, label, is_kept)
        weight, time = edge_columns.kept(self.weight, self.time, label, is_kept)
        return replace(self, rowptr=rowptr, col=col, intake=None, weight=weight, time=time)

    def without(self, queries: Pairs) -> Self:
        """The same nodes without the given edges, in either order; pairs that are not edges change nothing."""
        return self.hider(queries)(np.arange(len(queries)))

    def hider(self, queries: Pairs) -> Callable[[IntArray], Self]:
        """A function from positions in ``queries`` to the graph without those edges, as :meth:`without` does.

        The pairs are looked up once, no matter how often the function is called.
        """
        array = self.check_pairs(queries)
        ways = [array] if self.is_directed else [array, array[:, ::-1]]
        entries = np.stack([csr.find(self.rowptr, self.col, way) for way in ways], axis=1)
        return partial(self._hidden, entries)

    def _hidden(self, entries: IntArray, places: IntArray) -> Self:
        """The same nodes without the entries at some places; -1 for no entry."""
        hidden = entries[places]
        is_hidden = np.zeros(len(self.col), dtype=np.int8)
        is_hidden[hidden[hidden >= 0]] = 1
        return self._with_entries(is_hidden, np.array([True, False]))

    def cut(self, pairs: Pairs) -> Self:
        """The same nodes without any edge between the two nodes of a pair, in either direction."""
        array = self.check_pairs(pairs)
        return self.without(np.concatenate([array, array[:, ::-1]]) if self.is_directed else array)

    @cached_property
    def reversed(self) -> Self:
        """The graph with every edge turned round, so that rows hold in-neighbours; the graph itself if undirected."""
        if not self.is_directed:
            return self
        order = np.argsort(self.col, kind="stable")
        rowptr = np.concatenate([[0], np.cumsum(np.bincount(self.col, minlength=self.num_nodes))])
        turned = replace(
            self,
            rowptr=rowptr,
            col=self.edges[order, 0],
            intake=None,
            weight=None if self.weight is None else self.weight[order],
            time=None if self.time is None else self.time[order],
        )
        turned.__dict__["reversed"] = self
        return turned

    def unweighted(self) -> Self:
        """The same graph without weights; the graph itself if it has none."""
        return self if self.weight is None else replace(self, weight=None)

    def with_features(self, features: Features | None) -> Self:
        """The same graph with a copy of these node features."""
        return replace(self, features=None if features is None else checked_features(features))

    def noted(self, *notes: str, intake: Intake | None = None) -> Self:
        """The same graph with further notes in its intake, or in another one."""
        intake = self.intake if intake is None else intake
        return self if intake is None else replace(self, intake=intake.noted(*notes))

    def with_attributes(self, attributes: Attributes | None) -> Self:
        """The same graph with these attributes, and with their matrix as features if they have one."""
        matrix = None if attributes is None else attributes.matrix()
        return replace(self, features=self.features if matrix is None else matrix, attributes=attributes)

    def with_columns_of(self, other: CompressedRows) -> Self:
        """The same graph with its attributes in the columns and on the scales of another graph's.

        A graph without attributes takes those of the nodes that both have; those of its other nodes are missing. If
        the other graph has none, they are left out.

        Raises:
            InputError: If a column is missing.
        """
        known, found = other.attributes, self.attributes
        if known is None:
            return self if found is None else replace(self, attributes=None)
        if found is None:
            rows = other.ids.find(self.ids.to_arrow())
            if rows.max(initial=-1) < 0:
                return self
            found = known.take(rows)
        return self.with_attributes(found.like(known))
