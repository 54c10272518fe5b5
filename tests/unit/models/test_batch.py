from __future__ import annotations

import numpy as np

from linkwl import Graph
from linkwl.models.batch import Batch
from linkwl.models.near_pairs import NearPairs


def test_queries_come_in_order_and_near_pairs_have_no_label():
    graph = Graph.from_pairs([(0, 1), (1, 2)], 4)
    positives, negatives, near = np.array([(0, 1)]), np.array([(0, 3), (1, 3)]), np.array([(0, 2)])
    plain = Batch(graph, positives, negatives, 4)
    assert plain.queries.tolist() == [[0, 1], [0, 3], [1, 3]]
    assert plain.labels.tolist() == [1, 0, 0]
    more = Batch(graph, positives, negatives, 4, NearPairs(near, np.ones(1)))
    assert more.queries.tolist() == [[0, 1], [0, 3], [1, 3], [0, 2]]
    assert more.labels.tolist() == [1, 0, 0]
