"""What a reader of our pages sees, in a real browser: on a phone, in the dark, on paper, and without scripts."""

from __future__ import annotations

import csv
import runpy
from urllib.request import urlopen

import pytest
from PIL import Image

from browser_pages import PAGES
from pages import ROOT

pytestmark = pytest.mark.thorough

PHONE, DESK = 360, 1200


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """Makes each page once."""
    made = {}

    def make(name):
        if name not in made:
            made[name] = PAGES[name](tmp_path_factory.mktemp("page"))
        return made[name]

    return make


@pytest.fixture(scope="module")
def demo(page_of):
    return page_of("demo")


@pytest.mark.parametrize("name", PAGES)
def test_no_page_scrolls_sideways(browser, page_of, name):
    for width in (PHONE, 768, DESK):
        assert browser.open(page_of(name), width=width).overflow <= 0, width


BROKEN_WORDS = """(() => {
  const broken = [];
  for (const cell of document.querySelectorAll(".ranking td, .pair td")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/[A-Za-z]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (lines.size > 1) broken.push(word[0]);
      }
    }
  }
  return broken;
})()"""


@pytest.mark.parametrize("name", ["demo", "world demo"])
def test_no_word_is_broken_on_a_phone(browser, page_of, name):
    page = browser.open(page_of(name), width=PHONE)
    assert page.evaluate(BROKEN_WORDS) == []
    assert (
        page.evaluate(
            "(() => { const box = document.querySelector('.scroll.tall');"
            " return box.scrollWidth - box.clientWidth; })()"
        )
        <= 0
    )


@pytest.mark.parametrize(("width", "dark"), [(PHONE, False), (DESK, True)])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(browser, axe, page_of, name, width, dark):
    assert browser.open(page_of(name), width=width, dark=dark).violations(axe) == []


@pytest.mark.parametrize("name", PAGES)
def test_nothing_comes_from_elsewhere(browser, page_of, name):
    page = browser.open(page_of(name))
    assert page.requests == [page_of(name).as_uri()]
    assert page.problems == []


@pytest.mark.parametrize("name", PAGES)
def test_pictures_fill_their_place_and_have_the_colours_of_the_page(browser, page_of, name, tmp_path):
    for dark in (False, True):
        page = browser.open(page_of(name), width=PHONE, dark=dark)
        boxes = page.evaluate(
            "[...document.images].map((i) => i.getBoundingClientRect()).map((b) => [b.x, b.y, b.width, b.height])"
        )
        page.save_screenshot(tmp_path / "page.png")
        with Image.open(tmp_path / "page.png") as picture:
            paper = picture.convert("RGB").getpixel((2, 2))
            assert (max(paper) < 60) is dark
            for x, y, width, height in boxes:
                assert width >= 0.85 * PHONE
                colours = (
                    picture.convert("RGB").crop((int(x), int(y), int(x + width), int(y + height))).getcolors(1 << 24)
                )
                assert max(colours)[1] == paper


@pytest.mark.parametrize("name", ["report", "world demo"])
def test_a_search_leaves_the_rows_that_match(browser, page_of, name):
    page = browser.open(page_of(name))
    shown = "[...document.querySelectorAll('.tall')[0].querySelectorAll('tbody tr')].filter((r) => !r.hidden).length"
    word = page.evaluate("document.querySelector('.tall tbody tr td:nth-child(3)').textContent")
    every = page.evaluate(shown)
    page.evaluate(
        "(([input]) => { input.value = " + repr(word.upper()) + "; input.dispatchEvent(new Event('input')); })"
        "(document.querySelectorAll('input[type=search]'))"
    )
    found = page.evaluate(shown)
    assert 0 < found < every
    assert page.evaluate("document.querySelector('[role=status]').textContent") == f"{found} of {every} rows"


def test_without_scripts_everything_is_there_but_the_search(browser, demo):
    page = browser.open(demo, scripts=False)
    page.call("Emulation.setScriptExecutionDisabled", value=False)  # for the questions below; the page is loaded
    assert page.evaluate("document.querySelectorAll('input').length") == 0
    assert page.evaluate("document.querySelectorAll('#links tbody tr:not([hidden])').length") == 100
    address = page.evaluate("document.querySelector('a[download]').href")
    with urlopen(address) as file:
        rows = list(csv.DictReader(file.read().decode().splitlines()))
    assert len(rows) == 100
    assert set(rows[0]) == {"source", "target", "score", "probability", "rank"}


def test_on_paper_the_first_rows_are_printed_dark_on_white(browser, demo):
    page = browser.open(demo, dark=True, media="print")
    seen = "[...document.querySelectorAll('#links tbody tr')].filter((r) => r.offsetParent !== null).length"
    assert page.evaluate(seen) == 15
    assert page.evaluate("document.querySelector('.tools').offsetParent") is None
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_a_phone_gets_the_narrow_map(browser, demo):
    narrow, wide = (
        browser.open(demo, width=width).evaluate("document.querySelector('picture img').currentSrc.length")
        for width in (PHONE, DESK)
    )
    assert narrow != wide


def test_the_picture_of_the_readme_can_be_made_again(browser, demo, tmp_path):
    screenshot = runpy.run_path(str(ROOT / "docs" / "screenshot.py"))
    screenshot["take_screenshot"](demo, tmp_path / "report.png")
    for path in (tmp_path / "report.png", screenshot["OUT"]):
        assert path.stat().st_size < 200_000
        with Image.open(path) as picture:
            assert picture.size == (screenshot["WIDTH"], screenshot["HEIGHT"])
