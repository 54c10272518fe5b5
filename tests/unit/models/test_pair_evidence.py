from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.graph.attributes import Attributes, CategoryColumn, NumberColumn
from linkwl.graph.pair_numbers import PairNumbers
from linkwl.graph.positions import Positions
from linkwl.models.pair_evidence import PairEvidence, category_rates, evidence_names

N = 30


def attributes(seed: int = 0) -> Attributes:
    generator = np.random.default_rng(seed)
    age, size = generator.normal(5, 2, size=(2, N))
    age[3] = np.nan
    places = generator.normal(size=(N, 2))
    places[4] = np.nan
    codes = generator.integers(-1, 3, size=N).astype(np.int32)
    pairs = np.unique(np.sort(generator.integers(N, size=(40, 2)), axis=1), axis=0).astype(np.int32)
    return Attributes(
        (NumberColumn.of("age", age), NumberColumn.of("size", size)),
        (CategoryColumn("kind", ("a", "b", "c"), codes),),
        Positions(places, "plane"),
        PairNumbers(("trade",), pairs, generator.normal(size=(len(pairs), 1))),
    )


@pytest.fixture(params=[False, True], ids=["undirected", "directed"])
def graph(request):
    edges = np.random.default_rng(1).integers(N, size=(60, 2))
    return Graph.from_pairs(edges, N, is_directed=request.param, attributes=attributes())


PAIRS = np.array([(p, q) for p in range(N) for q in range(N) if p != q])


def column(graph, name):
    evidence = PairEvidence(graph)
    return evidence(PAIRS)[:, evidence.names.index(name)]


def test_one_finite_number_for_each_name(graph):
    table = PairEvidence(graph)(PAIRS)
    assert table.shape == (len(PAIRS), len(evidence_names(graph.attributes, is_directed=graph.is_directed)))
    assert np.isfinite(table).all()
    assert evidence_names(None) == ()


def test_rows_do_not_depend_on_each_other(graph):
    evidence = PairEvidence(graph)
    np.testing.assert_array_equal(evidence(PAIRS)[17:19], evidence(PAIRS[17:19]))


def test_undirected_pairs_have_one_row_for_both_orders():
    graph = Graph.from_pairs(np.random.default_rng(1).integers(N, size=(60, 2)), N, attributes=attributes())
    evidence = PairEvidence(graph)
    np.testing.assert_array_equal(evidence(PAIRS), evidence(PAIRS[:, ::-1]))


def test_numbers(graph):
    values = graph.attributes.numbers[0].values
    scaled = (values - np.nanmean(values)) / np.nanstd(values)
    p, q = scaled[PAIRS].T
    np.testing.assert_allclose(column(graph, "age.gap"), np.nan_to_num(np.abs(p - q)))
    np.testing.assert_allclose(column(graph, "age.sum"), np.nan_to_num(p + q))
    assert (column(graph, "age.known") == 0).tolist() == (PAIRS == 3).any(axis=1).tolist()
    if graph.is_directed:
        np.testing.assert_allclose(column(graph, "age.rise"), np.nan_to_num(q - p))


def test_categories(graph):
    codes = graph.attributes.categories[0].codes
    p, q = codes[PAIRS].T
    assert (column(graph, "kind.same") == ((p == q) & (p >= 0))).all()
    assert (column(graph, "kind.known") == ((p >= 0) & (q >= 0))).all()


def test_rates_by_counting():
    codes = np.array([0, 0, 0, 1, 1, -1], dtype=np.int32)
    column = CategoryColumn("c", ("a", "b"), codes)
    graph = Graph.from_pairs([(0, 1), (1, 2), (3, 5), (0, 3)], 6)
    rates = category_rates(graph, column)
    # 6 ordered pairs within a, 12 between a and b, 2 within b; 8 of all 30 are edges
    assert rates[0, 0] == pytest.approx(np.log((4 + 1) / (6 * 8 / 30 + 1)))
    assert rates[0, 1] == rates[1, 0] == pytest.approx(np.log((1 + 1) / (6 * 8 / 30 + 1)))
    assert rates[1, 1] == pytest.approx(np.log(1 / (2 * 8 / 30 + 1)))


def test_rates_between_two_sides():
    """Ann and Bob on the left, four films on the right: only their 8 pairs can be edges."""
    column = CategoryColumn("c", ("a", "b"), np.array([0, 1, 0, 0, 1, -1], dtype=np.int32))
    graph = Graph.from_pairs([(0, 2), (0, 3), (1, 5)], 6, part=np.array([0, 0, 1, 1, 1, 1]))
    rates = category_rates(graph, column)
    # of 16 ordered pairs, 4 within a, 1 + 2 from a to b, 2 within b; 6 of all 16 are edges
    assert rates[0, 0] == pytest.approx(np.log((4 + 1) / (4 * 6 / 16 + 1)))
    assert rates[0, 1] == rates[1, 0] == pytest.approx(np.log(1 / (3 * 6 / 16 + 1)))
    assert rates[1, 1] == pytest.approx(np.log(1 / (2 * 6 / 16 + 1)))


def test_a_hidden_edge_leaves_no_trace():
    """Rates, directions and lengths come from the observed edges alone."""
    graph = Graph.from_pairs(np.random.default_rng(1).integers(N, size=(60, 2)), N, attributes=attributes())
    hidden = graph.without(graph.edges[:1])
    moved = graph.without(graph.edges[:1]).with_(np.array([PAIRS[5]])).without(PAIRS[5][None])
    np.testing.assert_array_equal(PairEvidence(hidden)(PAIRS), PairEvidence(moved)(PAIRS))
    assert not np.array_equal(PairEvidence(hidden)(PAIRS), PairEvidence(graph)(PAIRS))


def test_places(graph):
    places = graph.attributes.positions
    is_known = places.is_known[PAIRS].all(axis=1)
    np.testing.assert_allclose(
        np.exp(column(graph, "place.distance")[is_known]), places.distances(PAIRS)[is_known], rtol=1e-4
    )
    assert (column(graph, "place.known") == is_known).all()
    assert (column(graph, "place.distance")[~is_known] == 0).all()


def test_numbers_of_pairs_are_found_in_either_order_of_an_undirected_pair():
    graph = Graph.from_pairs(np.random.default_rng(1).integers(N, size=(60, 2)), N, attributes=attributes())
    table = graph.attributes.pairs
    evidence = PairEvidence(graph)
    found = evidence(table.pairs[:, ::-1])
    np.testing.assert_array_equal(found[:, evidence.names.index("pair.trade")], table.values[:, 0])
    assert found[:, evidence.names.index("pair.known")].all()
