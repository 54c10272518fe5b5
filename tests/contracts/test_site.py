"""The site is built without a warning, needs no other host, and has every exported name and every command."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

import linkwl
from pages import ROOT, known_commands

pytestmark = pytest.mark.thorough

LOADED = re.compile(
    r'<(?:script|img|iframe|source|object|embed)\b[^>]*?(?:src|data)="([^"]*)"|<link\b[^>]*?href="([^"]*)"'
)
"""What a browser loads together with a page."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", folder / "cache"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [*command, ROOT / "docs", folder / "html"], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


def test_a_browser_loads_nothing_from_another_host(site):
    loaded = {
        address
        for page in site.rglob("*.html")
        for match in LOADED.findall(page.read_text(encoding="utf-8"))
        for address in match
    }
    assert any(address.endswith(".css") or ".css?" in address for address in loaded)
    assert [address for address in sorted(loaded) if re.match(r"(?:\w+:)?//", address)] == []
    styles = [file.read_text(encoding="utf-8") for file in site.rglob("*.css")]
    assert styles
    assert [style for style in styles if re.search(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", style)] == []


def test_every_exported_name_has_an_entry(site):
    page = (site / "reference" / "linkwl.html").read_text(encoding="utf-8")
    assert [name for name in linkwl.__all__ if f'id="linkwl.{name}"' not in page] == []
    assert "Learns from the links of a graph" in page
    layers = (site / "reference" / "nn.html").read_text(encoding="utf-8")
    assert 'id="linkwl.nn.LocalTwoFWLConv"' in layers
    assert "<math" in layers
    assert 'id="linkwl.graph.Graph"' not in (site / "reference" / "graph.html").read_text(encoding="utf-8")


def test_every_command_has_its_options(site):
    page = (site / "commands.html").read_text(encoding="utf-8")
    for name in known_commands():
        assert f'id="linkwl-{name}"' in page
    assert "--top-k" in page
    assert "linkwl explain" in page


def test_pages_at_the_root_of_the_repository_are_shown(site):
    assert 'id="add-a-model"' in (site / "contributing.html").read_text(encoding="utf-8")
    assert 'href="contributing.html#add-a-protocol"' in (site / "protocols.html").read_text(encoding="utf-8")
    assert 'id="unreleased"' in (site / "changelog.html").read_text(encoding="utf-8")


def test_pages_are_repaired_for_keyboards_and_screen_readers(site):
    """What axe-core found in the theme's pages; a new release of the theme may need other repairs."""
    page = (site / "speed.html").read_text(encoding="utf-8")
    assert page.count('aria-level="2"') == page.count('role="heading"') > 0
    assert page.count("<aside") == len(re.findall(r"<aside [^>]*aria-label=", page)) > 0
    assert "<pre>" not in page
    assert re.search(r"<th[^>]*>\s*(?:<p></p>)?</th>", page) is None
    assert page.count("table-wrapper") == page.count('container" tabindex="0"')


def test_the_page_of_the_search_has_a_heading(site):
    assert (site / "search.html").read_text(encoding="utf-8").count("<h1>Search</h1>") == 1
