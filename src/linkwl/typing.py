"""Types that the parts of the package share."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

IntArray: TypeAlias = NDArray[np.integer[Any]]
FloatArray: TypeAlias = NDArray[np.floating[Any]]
BoolArray: TypeAlias = NDArray[np.bool_]

Pairs: TypeAlias = IntArray
"""Node pairs by index, shape ``(num_pairs, 2)``."""

Queries: TypeAlias = IntArray
"""Queries by index: pairs, shape ``(n, 2)``, or triples (head, relation, tail), shape ``(n, 3)``."""

Scores: TypeAlias = FloatArray
"""One raw score per pair, shape ``(num_pairs,)``; larger means likelier."""

Keep: TypeAlias = Literal["best", "last"]
"""Which weights are kept after training: the best on validation targets, or the last."""

Task: TypeAlias = Literal["pairs", "triples"]
"""The kind of query: two nodes, or a head, a relation and a tail."""

FACT_WORD: dict[Task, str] = {"pairs": "link", "triples": "fact"}
"""What a query that holds is called in sentences, for each kind of query."""
