from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from linkwl.serving import create_app, job_routes
from linkwl.serving.guard import Policy
from linkwl.serving.job_routes import ReadingRequest
from linkwl.serving.jobs import JobLimits, Jobs
from served import BASE, WRITE, airports, client_of, directed

LADDER = "buyer,item\n" + "".join(f"{k},{k + 1}\n{k},{k + 2}\n" for k in range(40))
NAMED = WRITE | {"X-Linkwl-File-Name": "my%20links.csv"}


@pytest.fixture
def client():
    with client_of(directed()) as found:
        yield found


def events_of(client, job):
    """The events of a job until it ends."""
    text = client.get(f"/api/jobs/{job}/events").text
    found = [part.splitlines() for part in text.strip().split("\n\n") if part.startswith("event")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in found]


def error_of(answer):
    body = answer.json()
    assert body.keys() == {"error"}
    return answer.status_code, body["error"]["code"], body["error"]["message"]


def busy(client):
    """A job that is being read, and never ends."""
    client.app.state.jobs = Jobs()
    return client.app.state.jobs.create("busy.csv")


def test_from_a_file_to_an_open_model_and_again_with_verdicts(client):
    assert client.get("/api/model").json()["can_train"]
    answer = client.post("/api/jobs", content=LADDER, headers=NAMED)
    job = answer.json()
    assert (answer.status_code, job["state"], job["file"]) == (201, "read", "my links.csv")
    assert job["inspection"]["chosen"] == {"source": "buyer", "target": "item"}
    options = {"source": "buyer", "target": "item", "relation": None, "directed": False, "bipartite": False}
    wanted = {"options": options, "model": "ra", "use_decisions": False}
    answer = client.post(f"/api/jobs/{job['id']}/train", json=wanted, headers=WRITE)
    assert (answer.status_code, answer.json()["state"]) == (202, "training")
    (*_, (name, last)) = events_of(client, job["id"])
    assert (name, last["state"], last["message"]) == ("state", "finished", None)
    opened = client.post(f"/api/jobs/{job['id']}/open", headers=WRITE).json()
    assert (opened["name"], opened["graph"]["nodes"], opened["model"]["id"]) == ("my links", 42, "ra")
    assert opened == client.get("/api/model").json()

    first, second, third = client.get("/api/links?limit=3").json()["links"]
    verdicts = [
        {"source": link["source"], "target": link["target"], "verdict": verdict}
        for link, verdict in ((first, "rejected"), (second, "accepted"), (third, "later"))
    ]
    assert client.put("/api/decisions", json={"decisions": verdicts}, headers=WRITE).status_code == 200
    again = client.post("/api/jobs?retrain=1", headers=WRITE)
    assert (again.status_code, again.json()["state"], again.json()["inspection"]["nodes"]) == (201, "read", 42)
    job = again.json()
    client.post(f"/api/jobs/{job['id']}/train", json={"model": "ra"}, headers=WRITE)
    assert events_of(client, job["id"])[-1][1]["state"] == "finished"
    opened = client.post(f"/api/jobs/{job['id']}/open", headers=WRITE).json()
    assert (opened["name"], opened["graph"]["links"]) == ("my links", 81)
    # The accepted link is an edge now; the other verdicts are still there, and the rejected link is not ranked.
    assert opened["counts"] | {"open": 0} == {"accepted": 0, "rejected": 1, "later": 1, "open": 0}
    ranked = client.get("/api/links?limit=200").json()["links"]
    assert (first["source"], first["target"]) not in {(link["source"], link["target"]) for link in ranked}
    assert client.delete(f"/api/jobs/{job['id']}", headers=WRITE).status_code == 204
    assert error_of(client.get(f"/api/jobs/{job['id']}"))[:2] == (404, "not_found")


def test_a_bad_file_is_a_failed_job_with_a_sentence(client):
    job = client.post("/api/jobs", content="a,b\nb,c\nc\n", headers=NAMED).json()
    assert job["state"] == "failed"
    assert job["message"].startswith("my links.csv, line 3: expected 2 columns")
    assert [(name, found["state"]) for name, found in events_of(client, job["id"])] == [("state", "failed")]
    assert error_of(client.post(f"/api/jobs/{job['id']}/open", headers=WRITE))[:2] == (409, "conflict")
    assert error_of(client.post(f"/api/jobs/{job['id']}/train", json={}, headers=WRITE))[:2] == (409, "conflict")


def test_one_job_works_at_a_time(client):
    job = busy(client)
    for path in ("/api/jobs", "/api/jobs?retrain=1"):
        assert error_of(client.post(path, content="a,b\n", headers=WRITE))[:2] == (429, "busy")
    assert client.delete(f"/api/jobs/{job.id}", headers=WRITE).status_code == 204
    assert client.post("/api/jobs?retrain=1", headers=WRITE).status_code == 201


def test_writes_need_the_header(client):
    job = busy(client)
    calls = [("POST", "/api/jobs"), ("DELETE", f"/api/jobs/{job.id}"), ("POST", f"/api/jobs/{job.id}/train")]
    for method, path in calls:
        assert client.request(method, path).status_code == 403
    assert job.state == "reading"


def test_requests_that_make_no_sense(client):
    job = client.post("/api/jobs?retrain=1", headers=WRITE).json()["id"]
    train = f"/api/jobs/{job}/train"
    status, _, message = error_of(client.post(train, json={"model": "kats"}, headers=WRITE))
    assert (status, "did you mean 'katz'" in message) == (422, True)
    for body in ({"config": "slow"}, {"options": {"path": "/etc/passwd"}}, {"options": {"source": "x" * 201}}, []):
        assert error_of(client.post(train, json=body, headers=WRITE))[:2] == (422, "invalid")
    assert error_of(client.post(f"/api/jobs/{job}/read", json={}, headers=WRITE))[:2] == (409, "conflict")
    for method, path in (("GET", ""), ("GET", "/events"), ("POST", "/open"), ("DELETE", "")):
        assert client.request(method, f"/api/jobs/..%2f..%2fetc{path}", headers=WRITE).status_code in (404, 405)
        assert error_of(client.request(method, f"/api/jobs/unknown{path}", headers=WRITE))[:2] == (404, "not_found")
    assert error_of(client.post("/api/jobs", content=b"", headers=WRITE))[:2] == (422, "invalid")


@pytest.mark.parametrize(
    "name", ["../../../evil.csv", "/etc/evil.csv", "..%2f..%2fevil.csv", "..\\evil.csv", "%00evil"]
)
def test_a_file_name_never_leaves_the_folder_of_its_job(client, name, monkeypatch):
    jobs = client.app.state.jobs = Jobs()
    monkeypatch.setattr(jobs, "read", lambda job: jobs.show(job, {"lines": []}))
    answer = client.post("/api/jobs", content="a,b\n", headers=WRITE | {"X-Linkwl-File-Name": name})
    folder = jobs.get(answer.json()["id"]).folder
    assert [path.name.startswith("graph") for path in folder.iterdir()] == [True]
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    assert answer.json()["file"] in ("evil.csv", "evil")


def chunked(app, pieces, **headers):
    """The status of an upload in pieces without a declared length, and the number of pieces that were read."""
    taken = 0
    statuses = []

    async def receive():
        nonlocal taken
        taken += 1
        return {"type": "http.request", "body": pieces(taken), "more_body": True}

    async def send(message):
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    sent = {"host": BASE.removeprefix("http://"), "transfer-encoding": "chunked"} | WRITE | headers
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/jobs",
        "raw_path": b"/api/jobs",
        "query_string": b"",
        "scheme": "http",
        "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 1),
    }
    asyncio.run(app(scope, receive, send))
    return statuses, taken


def test_a_file_that_is_too_large_is_refused_while_it_arrives():
    policy = replace(Policy.of(8000), upload_bytes=100_000)
    app = create_app(airports(), policy=policy)
    jobs = app.state.jobs = Jobs()
    try:
        statuses, taken = chunked(app, lambda number: b"1,2\n" * 2500)
        assert statuses == [413]
        assert taken < 25  # the rest was neither read nor kept
        assert jobs._jobs == {}
        assert list(jobs._root.iterdir()) == []
        with client_of(app=app) as client:
            answer = client.post("/api/jobs", content=b"x" * 100_001, headers=WRITE)
            assert error_of(answer)[:2] == (413, "too_large")
    finally:
        jobs.close()


def test_the_route_counts_by_itself(monkeypatch):
    monkeypatch.setattr("linkwl.serving.guard.Policy.largest", lambda self, path: 1 << 40)
    app = create_app(airports(), policy=replace(Policy.of(8000), upload_bytes=1000))
    with client_of(app=app) as client:
        assert error_of(client.post("/api/jobs", content=b"x" * 1001, headers=WRITE))[:2] == (413, "too_large")


def test_a_file_that_never_arrives_is_given_up():
    app = create_app(airports())
    jobs = app.state.jobs = Jobs(JobLimits(upload_seconds=0.05))
    try:
        statuses, _ = chunked(app, lambda number: b"1")
        assert statuses == [408]
        assert jobs._jobs == {}
    finally:
        jobs.close()


def test_events_follow_a_job(monkeypatch):
    monkeypatch.setattr(job_routes, "_POLL_SECONDS", 0.0)
    jobs = Jobs()
    job = jobs.create("a.csv")

    async def follow():
        found = []
        async for event in job_routes._events(jobs, job):
            found.append(event.decode().splitlines()[0])
            if len(found) == 1:
                jobs.show(job, {"nodes": 1})
            elif len(found) == 2:
                jobs._set(job, state="training")
            elif len(found) in (3, 4):
                jobs._set(job, progress={"step": len(found)})
            elif len(found) == 5:
                jobs.remove(job.id)
        return found

    assert asyncio.run(follow()) == ["event: state"] * 3 + ["event: progress"] * 2 + ["event: state"]
    assert job.state == "cancelled"
    jobs.close()


def test_options_that_say_nothing_are_left_out():
    given = ReadingRequest(source="a", target="", relation=None, directed=False, header=True).given
    assert given == {"source": "a", "directed": False, "header": True}


def test_stopping_the_server_ends_its_jobs():
    with client_of(airports()) as client:
        job = busy(client)
        root = job.folder.parent
    assert job.state == "cancelled"
    assert not root.exists()
