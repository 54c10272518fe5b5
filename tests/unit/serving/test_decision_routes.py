from __future__ import annotations

import pytest

from linkwl.serving import answers
from served import WRITE, airports, client_of


def parts(link):
    return {key: link[key] for key in ("source", "target", "relation")}


def put(client, links, verdict):
    body = {"decisions": [parts(link) | {"verdict": verdict} for link in links]}
    return client.put("/api/decisions", json=body, headers=WRITE)


@pytest.fixture
def links(any_client):
    found = any_client.get("/api/links?limit=3").json()["links"]
    yield found
    put(any_client, found, None)


def test_decide_and_take_back(any_client, links):
    before = any_client.get("/api/model").json()["counts"]
    answer = put(any_client, links[:2], "accepted").json()
    answers.CountsAnswer.model_validate(answer)
    assert answer["counts"] == before | {"accepted": 2, "open": before["open"] - 2}
    assert [row["verdict"] for row in any_client.get("/api/links?limit=3").json()["links"]] == ["accepted"] * 2 + [None]
    assert put(any_client, links[:2], None).json()["counts"] == before


def test_the_file_goes_out_and_comes_in(any_client, links):
    put(any_client, links[:2], "accepted"), put(any_client, links[2:], "rejected")
    answer = any_client.get("/api/decisions.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer.headers["content-disposition"]
    put(any_client, links, None)
    assert any_client.get("/api/decisions.csv").text.count("\n") == 1
    loaded = any_client.post("/api/decisions.csv", content=answer.content, headers=WRITE).json()
    answers.Imported.model_validate(loaded)
    assert loaded["imported"] == 3
    assert any_client.get("/api/decisions.csv").content == answer.content


def test_a_file_without_probabilities_is_scored(client):
    text = "source,target,verdict\nJNU,WRG,accepted\n"
    client.post("/api/decisions.csv", content=text, headers=WRITE)
    try:
        found = client.get("/api/decisions.csv").text.splitlines()[1].split(",")
        assert float(found[3]) == pytest.approx(airports().predict_proba([("JNU", "WRG")])[0, 1], rel=1e-5)
    finally:
        p, q = airports().graph_.ids.indices(["JNU", "WRG"]).tolist()
        put(client, [{"source": p, "target": q, "relation": None}], None)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"source,target\nJNU,WRG\n", "column 'verdict' is missing"),
        (b"source,target,verdict\nJNU,WRG,maybe\n", "line 2"),
        (b"source,target,verdict\nJNU,nowhere,later\n", "line 2"),
        (b"", "line 1"),
        (b"\xff\xfe\x00", "UTF-8"),
    ],
)
def test_a_wrong_file_changes_nothing(client, content, words):
    answer = client.post("/api/decisions.csv", content=content, headers=WRITE)
    assert answer.status_code == 422
    assert words in answer.json()["error"]["message"]
    assert client.get("/api/decisions.csv").text.count("\n") == 1


@pytest.mark.parametrize(
    ("decision", "status"),
    [
        ({"source": 3, "target": 3, "verdict": "later"}, 422),
        ({"source": 3, "target": 999, "verdict": "later"}, 404),
        ({"source": 3, "target": 9, "verdict": "maybe"}, 422),
        ({"source": 3, "target": 9}, 422),
        ({"source": 3, "target": 9, "relation": 1, "verdict": "later"}, 422),
        ({"source": 3.5, "target": 9, "verdict": "later"}, 422),
        ({"source": 3, "target": 9, "verdict": "later", "path": "/etc"}, 422),
    ],
)
def test_impossible_decisions_are_refused(client, decision, status):
    good = {"source": 1, "target": 2, "verdict": "accepted"}
    answer = client.put("/api/decisions", json={"decisions": [good, decision]}, headers=WRITE)
    assert answer.status_code == status, answer.text
    assert client.get("/api/decisions.csv").text.count("\n") == 1


def test_too_many_at_once_are_refused(client):
    body = {"decisions": [{"source": 1, "target": 2, "verdict": "accepted"}] * 1001}
    assert client.put("/api/decisions", json=body, headers=WRITE).status_code == 422


def test_decisions_outlive_the_server(tmp_path):
    link = {"source": 3, "target": 9, "relation": None}
    with client_of(airports(), decisions=tmp_path) as first:
        put(first, [link], "accepted")
    with client_of(airports(), decisions=tmp_path) as second:
        assert second.get("/api/links?status=accepted").json()["total"] == 1
