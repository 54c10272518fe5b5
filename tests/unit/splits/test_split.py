from __future__ import annotations

from dataclasses import replace

from linkwl import RandomSplit
from linkwl.datasets import load_airports


def test_the_digest_sees_every_part():
    split = RandomSplit().apply(load_airports(), seed=0)
    moved = replace(split.test, negatives=split.test.negatives[1:])
    assert replace(split, test=moved).digest != split.digest
    assert replace(split, valid=replace(split.valid, observed=split.test.observed)).digest != split.digest
    assert replace(split, protocol="other").digest != split.digest
    assert replace(split, seed=5).digest == split.digest


def test_folds_come_in_order():
    split = RandomSplit().apply(load_airports(), seed=0)
    assert list(split.folds) == ["train", "valid", "test"]
    assert split.folds["valid"] is split.valid
