from __future__ import annotations

import subprocess
import sys

import linkwl.serving
from linkwl.serving.app import create_app
from served import airports, client_of

PATHS = {
    "/api/health": {"get"},
    "/api/model": {"get"},
    "/api/drawing": {"get"},
    "/api/names": {"get"},
    "/api/nodes": {"get"},
    "/api/links": {"get"},
    "/api/nodes/{node}/links": {"get"},
    "/api/explain": {"get"},
    "/api/reliability": {"get"},
    "/api/score": {"post"},
    "/api/what-if": {"post"},
    "/api/decisions": {"put"},
    "/api/decisions.csv": {"get", "post"},
}


def test_the_api_has_every_route(client):
    schema = client.get("/api/openapi.json").json()
    found = {path: set(methods) for path, methods in schema["paths"].items()}
    assert found.items() >= PATHS.items()


def test_an_application_closes_what_it_has_opened(tmp_path):
    with client_of(airports(), decisions=tmp_path) as client:
        served = client.app.state.served
        assert served._files
    assert not served._files


def test_nothing_is_reported_to_anyone(monkeypatch):
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
    app = create_app(airports())
    assert not app._native_telemetry.enabled()
    assert app._telemetry["auto_configure"] is False
    app.state.served.close()


def test_the_package_is_imported_without_the_extra():
    code = (
        "import sys; sys.modules['fastapi'] = None\n"
        "import linkwl.serving, linkwl.serving.decisions, linkwl.serving.decisions_csv\n"
        "try:\n    linkwl.serving.create_app\nexcept Exception as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "linkwl[serve]" in done.stdout, done.stderr


def test_the_package_names_its_factory():
    assert linkwl.serving.create_app is create_app
