"""Upload, training and retraining in the page of ``linkwl serve``, with the real server behind it."""

from __future__ import annotations

import networkx as nx
import pytest

import page_server

pytest.importorskip("fastapi", reason="the server needs linkwl[serve]")
pytest.importorskip("linkwl.serving.job_routes")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not page_server.PAGE.exists(), reason="the page is not built; run `make page`, with Node"),
]

ROWS = "document.querySelectorAll('.ranked tbody tr').length"
STAGE = "document.querySelector('.train')?.dataset.stage"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with page_server.serve(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    """A file whose first column is neither end of a link, and whose names would be markup in a careless page."""
    path = tmp_path_factory.mktemp("graph") / "the club.csv"
    rows = [f"{i},<i>member</i> {p},<i>member</i> {q}" for i, (p, q) in enumerate(nx.karate_club_graph().edges)]
    path.write_text("\n".join(["number,one,other", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def page(browser, address):
    opened = browser.open(address, still=True)
    opened.wait_until(ROWS)
    yield opened
    assert opened.problems == []


def choose(page, field: str, value: str) -> None:
    page.evaluate(
        f"(() => {{ const e = document.querySelector('#{field}'); e.value = {value!r};"
        "e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def upload(page, path) -> None:
    page.click("[aria-label='Upload a graph']")
    page.wait_until(f"{STAGE} === 'file'")
    page.choose_file(".drop input", path)
    page.wait_until(f"{STAGE} === 'options' || document.querySelector('.train .problem') !== null")


def test_training_can_be_stopped(page, club):
    upload(page, club)
    choose(page, "column-source", "one")
    choose(page, "column-target", "other")
    page.wait_until("document.querySelector('.read-sum')?.textContent.startsWith('34 nodes')")
    page.wait_until("!document.querySelector('.options .primary').disabled")
    page.click(".options .primary")
    page.wait_until(f"{STAGE} === 'training'")
    page.click(".running .button")
    page.wait_until(f"{STAGE} === 'file'")
    page.press("Escape")
    page.wait_until("document.querySelector('dialog') === null")
    assert page.evaluate("document.querySelector('.about h1').textContent") == "airports"


def test_a_file_becomes_an_open_model_that_is_trained_again_with_verdicts(page, axe, club):
    upload(page, club)
    choose(page, "column-source", "one")
    choose(page, "column-target", "other")
    page.wait_until("document.querySelector('.read-sum')?.textContent.startsWith('34 nodes')")
    assert page.violations(axe) == []
    choose(page, "model", "ra")
    page.wait_until("!document.querySelector('.options .primary').disabled")
    page.click(".options .primary")
    page.wait_until(f"{STAGE} === 'ended'")
    page.click(".running .primary")
    page.wait_until("document.querySelector('.about h1').textContent.includes('club')")
    page.wait_until(f"{ROWS} && document.querySelector('.drawing-panel').dataset.state === 'ready'")
    assert "<i>member</i> " in page.evaluate("document.querySelector('#row-0 .pair').textContent")

    page.click("#row-0 .pair")
    page.wait_until("document.querySelector('.verdict-accepted') !== null")
    page.press("a")
    page.wait_until("document.querySelector('.segments').textContent.includes('Accepted 1')")
    page.click(".menu summary")
    page.click(".menu-list button:nth-of-type(2)")
    page.wait_until(f"{STAGE} === 'options'")
    assert "1 accepted pair " in page.evaluate("document.querySelector('.options').textContent")
    page.click(".options .primary")
    page.wait_until(f"{STAGE} === 'ended'")
    page.click(".running .primary")
    page.wait_until("document.querySelector('.about p').textContent.includes('79 links')")


def test_a_file_that_cannot_be_read_is_answered_with_a_sentence(page, tmp_path):
    (tmp_path / "bad.csv").write_bytes(b"\x00\x01\x02\xff" * 50)
    page.click("[aria-label='Upload a graph']")
    page.wait_until(f"{STAGE} === 'file'")
    page.choose_file(".drop input", tmp_path / "bad.csv")
    page.wait_until(f"{STAGE} === 'ended' || document.querySelector('.train .problem') !== null")
    assert "bad.csv" in page.evaluate("document.querySelector('.train').textContent")
