from __future__ import annotations

import re

from linkwl.serving.docs_page import docs_page


def test_it_describes_every_route_under_the_policy(client):
    answer = client.get("/api/docs")
    schema = client.get("/api/openapi.json").json()
    for path, methods in schema["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in answer.text.replace("&#x27;", "'")
    assert not re.search(r"<script|style=|<style|\son\w+=|https?://", answer.text)
    assert client.get("/api/docs.css").headers["content-type"].startswith("text/css")


def test_every_route_says_what_it_does(client):
    for methods in client.get("/api/openapi.json").json()["paths"].values():
        for about in methods.values():
            assert about["description"].strip().endswith(".")


def test_what_the_document_says_is_escaped():
    about = {"operationId": "x", "description": "<b>one</b> `two<`.", "responses": {}}
    page = docs_page({"info": {"title": "<i>"}, "paths": {"/a<b": {"get": about}}})
    assert "<b>" not in page and "<i>" not in page
    assert "<code>two&lt;</code>" in page
