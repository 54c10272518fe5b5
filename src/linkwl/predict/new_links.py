"""The links of a later graph that an earlier one does not have, with as many pairs that neither has."""

from __future__ import annotations

import warnings

import numpy as np

from linkwl.errors import InputError, LinkwlWarning
from linkwl.graph import Graph, Observed
from linkwl.predict.names import source_first
from linkwl.splits import Targets
from linkwl.splits.negatives import sample_negatives
from linkwl.typing import FACT_WORD


def find_new_links(earlier: Observed, later: Observed, seed: int) -> Targets:
    """The new links or facts as positives, and as many random queries that are in neither graph as negatives.

    Nodes and relations are matched by name. Links of nodes that the earlier graph does not have, or has on one side,
    are left out, with a warning.

    Args:
        earlier: The graph that is observed.
        later: The graph with further links.
        seed: Seed of the negatives.

    Raises:
        InputError: If there are no new links, or one graph is of pairs and the other of triples, or one has two sides
            and the other has none.
        SplitError: If there are too few pairs that are not links.
    """
    what = FACT_WORD[earlier.task]
    if earlier.task != later.task:
        raise InputError(f"{later.name} is a graph of {later.task}, and {earlier.name} one of {earlier.task}.")
    part = earlier.part if isinstance(earlier, Graph) else None
    if isinstance(later, Graph) and (later.part is None) != (part is None):
        with_sides, without = (earlier, later) if later.part is None else (later, earlier)
        raise InputError(
            f"{with_sides.name} has two sides and {without.name} has none; load both with bipartite=True, or none."
        )
    columns = zip(
        earlier.query_columns.values(),
        later.query_columns.values(),
        source_first(later, later.facts).T,
        strict=True,
    )
    queries = np.stack([names.find(others.take(column)) for names, others, column in columns], axis=1)
    is_known = (queries >= 0).all(axis=1)
    if part is not None:
        is_known &= part[queries[:, 0]] != part[queries[:, 1]]
    known = queries[is_known].astype(np.int32)
    new = known[~earlier.contains(known)]
    if len(new) == 0:
        raise InputError(
            f"{later.name} has no {what} between known nodes that {earlier.name} does not have; give pairs and labels, "
            f"or read the results on hidden {what}s in `record_.test`."
        )
    if not is_known.all():
        warnings.warn(
            f"{later.name}: {np.count_nonzero(~is_known):,} of {len(queries):,} {what}s are left out, because "
            f"{earlier.name} does not have both nodes" + (" or has them on one side." if part is not None else "."),
            LinkwlWarning,
            stacklevel=3,
        )
    negatives = sample_negatives(earlier.reserve(known), len(new), np.random.default_rng(seed))
    return Targets(new, negatives)
