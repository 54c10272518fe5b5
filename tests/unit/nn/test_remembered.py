from __future__ import annotations

import torch

from linkwl.nn import remembered
from linkwl.nn.remembered import Remembered


def test_only_the_last_pairs_are_remembered(monkeypatch):
    monkeypatch.setattr(remembered, "_MOST", 5)
    calls = []

    def total(pairs):
        calls.append(pairs)
        return pairs.sum(1, keepdim=True)

    cached = Remembered(total)
    blocks = [torch.full((2, 2), k) for k in range(4)]
    for block in [*blocks, *blocks[2:]]:
        assert cached(block.clone()).tolist() == [[2 * int(block[0, 0])]] * 2
    assert len(calls) == 4  # the last two are in the cache
    cached(blocks[0])
    assert len(calls) == 5
