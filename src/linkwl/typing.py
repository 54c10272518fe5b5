"""Names for what travels between the parts of the package."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

IntArray: TypeAlias = NDArray[np.integer[Any]]
FloatArray: TypeAlias = NDArray[np.floating[Any]]
BoolArray: TypeAlias = NDArray[np.bool_]

Pairs: TypeAlias = IntArray
"""Node pairs by index, shape ``(num_pairs, 2)``."""

Scores: TypeAlias = FloatArray
"""One raw score per pair, shape ``(num_pairs,)``; larger means likelier."""

Keep: TypeAlias = Literal["best", "last"]
"""Which weights are kept after training: the best on validation targets, or the last."""

Task: TypeAlias = Literal["pairs", "triples"]
"""What a query is: two nodes, or a head, a relation and a tail."""
