from __future__ import annotations

import gzip
import json
from importlib.metadata import version

import pytest

from linkwl.serving import answers
from served import WRITE, airports


def test_health(any_client):
    assert any_client.get("/api/health").json() == {"status": "ok", "version": version("linkwl")}


def test_the_model_of_every_kind_of_graph(any_client):
    answer = any_client.get("/api/model").json()
    answers.ModelAnswer.model_validate(answer)
    graph = any_client.app.state.served.current.graph
    assert (answer["graph"]["nodes"], answer["graph"]["links"]) == (graph.num_nodes, graph.num_facts)
    assert answer["counts"] == {"accepted": 0, "rejected": 0, "later": 0, "open": answer["ranked"]}
    assert answer["limits"] == {"upload_bytes": 32 << 20, "score_pairs": 10_000, "page_rows": 200}


def test_what_is_told_of_the_airports(client):
    answer = client.get("/api/model").json()
    assert (answer["name"], answer["model"]["id"], answer["graph"]["drawing"]) == ("airports", "ra", "map")
    assert answer["prior"] == pytest.approx(airports().graph_.density)
    auc = answer["metrics"][0]
    assert auc["label"] == "AUC" and auc["value"] == airports().record_.test["auc"]
    assert auc["low"] < auc["value"] < auc["high"]
    assert [metric["id"] for metric in answer["metrics"]] == list(airports().record_.test)


def test_what_is_told_of_others(served_models):
    about = {name: client.get("/api/model").json()["graph"] for name, client in served_models.items()}
    assert (about["directed"]["directed"], about["airports"]["directed"]) == (True, False)
    assert (about["two_sided"]["sides"], about["airports"]["sides"]) == (["left", "right"], None)
    assert about["world"]["task"] == "triples" and "official language" in about["world"]["relations"]


def test_a_map_has_longitudes_and_latitudes(client):
    answer = client.get("/api/drawing").json()
    answers.Drawing.model_validate(answer)
    graph = airports().graph_
    place = int(graph.ids.indices(["JNU"])[0])
    assert (answer["x"][place], answer["y"][place]) == pytest.approx((-134.58, 58.35), abs=0.01)
    assert answer["degree"] == graph.degree.tolist()
    assert answer["edges"] == graph.edges.reshape(-1).tolist()
    assert answer["shown"] is None


def test_a_network_has_no_places(served_models):
    for name in ("world", "directed", "two_sided"):
        answer = served_models[name].get("/api/drawing").json()
        answers.Drawing.model_validate(answer)
        assert (answer["kind"], answer["x"], answer["y"]) == ("network", None, None)


def test_the_drawing_is_compressed_once_and_has_a_tag(client):
    answer = client.get("/api/drawing", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    plain = client.get("/api/drawing", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert answer.json() == plain.json()
    again = client.get("/api/drawing", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    kept = client.app.state.served.current.kept["drawing"]
    assert json.loads(gzip.decompress(kept.packed)) == plain.json()


def test_names_are_those_of_the_drawing(any_client):
    graph = any_client.app.state.served.current.graph
    assert any_client.get("/api/names").json()["names"] == [str(name) for name in graph.ids]


def test_names_of_some_nodes(client):
    ids = airports().graph_.ids
    assert client.get("/api/names?ids=7,3").json() == {"names": [ids[7], ids[3]]}
    for wrong in ("400", "-1", "x", "", "1,,2", "9" * 30, "\u0663"):
        assert client.get("/api/names", params={"ids": wrong}).status_code == 404
    assert client.get("/api/names?ids=" + ",".join(["1"] * 1001)).status_code == 422


def test_nodes_are_found_by_name(client):
    answer = client.get("/api/nodes?q=jn").json()
    answers.Nodes.model_validate(answer)
    assert answer == {"nodes": [{"id": 177, "name": "JNU", "degree": 7}]}
    assert len(client.get("/api/nodes?q=a&limit=5").json()["nodes"]) == 5
    assert client.get("/api/nodes?q=zzzz").json() == {"nodes": []}
    assert client.get("/api/nodes", params={"q": "x" * 201}).status_code == 422


def test_reliability_on_held_out_links(any_client):
    answer = any_client.get("/api/reliability").json()
    answers.ReliabilityAnswer.model_validate(answer)
    assert answer["bins"] and answer["own"] == []
    assert sum(row["count"] for row in answer["bins"]) > 40


def test_reliability_of_own_verdicts(client):
    links = client.get("/api/links?limit=2").json()["links"]
    body = [{"source": link["source"], "target": link["target"]} for link in links]
    pair = list(zip(body, ("accepted", "rejected"), strict=True))
    client.put("/api/decisions", json={"decisions": [item | {"verdict": word} for item, word in pair]}, headers=WRITE)
    try:
        own = client.get("/api/reliability").json()["own"]
        assert sum(row["count"] for row in own) == 2
        assert own[0]["observed"] == 0.5
    finally:
        client.put("/api/decisions", json={"decisions": [item | {"verdict": None} for item in body]}, headers=WRITE)
