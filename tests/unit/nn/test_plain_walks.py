import torch

from linkwl.nn import plain_walks
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.plain_walks import PlainWalks
from linkwl.nn.walk_profile import WalkProfile
from network_cases import random_graph


def test_only_the_last_pairs_are_remembered(monkeypatch):
    monkeypatch.setattr(plain_walks, "_REMEMBERED", 5)
    graph = random_graph()
    adjacency = Adjacency.from_csr(graph.rowptr, graph.col, is_symmetric=True)
    walks, profile = PlainWalks(adjacency, 4), WalkProfile(adjacency, 4)
    blocks = [torch.randint(graph.num_nodes, (2, 2), generator=torch.Generator().manual_seed(k)) for k in range(4)]
    for block in [*blocks, *blocks]:
        assert torch.equal(walks.at(block), profile.at(block))
    assert len(walks._told) == 2
    assert walks.at(blocks[-1]) is walks.at(blocks[-1].clone())
