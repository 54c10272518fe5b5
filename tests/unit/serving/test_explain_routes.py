from __future__ import annotations

import json

import pytest

from linkwl.serving import answers, explain_routes
from linkwl.serving.errors import ApiError
from served import airports

EVENTS = {"Accept": "text/event-stream"}


def address(link):
    relation = "" if link["relation"] is None else f"&relation={link['relation']}"
    return f"/api/explain?source={link['source']}&target={link['target']}{relation}"


def best(client, place=0):
    return client.get(f"/api/links?offset={place}&limit=1").json()["links"][0]


def events(text):
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        yield name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def test_contributions_add_up_for_every_kind_of_graph(any_client):
    link = best(any_client)
    answer = any_client.get(address(link)).json()
    answers.ExplainAnswer.model_validate(answer)
    total = answer["baseline"] + sum(group["contribution"] for group in answer["groups"])
    assert total == pytest.approx(answer["score"]) == pytest.approx(link["score"])
    assert answer["link"] == link | {"is_link": False}
    ends = {link["source"], link["target"]}
    joining = [group for group in answer["groups"] if group["kind"] in ("neighbours", "paths", "rule")]
    assert all({path[0], path[-1]} == ends for group in joining for path in group["paths"])


def test_it_says_what_the_command_says(client):
    link = best(client)
    answer = client.get(address(link)).json()
    expected = airports().explain((link["source_name"], link["target_name"]), progress=False)
    assert answer["text"] == expected.to_text(airports().graph_)
    assert answer["num_scores"] == expected.num_scores
    assert answer["num_common"] == expected.num_common


def test_progress_comes_as_events(client):
    link = best(client, 7)
    answer = client.get(address(link), headers=EVENTS)
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = list(events(answer.text))
    steps = [value for name, value in found if name == "progress"]
    assert [step["done"] for step in steps] == list(range(1, steps[-1]["total"] + 1))
    assert found[-1] == ("result", client.get(address(link)).json())


def test_an_explanation_is_computed_once_and_has_the_verdict_of_now(client, monkeypatch):
    link = best(client, 8)
    first = client.get(address(link)).json()
    monkeypatch.setattr(explain_routes, "explanation_json", None)  # would fail
    assert client.get(address(link)).json() == first


def test_an_observed_link_is_explained_without_it(client):
    p, q = airports().graph_.edges[0].tolist()
    answer = client.get(f"/api/explain?source={p}&target={q}").json()
    assert answer["link"]["is_link"]
    assert answer["score"] == pytest.approx(
        airports().explain([airports().graph_.ids[p], airports().graph_.ids[q]], progress=False).score
    )


@pytest.mark.parametrize(
    ("query", "status"),
    [("source=3&target=3", 422), ("source=3", 422), ("source=3&target=400", 404), ("source=a&target=b", 422)],
)
def test_impossible_questions_are_refused(client, query, status):
    for headers in ({}, EVENTS):
        answer = client.get(f"/api/explain?{query}", headers=headers)
        assert answer.status_code == status
        assert set(answer.json()) == {"error"}


def test_a_fact_about_a_node_and_itself_is_refused(served_models):
    assert served_models["world"].get("/api/explain?source=3&target=3&relation=1").status_code == 422


def test_an_error_is_an_event(client, monkeypatch):
    def fail(*_):
        raise ApiError(503, "no.")

    monkeypatch.setattr(explain_routes, "explained", fail)
    answer = client.get("/api/explain?source=3&target=9", headers=EVENTS)
    assert list(events(answer.text)) == [("error", {"error": {"code": "unavailable", "message": "no."}})]


def test_only_the_last_ones_are_kept(client, monkeypatch):
    monkeypatch.setattr(explain_routes, "_KEPT", 2)
    for place in range(4):
        client.get(address(best(client, place + 20)))
    assert len(client.app.state.served.current.kept["explanations"]) == 2


def test_work_ends_when_nobody_listens(client):
    import asyncio
    import threading

    opened, workers = client.app.state.served.current, explain_routes_workers()
    steps, is_done = [], threading.Event()

    def slow(opened, query, on_progress):
        try:
            for number in range(1000):
                steps.append(number)
                is_done.wait(0.001)
                on_progress(number, 1000)
        finally:
            is_done.set()

    async def leave():
        stream = explain_routes._events(opened, workers, (3, 9))
        await anext(stream)
        await stream.aclose()
        await asyncio.to_thread(is_done.wait, 5)

    original = explain_routes.explained
    explain_routes.explained = slow
    try:
        asyncio.run(leave())
    finally:
        explain_routes.explained = original
        workers.close()
    assert is_done.is_set() and len(steps) < 1000


def explain_routes_workers():
    from linkwl.serving.workers import Workers

    return Workers()
