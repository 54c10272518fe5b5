"""Gradient boosting of decision trees; LightGBM grows them, and plain arrays keep them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from linkwl.errors import InputError
from linkwl.sparse.trees import Trees
from linkwl.typing import FloatArray

_SEEDS = 1 << 31


class TreeSettings(NamedTuple):
    """How trees are grown."""

    trees: int
    """Largest number of trees."""
    patience: int
    """Number of trees without a better validation after which growing ends."""
    learning_rate: float
    leaves: int
    min_data: int
    """Smallest number of rows in a leaf."""
    feature_fraction: float
    """The share of the columns that each tree may read."""
    row_fraction: float
    """The share of the rows that each tree learns from."""
    penalty: float
    """Weight of the squares of the leaves."""


class Boosted(NamedTuple):
    """Trees, and the history of their validations."""

    trees: Trees
    valid: list[tuple[int, float]]
    """Number of trees and value of the metric."""


def boost(
    x: FloatArray,
    labels: FloatArray,
    settings: TreeSettings,
    seed: int,
    *,
    weight: FloatArray | None = None,
    shift: FloatArray | None = None,
    valid: FloatArray | None = None,
    measure: Callable[[FloatArray], float] | None = None,
) -> Boosted:
    """Trees that minimise the cross-entropy of the labels; the number that is best on validation rows is kept.

    One thread, and a fixed seed: the same rows give the same trees.

    Args:
        x: The rows, shape ``(num_rows, num_columns)``.
        labels: 1 or 0 for each row.
        settings: How trees are grown.
        seed: Chooses rows and columns of each tree.
        weight: The weight of each row; by default 1.
        shift: What is added to the trees' score of each row before its label is compared.
        valid: Rows to validate on; by default all trees are kept.
        measure: The metric of the scores of those rows, larger is better.

    Raises:
        InputError: If LightGBM cannot be imported.
    """
    if labels.min(initial=1) >= labels.max(initial=0):
        return Boosted(as_trees([]), [])  # nothing to tell apart
    booster = _booster(x, labels, settings, seed, weight, shift)
    history: list[tuple[int, float]] = []
    scores = np.zeros(0 if valid is None else len(valid))
    best, best_value = settings.trees, -np.inf
    for step in range(settings.trees):
        is_over = booster.update()
        if valid is not None and measure is not None:
            scores += booster.predict(valid, raw_score=True, start_iteration=step, num_iteration=1, num_threads=1)
            history.append((step + 1, measure(scores)))
            if history[-1][1] > best_value:
                best, best_value = history[-1]
        if is_over or step + 1 >= best + settings.patience:
            break
    dump = booster.dump_model(num_iteration=best)
    return Boosted(as_trees([tree["tree_structure"] for tree in dump["tree_info"]]), history)


def _booster(
    x: FloatArray,
    labels: FloatArray,
    settings: TreeSettings,
    seed: int,
    weight: FloatArray | None,
    shift: FloatArray | None,
) -> Any:
    lightgbm = find_lightgbm()
    parameters = {
        "objective": "binary",
        "learning_rate": settings.learning_rate,
        "num_leaves": settings.leaves,
        "min_data_in_leaf": settings.min_data,
        "feature_fraction": settings.feature_fraction,
        "bagging_fraction": settings.row_fraction,
        "bagging_freq": 1 if settings.row_fraction < 1 else 0,
        "lambda_l2": settings.penalty,
        "use_missing": False,
        "feature_pre_filter": False,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "seed": seed % _SEEDS,
        "verbose": -1,
    }
    return lightgbm.Booster(parameters, lightgbm.Dataset(x, labels, weight=weight, init_score=shift, params=parameters))


def find_lightgbm() -> Any:
    """The library, which is imported only when trees are grown.

    Raises:
        InputError: If it cannot be imported: it is missing, or a library of the system that it needs is.
    """
    try:
        import lightgbm
    except (ImportError, OSError) as error:
        raise InputError(
            f"boosted trees are grown by LightGBM, which cannot be imported ({error}); pip install lightgbm, and the "
            "OpenMP library of the system (libgomp, on macOS libomp), or choose a model without trees."
        ) from None
    return lightgbm


def as_trees(structures: list[Mapping[str, Any]]) -> Trees:
    """Plain arrays from the nested dictionaries of LightGBM's dump."""
    feature: list[int] = []
    threshold: list[float] = []
    children: list[list[int]] = []
    leaf: list[float] = []

    def add(structure: Mapping[str, Any]) -> int:
        """Adds a tree; returns its first child. A loop, since one-sided trees may be deeper than calls may nest."""
        root = [0]
        waiting: list[tuple[Mapping[str, Any], list[int], int]] = [(structure, root, 0)]
        while waiting:
            node, place, side = waiting.pop()
            if "leaf_value" in node:
                place[side] = ~len(leaf)
                leaf.append(float(node["leaf_value"]))
                continue
            place[side] = len(feature)
            feature.append(int(node["split_feature"]))
            threshold.append(float(node["threshold"]))
            children.append([0, 0])
            waiting += [(node["right_child"], children[-1], 1), (node["left_child"], children[-1], 0)]
        return root[0]

    roots = [add(structure) for structure in structures]
    return Trees(
        np.array(roots, dtype=np.int32),
        np.array(feature, dtype=np.int32),
        np.array(threshold, dtype=np.float64),
        np.array(children, dtype=np.int32).reshape(-1, 2),
        np.array(leaf, dtype=np.float64),
    )
