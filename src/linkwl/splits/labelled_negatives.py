"""The targets of INDIGO's measurement: balanced samples of triples, and the relation among all relations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwl.graph import KnowledgeGraph, Observed
from linkwl.graph.division import no_triples
from linkwl.memory import check_memory
from linkwl.splits.fold import OtherRelations, Targets
from linkwl.splits.negatives import sample_negatives
from linkwl.splits.splitter import HeldOut, as_triples
from linkwl.typing import IntArray, Queries

_BYTES_PER_TRIPLE = 48
"""A triple as it is listed, looked up and kept."""


@dataclass(frozen=True)
class LabelledNegatives:
    """Negatives as INDIGO draws them, and for every fact the same fact with the other relations.

    The test uses the labelled samples of a benchmark if it has any, each of them a pool of negatives. Otherwise as many
    pools are drawn: for every fact a triple whose head, relation and tail are uniform among those of the observed
    graph, distinct, and never a known fact. Validation has one such pool. The other relations are those of training
    for which the triple is neither observed nor a target. Training has no fixed negatives.

    Reference: Liu et al., INDIGO: GNN-based inductive knowledge graph completion using pair-wise encoding, NeurIPS
    2021.
    """

    num_pools: int = 10

    @property
    def text(self) -> str:
        """The negatives in a few words, for records."""
        return (
            f"the labelled samples of the benchmark, otherwise {self.num_pools} pools of one uniform triple per fact; "
            "for each fact all other relations"
        )

    def draw(self, graph: Observed, generator: np.random.Generator) -> Queries:
        """Nothing; the negatives depend on what is observed.

        Raises:
            SplitError: If the graph is not one of triples.
        """
        as_triples(graph, "labelled triples are")
        return no_triples()

    def divide(
        self, drawn: Queries, graph: Observed, held_out: HeldOut, generator: np.random.Generator
    ) -> list[Targets]:
        """The targets of each fold."""
        train, valid, test = held_out.positives
        seen, unseen, observed = (
            as_triples(found, "labelled triples are")
            for found in (held_out.seen or graph, held_out.unseen or graph, held_out.test)
        )
        relations = np.unique(np.concatenate([train[:, 1], valid[:, 1]]))
        negatives = uniform_triples(seen, np.unique(train[:, 1]), len(valid), generator)
        for_valid = Targets(valid, negatives, relations=other_relations(seen, valid, relations))
        others = other_relations(observed.with_(test), test, relations)
        if held_out.labels:
            pools = [sample.negatives for sample in held_out.labels]
        else:
            present = np.unique(observed.triples[:, 1])
            avoided = unseen if held_out.is_inductive else unseen.with_(negatives)
            pools = [uniform_triples(avoided, present, len(test), generator) for _ in range(self.num_pools)]
        ends = np.cumsum([0, *(len(pool) for pool in pools)])
        for_test = Targets(test, np.concatenate(pools), pools=ends, relations=others)
        return [Targets(train, no_triples()), for_valid, for_test]


def uniform_triples(known: KnowledgeGraph, relations: IntArray, count: int, generator: np.random.Generator) -> Queries:
    """Distinct triples, uniform among those with one of some relations that are not known to hold; ascending.

    Args:
        known: The facts to avoid.
        relations: The relations, distinct and ascending.
        count: Number of triples.
        generator: The source of randomness.

    Raises:
        SplitError: If there are fewer than ``count``.
    """
    number = np.full(known.num_relations, -1)
    number[relations] = np.arange(len(relations))
    rows = known.triples.copy()
    rows[:, 1] = number[rows[:, 1]]
    facts = KnowledgeGraph.from_triples(rows[rows[:, 1] >= 0], known.num_nodes, len(relations), name=known.name)
    triples = sample_negatives(facts, count, generator)
    triples[:, 1] = relations[triples[:, 1]]
    return triples


def other_relations(known: KnowledgeGraph, facts: Queries, relations: IntArray) -> OtherRelations:
    """For each fact, the triples with the same entities and another relation that are not known to hold.

    Args:
        known: All facts that are not listed, ``facts`` among them.
        facts: The facts.
        relations: The relations, distinct and ascending.

    Raises:
        MemoryLimitError: If they would take more memory than is free.
    """
    check_memory(
        _BYTES_PER_TRIPLE * len(facts) * len(relations),
        f"{len(relations):,} relations for each of {len(facts):,} facts",
        "use the protocol `entities-50` or a smaller graph",
    )
    queries = np.repeat(facts, len(relations), axis=0).astype(np.int32)
    queries[:, 1] = np.tile(relations, len(facts))
    is_open = ~known.contains(queries)
    sizes = is_open.reshape(len(facts), -1).sum(axis=1)
    return OtherRelations(queries[is_open], np.concatenate([[0], np.cumsum(sizes)]))
