from __future__ import annotations

import gzip

import pytest
from starlette.requests import Request

from linkwl.serving.kept_answers import KeptAnswer


def ask(kept, **headers):
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return kept.to(Request({"type": "http", "headers": raw}))


@pytest.fixture
def kept():
    return KeptAnswer.of(b"[0]" * 300, "application/json")


def test_the_tag_is_that_of_the_body(kept):
    assert kept == KeptAnswer.of(b"[0]" * 300, "application/json")  # the same bytes at every start
    assert kept.tag != KeptAnswer.of(b"[1]" * 300, "application/json").tag


@pytest.mark.parametrize("accepted", ["gzip", "br, gzip", "deflate, GZIP;q=0.5"])
def test_it_is_compressed(kept, accepted):
    assert gzip.decompress(ask(kept, accept_encoding=accepted).body) == kept.plain


@pytest.mark.parametrize("accepted", ["", "br", "gzip; q=0", "xgzip"])
def test_it_is_not_compressed(kept, accepted):
    assert ask(kept, accept_encoding=accepted).body == kept.plain


def test_a_browser_that_has_it_gets_nothing(kept):
    for tags in (kept.tag, f'"other", W/{kept.tag}', "*"):
        assert ask(kept, if_none_match=tags).status_code == 304
    assert ask(kept, if_none_match='"other"').status_code == 200
