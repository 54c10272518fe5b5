"""The checks of pages find what is wrong with a page."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.thorough

BAD = """<!doctype html><html><head><title>bad</title></head><body>
<img src="http://127.0.0.1:9/picture.png"><div style="width: 500px">wide</div>
<p style="color: #999; background: #aaa">pale</p><script>missing()</script></body></html>"""


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    path = tmp_path_factory.mktemp("bad") / "bad.html"
    path.write_text(BAD)
    return path


def test_a_wide_page_scrolls(browser, bad):
    assert browser.open(bad, width=360).overflow > 100
    assert browser.open(bad, width=1200).overflow <= 0


def test_what_is_asked_for_and_what_fails_is_noted(browser, bad):
    page = browser.open(bad)
    assert "http://127.0.0.1:9/picture.png" in page.requests
    assert any("missing is not defined" in problem for problem in page.problems)


def test_axe_sees_pictures_without_words_and_pale_text(browser, bad, axe):
    rules = {found.partition(":")[0] for found in browser.open(bad).violations(axe)}
    assert {"image-alt", "color-contrast", "html-has-lang"} <= rules


def test_scripts_can_be_off(browser, tmp_path):
    (tmp_path / "page.html").write_text("<title>off</title><script>document.title = 'on'</script>")
    titles = []
    for scripts in (True, False):
        page = browser.open(tmp_path / "page.html", scripts=scripts)
        page.call("Emulation.setScriptExecutionDisabled", value=False)
        titles.append(page.evaluate("document.title"))
    assert titles == ["on", "off"]
