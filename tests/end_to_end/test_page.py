"""The page of ``linkwl serve`` in a real browser, with the real server behind it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from urllib.request import urlopen

import pytest

import page_server

pytest.importorskip("fastapi", reason="the server needs linkwl[serve]")
pytest.importorskip("linkwl.serving.app")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not page_server.PAGE.exists(), reason="the page is not built; run `make page`, with Node"),
]

PHONE = 360
ROWS = "document.querySelectorAll('.ranked tbody tr').length"
CHOSEN = "document.querySelector('.pair-title')?.textContent"
VERDICT = "document.querySelector('.verdict[aria-pressed=true]')?.textContent"
EXPLAINED = "document.querySelectorAll('.waterfall .fall-value').length > 2"
DRAWN = "document.querySelector('.drawing-panel')?.dataset.state === 'ready'"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with page_server.serve(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture
def page(browser, address):
    """The page at its start, with the list on the screen; without verdicts."""
    forget(address)
    opened = browser.open(address, still=True)
    opened.wait_until(ROWS)
    yield opened
    assert opened.problems == []


def forget(address: str) -> None:
    """Takes all verdicts back, as another visitor would."""
    import httpx

    links = httpx.get(f"{address}api/links", params={"limit": 200}).json()["links"]
    given = [{key: link[key] for key in ("source", "target", "relation")} for link in links if link["verdict"]]
    if given:
        decisions = [link | {"verdict": None} for link in given]
        answer = httpx.put(f"{address}api/decisions", json={"decisions": decisions}, headers={"X-Linkwl": "1"})
        assert answer.status_code == 200


def stored(address: str) -> list[dict[str, str]]:
    with urlopen(f"{address}api/decisions.csv") as answer:
        return list(csv.DictReader(io.StringIO(answer.read().decode())))


def row(page, number: int) -> list[str]:
    """The names in a row of the list."""
    names = f"[...document.querySelectorAll('#row-{number} .names > span:not(.joint)')]"
    return page.evaluate(f"{names}.map((e) => e.textContent)")


def test_a_search_lists_the_links_of_a_node(page):
    page.press("/")
    page.write("jun")
    page.write("x")
    page.wait_until("document.querySelector('.search-none')?.textContent.includes('junx')")
    page.press("Escape")  # empties the field
    page.write("jnu")
    page.wait_until("document.querySelector('#search-list [aria-selected=true]')?.textContent.startsWith('JNU')")
    page.press("Enter")
    page.wait_until("document.querySelector('.banner')?.textContent.includes('JNU')")
    page.wait_until(f"{ROWS} > 5")
    assert all("JNU" in row(page, i) for i in range(5))
    assert "node=" in page.evaluate("location.hash")


def test_a_pair_is_chosen_explained_accepted_undone_and_accepted_again(page, address):
    source, target = row(page, 0)
    page.click("#row-0 .pair")
    page.wait_until(EXPLAINED)
    assert page.evaluate(CHOSEN) == f"{source}–{target}"
    parts = page.evaluate("[...document.querySelectorAll('.waterfall .fall-value')].map((e) => e.textContent)")
    baseline, *middle, score = [float(part.split("±")[0].replace("−", "-")) for part in parts]
    assert baseline + sum(middle) == pytest.approx(score, abs=0.01 * len(parts))

    page.press("a")
    page.wait_until(f"{CHOSEN} !== {json.dumps(f'{source}–{target}')}")  # goes on to the next pair
    page.wait_until("document.querySelector('#row-0').className.includes('row-accepted')")
    page.wait_until("document.querySelector('.segments').textContent.includes('Accepted 1')")
    assert [(link["source"], link["target"], link["verdict"]) for link in stored(address)] == [
        (source, target, "accepted")
    ]

    page.press("u")
    page.wait_until("!document.querySelector('#row-0').className.includes('row-accepted')")
    page.wait_until("document.querySelector('.segments').textContent.includes('Accepted 0')")
    assert page.evaluate(CHOSEN) == f"{source}–{target}"
    assert stored(address) == []

    page.click(".verdict-accepted")
    page.wait_until("document.querySelector('.segments').textContent.includes('Accepted 1')")


def test_a_reload_and_the_back_button_keep_what_was_chosen(page, address):
    page.click("#row-2 .pair")
    page.press("s")
    page.wait_until("document.querySelector('.segments').textContent.includes('Later 1')")
    page.press("k")
    page.wait_until(f"({VERDICT} ?? '').includes('Later')")
    before = page.evaluate(CHOSEN)
    page.call("Page.reload")
    page.wait_until(f"{ROWS} && {CHOSEN} === {json.dumps(before)} && ({VERDICT} ?? '').includes('Later')")

    page.click(".segment:nth-of-type(5) input")  # later
    page.wait_until(f"{ROWS} === 1")
    page.evaluate("history.back()")
    page.wait_until(f"{ROWS} > 1")
    assert "status" not in page.evaluate("location.hash")


def test_the_keys_walk_through_the_list(page):
    page.press("j")
    page.press("j")
    page.wait_until("document.querySelector('#row-1').getAttribute('aria-selected') === 'true'")
    page.press("k")
    page.wait_until("document.querySelector('#row-0').getAttribute('aria-selected') === 'true'")
    page.press("Escape")
    page.wait_until("document.querySelector('.overview') !== null")
    page.press("?")
    page.wait_until("document.querySelector('dialog[open]')?.textContent.includes('accept the pair')")
    page.press("j")
    for _ in range(12):  # the focus stays in the dialog
        page.press("Tab")
    assert page.evaluate(
        "document.activeElement === document.body || document.activeElement.closest('dialog') !== null"
    )
    page.press("Escape")
    page.wait_until("document.querySelector('dialog') === null")
    assert page.evaluate("location.hash") == ""


def test_the_key_for_the_next_pair_turns_the_page(page):
    page.click("#row-49 .pair")
    page.wait_until(f"{CHOSEN}?.length > 3")
    page.press("j")
    page.wait_until("document.querySelector('#row-0[aria-selected=true] .rank')?.textContent === '51'")
    page.press("k")
    page.wait_until("document.querySelector('#row-49[aria-selected=true] .rank')?.textContent === '50'")


def test_the_prior_moves_every_probability_at_once_and_no_rank(page):
    shown = (
        "[...document.querySelectorAll('.row .chance span')].map((e) => parseFloat(e.textContent.replace(/[<>]/, '')))"
    )
    before, names = page.evaluate(shown), [row(page, i) for i in range(5)]
    asked = len(page.requests)
    page.evaluate("document.querySelector('#prior').focus()")
    for _ in range(5):
        page.press("ArrowLeft")
    page.wait_until(f"{shown}[0] < {before[0]}")
    after = page.evaluate(shown)
    assert all(later < earlier for later, earlier in zip(after, before, strict=True))
    assert [row(page, i) for i in range(5)] == names
    assert [url for url in page.requests[asked:] if "/api/links" in url] == []


def test_the_threshold_shortens_the_list(page):
    tenth = page.evaluate("Math.floor(parseFloat(document.querySelector('#row-9 .chance span').textContent))")
    assert tenth > 0
    page.evaluate(
        f"(() => {{ const e = document.querySelector('#threshold'); e.value = '{tenth / 100}';"
        "e.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    page.wait_until(f"{ROWS} >= 10 && {ROWS} < 50 && !document.querySelector('[aria-busy=true]')")
    assert page.evaluate(
        f"[...document.querySelectorAll('.row .chance span')].every((e) => parseFloat(e.textContent) >= {tenth})"
    )


def test_what_if_and_compare(page):
    page.press("j")
    page.wait_until(EXPLAINED)
    page.click("#pair-view-what-if")
    page.click(".chip")
    page.wait_until("/[+−]0/.test(document.querySelector('.changes-first')?.textContent)")  # the score is another
    page.click("[aria-label='Pin to compare']")
    page.press("j")
    page.click("#pair-view-compare")
    page.wait_until("document.querySelectorAll('.side .waterfall').length === 2")


def test_verdicts_are_exported_and_imported(page, address, tmp_path):
    page.press("j")
    page.wait_until(f"{CHOSEN}?.length > 3")
    page.press("r")
    page.wait_until("document.querySelector('.segments').textContent.includes('Rejected 1')")
    page.click(".menu summary")
    assert page.evaluate("document.querySelector('a[download]').href") == f"{address}api/decisions.csv"
    with urlopen(f"{address}api/decisions.csv") as answer:
        (tmp_path / "kept.csv").write_bytes(answer.read())
    page.press("u")
    page.wait_until("document.querySelector('.segments').textContent.includes('Rejected 0')")
    page.choose_file(".menu input[type=file]", tmp_path / "kept.csv")
    page.wait_until("document.querySelector('.segments').textContent.includes('Rejected 1')")
    page.wait_until("document.querySelector('.notice')?.textContent.includes('kept.csv')")


def test_a_verdict_that_the_server_refuses_is_taken_back_with_a_message(browser, address):
    forget(address)
    page = browser.open(address, still=True)
    page.wait_until(ROWS)
    page.press("j")
    page.wait_until(f"{CHOSEN}?.length > 3")
    page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    page.press("a")
    page.wait_until("document.querySelector('.notice-error')?.textContent.includes('linkwl serve')")
    assert "row-accepted" not in page.evaluate("document.querySelector('#row-0').className")
    page.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    page.click(".notice-error .button")
    page.wait_until("document.querySelector('#row-0').className.includes('row-accepted')")
    assert len(stored(address)) == 1


def test_the_list_is_painted_before_the_drawing_is_loaded_and_all_is_small(browser, address):
    page = browser.open(address)
    page.wait_until(DRAWN)
    page.pause(0.5)
    painted = page.evaluate("performance.getEntriesByName('linkwl-list-painted')[0].startTime")
    loaded = "performance.getEntriesByType('resource').map((e) => [e.name, e.startTime])"
    starts = [start for name, start in page.evaluate(loaded) if "/assets/draw" in name]
    assert starts
    assert min(starts) > painted
    assert page.received <= 150_000
    assert {url.split("/", 3)[2] for url in page.requests} == {address.split("/")[2]}
    assert page.problems == []


@pytest.mark.parametrize(
    ("width", "dark", "state"),
    [
        (1200, False, ""),
        (1200, True, "#pair=84-243"),
        (1200, False, "#pair=84-243&pinned=162-211&view=compare"),
        (1200, False, "#pair=84-243&view=what-if"),
        (1200, True, "#pair=84-243&view=reliability"),
        (800, False, "#pair=84-243"),
        (PHONE, False, ""),
        (PHONE, True, "#tab=drawing"),
        (PHONE, False, "#pair=84-243&tab=pair"),
        (PHONE, True, "#pair=84-243&tab=pair&pinned=162-211&view=compare"),
        (PHONE, False, "#pair=84-243&tab=pair&view=what-if"),
    ],
)
def test_axe_finds_nothing_and_nothing_is_too_wide(browser, axe, address, width, dark, state):
    page = browser.open(f"{address}{state}", width=width, dark=dark, still=True)
    page.wait_until(f"{ROWS} && {DRAWN}")
    if "pair=" in state:
        page.wait_until(f"{EXPLAINED} || document.querySelector('.what-if, .reliability-plot') !== null")
    assert page.violations(axe) == []
    assert page.overflow <= 0
    assert page.problems == []


@pytest.mark.parametrize("key", ["?", "menu"])
def test_axe_finds_nothing_in_what_opens(page, axe, key):
    if key == "menu":
        page.click(".menu summary")
    else:
        page.press(key)
    assert page.violations(axe) == []


def test_a_phone_shows_one_part_at_a_time(browser, address):
    forget(address)
    page = browser.open(address, width=PHONE, still=True)
    page.wait_until(ROWS)
    seen = "(s) => document.querySelector(s)?.offsetParent != null"
    parts = f"['.list-panel', '.canvas', '.pair-panel, .overview'].map({seen})"
    assert page.evaluate(parts) == [True, False, False]
    page.click("#row-1 .pair")
    page.wait_until(EXPLAINED)
    assert page.evaluate(parts) == [False, False, True]
    page.click(".verdict-rejected")
    page.wait_until("document.querySelector('#row-1')?.className.includes('row-rejected')")
    page.click(".phone-tabs button:nth-child(2)")
    page.wait_until(DRAWN)
    assert page.evaluate(parts) == [False, True, False]
    page.evaluate("history.back()")
    page.wait_until("document.querySelector('.phone-tabs [aria-current]').textContent === 'Pair'")
    assert page.problems == []


def test_dark_colours_are_kept(page):
    page.click(".tools .button.square")
    page.wait_until("document.documentElement.dataset.theme === 'dark'")
    page.call("Page.reload")
    page.wait_until(f"{ROWS} && document.documentElement.dataset.theme === 'dark'")
    page.evaluate("localStorage.clear()")


def test_the_notice_of_licences_names_what_is_in_the_bundle(address):
    with urlopen(f"{address}licences.txt") as answer:
        text = answer.read().decode()
    for name in ("preact", "@preact/signals", "sigma", "graphology", "graphology-layout-forceatlas2"):
        assert f"\n{name} " in text


def test_the_lock_file_names_no_host():
    lock = Path(__file__).parents[2] / "web" / "package-lock.json"
    assert "://" not in lock.read_text(encoding="utf-8")
