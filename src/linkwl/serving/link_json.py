"""Links as values for JSON, with names, probabilities and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import expit

from linkwl.serving.decisions import key_of
from linkwl.serving.errors import ApiError
from linkwl.serving.state import Opened
from linkwl.typing import FloatArray, Queries, Scores


def link_rows(
    opened: Opened,
    queries: Queries,
    scores: Scores,
    log_odds: FloatArray | None = None,
    *,
    with_facts: bool = False,
) -> list[dict[str, Any]]:
    """Links as the API sends them, in their order.

    Args:
        opened: The open model.
        queries: The links by index.
        scores: The score of each.
        log_odds: The log-odds of each; by default from the scores.
        with_facts: Whether to say which are observed.
    """
    if log_odds is None:
        log_odds = opened.log_odds(scores)
    values = queries.tolist()
    keys = [key_of(opened.graph, query) for query in values]
    verdicts = opened.decisions.verdicts_of(keys)
    ranks, names, relations = opened.top.rank, opened.names, opened.relations
    columns = zip(values, keys, scores.tolist(), log_odds.tolist(), expit(log_odds).tolist(), verdicts, strict=True)
    rows = []
    for query, key, score, odds, probability, verdict in columns:
        relation = query[1] if relations is not None else None
        rows.append(
            {
                "rank": ranks.get(key),
                "source": query[0],
                "target": query[-1],
                "relation": relation,
                "source_name": names[query[0]],
                "target_name": names[query[-1]],
                "relation_name": None if relations is None or relation is None else relations[relation],
                "score": score,
                "log_odds": odds,
                "probability": probability,
                "verdict": verdict,
            }
        )
    if with_facts:
        for row, is_fact in zip(rows, opened.graph.contains(queries).tolist(), strict=True):
            row["is_link"] = is_fact
    return rows


def checked_query(opened: Opened, source: int, target: int, relation: int | None) -> tuple[int, ...]:
    """A query by index.

    Raises:
        ApiError: If there are no such nodes, or the relation does not fit the graph.
    """
    query = (source, target) if relation is None else (source, relation, target)
    return tuple(checked_queries(opened, [query])[0].tolist())


def checked_queries(opened: Opened, queries: Sequence[Sequence[int]]) -> Queries:
    """Queries by index, of nodes that may be linked.

    Raises:
        ApiError: If there are no such nodes or relations, both nodes are the same, or are on one side of two.
    """
    graph, relations = opened.graph, opened.relations
    width = 2 if relations is None else 3
    what = "a pair has two nodes" if relations is None else "a triple has a head, a relation and a tail"
    if any(len(query) != width for query in queries):
        raise ApiError(422, f"{what}; {graph.name} is a graph of {graph.task}.")
    for query in queries:
        for node in (query[0], query[-1]):
            if not 0 <= node < graph.num_nodes:
                raise ApiError(404, f"there is no node {node}; nodes have the numbers 0 to {graph.num_nodes - 1}.")
        if relations is not None and not 0 <= query[1] < len(relations):
            raise ApiError(404, f"there is no relation {query[1]}; they have the numbers 0 to {len(relations) - 1}.")
        if width == 2 and query[0] == query[1]:
            raise ApiError(422, f"a node has no link with itself; node {query[0]} is given twice.")
    found = np.array(queries, dtype=np.int32).reshape(-1, width)
    part = getattr(graph, "part", None)
    if part is not None and len(same := found[part[found[:, 0]] == part[found[:, 1]]]):
        p, q = (opened.names[node] for node in same[0].tolist())
        raise ApiError(422, f"{p} and {q} are on the same side; a pair has one node of each side.")
    return found
