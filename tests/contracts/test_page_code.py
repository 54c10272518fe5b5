"""The Python on every page runs from top to bottom and prints what the page says."""

from __future__ import annotations

import pytest

from pages import PAGES, python_blocks, read_page, run_code, stated_output

LONG = {"docs/predicting.md", "docs/directed.md", "docs/knowledge-graphs.md", "docs/large-graphs.md", "docs/tuning.md"}
"""Pages that train a network."""


def cases():
    for name in PAGES:
        if python_blocks(read_page(name)) and name not in ("README.md", "CONTRIBUTING.md"):  # tested on their own
            yield pytest.param(name, marks=[pytest.mark.thorough] if name in LONG else [])


@pytest.mark.parametrize("name", list(cases()))
def test_a_page_prints_what_it_says(name, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    code = "\n".join(python_blocks(read_page(name)))
    run_code(code, name)
    assert stated_output(code)
    assert capsys.readouterr().out.splitlines() == stated_output(code)
