"""Routes about the open model and its graph: what is served, how good it is, how it is drawn."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, Response

from linkwl.serving.answers import Drawing, Health, ModelAnswer, Names, Nodes, ReliabilityAnswer
from linkwl.serving.drawing import drawing_kind, drawing_of, shown_nodes
from linkwl.serving.errors import ApiError
from linkwl.serving.guard import Policy
from linkwl.serving.held_out import metrics_of, own_bins
from linkwl.serving.kept_answers import kept_json
from linkwl.serving.state import Opened, OpenedNow, WorkersNow

SCORE_PAIRS = 10_000
"""Number of pairs or triples that one request may score."""
PAGE_ROWS = 200
"""Number of links that one request may list."""
MOST_NAMES = 1000
LONGEST_SEARCH = 200

router = APIRouter(tags=["model"])


@cache
def _version() -> str:
    return version("linkwl")


@router.get("/health", response_model=Health)
async def health() -> Response:
    """Whether the server answers, and its version."""
    return JSONResponse({"status": "ok", "version": _version()})


@router.get("/model", response_model=ModelAnswer)
async def model(request: Request, opened: OpenedNow) -> Response:
    """What is served: the graph, the model, its figures, and the limits of this server."""
    return JSONResponse(model_answer(opened, request.app.state.policy, can_train=request.app.state.can_train))


def model_answer(opened: Opened, policy: Policy, *, can_train: bool) -> dict[str, Any]:
    """The answer about the open model, as values for JSON."""
    graph, fitted = opened.graph, opened.predictor.model_
    return {
        "name": opened.name,
        "graph": {
            "nodes": graph.num_nodes,
            "links": graph.num_facts,
            "task": graph.task,
            "directed": graph.is_directed,
            "sides": None if getattr(graph, "part", None) is None else ["left", "right"],
            "features": graph.num_features or None,
            "drawing": drawing_kind(opened),
            "relations": opened.relations,
            "digest": graph.digest,
        },
        "model": {"id": fitted.id, "title": fitted.title, "digest": opened.digest},
        "metrics": metrics_of(opened.predictor, opened.top.held_out["auc"]),
        "prior": opened.prior,
        "ranked": len(opened.top),
        "candidates": opened.top.candidates,
        "counts": opened.counts(),
        "limits": {"upload_bytes": policy.upload_bytes, "score_pairs": SCORE_PAIRS, "page_rows": PAGE_ROWS},
        "can_train": can_train,
    }


@router.get("/drawing", response_model=Drawing)
async def drawing(request: Request, opened: OpenedNow, workers: WorkersNow) -> Response:
    """The graph as it is drawn.

    `x` and `y` are longitude and latitude on a map, coordinates in a plane, or null for a network without places.
    """
    return (await workers.score.run(kept_json, opened, "drawing", drawing_of)).to(request)


@router.get("/names", response_model=Names)
async def names(
    request: Request,
    opened: OpenedNow,
    workers: WorkersNow,
    ids: Annotated[str | None, Query(max_length=12_000, description="Nodes, such as `1,2,3`.")] = None,
) -> Response:
    """The names of the nodes of the drawing, in its order; or of given nodes."""
    if ids is None:
        return (await workers.score.run(kept_json, opened, "names", _drawn_names)).to(request)
    wanted = [part.strip() for part in ids.split(",")]
    if len(wanted) > MOST_NAMES:
        raise ApiError(422, f"one request names {MOST_NAMES:,} nodes at most.")
    for part in wanted:
        if not (part.isascii() and part.isdecimal() and len(part) < 12 and int(part) < opened.graph.num_nodes):
            raise ApiError(404, f"there is no node {part[:20]!r}; nodes are numbers from 0.")
    return JSONResponse({"names": [opened.names[int(part)] for part in wanted]})


def _drawn_names(opened: Opened) -> dict[str, Any]:
    return {"names": [opened.names[node] for node in shown_nodes(opened).tolist()]}


@router.get("/nodes", response_model=Nodes)
async def nodes(
    opened: OpenedNow,
    q: Annotated[str, Query(max_length=LONGEST_SEARCH, description="A part of the name.")] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> Response:
    """Nodes by a part of their name: those that begin with it first. Upper and lower case do not matter."""
    found = opened.search.find(q, limit)
    return JSONResponse(
        {"nodes": [{"id": node, "name": opened.names[node], "degree": opened.degree[node]} for node in found]}
    )


@router.get("/reliability", response_model=ReliabilityAnswer)
async def reliability(opened: OpenedNow) -> Response:
    """How far probabilities can be trusted.

    `bins` are of held-out links and as many other pairs, so their probabilities are for a prior of one half; `own` are
    the user's verdicts, with the probabilities that were shown.
    """
    return JSONResponse({"bins": opened.top.held_out["bins"], "own": own_bins(opened.decisions.all())})
