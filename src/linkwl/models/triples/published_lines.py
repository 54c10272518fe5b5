"""The labelled lines that the published models of triples were trained on."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from linkwl.models.triples.corruptions import Corruptions
from linkwl.splits import Targets
from linkwl.typing import Queries

_NEGATIVES = 3
_KNOWN = 0.9


class PublishedLines(NamedTuple):
    """Positives and negatives of the train and validation facts, and the facts that the model may read.

    A random tenth of the lines is unknown, in train and in validation alike, drawn once. The features are the known
    positives of both, the labels are all lines: nine in ten positive labels can be read off the input. That is how the
    published numbers were obtained, and nothing to imitate.

    Reference: Liu et al., 2021, INDIGO: GNN-based inductive knowledge graph completion, public code.
    """

    train: Targets
    valid: Targets
    known: Queries
    """The positives, of train and validation, that are in the features."""

    @property
    def all(self) -> Queries:
        """Every line."""
        return np.concatenate([self.train.queries, self.valid.queries])

    def with_negatives(self, rejected: Queries | None, *, loops: bool) -> PublishedLines:
        """The same with further negatives of training; those that join an entity with itself may be dropped."""
        if rejected is None:
            return self
        rejected = rejected if loops else _without_loops(rejected)
        return self._replace(train=replace(self.train, negatives=np.concatenate([self.train.negatives, rejected])))


def draw_lines(
    train: Queries,
    valid: Queries,
    num_nodes: int,
    num_relations: int,
    generator: np.random.Generator,
    *,
    loops: bool = True,
) -> PublishedLines:
    """Draws negatives and the known lines; see :class:`Corruptions` and :class:`PublishedLines`.

    Args:
        train: The train facts.
        valid: The validation facts.
        num_nodes: Number of entities.
        num_relations: Number of relations.
        generator: The source of randomness.
        loops: Whether to keep lines that join an entity with itself.
    """
    corruptions = Corruptions(np.concatenate([train, valid]), num_nodes, num_relations)
    folds: list[Targets] = []
    known: list[Queries] = []
    for facts in (train, valid):
        drawn = corruptions.all(facts, _NEGATIVES, generator)
        lines = Targets(facts, drawn) if loops else Targets(_without_loops(facts), _without_loops(drawn))
        count = len(lines.queries)
        is_known = np.zeros(count, dtype=np.bool_)
        is_known[generator.permutation(count)[: int(_KNOWN * count)]] = True
        folds.append(lines)
        known.append(lines.positives[is_known[: len(lines.positives)]])
    return PublishedLines(folds[0], folds[1], np.concatenate(known))


def _without_loops(triples: Queries) -> Queries:
    return triples[triples[:, 0] != triples[:, 2]]
