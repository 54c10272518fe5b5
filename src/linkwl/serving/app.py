"""The application: the API and the page around one open model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.telemetry import TelemetryConfig
from starlette.responses import HTMLResponse, Response

from linkwl.predict.predictor import LinkPredictor
from linkwl.progress import OnProgress
from linkwl.serving import decision_routes, explain_routes, job_routes, link_routes, model_routes
from linkwl.serving.docs_page import STYLE, STYLE_PATH, docs_page
from linkwl.serving.errors import ErrorAnswer, install_error_handlers
from linkwl.serving.guard import Guard, Policy
from linkwl.serving.state import Served
from linkwl.serving.static_files import FOLDER, StaticFiles

PORT = 8000
_ROUTERS = (model_routes.router, link_routes.router, explain_routes.router, decision_routes.router, job_routes.router)
_NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""FastAPI can report requests to a collector; nothing leaves this machine."""


def create_app(
    predictor: LinkPredictor,
    *,
    name: str | None = None,
    policy: Policy | None = None,
    decisions: Path | None = None,
    cache: Path | None = None,
    static: Path = FOLDER,
    on_progress: OnProgress | None = None,
) -> FastAPI:
    """The application that serves a model; its missing links are ranked before it returns.

    Args:
        predictor: A fitted predictor.
        name: What the page calls the graph; by default the graph's own name.
        policy: Who may ask; by default this machine, at port 8000.
        decisions: The folder of decisions; None keeps them in memory.
        cache: The folder of rankings that were computed before; None for none.
        static: The folder of the page.
        on_progress: Called with the finished work and the total work of the ranking.
    """
    served = Served(decisions, cache)
    served.open(predictor, name, on_progress=on_progress)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        served.close()

    app = FastAPI(
        title="linkwl",
        description="Missing links: ranked, explained and judged.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
        telemetry=_NO_TELEMETRY,
        redirect_slashes=False,
        responses={"default": {"model": ErrorAnswer, "description": "The request was refused, or failed."}},
    )
    app.state.served = served
    app.state.policy = policy or Policy.of(PORT)
    app.state.can_train = False
    install_error_handlers(app)
    app.add_middleware(Guard, policy=app.state.policy)
    for router in _ROUTERS:
        app.include_router(router, prefix="/api")
    _add_docs(app)
    app.include_router(StaticFiles(static).router())
    return app


def _add_docs(app: FastAPI) -> None:
    """The page about the API."""

    @app.get("/api/docs", include_in_schema=False)
    async def docs(request: Request) -> Response:
        return HTMLResponse(docs_page(app.openapi()))

    @app.get(STYLE_PATH, include_in_schema=False)
    async def style(request: Request) -> Response:
        return Response(STYLE, media_type="text/css")
