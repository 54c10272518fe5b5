"""Adds features and columns to the digest of a graph."""

from __future__ import annotations

import hashlib

import numpy as np

from linkwl.graph.features import Features


def update_with_features(digest: hashlib._Hash, features: Features | None) -> None:
    """Feeds node features, if any, into a running digest."""
    if isinstance(features, np.ndarray):
        digest.update(f"dense {features.shape}".encode())
        digest.update(np.ascontiguousarray(features).data)
    elif features is not None:
        digest.update(f"sparse {features.shape}".encode())
        for part in (features.indptr.astype(np.int64), features.indices.astype(np.int64)):
            digest.update(part.data)
        digest.update(np.ascontiguousarray(features.data).data)


def update_with_columns(digest: hashlib._Hash, **columns: np.ndarray | None) -> None:
    """Feeds the columns that are not None, each with its name, into a running digest."""
    for name, values in columns.items():
        if values is not None:
            digest.update(f"{name} {values.dtype.str} {len(values)}".encode())
            digest.update(np.ascontiguousarray(values).data)
