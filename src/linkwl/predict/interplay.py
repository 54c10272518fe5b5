"""Groups of evidence that replace or need each other: where their parts mislead, they are listed as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from linkwl.predict.contributions import Coalition, Contributions, share_out

_NOTABLE = 0.1
"""A contradiction counts if it is at least this share of the largest part."""


class United(NamedTuple):
    """The groups after some were united."""

    members: tuple[tuple[int, ...], ...]
    """The numbers of the original groups in each."""
    interactions: tuple[float, ...]
    """Of each that was united, how its two halves act on each other; 0 for the others."""
    found: Contributions


def unite(found: Contributions, is_background: Sequence[bool]) -> United:
    """Unites groups whose parts contradict what their removal does, as far as that resolves the contradiction.

    The part of a group is an average over all orders of adding groups. If two groups replace each other, both can have
    a large positive part although the score rises when one of them is removed. Of two such groups that join the nodes,
    those with the strongest interaction are united, if it exceeds the smaller of their parts and the parts of the
    united group no longer contradict its removal. No further scores are needed: a united group is present or absent as
    a whole.

    Args:
        found: The contributions, with the scores of all combinations of groups; without them nothing is united.
        is_background: Which groups belong to one of the nodes and not to both; these are never united.
    """
    players: list[tuple[int, ...]] = [(group,) for group in range(len(is_background))]
    interactions = [0.0] * len(players)
    if len(found.table) < 1 << len(players):
        return United(tuple(players), tuple(interactions), found)
    table, largest = found.table, max(map(abs, found.parts), default=0.0)
    while True:
        best: tuple[float, list[tuple[int, ...]], Contributions] | None = None
        for a, b in combinations(range(len(players)), 2):
            if is_background[players[a][0]] or is_background[players[b][0]]:
                continue
            if not (_contradicts(found, a, largest) or _contradicts(found, b, largest)):
                continue
            effect = interaction(table, players, a, b)
            if abs(effect) <= min(abs(found.parts[a]), abs(found.parts[b])):
                continue
            fewer = [player for k, player in enumerate(players) if k not in (a, b)]
            fewer.insert(a, (*players[a], *players[b]))
            shared = _shared(table, fewer)
            if (best is None or abs(effect) > abs(best[0])) and not _contradicts(shared, a, 0.0):
                best = effect, fewer, shared
        if best is None:
            return United(tuple(players), tuple(interactions), found)
        effect, fewer, found = best
        known = dict(zip(players, interactions, strict=True))
        interactions = [known.get(player, effect) for player in fewer]
        players = fewer


def interaction(table: Mapping[Coalition, float], players: Sequence[Sequence[int]], a: int, b: int) -> float:
    r"""The Shapley interaction index of two players: how much more, or less, they add together than each by itself.

    .. math::
        I_{ab} = \sum_{S \subseteq N \setminus \{a, b\}} \frac{|S|! \, (n - |S| - 2)!}{(n - 1)!}
        \big( v(S \cup \{a, b\}) - v(S \cup \{a\}) - v(S \cup \{b\}) + v(S) \big).

    Reference: Grabisch and Roubens, An axiomatic approach to the concept of interaction among players in cooperative
    games, International Journal of Game Theory 28, 1999.
    """
    first, second = frozenset(players[a]), frozenset(players[b])
    others = [frozenset(player) for k, player in enumerate(players) if k not in (a, b)]
    total = 0.0
    for size in range(len(others) + 1):
        weight = 1.0 / ((len(others) + 1) * comb(len(others), size))
        for chosen in combinations(others, size):
            rest: Coalition = frozenset().union(*chosen)
            total += weight * (table[rest | first | second] - table[rest | first] - table[rest | second] + table[rest])
    return total


def _contradicts(found: Contributions, group: int, largest: float) -> bool:
    """Whether a part and what the removal of its group does have different signs, and are not negligible."""
    part, drop = found.parts[group], found.score - found.without[group]
    return part * drop < 0 and max(abs(part), abs(drop)) >= _NOTABLE * largest


def _shared(table: Mapping[Coalition, float], players: Sequence[Sequence[int]]) -> Contributions:
    """The contributions of united groups, from known scores."""

    def value(present: Coalition) -> float:
        return table[frozenset(group for player in present for group in players[player])]

    return share_out(value, len(players), budget=1 << len(players))
