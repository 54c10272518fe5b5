"""Every table of the pages is what ``docs/tables.py`` draws from the records."""

from __future__ import annotations

import json
import runpy

import pytest

from linkwl.errors import InputError
from pages import ROOT, read_page

TABLES = runpy.run_path(str(ROOT / "docs" / "tables.py"))


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
@pytest.mark.parametrize("name", TABLES["TABLES"])
def test_a_table_is_drawn_from_its_records(monkeypatch, name):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    try:
        drawn = TABLES["draw"](name)
    except InputError as error:
        pytest.skip(f"there are no records of {name} yet: {error}")
    (shown,) = [match[2] for page in TABLES["PAGES"] for match in TABLES["block"](name).finditer(read_page(page))]
    assert shown == drawn


@pytest.mark.parametrize("name", ["read_csv", "split", "common_neighbours", "wl", "subgraph_extraction"])
def test_the_ratios_of_speed_are_in_the_benchmark_records(name):
    figures = json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text())["figures"]
    page = read_page("docs/speed.md")
    for figure in figures if name in ("read_csv", "wl", "subgraph_extraction") else figures[:1]:
        unit = "GB" if "gigabytes" in figure["what"] else "times"
        assert f"{figure['value']:.1f} {unit}" in page
