"""The division of a benchmark's facts by its authors."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from linkwl.typing import Queries

if TYPE_CHECKING:
    from linkwl.graph.knowledge_graph import KnowledgeGraph


def no_triples() -> Queries:
    """An empty array of triples."""
    return np.empty((0, 3), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Labelled:
    """Triples with labels, as the authors of a benchmark published them; in the order of their file."""

    positives: Queries
    negatives: Queries


@dataclass(frozen=True, eq=False)
class Division:
    """Which facts train, validate and test, by the authors of a benchmark.

    The facts of the graph are those of ``train``, ``valid`` and ``test`` together; all are distinct and ascend. An
    inductive benchmark also has a second graph, of other entities and the same relations, whose facts are observed at
    test time: there, ``unseen_test`` are the facts to predict.
    """

    train: Queries
    valid: Queries
    test: Queries = field(default_factory=no_triples)
    """Held-out facts of the graph itself; may be empty, and inductive protocols do not use them."""
    unseen: KnowledgeGraph | None = None
    """The observed graph of other entities; its relations have the same indices. None if the test has the same."""
    unseen_valid: Queries = field(default_factory=no_triples)
    """Further facts about the entities of ``unseen``: not observed, and no targets."""
    unseen_test: Queries = field(default_factory=no_triples)
    """The facts to predict in ``unseen``."""
    labels: tuple[Labelled, ...] = ()
    """Labelled samples of the test: the facts to predict, each time with other negatives."""

    def __post_init__(self) -> None:
        for queries in (self.train, self.valid, self.test, self.unseen_valid, self.unseen_test):
            queries.setflags(write=False)

    @property
    def is_inductive(self) -> bool:
        """Whether the test is about other entities than training."""
        return self.unseen is not None

    @property
    def test_facts(self) -> Queries:
        """The facts to predict at test time."""
        return self.test if self.unseen is None else self.unseen_test

    def with_labels(self, labels: tuple[Labelled, ...]) -> Division:
        """The same division with labelled samples of its test.

        Raises:
            ValueError: If their positives are not the facts to predict.
        """
        expected = np.unique(self.test_facts, axis=0)
        for sample in labels:
            found = sample.positives[np.lexsort(sample.positives.T[::-1])]
            if not np.array_equal(found, expected):
                raise ValueError("`labels` must have the facts to predict as positives, each once.")
        return replace(self, labels=labels)
