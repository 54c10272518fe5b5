from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl.nn.perceptron import PerceptronEnsemble
from linkwl.nn.query_grid import GridColumns, QueryGrid, grid_logits

COLUMNS = GridColumns(heads=(0, 3), tails=(1, 4), relations=(2,), entries=(5, 7), flag=6)


def random_grid(num_pairs=11, num_relations=4, seed=0):
    generator = np.random.default_rng(seed)

    def normal(*shape):
        return generator.normal(size=shape).astype(np.float32)

    return QueryGrid(
        COLUMNS,
        normal(3, num_relations, 2),
        normal(5, num_relations, 2),
        generator.integers(3, size=num_pairs),
        generator.integers(5, size=num_pairs),
        normal(num_relations, 1),
        normal(num_pairs, num_relations, 2) * (generator.random((num_pairs, num_relations, 2)) < 0.3),
        generator.random((3, num_relations)) < 0.5,
        generator.random((5, num_relations)) < 0.5,
    )


def test_features_are_put_together_by_column():
    grid = random_grid()
    features = grid.features()
    assert features.shape == (11, 4, 8)
    for pair, relation in ((0, 0), (10, 3)):
        head, tail = grid.head[pair], grid.tail[pair]
        flag = grid.head_flag[head, relation] and grid.tail_flag[tail, relation]
        row = features[pair, relation]
        np.testing.assert_array_equal(row[[0, 3]], grid.heads[head, relation])
        np.testing.assert_array_equal(row[[1, 4]], grid.tails[tail, relation])
        np.testing.assert_array_equal(row[[5, 7]], grid.entries[pair, relation])
        assert (row[2], row[6]) == (grid.relations[relation, 0], flag)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_logits_are_those_of_the_perceptrons_on_the_features(dtype):
    torch.manual_seed(0)
    grid, pairs = random_grid(), torch.randn(11, 3)
    perceptrons = PerceptronEnsemble(8 + 3, 6, 4, layers=2).to(dtype)
    for bias in perceptrons.biases:
        torch.nn.init.normal_(bias)
    rows = torch.cat([torch.from_numpy(grid.features()), pairs[:, None].expand(-1, 4, -1)], dim=2).flatten(0, 1)
    expected = perceptrons(rows.to(dtype)).mean(0).view(11, 4).detach()
    found = grid_logits(perceptrons, grid, pairs)
    assert found.dtype == dtype
    torch.testing.assert_close(found, expected, atol=1e-5 if dtype == torch.float32 else 1e-12, rtol=0)
