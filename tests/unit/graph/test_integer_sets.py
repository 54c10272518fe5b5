import numpy as np

from linkwl.graph.integer_sets import distinct, find_places, pair_numbers, row_starts


def test_distinct_values_ascend():
    drawn = np.random.default_rng(0).integers(0, 30, 100)
    assert distinct(drawn).tolist() == sorted(set(drawn.tolist()))
    assert distinct(np.empty(0, dtype=np.int64)).tolist() == []


def test_a_value_is_found_at_its_place_or_not_at_all():
    ascending = np.array([2, 5, 9])
    assert find_places(ascending, np.array([9, 3, 2, 10])).tolist() == [2, -1, 0, -1]
    assert find_places(ascending[:0], np.array([1])).tolist() == [-1]


def test_a_pair_has_one_number_both_ways():
    first, second = np.array([0, 3, 2]), np.array([3, 0, 2])
    assert pair_numbers(first, second, 4).tolist() == [3, 3, 10]


def test_ranges_of_nodes_are_adjacent():
    assert row_starts(np.array([0, 0, 2]), 4).tolist() == [0, 2, 2, 3, 3]
