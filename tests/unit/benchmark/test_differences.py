from __future__ import annotations

import pytest

from linkwl.benchmark.differences import collect_differences
from linkwl.metrics import paired_difference


def test_models_are_compared_on_the_splits_of_both(grid, save, tmp_path):
    for seed, auc in enumerate([0.95, 0.94, 0.96]):
        save("2wl", seed, auc)
    for seed, auc in ((1, 0.91), (2, 0.94)):
        save("local-2wl", seed, auc)
    found = collect_differences(grid, tmp_path, "2wl")
    assert list(found) == ["local-2wl"]
    difference = found["local-2wl"]["airports"]
    assert difference.splits == 2
    assert difference.found == paired_difference([0.94, 0.96], [0.91, 0.94], overlap=0.1 / 0.85)
    other_way = collect_differences(grid, tmp_path, "local-2wl")["2wl"]["airports"]
    assert other_way.found.mean == pytest.approx(-difference.found.mean)


def test_models_without_common_splits_are_not_compared(grid, save, tmp_path):
    save("2wl", 0)
    save("local-2wl", 1)
    assert collect_differences(grid, tmp_path, "2wl") == {}
    assert collect_differences(grid, tmp_path, "2fwl") == {}
