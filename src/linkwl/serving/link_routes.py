"""Routes about links: the ranked ones, those of a node, given ones, and what would change in another graph."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from linkwl.graph import Graph, KnowledgeGraph
from linkwl.predict.candidates import Candidates, OneNode
from linkwl.predict.names import find_queries
from linkwl.predict.triple_candidates import TripleGrid
from linkwl.serving.answers import LinkPage, Links, NodeLinks, WhatIf
from linkwl.serving.decisions import VERDICTS, query_of
from linkwl.serving.errors import ApiError
from linkwl.serving.link_json import checked_queries, link_rows
from linkwl.serving.model_routes import PAGE_ROWS, SCORE_PAIRS
from linkwl.serving.ranking_cache import MOST_TRIPLES
from linkwl.serving.state import Opened, OpenedNow, WorkersNow

MOST_CHANGES = 50
"""Number of links to score, to add and to remove in one what-if question."""
LARGEST_NODE = 1 << 31
_LONGEST_NAME = 10_000

router = APIRouter(tags=["links"])

Status = Literal["all", "open", "accepted", "rejected", "later"]
NodeNumber = Annotated[int, Field(ge=0, lt=LARGEST_NODE)]
NodeName = Annotated[str, Field(max_length=_LONGEST_NAME)]
RelationQuery = Annotated[int | None, Query(ge=0, lt=LARGEST_NODE, description="Of a knowledge graph.")]
NumberedLink = Annotated[list[NodeNumber], Field(min_length=2, max_length=3)]
NamedLink = Annotated[list[NodeName | NodeNumber], Field(min_length=2, max_length=3)]


class ScoreRequest(BaseModel):
    """Pairs or triples to score."""

    model_config = ConfigDict(extra="forbid")

    pairs: Annotated[list[NamedLink], Field(max_length=SCORE_PAIRS)]
    """Source and target; or head, relation and tail."""
    by: Literal["id", "name"] = "id"


class WhatIfRequest(BaseModel):
    """Links to score, and edges to add and to remove before."""

    model_config = ConfigDict(extra="forbid")

    queries: Annotated[list[NumberedLink], Field(min_length=1, max_length=MOST_CHANGES)]
    add: Annotated[list[NumberedLink], Field(max_length=MOST_CHANGES)] = []
    remove: Annotated[list[NumberedLink], Field(max_length=MOST_CHANGES)] = []


def json_response(value: Any) -> Response:
    """A response of values for JSON; it may be made in a worker thread."""
    body = json.dumps(value, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    return Response(body.encode("utf-8", "replace"), media_type="application/json")


@router.get("/links", response_model=LinkPage)
async def links(
    opened: OpenedNow,
    workers: WorkersNow,
    offset: Annotated[int, Query(ge=0, lt=LARGEST_NODE)] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE_ROWS)] = 50,
    status: Status = "all",
    relation: RelationQuery = None,
    min_log_odds: Annotated[float | None, Query(allow_inf_nan=False)] = None,
) -> Response:
    """The likeliest missing links, best first; those with a verdict are listed even if they are not among these."""
    if relation is not None:
        check_relation(opened, relation)
    if status in VERDICTS:
        return await workers.score.run(_page, opened, offset, limit, status, relation, min_log_odds)
    return _page(opened, offset, limit, status, relation, min_log_odds)


def _page(
    opened: Opened, offset: int, limit: int, status: Status, relation: int | None, least: float | None
) -> Response:
    queries, scores, log_odds = _listed(opened, status)
    keep = np.ones(len(scores), dtype=np.bool_)
    if relation is not None:
        keep &= queries[:, 1] == relation
    if least is not None:
        keep &= log_odds >= least
    places = np.flatnonzero(keep)
    shown = places[offset : offset + limit]
    rows = link_rows(opened, queries[shown], scores[shown], log_odds[shown])
    return json_response({"total": len(places), "links": rows})


def _listed(opened: Opened, status: Status) -> tuple[Any, Any, Any]:
    """The links of a status, best first: queries, scores and log-odds."""
    top = opened.top
    if status == "all":
        return top.queries, top.scores, top.log_odds
    if status == "open":
        is_open = np.array([verdict is None for verdict in opened.decisions.verdicts_of(top.keys)], dtype=np.bool_)
        return top.queries[is_open], top.scores[is_open], top.log_odds[is_open]
    keys = opened.decisions.keys(status)
    if not keys:
        return top.queries[:0], top.scores[:0], top.log_odds[:0]
    queries = np.array([query_of(opened.graph, key) for key in keys], dtype=np.int32)
    scores = opened.score_known(keys, queries)
    order = np.argsort(-scores, kind="stable")
    return queries[order], scores[order], opened.log_odds(scores[order])


@router.get("/nodes/{node}/links", response_model=NodeLinks)
async def node_links(
    opened: OpenedNow,
    workers: WorkersNow,
    node: Annotated[int, Path(ge=0, lt=LARGEST_NODE)],
    limit: Annotated[int, Query(ge=1, le=PAGE_ROWS)] = 20,
    relation: RelationQuery = None,
) -> Response:
    """The likeliest missing links of one node, in both directions."""
    if node >= opened.graph.num_nodes:
        raise ApiError(404, f"there is no node {node}; nodes have the numbers 0 to {opened.graph.num_nodes - 1}.")
    if relation is not None:
        check_relation(opened, relation)
    return await workers.score.run(_node_links, opened, node, limit, relation)


def _node_links(opened: Opened, node: int, limit: int, relation: int | None) -> Response:
    ranking = opened.predictor.recommend(
        limit, candidates=_candidates(opened, node, relation), prior=opened.prior, ranking="exact", progress=False
    )
    about = {"id": node, "name": opened.names[node], "degree": opened.degree[node]}
    return json_response({"node": about, "links": link_rows(opened, ranking.queries, ranking.scores)})


def _candidates(opened: Opened, node: int, relation: int | None) -> Candidates:
    graph = opened.graph
    if isinstance(graph, Graph):
        return OneNode(graph, node)
    assert isinstance(graph, KnowledgeGraph)
    if relation is None and 2 * graph.num_nodes * graph.num_relations > MOST_TRIPLES:
        raise ApiError(422, "this graph has too many facts to rank those of all relations; choose a relation.")
    one, everyone = np.array([node]), np.arange(graph.num_nodes)
    return TripleGrid(graph, [(one, everyone), (np.delete(everyone, node), one)], relation)


@router.post("/score", response_model=Links)
async def score(body: ScoreRequest, opened: OpenedNow, workers: WorkersNow) -> Response:
    """The scores of given pairs, or of triples as head, relation and tail; by number, or by name."""
    return await workers.score.run(_score, opened, body)


def _score(opened: Opened, body: ScoreRequest) -> Response:
    queries: Any = body.pairs
    width = 2 if opened.relations is None else 3
    if any(len(query) != width for query in queries):
        raise ApiError(422, f"{opened.name} is a graph of {opened.graph.task}: each has {width} parts.")
    if body.by == "name":
        # As objects: an array of texts would give every name the room of the longest one.
        queries = find_queries(opened.graph, np.array(queries, dtype=object).reshape(-1, width)).tolist()
    elif any(isinstance(part, str) for query in queries for part in query):
        raise ApiError(422, 'nodes are given by number; send `"by": "name"` to give their names.')
    found = checked_queries(opened, queries)
    return json_response({"links": link_rows(opened, found, opened.score(found), with_facts=True)})


@router.post("/what-if", response_model=WhatIf)
async def what_if(body: WhatIfRequest, opened: OpenedNow, workers: WorkersNow) -> Response:
    """The scores of links before and after some edges are added and removed; nothing is stored."""
    return await workers.score.run(_what_if, opened, body)


def _what_if(opened: Opened, body: WhatIfRequest) -> Response:
    queries = checked_queries(opened, body.queries)
    changed = opened.graph
    if body.remove:
        changed = changed.without(checked_queries(opened, body.remove))
    if body.add:
        changed = changed.with_(checked_queries(opened, body.add))
    before = link_rows(opened, queries, opened.score(queries), with_facts=True)
    after = link_rows(opened, queries, opened.score(queries, changed))
    for row, is_fact in zip(after, changed.contains(queries).tolist(), strict=True):
        row["is_link"] = is_fact
    return json_response({"before": before, "after": after})


def check_relation(opened: Opened, relation: int) -> None:
    """Raises ApiError if the graph has no such relation."""
    if opened.relations is None:
        raise ApiError(422, f"{opened.name} is a graph of pairs, which have no relation.")
    if relation >= len(opened.relations):
        raise ApiError(404, f"there is no relation {relation}; they have the numbers 0 to {len(opened.relations) - 1}.")
