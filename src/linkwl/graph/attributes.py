"""What is known about nodes and pairs besides the edges: numbers, categories, coordinates."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from linkwl.errors import InputError
from linkwl.graph.digest import update_with_columns
from linkwl.graph.features import Features, checked_features
from linkwl.graph.pair_numbers import PairNumbers
from linkwl.graph.positions import Positions
from linkwl.typing import FloatArray, IntArray

MAX_LEVELS = 32
"""Number of the values of a category, the most frequent ones, that are distinguished one by one."""
MAX_COMPARED = 16
"""Number of columns of numbers up to which each is compared between nodes; more are a matrix."""


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A number per node."""

    name: str
    values: FloatArray
    """NaN where the value is missing; float64."""
    center: float
    spread: float
    """Mean and deviation of the known values, in the graph that a model is trained on."""
    has_gaps: bool
    """Whether a value is missing there."""

    @classmethod
    def of(cls, name: str, values: FloatArray) -> NumberColumn:
        """A column with its own mean and deviation."""
        is_missing = np.isnan(values)
        known = values[~is_missing] if not is_missing.all() else np.zeros(1)
        return cls(name, values, float(known.mean()), float(known.std()), bool(is_missing.any()))

    @property
    def scaled(self) -> FloatArray:
        """The values in deviations from the mean; NaN where missing."""
        return (self.values - self.center) / (self.spread or 1.0)


@dataclass(frozen=True, eq=False)
class CategoryColumn:
    """One of a few values per node."""

    name: str
    levels: tuple[str, ...]
    """The values, the most frequent first."""
    codes: IntArray
    """Places in ``levels``, -1 where the value is missing or unknown; int32."""

    @property
    def num_distinguished(self) -> int:
        """Number of values that are distinguished one by one."""
        return min(len(self.levels), MAX_LEVELS)

    @property
    def common_codes(self) -> IntArray:
        """The same with one place, after the distinguished values, for all others and for missing values."""
        last = self.num_distinguished
        return np.where((self.codes < 0) | (self.codes >= last), last, self.codes)


@dataclass(frozen=True, eq=False)
class Attributes:
    """Columns of node attributes, the nodes' coordinates, and numbers of pairs.

    Numbers and categories also give a matrix of features (:meth:`matrix`), which every model reads that reads features.
    Coordinates do not: only the distances between nodes mean something.
    """

    numbers: tuple[NumberColumn, ...] = ()
    categories: tuple[CategoryColumn, ...] = ()
    positions: Positions | None = None
    pairs: PairNumbers | None = None

    def __post_init__(self) -> None:
        for array in (*(column.values for column in self.numbers), *(column.codes for column in self.categories)):
            array.setflags(write=False)

    @property
    def compared(self) -> tuple[NumberColumn, ...]:
        """The numbers that are compared between nodes; none if they are many."""
        return self.numbers if len(self.numbers) <= MAX_COMPARED else ()

    @cached_property
    def signature(self) -> dict[str, Any]:
        """Names and kinds of all columns, as values for JSON."""
        pairs = {} if self.pairs is None else {"pairs": list(self.pairs.names)}
        return {
            "numbers": [[c.name, c.center, c.spread, c.has_gaps] for c in self.numbers],
            "categories": [[c.name, list(c.levels)] for c in self.categories],
            "metric": None if self.positions is None else self.positions.metric,
            **pairs,
        }

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """The values by name; :meth:`from_arrays` is the reverse."""
        arrays: dict[str, np.ndarray] = {}
        if self.numbers:
            arrays["numbers"] = np.stack([column.values for column in self.numbers], axis=1)
        if self.categories:
            arrays["categories"] = np.stack([column.codes for column in self.categories], axis=1)
        if self.positions is not None:
            arrays["positions"] = np.asarray(self.positions.coordinates)
        if self.pairs is not None:
            arrays |= {"pairs": self.pairs.pairs, "pair_numbers": self.pairs.values}
        return arrays

    @classmethod
    def from_arrays(cls, signature: dict[str, Any], arrays: dict[str, np.ndarray]) -> Attributes:
        """The attributes with this signature and these values."""
        numbers = [
            NumberColumn(str(name), arrays["numbers"][:, k].copy(), float(center), float(spread), bool(gaps))
            for k, (name, center, spread, gaps) in enumerate(signature["numbers"])
        ]
        categories = [
            CategoryColumn(str(name), tuple(map(str, levels)), arrays["categories"][:, k].copy())
            for k, (name, levels) in enumerate(signature["categories"])
        ]
        metric, pairs = signature["metric"], signature.get("pairs")
        return cls(
            tuple(numbers),
            tuple(categories),
            None if metric is None else Positions(arrays["positions"].copy(), metric),
            None if pairs is None else PairNumbers(tuple(pairs), arrays["pairs"], arrays["pair_numbers"]),
        )

    def check(self, num_nodes: int) -> None:
        """Checks that there is one row per node.

        Raises:
            ValueError: If there is another number of rows.
        """
        for name, values in self.arrays.items():
            if not name.startswith("pair") and len(values) != num_nodes:
                raise ValueError(f"`attributes` must have one row per node ({num_nodes}), got {len(values)} {name}.")

    def matrix(self) -> Features | None:
        """Numbers, a column for each distinguished value of a category, and columns that mark missing numbers.

        A missing number is replaced by the mean. None if there are neither numbers nor categories.
        """
        filled = [np.where(np.isnan(column.values), column.center, column.values) for column in self.numbers]
        marks = [np.isnan(column.values) for column in self.numbers if column.has_gaps]
        levels = [column.codes == level for column in self.categories for level in range(column.num_distinguished)]
        columns = [*filled, *levels, *marks]
        return checked_features(np.stack(columns, axis=1)) if columns else None

    def take(self, rows: IntArray) -> Attributes:
        """The attributes of the nodes ``rows``, all missing where the row is -1; pairs of other nodes are left out."""
        is_there = rows >= 0
        numbers = [NumberColumn.of(c.name, np.where(is_there, c.values[rows], np.nan)) for c in self.numbers]
        categories = [
            CategoryColumn(c.name, c.levels, np.where(is_there, c.codes[rows], -1).astype(np.int32))
            for c in self.categories
        ]
        places = self.positions
        if places is not None:
            places = Positions(np.where(is_there[:, None], places.coordinates[rows], np.nan), places.metric)
        pairs = None if self.pairs is None else self.pairs.take(rows)
        return Attributes(tuple(numbers), tuple(categories), places, pairs)

    def like(self, other: Attributes) -> Attributes:
        """The same columns as another graph's, in its order, with its scales and its values of categories.

        Raises:
            InputError: If a column is missing.
        """
        numbers = {column.name: column for column in self.numbers}
        categories = {column.name: column for column in self.categories}
        for kind, wanted, found in (("number", other.numbers, numbers), ("category", other.categories, categories)):
            for column in wanted:
                if column.name not in found:
                    raise InputError(f"the model was trained with the {kind} `{column.name}` of each node; give it.")
        if other.positions is not None and (self.positions is None or self.positions.metric != other.positions.metric):
            kind = "latitude and longitude" if other.positions.metric == "map" else "coordinates in a plane"
            raise InputError(f"the model was trained with {kind} of each node; give them with the features.")
        if other.pairs is not None and (self.pairs is None or self.pairs.names != other.pairs.names):
            names = ", ".join(f"`{name}`" for name in other.pairs.names)
            raise InputError(f"the model was trained with numbers of pairs, {names}; give them with --pair-features.")
        return Attributes(
            tuple(replace(c, values=numbers[c.name].values) for c in other.numbers),
            tuple(_with_levels(categories[c.name], c.levels) for c in other.categories),
            None if other.positions is None else self.positions,
            None if other.pairs is None else self.pairs,
        )

    def update_digest(self, digest: hashlib._Hash) -> None:
        """Feeds names and values into a running digest."""
        digest.update(json.dumps(self.signature, sort_keys=True).encode())
        update_with_columns(digest, **self.arrays)


def _with_levels(column: CategoryColumn, levels: tuple[str, ...]) -> CategoryColumn:
    """The same values with other codes; a value that is not among the levels is unknown."""
    place = {level: code for code, level in enumerate(levels)}
    code = np.array([*(place.get(level, -1) for level in column.levels), -1], dtype=np.int32)
    return CategoryColumn(column.name, levels, code[column.codes])
