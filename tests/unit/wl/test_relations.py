from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.wl import TESTS
from linkwl.wl.relations import CONTAINMENTS, SCOPES, colour_links, first_split, relation_table, tabulate

# Relations for any two graphs, both connected and same graph: with the named witnesses, and among graphs with up to
# six nodes only.
EXPECTED = {
    ("1-wl", "local-2-wl"): ("~ ~ ~", "~ ~ ~"),
    ("1-wl", "2-wl"): ("< < ~", "< < ~"),
    ("1-wl", "local-2-fwl"): ("< < <", "< < <"),
    ("1-wl", "2-fwl"): ("< < <", "< < <"),
    ("2-wl", "2-fwl"): ("< < <", "< < <"),
    ("2-wl", "local-2-fwl"): ("inc < <", "inc < <"),
    ("local-2-fwl", "2-fwl"): ("< < <", "< ~ ~"),
    ("1-wl", "1-wl+01"): ("< < <", "< < <"),
    ("2-wl", "1-wl+01"): ("inc < <", "inc < <"),
    ("1-wl+01", "local-2-fwl"): ("inc inc inc", "< < ~"),
    ("1-wl+01", "2-fwl"): ("inc inc inc", "< < ~"),
    ("1-wl+01", "1-wl+drnl"): ("< < <", "< < ~"),
    ("1-wl+drnl", "local-2-fwl"): ("inc inc inc", "< < ~"),
    ("1-wl+drnl", "2-fwl"): ("inc inc inc", "< < ~"),
}

VERDICTS = {
    ("1-wl", "local-2-wl"): ("~", "correct"),
    ("1-wl", "2-wl"): ("<", "only between graphs"),
    ("1-wl", "local-2-fwl"): ("<", "correct"),
    ("1-wl", "2-fwl"): ("<", "correct"),
    ("2-wl", "2-fwl"): ("<", "correct"),
    ("2-wl", "local-2-fwl"): ("inc", "only with a component that misses the link"),
    ("local-2-fwl", "2-fwl"): ("<", "correct (strictness not argued)"),
    ("1-wl", "1-wl+01"): ("<", "correct"),
    ("2-wl", "1-wl+01"): (None, "not stated"),
    ("1-wl+01", "local-2-fwl"): ("inc", "correct"),
    ("1-wl+01", "2-fwl"): ("inc", "correct (implied)"),
    ("1-wl+01", "1-wl+drnl"): (None, "not stated"),
    ("1-wl+drnl", "local-2-fwl"): (None, "left open"),
    ("1-wl+drnl", "2-fwl"): (None, "left open"),
}

# (equal under, different under, scope): nodes of the larger graph, and the witness where it is a named one.
SMALLEST = {
    ("1-wl", "2-wl", "any"): (3, "W2"),
    ("1-wl", "2-wl", "connected"): (5, "W2c"),
    ("1-wl", "local-2-fwl", "any"): (5, None),
    ("1-wl", "local-2-fwl", "same"): (6, "W1c"),
    ("1-wl", "2-fwl", "same"): (6, "W1c"),
    ("1-wl", "1-wl+01", "same"): (6, "W1c"),
    ("2-wl", "2-fwl", "any"): (6, "W1c"),
    ("2-wl", "2-fwl", "connected"): (6, "W1"),
    ("local-2-fwl", "2-wl", "any"): (3, "W2"),
    ("local-2-fwl", "2-fwl", "any"): (3, "W2"),
    ("local-2-fwl", "2-fwl", "connected"): (36, "W6"),
    ("local-2-fwl", "2-fwl", "same"): (36, "W6"),
    ("1-wl+01", "local-2-fwl", "any"): (6, "W4c"),
    ("1-wl+01", "local-2-fwl", "same"): (8, "W4e"),
    ("1-wl+01", "1-wl+drnl", "connected"): (6, "W4d"),
    ("1-wl+01", "1-wl+drnl", "same"): (8, "W4e"),
    ("1-wl+drnl", "2-fwl", "connected"): (6, "W4"),
    ("1-wl+drnl", "2-fwl", "same"): (8, "W4s"),
    ("2-fwl", "1-wl+01", "any"): (16, "W5"),
    ("2-fwl", "1-wl+01", "same"): (16, "W5s"),
}


@pytest.fixture(scope="module")
def coloured():
    return colour_links(6)


@pytest.fixture(scope="module")
def table(coloured):
    return tabulate(coloured)


def relations(table, field="relation"):
    return {
        (row.first, row.second): " ".join(getattr(row.cells[scope], field) for scope in SCOPES) for row in table.rows
    }


def test_the_relations_are_as_stated(table):
    assert relations(table) == {tests: found for tests, (found, _) in EXPECTED.items()}
    assert relations(table, "enumerated") == {tests: found for tests, (_, found) in EXPECTED.items()}


def test_the_paper_stands_beside_with_a_verdict(table):
    assert {(row.first, row.second): (row.paper, row.verdict) for row in table.rows} == VERDICTS


def test_nothing_speaks_against_the_containments(table):
    assert table.violations == ()


def test_all_graphs_and_links_are_looked_at(table):
    assert (table.num_graphs, table.num_links) == (207, 2760)
    assert set(table.named) == {
        *("regular-8", "chorded-c8", "rook", "shrikhande", "latin-klein", "latin-cyclic"),
        *("gadget36", "gadget36-twisted"),
    }
    assert table.classes["1-wl"] == table.classes["local-2-wl"] < table.classes["2-wl"] < table.classes["2-fwl"]


def test_the_smallest_witnesses_have_the_stated_sizes(table):
    found = {
        (own.equal, own.different, own.scope): (own.second.num_nodes, own.witness)
        for row in table.rows
        for cell in row.cells.values()
        for own in cell.separations
    }
    assert {key: found[key] for key in SMALLEST} == SMALLEST
    # Up to five nodes the links of one graph are the same to all tests, and 2-WL is 2-FWL everywhere.
    assert all(size >= 6 for (_, _, scope), (size, _) in found.items() if scope == "same")


def test_up_to_five_nodes_2_wl_and_2_fwl_are_the_same(coloured):
    small = np.array([graph.num_nodes for graph in coloured.graphs])[coloured.graph_of] <= 5
    few = replace(
        coloured,
        graph_of=coloured.graph_of[small],
        links=coloured.links[small],
        is_connected=coloured.is_connected[small],
        is_met=coloured.is_met[small],
        classes={test: classes[small] for test, classes in coloured.classes.items()},
    )
    assert relations(tabulate(few))["2-wl", "2-fwl"] == "~ ~ ~"


def test_a_relation_is_what_counting_classes_says(coloured, table):
    for scope in SCOPES:
        _, classes = coloured.within(scope)
        count = {test: len(set(classes(test).tolist())) for test in TESTS}
        for row in table.rows:
            joint = len(set(zip(classes(row.first).tolist(), classes(row.second).tolist(), strict=True)))
            sign = {(True, True): "~", (True, False): "<", (False, True): ">", (False, False): "inc"}
            assert row.cells[scope].relation == sign[joint == count[row.second], joint == count[row.first]]


def test_a_separation_is_equal_and_different_where_it_says(table):
    for own in (own for row in table.rows for cell in row.cells.values() for own in cell.separations):
        assert own.equal in own.alike
        assert own.different not in own.alike
        assert own.scope != "same" or own.first.graph == own.second.graph
        if own.is_enumerated:
            assert tuple(sorted(own.first.link)) not in own.first.edges
            assert tuple(sorted(own.second.link)) not in own.second.edges


@pytest.mark.parametrize(("coarse", "fine", "scope"), CONTAINMENTS)
def test_a_planted_violation_of_a_containment_is_found(coloured, coarse, fine, scope):
    places, classes = coloured.within(scope)
    _, own, size = np.unique(classes(fine), return_inverse=True, return_counts=True)
    planted = coloured.classes[coarse].copy()
    # One link leaves a class of the finer test that has others, and is alone in a class of the coarser test.
    place = places[np.flatnonzero(size[own] > 1)[-1]]
    planted[place] = planted.max() + 1
    broken = tabulate(replace(coloured, classes=coloured.classes | {coarse: planted})).violations
    assert (fine, coarse, scope) in {(own.equal, own.different, own.scope) for own in broken}


def test_a_planted_colouring_changes_the_relation(coloured):
    blind = coloured.classes | {"2-fwl": np.zeros_like(coloured.classes["2-fwl"])}
    assert relations(tabulate(replace(coloured, classes=blind)))["1-wl", "2-fwl"] == "> > >"
    alone = coloured.classes | {"1-wl": np.arange(len(coloured.links))}
    assert relations(tabulate(replace(coloured, classes=alone)))["1-wl", "2-fwl"] == "> > >"
    verdicts = {row.second: row.verdict for row in tabulate(replace(coloured, classes=alone)).rows if row.paper}
    assert verdicts["local-2-wl"] == "not so"


def test_the_first_split_is_the_smallest_of_all_pairs():
    rng = np.random.default_rng(0)
    for _ in range(200):
        coarse, fine = rng.integers(0, 4, (2, rng.integers(0, 9)))
        pairs = [(j, i) for j in range(len(fine)) for i in range(j) if coarse[i] == coarse[j] and fine[i] != fine[j]]
        assert first_split(coarse, fine) == (min(pairs)[::-1] if pairs else None)


def test_connected_and_met_are_told_per_link(coloured):
    by_name = {graph.name: i for i, graph in enumerate(coloured.graphs)}

    def facts(name, link):
        place = np.flatnonzero((coloured.graph_of == by_name[name]) & (coloured.links == link).all(axis=1))[0]
        return bool(coloured.is_connected[place]), bool(coloured.is_met[place])

    assert facts("p6", (0, 2)) == (True, True)
    assert facts("2p3", (0, 2)) == (False, False)
    assert facts("2p3", (0, 3)) == (False, True)
    assert facts("3k1", (0, 1)) == (False, False)
    assert facts("rook", (0, 5)) == (True, True)


def test_links_ascend_by_nodes_and_edges(coloured):
    sizes = [(graph.num_nodes, graph.num_edges) for graph in coloured.graphs]
    assert sizes == sorted(sizes)
    assert (np.diff(coloured.graph_of) >= 0).all()


@pytest.mark.thorough
def test_engines_agree():
    fast, exact = (relation_table(5, engine=engine) for engine in ("fast", "exact"))
    assert replace(fast, engine="exact") == exact


def test_the_witnesses_alone_show_every_difference():
    assert relations(relation_table(2, engine="fast")) == {tests: found for tests, (found, _) in EXPECTED.items()}


def test_progress_is_told_before_every_step_and_at_the_end():
    told = []
    relation_table(2, engine="fast", on_progress=lambda *step: told.append(step))
    names = ["graphs", *TESTS, "relations", "done"]
    assert told == [(done, 9, what) for done, what in enumerate(names)]


def test_the_table_becomes_json(table):
    values = json.loads(table.to_json())
    assert values["num_graphs"] == 207
    row = values["rows"][1]
    assert (row["first"], row["second"], row["paper"], row["verdict"]) == ("1-wl", "2-wl", "<", "only between graphs")
    assert row["cells"]["any"]["separations"][0]["second"] == {
        "graph": "3k1",
        "num_nodes": 3,
        "edges": [],
        "link": [0, 1],
    }
    assert values["rows"][6]["cells"]["same"]["separations"][0]["first"]["edges"] is None


@pytest.mark.parametrize("max_nodes", [1, 9])
def test_other_sizes_are_an_error_in_one_sentence(max_nodes):
    with pytest.raises(InputError, match=f"up to {max_nodes} nodes; choose a number of nodes from 2 to 8."):
        relation_table(max_nodes)
