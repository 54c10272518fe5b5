from __future__ import annotations

import hashlib

import numpy as np
import scipy.sparse as sp

from linkwl.graph.digest import update_with_columns, update_with_features


def digest_of(update, *values, **columns) -> str:
    digest = hashlib.sha256()
    update(digest, *values, **columns)
    return digest.hexdigest()


def test_nothing_adds_nothing():
    nothing = hashlib.sha256().hexdigest()
    assert digest_of(update_with_features, None) == nothing
    assert digest_of(update_with_columns, weight=None, part=None) == nothing


def test_features_count_by_shape_kind_and_value():
    dense = np.arange(6, dtype=np.float32).reshape(2, 3)
    variants = [dense, dense.reshape(3, 2), dense + 1, sp.csr_array(dense)]
    assert len({digest_of(update_with_features, features) for features in variants}) == len(variants)
    assert digest_of(update_with_features, np.asfortranarray(dense)) == digest_of(update_with_features, dense)


def test_columns_count_by_name_type_and_value():
    ones = np.ones(4)
    variants = [{"a": ones}, {"b": ones}, {"a": ones.astype(np.float32)}, {"a": ones * 2}, {"a": ones, "b": ones}]
    assert len({digest_of(update_with_columns, **columns) for columns in variants}) == len(variants)
    assert digest_of(update_with_columns, a=np.ones(8)[::2]) == digest_of(update_with_columns, a=ones)
