"""Routes about decisions: accept, reject or postpone links, and take that back; export and import."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from scipy.special import expit
from starlette.responses import JSONResponse, Response

from linkwl.serving.answers import CountsAnswer, Imported
from linkwl.serving.decisions import Change, Verdict, key_of, query_of
from linkwl.serving.decisions_csv import read_csv, write_csv
from linkwl.serving.errors import ApiError
from linkwl.serving.link_json import checked_queries
from linkwl.serving.link_routes import NodeNumber
from linkwl.serving.state import Opened, OpenedNow, WorkersNow

MOST_CHANGES = 1000
"""Number of decisions in one request."""
CSV = "text/csv"

router = APIRouter(tags=["decisions"])


class DecisionChange(BaseModel):
    """A decision about a link; null takes it back."""

    model_config = ConfigDict(extra="forbid")

    source: NodeNumber
    target: NodeNumber
    relation: NodeNumber | None = None
    verdict: Verdict | None


class DecisionsRequest(BaseModel):
    """Decisions to store."""

    model_config = ConfigDict(extra="forbid")

    decisions: Annotated[list[DecisionChange], Field(min_length=1, max_length=MOST_CHANGES)]


@router.put("/decisions", response_model=CountsAnswer)
async def decide(body: DecisionsRequest, opened: OpenedNow, workers: WorkersNow) -> Response:
    """Stores decisions, or takes them back; the answer comes when they are on disk."""
    queries = [
        [item.source, item.target] if item.relation is None else [item.source, item.relation, item.target]
        for item in body.decisions
    ]
    found = checked_queries(opened, queries).tolist()
    changes = [
        Change(key_of(opened.graph, query), item.verdict) for query, item in zip(found, body.decisions, strict=True)
    ]
    if any(change.verdict is not None and change.key not in opened.top.rank for change in changes):
        changes = await workers.score.run(with_probabilities, opened, changes)
    else:
        changes = with_probabilities(opened, changes)
    await workers.store.run(opened.decisions.put, changes)
    return JSONResponse({"counts": opened.counts()})


def with_probabilities(opened: Opened, changes: Sequence[Change]) -> list[Change]:
    """The same changes, each with the probability that the model gives the link, where there is none yet."""
    places = [number for number, change in enumerate(changes) if change.verdict and change.probability is None]
    found = list(changes)
    if places:
        keys = [changes[place].key for place in places]
        queries = np.array([query_of(opened.graph, key) for key in keys], dtype=np.int32)
        probabilities = expit(opened.log_odds(opened.score_known(keys, queries))).tolist()
        for place, probability in zip(places, probabilities, strict=True):
            found[place] = changes[place]._replace(probability=probability)
    return found


@router.get("/decisions.csv", response_class=Response, responses={200: {"content": {CSV: {}}}})
async def export(opened: OpenedNow, workers: WorkersNow) -> Response:
    """All decisions by name, for a spreadsheet: cells that begin like a formula have an apostrophe before."""
    text = await workers.store.run(lambda: write_csv(opened.graph, opened.decisions.all()))
    headers = {"content-disposition": 'attachment; filename="decisions.csv"'}
    return Response(text.encode("utf-8", "replace"), media_type=f"{CSV}; charset=utf-8", headers=headers)


@router.post(
    "/decisions.csv",
    response_model=Imported,
    openapi_extra={"requestBody": {"required": True, "content": {CSV: {"schema": {"type": "string"}}}}},
)
async def load(request: Request, opened: OpenedNow, workers: WorkersNow) -> Response:
    """Adds the decisions of a file with the columns of the export: all of them, or none if a line is wrong."""
    try:
        text = (await request.body()).decode()
    except UnicodeDecodeError as error:
        raise ApiError(422, "the file is not text in UTF-8; save it as CSV in UTF-8.") from error
    changes = await workers.score.run(lambda: with_probabilities(opened, read_csv(opened.graph, text)))
    await workers.store.run(opened.decisions.put, changes)
    return JSONResponse({"imported": len({change.key for change in changes}), "counts": opened.counts()})
