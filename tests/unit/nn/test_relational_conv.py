from __future__ import annotations

import numpy as np
import pytest
import torch

from adjacencies import assert_same_function, normal, randomised
from facts import random_facts
from linkwl.nn.relational_conv import RelationalConv, RelationalEdges


@pytest.mark.parametrize("num_facts", [0, 40])
def test_the_layer_is_that_of_the_definition(num_facts):
    graph = random_facts(num_nodes=10, num_relations=3, num_facts=num_facts)
    triples = graph.triples if num_facts else graph.triples[:0]
    conv = randomised(RelationalConv(4, 5, 6, 2).double())
    x = normal(10, 4)
    kinds = torch.stack(
        [sum(a * basis.weight for a, basis in zip(row, conv.bases, strict=True)) for row in conv.mixture]
    )
    rows = []
    for v in range(10):
        total = conv.own(x[v])
        for kind in range(6):
            facts = triples[triples[:, 1] == kind % 3]
            heard = facts[facts[:, 0] == v, 2] if kind < 3 else facts[facts[:, 2] == v, 0]
            if len(heard):
                total = total + sum(kinds[kind] @ x[u] for u in heard.tolist()) / len(heard)
        rows.append(total)
    found = conv(x, RelationalEdges.of(triples, 10, 3))
    assert_same_function(found, torch.stack(rows), (x, *conv.parameters()))


def test_edges_are_dropped_in_training_alone():
    graph = random_facts()
    edges = RelationalEdges.of(graph.triples, graph.num_nodes, graph.num_relations)
    conv = RelationalConv(3, 3, 8, 2, edge_dropout=0.5, self_dropout=0.5)
    x = torch.ones(graph.num_nodes, 3)
    assert not torch.equal(conv(x, edges), conv(x, edges))
    conv.eval()
    assert torch.equal(conv(x, edges), conv(x, edges))


def test_edges_of_one_kind_and_receiver_share_one():
    edges = RelationalEdges.of(np.array([(0, 0, 1), (0, 0, 2), (1, 1, 2)]), 3, 2)
    assert edges.ptr.tolist() == [0, 2, 4, 6]
    assert edges.sender.tolist() == [1, 2, 2, 0, 0, 1]
    assert edges.kind.tolist() == [0, 0, 1, 2, 2, 3]
    assert edges.weight[:, 0].tolist() == [0.5, 0.5, 1, 1, 1, 1]
    assert repr(RelationalConv(3, 4, 2, 1)).startswith("RelationalConv(\n  3, 4")
