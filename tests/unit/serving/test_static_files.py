from __future__ import annotations

import pytest

from served import airports, client_of

PAGE = "<!doctype html><title>page</title>" + "x" * 500


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("static")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text(PAGE)
    (folder / "assets" / "app-1a2b.js").write_text("1;" * 500)
    (folder / "assets" / "tiny.css").write_text("a{}")
    (folder / ".hidden").write_text("secret")
    (folder.parent / "outside.txt").write_text("secret")
    with client_of(airports(), static=folder) as client:
        yield client


def test_the_page_is_compressed_and_asked_for_again(page):
    answer = page.get("/")
    assert answer.text == PAGE
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert (answer.headers["content-encoding"], answer.headers["cache-control"]) == ("gzip", "no-cache")
    assert page.get("/", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    assert page.get("/index.html").text == PAGE


def test_assets_never_change(page):
    answer = page.get("/assets/app-1a2b.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]


def test_what_does_not_shrink_is_sent_as_it_is(page):
    assert "content-encoding" not in page.get("/assets/tiny.css").headers


@pytest.mark.parametrize("encoding", ["identity", "gzip;q=0", "br", ""])
def test_who_takes_no_gzip_gets_none(page, encoding):
    answer = page.get("/", headers={"Accept-Encoding": encoding})
    assert "content-encoding" not in answer.headers
    assert answer.text == PAGE


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.txt",
        "/%2e%2e/outside.txt",
        "/assets/..%2f..%2foutside.txt",
        "//etc/passwd",
        "/etc/passwd",
        "/.hidden",
        "/assets/",
        "/assets",
        "/assets/none.js",
        "/assets/app-1a2b.js%00",
        "/api/../index.html%00",
    ],
)
def test_no_other_file_can_be_asked_for(page, path):
    answer = page.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text


def test_the_head_of_a_file(page):
    answer = page.head("/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert page.head("/api/health").status_code == 405


def test_without_a_build_a_sentence_says_what_to_do(tmp_path):
    with client_of(airports(), static=tmp_path / "missing") as client:
        answer = client.get("/")
    assert answer.status_code == 404
    assert "make serve" in answer.text and answer.text.count("\n") == 1
