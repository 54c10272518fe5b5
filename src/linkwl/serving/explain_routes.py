"""The route that explains a link: as one answer, or as events with its progress."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from linkwl.predict import Explanation
from linkwl.progress import OnProgress
from linkwl.serving.answers import ExplainAnswer
from linkwl.serving.errors import ApiError, error_body, error_of
from linkwl.serving.link_json import checked_query, link_rows
from linkwl.serving.link_routes import LARGEST_NODE, RelationQuery, check_relation, json_response
from linkwl.serving.state import Opened, OpenedNow, WorkersNow

_KEPT = 256
"""Number of explanations that are kept, since people go back to what they have seen."""
EVENTS = "text/event-stream"

router = APIRouter(tags=["links"])
NodeQuery = Annotated[int, Query(ge=0, lt=LARGEST_NODE)]


class Stopped(Exception):
    """The client has gone, and the work for it ends."""


@router.get(
    "/explain",
    response_model=ExplainAnswer,
    responses={200: {"content": {EVENTS: {}}, "description": "The explanation; or, as events, its progress before."}},
)
async def explain(
    request: Request,
    opened: OpenedNow,
    workers: WorkersNow,
    source: NodeQuery,
    target: NodeQuery,
    relation: RelationQuery = None,
) -> Response:
    """Why a link has its score; an observed link is removed before.

    With the header `Accept: text/event-stream` the answer is a stream of events: `progress` with the finished and the
    total number of scores, then `result`, or `error` with the usual shape.
    """
    if relation is not None:
        check_relation(opened, relation)
    query = checked_query(opened, source, target, relation)
    if query[0] == query[-1]:
        raise ApiError(422, "a fact about a node and itself has no paths to explain it; choose two nodes.")
    if EVENTS in request.headers.get("accept", ""):
        return StreamingResponse(_events(opened, workers, query), media_type=EVENTS)
    return json_response(await workers.explain.run(explained, opened, query, lambda *_: workers.give_way()))


def explained(opened: Opened, query: tuple[int, ...], on_progress: OnProgress | None = None) -> dict[str, Any]:
    """The explanation of a query, as values for JSON; the last ones are kept."""
    kept: dict[tuple[int, ...], dict[str, Any]] = opened.kept.setdefault("explanations", {})
    if query not in kept:
        kept[query] = explanation_json(opened, opened.explain(query, on_progress))
        while len(kept) > _KEPT:
            kept.pop(next(iter(kept)), None)
    answer = kept[query]
    # The verdict may have changed since.
    row = link_rows(opened, np.array([query], dtype=np.int32), np.array([answer["score"]]), with_facts=True)[0]
    return answer | {"link": row}


def explanation_json(opened: Opened, explanation: Explanation) -> dict[str, Any]:
    """An explanation as the API sends it, by the numbers of the nodes."""
    graph = opened.graph
    groups = [
        {
            "kind": part.group.kind,
            "text": explanation.group_text(graph, part.group),
            **part.to_json(),
            "note": part.note,
            "paths": [[int(node) for node in getattr(path, "nodes", path)] for path in part.group.paths],
        }
        for part in explanation.parts
    ]
    degrees = getattr(explanation, "degrees", ())
    return {
        "baseline": explanation.baseline,
        "score": explanation.score,
        "share": explanation.share,
        "unit": "score",
        "groups": groups,
        "degrees": [int(degree) for degree in degrees],
        "num_common": getattr(explanation, "num_common", None),
        "num_scores": explanation.num_scores,
        "text": explanation.to_text(graph),
    }


async def _events(opened: Opened, workers: WorkersNow, query: tuple[int, ...]) -> AsyncIterator[bytes]:
    loop, has_gone = asyncio.get_running_loop(), threading.Event()
    queue: asyncio.Queue[tuple[str, Any] | None] = asyncio.Queue()

    def report(done: int, total: int) -> None:
        if has_gone.is_set():
            raise Stopped
        loop.call_soon_threadsafe(queue.put_nowait, ("progress", {"done": done, "total": total}))
        workers.give_way()

    async def work() -> None:
        try:
            queue.put_nowait(("result", await workers.explain.run(explained, opened, query, report)))
        except Stopped:
            pass
        except Exception as error:
            found = error_of(error)
            queue.put_nowait(("error", error_body(found.message, found.code)))
        queue.put_nowait(None)

    task = asyncio.create_task(work())
    try:
        while (event := await queue.get()) is not None:
            yield event_bytes(*event)
        await task
    finally:
        has_gone.set()  # also if the client has closed the stream


def event_bytes(name: str, value: Any) -> bytes:
    """A server-sent event."""
    return f"event: {name}\ndata: {json.dumps(value, allow_nan=False)}\n\n".encode()
