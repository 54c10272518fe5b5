"""The tests once more, from their definitions alone, to check the package against.

Nothing of the package is used. Every link has a graph of its own, and all are coloured together until a round tells
nothing more apart.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A link in a graph with labels."""

    num_nodes: int
    edges: frozenset[frozenset[int]]
    labels: tuple[int, ...]
    link: tuple[int, int]

    def near(self, v):
        return {u for u in range(self.num_nodes) if frozenset((u, v)) in self.edges}


def colours_by_round(test, targets, reading):
    """For every round up to the first that splits nothing, the colour of each target's link."""
    if reading == "removed":
        targets = [Target(t.num_nodes, t.edges - {frozenset(t.link)}, t.labels, t.link) for t in targets]
    colours = renamed([first_colours(test, target) for target in targets])
    masked = [(t.labels[t.link[0]], t.labels[t.link[1]]) for t in targets]
    rounds, classes = [], 0
    while True:
        rounds.append([read(test, *both, reading) for both in zip(targets, colours, masked, strict=True)])
        if len(rounds) > 1 and num_colours(colours) == classes:  # and one round more, for those that are masked
            return rounds
        classes = num_colours(colours)
        if test[0] == "2" or test[:7] == "local-2":
            masked = [(m, heard(test, t, c, t.link)) for t, c, m in zip(targets, colours, masked, strict=True)]
        colours = renamed([{x: (c[x], heard(test, t, c, x)) for x in c} for t, c in zip(targets, colours, strict=True)])


def num_colours(colours):
    return len({colour for own in colours for colour in own.values()})


def renamed(signatures):
    names = {}
    return [{x: names.setdefault(s, len(names)) for x, s in own.items()} for own in signatures]


def read(test, target, colours, masked, reading):
    p, q = target.link
    if test.startswith("1-wl"):
        return colours[p], colours[q]
    return masked if reading == "masked" else colours[p, q]


def first_colours(test, target):
    nodes, label = range(target.num_nodes), target.labels
    if test == "1-wl":
        return {v: label[v] for v in nodes}
    if test == "1-wl+01":
        return {v: (label[v], v in target.link) for v in nodes}
    if test == "1-wl+drnl":
        return {v: (label[v], drnl(target, v)) for v in nodes}
    return {(p, q): (label[p], label[q], q in target.near(p), p == q) for p in nodes for q in nodes}


def heard(test, target, c, x):
    def bag(colours):
        return frozenset(Counter(colours).items())

    if test.startswith("1-wl"):
        return bag(c[u] for u in target.near(x))
    p, q = x
    everyone, near_p, near_q = set(range(target.num_nodes)), target.near(p), target.near(q)
    if test == "2-wl":
        return bag(c[u, q] for u in everyone), bag(c[p, v] for v in everyone)
    if test == "local-2-wl":
        return bag(c[u, q] for u in near_q), bag(c[p, v] for v in near_p)
    return bag((c[u, q], c[p, u]) for u in (everyone if test == "2-fwl" else near_p | near_q))


def drnl(target, v):
    p, q = target.link
    if v in (p, q):
        return 1
    a, b = distance(target, v, p, q), distance(target, v, q, p)
    if a is None or b is None:
        return 0
    d = a + b
    return 1 + min(a, b) + (d // 2) * (d // 2 + d % 2 - 1)


def distance(target, start, goal, without):
    steps, queue = {start: 0}, deque([start])
    while queue:
        u = queue.popleft()
        for w in target.near(u) - {without} - set(steps):
            steps[w] = steps[u] + 1
            queue.append(w)
    return steps.get(goal)
