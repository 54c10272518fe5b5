from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph.queries import check_nodes, checked_pairs, checked_triples, native


def test_rows_of_whole_numbers_pass_and_empty_ones_get_their_shape():
    assert checked_pairs([(0, 1), (1, 2)]).shape == (2, 2)
    assert checked_triples([(0, 0, 1)]).shape == (1, 3)
    assert checked_pairs([]).shape == (0, 2)
    assert checked_triples([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("check", "rows", "words"),
    [
        (checked_pairs, [[0, 1, 2], [1, 2, 3]], r"\(num_pairs, 2\), got \(2, 3\); an edge index .* `edge_index.T`"),
        (checked_pairs, [0, 1], r"\(num_pairs, 2\), got \(2,\)"),
        (checked_pairs, [("a", "b")], "whole numbers, got .*; find nodes by name"),
        (checked_triples, [(0, 1)], r"\(num_triples, 3\), got \(1, 2\); each row is a head, a relation and a tail"),
        (checked_triples, [(0.0, 1.0, 2.0)], "whole numbers"),
    ],
)
def test_anything_else_is_a_value_error(check, rows, words):
    with pytest.raises(ValueError, match=words):
        check(rows)


def test_nodes_must_exist():
    pairs = np.array([(0, 2)], dtype=np.uint64)
    assert check_nodes(pairs, 3).dtype == np.int32
    with pytest.raises(ValueError, match=r"`pairs` must name nodes 0 \.\. 1 of the graph, got 0 \.\. 2"):
        check_nodes(pairs, 2)


def test_native_turns_bytes_round():
    assert native(np.array([1, 2], dtype=">i4")).dtype == np.dtype("i4")
