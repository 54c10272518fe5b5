from __future__ import annotations

import numpy as np
import torch

from linkwl.nn import persistence_images
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.persistence_images import PersistenceImages
from linkwl.sparse.vicinity_images import Vicinity, vicinity_images
from network_cases import random_graph


def test_images_are_those_of_the_kernel_and_are_kept_if_wished(monkeypatch):
    graph, pairs = random_graph(), torch.randint(0, 40, (20, 2), generator=torch.Generator().manual_seed(0))
    calls = []

    def counted(*arguments, **settings):
        calls.append(1)
        return vicinity_images(*arguments, **settings)

    monkeypatch.setattr(persistence_images, "vicinity_images", counted)
    adjacency = Adjacency.from_csr(graph.rowptr, graph.col, is_symmetric=True)
    expected = vicinity_images(graph.rowptr, graph.col, pairs.numpy(), Vicinity(), bandwidth=0.5)
    assert expected.any()
    for remember, num_calls in ((False, 4), (True, 2)):
        calls.clear()
        images = PersistenceImages(adjacency, Vicinity(), 0.5, remember=remember)
        for asked in (slice(None), slice(None), slice(5), slice(None)):
            np.testing.assert_array_equal(images.at(pairs[asked]).numpy(), expected[asked])
        assert len(calls) == num_calls
