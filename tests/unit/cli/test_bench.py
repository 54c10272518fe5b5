from __future__ import annotations

from linkwl.benchmark.grid import GRIDS
from linkwl.cli.bench import TABLES


def test_the_list_says_what_the_tables_are():
    for name, grid in GRIDS.items():
        assert TABLES[name] == f"{grid.title}. {', '.join(grid.metric_titles.values())}."
    assert list(TABLES) == [*GRIDS, "time"]


def test_help_lists_every_table(linkwl):
    code, out, _ = linkwl("bench", "--help")
    assert code == 0
    assert all(name in out for name in TABLES)
    assert "--draw-only draws without running" in " ".join(out.split())


def test_an_unknown_table(linkwl):
    code, _, err = linkwl("bench", "table9")
    assert code == 2
    assert "unknown command 'table9'" in err
