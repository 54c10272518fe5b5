"""Routes about jobs: upload a file, see what was read, train on it with live progress, open the result."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Annotated, Any, Literal
from urllib.parse import unquote

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response, StreamingResponse

from linkwl.errors import InputError
from linkwl.models.registry import RECOMMENDED, find_row
from linkwl.predict.predictor import AUTO, LinkPredictor
from linkwl.serving.answers import ModelAnswer
from linkwl.serving.errors import ApiError
from linkwl.serving.explain_routes import EVENTS, event_bytes
from linkwl.serving.job_child import OPEN
from linkwl.serving.job_verdicts import carry_over, decision_rows
from linkwl.serving.jobs import BUSY, ENDED, Job, Jobs
from linkwl.serving.model_routes import model_answer
from linkwl.serving.state import Opened, OpenedNow, ServedNow
from linkwl.serving.upload_columns import inspection_of

FILE_NAME = "x-linkwl-file-name"
_WAIT_SECONDS = 20.0
"""Time that an upload waits for its file to be read before it answers that it is being read."""
_POLL_SECONDS = 0.05
_BEAT_SECONDS = 15.0
_BODY: dict[str, Any] = {
    "requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}

Column = Annotated[str, Field(max_length=200)]


class ReadingRequest(BaseModel):
    """How to read a file; what is left out is recognised."""

    model_config = ConfigDict(extra="forbid")

    source: Column | None = None
    target: Column | None = None
    relation: Column | None = None
    weight: Column | None = None
    time: Column | None = None
    directed: bool | None = None
    bipartite: bool | None = None
    header: bool | None = None

    @property
    def given(self) -> dict[str, Any]:
        """The options that say something."""
        return {name: value for name, value in self.model_dump().items() if value not in (None, "")}


class ReadRequest(BaseModel):
    """A file to read again, in another way."""

    model_config = ConfigDict(extra="forbid")

    options: ReadingRequest = ReadingRequest()


class TrainRequest(BaseModel):
    """What to train, and on what."""

    model_config = ConfigDict(extra="forbid")

    options: ReadingRequest = ReadingRequest()
    model: Annotated[str, Field(max_length=100)] = RECOMMENDED
    use_decisions: bool = False


class InspectionAnswer(BaseModel):
    """What was read."""

    lines: list[str]
    columns: list[str] | None
    chosen: dict[str, str]
    nodes: int
    links: int


class ProgressAnswer(BaseModel):
    """How far training is; it may end before the last step."""

    step: int
    steps: int
    metric: float | None
    seconds_left: float | None


class JobAnswer(BaseModel):
    """A job."""

    id: str
    state: Literal["reading", "read", "training", "finished", "failed", "cancelled"]
    file: str
    inspection: InspectionAnswer | None
    progress: ProgressAnswer | None
    message: str | None


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.can_train = True
    yield
    jobs: Jobs | None = getattr(app.state, "jobs", None)
    if jobs is not None:
        await asyncio.to_thread(jobs.close)


router = APIRouter(tags=["jobs"], lifespan=_lifespan)


async def _jobs(request: Request) -> Jobs:
    state = request.app.state
    if not hasattr(state, "jobs"):
        state.jobs = Jobs()
    found: Jobs = state.jobs
    return found


JobsNow = Annotated[Jobs, Depends(_jobs)]


@router.post("/jobs", status_code=201, response_model=JobAnswer, openapi_extra=_BODY)
async def upload(
    request: Request,
    jobs: JobsNow,
    opened: OpenedNow,
    retrain: Annotated[bool, Query(description="To train on the open graph again, without a file.")] = False,
) -> Response:
    """Takes a file and reads it; its name is in the header `X-Linkwl-File-Name`, percent-encoded."""
    if retrain:
        return JSONResponse((await _again(jobs, opened)).to_json(), status_code=201)
    job = jobs.create(unquote(request.headers.get(FILE_NAME, "graph.csv"), errors="replace"))
    try:
        async with asyncio.timeout(jobs.limits.upload_seconds):
            await _receive(request, job, request.app.state.policy.upload_bytes)
        await asyncio.to_thread(jobs.read, job)
    except BaseException as error:
        await asyncio.shield(asyncio.to_thread(_discard, jobs, job))
        if isinstance(error, TimeoutError):
            raise ApiError(408, "the file did not arrive in time.") from error
        raise
    await _settled(job)
    return JSONResponse(job.to_json(), status_code=201)


@router.get("/jobs/{job_id}", response_model=JobAnswer)
async def show(job_id: str, jobs: JobsNow) -> Response:
    """A job."""
    return JSONResponse(jobs.get(job_id).to_json())


@router.post("/jobs/{job_id}/read", response_model=JobAnswer)
async def read(job_id: str, body: ReadRequest, jobs: JobsNow) -> Response:
    """Reads the file of a job again, with other columns."""
    job = jobs.get(job_id)
    if job.path is None:
        raise ApiError(409, "this job has no file; it trains on the open graph.")
    await asyncio.to_thread(jobs.read, job, body.options.given)
    await _settled(job)
    return JSONResponse(job.to_json())


@router.post("/jobs/{job_id}/train", status_code=202, response_model=JobAnswer)
async def train(job_id: str, body: TrainRequest, jobs: JobsNow, opened: OpenedNow) -> Response:
    """Trains a model on what was read; with `use_decisions`, also on the verdicts, by the names of the nodes."""
    job = jobs.get(job_id)
    if body.model != AUTO:
        try:
            find_row(body.model)
        except InputError as error:
            raise ApiError(422, str(error)) from error
    origin: Opened | None = job.origin
    rows = None
    if origin is not None or body.use_decisions:
        rows = await asyncio.to_thread(decision_rows, origin or opened)
    await asyncio.to_thread(jobs.train, job, options=body.options.given, model=body.model, decisions=rows)
    return JSONResponse(job.to_json(), status_code=202)


@router.get(
    "/jobs/{job_id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {EVENTS: {}}, "description": "`state` with the job, `progress`; ends with the job."}},
)
async def events(job_id: str, jobs: JobsNow) -> Response:
    """What happens to a job, as server-sent events."""
    return StreamingResponse(_events(jobs, jobs.get(job_id)), media_type=EVENTS)


@router.post("/jobs/{job_id}/open", response_model=ModelAnswer)
async def open_model(request: Request, job_id: str, jobs: JobsNow, served: ServedNow) -> Response:
    """Opens the trained model of a job in place of the one that is open."""
    job = jobs.get(job_id)
    if job.state != "finished":
        raise ApiError(409, "this job has no trained model; train it first.")
    found = await asyncio.to_thread(_open, served, job)
    return JSONResponse(model_answer(found, request.app.state.policy, can_train=request.app.state.can_train))


@router.delete("/jobs/{job_id}", status_code=204)
async def cancel(job_id: str, jobs: JobsNow) -> Response:
    """Ends a job, and removes its files."""
    await asyncio.to_thread(jobs.remove, job_id)
    return Response(status_code=204)


async def _receive(request: Request, job: Job, most: int) -> None:
    """Writes the body of a request to the file of a job, as it arrives."""
    assert job.path is not None
    num_bytes = 0
    with (job.folder / job.path).open("xb") as file:
        async for piece in request.stream():
            num_bytes += len(piece)
            if num_bytes > most:
                raise ApiError(413, f"a file may have {most:,} bytes at most.")
            await asyncio.to_thread(file.write, piece)
    if num_bytes == 0:
        raise ApiError(422, "the file is empty; choose one with a link in every line.")


async def _again(jobs: Jobs, opened: Opened) -> Job:
    """A job that trains on the open graph."""
    job = jobs.create(opened.name, origin=opened)

    def prepare() -> None:
        opened.predictor.save(job.folder / OPEN)
        jobs.show(job, inspection_of(opened.graph))

    try:
        await asyncio.to_thread(prepare)
    except BaseException:
        await asyncio.shield(asyncio.to_thread(_discard, jobs, job))
        raise
    return job


def _discard(jobs: Jobs, job: Job) -> None:
    try:
        jobs.remove(job.id)
    except ApiError:
        return  # it was cancelled meanwhile


async def _settled(job: Job) -> None:
    """Waits until a file was read, if that does not take long."""
    end = monotonic() + _WAIT_SECONDS
    while job.state == "reading" and monotonic() < end:
        await asyncio.sleep(_POLL_SECONDS)


def _open(served: ServedNow, job: Job) -> Opened:
    predictor = LinkPredictor.load(job.model)
    origin: Opened | None = job.origin
    found = served.open(predictor, job.name if origin is None else origin.name)
    if origin is not None:
        carry_over(origin, found)
    return found


async def _events(jobs: Jobs, job: Job) -> AsyncIterator[bytes]:
    shown: dict[str, Any] = {}
    beat = monotonic()
    while True:
        now = job.to_json()
        if {**now, "progress": None} != {**shown, "progress": None}:
            yield event_bytes("state", now)
        elif now["progress"] != shown["progress"]:
            yield event_bytes("progress", now["progress"])
        shown = now
        if now["state"] in ENDED:
            return
        if monotonic() - beat > _BEAT_SECONDS:
            beat = monotonic()
            yield b": \n\n"  # a closed connection is noticed
        jobs.touch(job)
        await asyncio.sleep(_POLL_SECONDS if now["state"] in BUSY else 4 * _POLL_SECONDS)
