from __future__ import annotations

import torch

from adjacencies import normal, randomised
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.readout import PairReadout
from linkwl.nn.row_blocks import ROWS, row_blocks


def test_all_rows_come_once_and_in_order():
    x, y = torch.arange(2 * ROWS + 5), normal(2 * ROWS + 5, 3)
    with torch.no_grad():
        blocks = list(row_blocks(x, y))
    assert [len(a) for a, _ in blocks] == [ROWS, ROWS, 5]
    assert torch.equal(torch.cat([a for a, _ in blocks]), x)
    assert torch.equal(torch.cat([b for _, b in blocks]), y)


def test_a_gradient_takes_all_at_once():
    assert [len(a) for (a,) in row_blocks(torch.zeros(3 * ROWS))] == [3 * ROWS]


def test_no_rows():
    for enabled in (False, True):
        with torch.set_grad_enabled(enabled):
            assert [a.shape for (a,) in row_blocks(torch.zeros(0, 4))] == [(0, 4)]


def test_blocks_change_nothing():
    count = 2 * ROWS + 5
    pairs = torch.randint(9, (count, 2), generator=torch.Generator().manual_seed(0))
    readout = randomised(PairReadout(4, 3, 2, hidden=5, members=2, layers=2)).double()
    told = (normal(count, 4), normal(count, 4), [normal(9, 3), normal(9, 3)], pairs)
    with torch.no_grad():
        in_blocks = readout(*told)
    assert in_blocks.shape == (2, count)
    torch.testing.assert_close(in_blocks, readout(*told), rtol=1e-12, atol=1e-12)

    depths = [normal(9, 6) for _ in range(5)]
    alike = FeatureSimilarity(6)(depths, pairs)
    inner = torch.stack([(z[pairs[:, 0]] * z[pairs[:, 1]]).sum(1) for z in depths], dim=1)
    torch.testing.assert_close(alike[:, ::2], inner)
