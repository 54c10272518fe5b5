"""Finds nodes by the beginning of their name, or by any part of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

_END = "\U0010ffff"


class NameSearch:
    """An index of names that is searched without looking at each: upper and lower case do not matter.

    Names that begin with the text come first, then those that contain it, each kind in alphabetical order.

    Args:
        names: The names.

    Example:
        >>> NameSearch(["Ann", "Bob", "Hannah"]).find("an", 5)
        [0, 2]
    """

    def __init__(self, names: Sequence[str]) -> None:
        keys = [_key(name) for name in names]
        self._order = sorted(range(len(keys)), key=keys.__getitem__)
        self._keys = [keys[node] for node in self._order]
        # All names in one text, each on its line: one search finds the next name that contains something.
        self._text = "\n".join(self._keys)
        self._starts = [0] * len(self._keys)
        place = 0
        for number, key in enumerate(self._keys):
            self._starts[number] = place
            place += len(key) + 1

    def find(self, text: str, limit: int) -> list[int]:
        """The first nodes whose name has a text.

        Args:
            text: A part of the name; if empty, all names match.
            limit: Number of nodes, at most.
        """
        wanted = _key(text)
        first, last = bisect_left(self._keys, wanted), bisect_right(self._keys, wanted + _END)
        found = list(range(first, min(last, first + limit)))
        place = 0
        while len(found) < limit and wanted:
            place = self._text.find(wanted, place)
            if place < 0:
                break
            number = bisect_right(self._starts, place) - 1
            if not first <= number < last:
                found.append(number)
            place = self._starts[number] + len(self._keys[number]) + 1
        return [self._order[number] for number in found]


def _key(name: str) -> str:
    return name.casefold().replace("\n", " ")
