"""What the pages point to is there."""

from __future__ import annotations

import re

import pytest
from typer.exceptions import TyperException

from pages import PAGES, ROOT, calls, known_commands, named_commands, parse_call, read_page


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)\s]+)\)", read_page(name)):
        if re.match(r"https?://", target):
            continue
        path, _, heading = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        assert file.exists(), target
        if heading:
            assert heading in headings(file.read_text(encoding="utf-8")), target


def headings(page: str) -> set[str]:
    """The headings as links name them."""
    titles = re.findall(r"^#+ (.+)$", page, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", PAGES)
def test_commands_and_their_options_exist(name):
    assert named_commands(read_page(name)) <= known_commands()
    for call in calls(read_page(name)):
        parse_call(call)


@pytest.mark.parametrize(
    "call", ["linkwl trian g.csv", "linkwl train g.csv --otu m", "linkwl train --out m", "linkwl wl", "linkwl doctor x"]
)
def test_calls_that_would_fail_are_found(call):
    with pytest.raises((AssertionError, TyperException)):
        parse_call(call)
