from __future__ import annotations

import torch

from adjacencies import assert_same_function, normal, randomised
from linkwl.nn.grail_conv import GrailConv, QueryGraph

# Two queries: nodes 0 to 2 with relation 1, nodes 3 and 4 with relation 0. Nothing points to node 0.
FACTS = [(0, 1, 1, 1), (2, 0, 1, 1), (0, 0, 2, 1), (4, 0, 3, 0), (3, 1, 4, 0)]


def graph():
    order = sorted(range(len(FACTS)), key=lambda k: FACTS[k][2])
    head, relation, tail, query = torch.tensor([FACTS[k] for k in order]).T
    ptr = torch.cat([torch.zeros(1, dtype=torch.int64), torch.bincount(tail, minlength=5).cumsum(0)])
    ends = torch.tensor([0, 3]), torch.tensor([1, 4])
    return QueryGraph(
        torch.zeros(5, dtype=torch.int64), ptr, head, relation, tail, query, torch.tensor([0, 3, 5]), *ends, query[:2]
    )


def test_the_layer_is_that_of_the_definition():
    conv = randomised(GrailConv(3, 4, 2, num_bases=2, attention_channels=5).double())
    x, relations = normal(5, 3), normal(2, 5, seed=1)
    kinds = torch.einsum("rb,bij->rij", conv.mixture, torch.stack([basis.weight for basis in conv.bases]))
    totals = [conv.own(x[v]) for v in range(5)]
    for s, r, t, asked in FACTS:
        hidden = conv.sender(x[s]) + conv.receiver(x[t]) + conv.relation(relations[r]) + conv.query(relations[asked])
        totals[t] = totals[t] + torch.sigmoid(conv.attention(hidden.relu())) * (kinds[r] @ x[s])
    expected = torch.stack([totals[0] * 0, *totals[1:]]).relu()
    assert_same_function(conv(x, graph(), relations), expected, (x, relations, *conv.parameters()))


def test_messages_are_dropped_in_training_alone():
    conv = randomised(GrailConv(3, 4, 2, edge_dropout=0.5, attention_channels=5).double())
    x, relations = normal(5, 3), normal(2, 5, seed=1)
    assert any(not torch.equal(conv(x, graph(), relations), conv(x, graph(), relations)) for _ in range(20))
    conv.eval()
    assert torch.equal(conv(x, graph(), relations), conv(x, graph(), relations))
    assert repr(conv).startswith("GrailConv(\n  3, 4")
