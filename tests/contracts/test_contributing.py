"""The worked examples of CONTRIBUTING run: blocks that name a file are imported from it."""

from __future__ import annotations

import re

import pytest

from linkwl.errors import InputError
from linkwl.graph import load_graph
from linkwl.graph.readers import READERS
from linkwl.models.registry import ROWS
from linkwl.protocols import PROTOCOLS
from pages import python_blocks, read_page, run_code, stated_output

PAGE = read_page("CONTRIBUTING.md")
SECTIONS = dict(re.findall(r"^## (Add .+?)\n(.*?)(?=^## |\Z)", PAGE, flags=re.DOTALL | re.MULTILINE))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder that is on the import path; what is registered in a test is gone after it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = [(registry, dict(registry)) for registry in (ROWS, PROTOCOLS, READERS)]
    yield tmp_path
    for registry, rows in before:
        registry.clear()
        registry.update(rows)


def run_section(title, folder):
    """Writes the files of a section and runs its other blocks; what these say they print."""
    said = []
    for block in python_blocks(SECTIONS[title]):
        first, _, rest = block.partition("\n")
        if re.fullmatch(r"# \w+\.py", first):
            (folder / first[2:]).write_text(rest, encoding="utf-8")
        else:
            run_code(block, title)
            said += stated_output(block)
    return said


@pytest.mark.parametrize("title", ["Add a model", "Add a protocol", "Add a reader"])
def test_the_example_prints_what_it_says(title, folder, capsys):
    said = run_section(title, folder)
    assert said
    assert capsys.readouterr().out.splitlines() == said


def test_the_reader_names_the_bad_line(folder):
    run_section("Add a reader", folder)
    (folder / "bad.metis").write_text("3 1\n2\n\none\n")
    with pytest.raises(InputError, match=r"bad\.metis, line 4: expected node numbers"):
        load_graph(folder / "bad.metis")
