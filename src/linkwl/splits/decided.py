"""A split with the decisions of a user: accepted links are train edges, rejected ones train negatives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import Observed
from linkwl.graph.decisions import Decisions
from linkwl.splits.fold import Fold, OtherRelations, Split, Targets


def decided(split: Split, decisions: Decisions) -> Split:
    """The split with decisions, which change training alone.

    Accepted queries are train positives and are observed in all folds, rejected ones are train negatives. The held-out
    facts stay the same, so that figures with and without decisions are about the same links, and no query with a
    verdict is left among the negatives of validation and test. If the test is about other nodes, it does not change.

    Args:
        split: A split of the graph that the decisions are about.
        decisions: The decisions.

    Raises:
        SplitError: If they leave a fold without negatives.
    """
    accepted = decisions.accepted
    train, valid, test = split.train, split.valid, split.test
    judged = train.observed.without(train.observed.facts).reserve(decisions.judged)
    observed = train.observed.with_(accepted)
    negatives = train.negatives[~judged.contains(train.negatives)]
    targets = replace(
        train.targets,
        positives=np.concatenate([train.positives, accepted]),
        negatives=np.concatenate([negatives, decisions.rejected]),
    )
    return replace(
        split,
        train=Fold(observed, targets),
        valid=Fold(observed, _without(valid.targets, judged, "validation")),
        test=test
        if split.is_inductive
        else Fold(test.observed.with_(accepted), _without(test.targets, judged, "test")),
        rejected=decisions.rejected if len(decisions.rejected) else None,
    )


def _without(targets: Targets, judged: Observed, fold: str) -> Targets:
    """The targets without the negatives that have a verdict."""
    is_kept = ~judged.contains(targets.negatives)
    before = np.concatenate([[0], np.cumsum(is_kept)])
    pools = None if targets.pools is None else before[targets.pools]
    if len(targets.negatives) and (not is_kept.any() or (pools is not None and (np.diff(pools) == 0).any())):
        raise SplitError(
            f"{judged.name}: the decisions are about all negatives of the {fold} fold, so nothing is left to measure "
            "with; use fewer rejected ones, or a larger graph."
        )
    relations = targets.relations
    if relations is not None:
        is_open = ~judged.contains(relations.queries)
        offsets = np.concatenate([[0], np.cumsum(is_open)])[relations.offsets]
        relations = OtherRelations(relations.queries[is_open], offsets)
    candidates = None if targets.candidates is None else before[targets.candidates]
    return Targets(targets.positives, targets.negatives[is_kept], candidates, pools, relations)
