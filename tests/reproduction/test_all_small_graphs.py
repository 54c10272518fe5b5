from __future__ import annotations

import pytest

from linkwl.wl.relations import SCOPES, relation_table

EXPECTED = {
    ("1-wl", "local-2-wl"): "~ ~ ~",
    ("1-wl", "2-wl"): "< < ~",
    ("1-wl", "local-2-fwl"): "< < <",
    ("1-wl", "2-fwl"): "< < <",
    ("2-wl", "2-fwl"): "< < <",
    ("2-wl", "local-2-fwl"): "inc < <",
    ("local-2-fwl", "2-fwl"): "< < <",
    ("1-wl", "1-wl+01"): "< < <",
    ("2-wl", "1-wl+01"): "inc < <",
    ("1-wl+01", "local-2-fwl"): "inc inc inc",
    ("1-wl+01", "2-fwl"): "inc inc inc",
    ("1-wl+01", "1-wl+drnl"): "< < <",
    ("1-wl+drnl", "local-2-fwl"): "inc inc inc",
    ("1-wl+drnl", "2-fwl"): "inc inc inc",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("max_nodes", "engine", "num_graphs", "num_links"),
    [(7, "exact", 1251, 24_684), (8, "fast", 13_597, 370_372)],
)
def test_the_relations_hold_on_all_graphs_and_the_witnesses(max_nodes, engine, num_graphs, num_links):
    table = relation_table(max_nodes, engine=engine)
    assert (table.num_graphs, table.num_links, table.violations) == (num_graphs, num_links, ())
    rows = {(row.first, row.second): row.cells for row in table.rows}
    assert {tests: " ".join(cells[scope].relation for scope in SCOPES) for tests, cells in rows.items()} == EXPECTED

    def enumerated(first, second):
        return " ".join(rows[first, second][scope].enumerated for scope in SCOPES)

    # No connected graph this small shows that 2-FWL is finer than its local version.
    assert enumerated("local-2-fwl", "2-fwl") == "< ~ ~"
    # None shows that labels see what 2-FWL does not; the converse takes eight nodes inside one graph.
    same = "~" if max_nodes < 8 else "<"
    for labels in ("1-wl+01", "1-wl+drnl"):
        for folklore in ("local-2-fwl", "2-fwl"):
            assert enumerated(labels, folklore) == f"< < {same}"
    assert enumerated("1-wl+01", "1-wl+drnl") == f"< < {same}"
