"""The likeliest missing links by a cascade: a fast screen of all pairs, then the model itself on those that remain."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from linkwl.engine import Engine, InlineEngine
from linkwl.graph import Graph
from linkwl.memory import check_memory
from linkwl.models import Scorer
from linkwl.predict.candidates import Part
from linkwl.predict.row_inputs import RowInputs
from linkwl.predict.screen_recall import ExactRows, exact_rows
from linkwl.predict.screen_sample import distinct_candidates, random_sources, sample_pairs
from linkwl.predict.search import Best
from linkwl.predict.student import Student, teach
from linkwl.sparse.screen_rows import LANES
from linkwl.threads import num_threads, run_all
from linkwl.typing import FloatArray, IntArray, Pairs, Scores

FEWEST_SURVIVORS = 100_000
SURVIVORS_PER_LINK = 100
_ROWS = 128
_PER_ROW = 40
"""Number of rows, of hubs and of random nodes each, and of pairs in them, that the second lesson takes."""
_FIRST_PASSES = 15
_PAIRS_PER_PART = 1 << 23
_RESCORED = 1 << 14


@dataclass(frozen=True)
class Screening:
    """What a screened ranking was based on, and how much it found of what it looked for."""

    num_candidates: int
    num_taught: int
    """Number of pairs whose exact scores the screen has learned from."""
    num_survivors: int
    """Number of pairs that the model itself has scored after the screen."""
    num_rows: int
    """Number of nodes of which the model has scored all pairs, to measure the recall."""
    num_expected: int
    """Number of pairs in these rows that belong to the result."""
    num_found: int
    """Number of those that the screen has found; the others were added afterwards."""

    @property
    def recall(self) -> float:
        """The share of the pairs that belong to the result, within the exact rows, that the screen has found."""
        return self.num_found / max(self.num_expected, 1)

    def __str__(self) -> str:
        return (
            f"recall {self.recall:.4f}: of {self.num_expected:,} pairs that belong to the result, in {self.num_rows:,} "
            f"rows scored exactly, the screen has found {self.num_found:,}; {self.num_survivors:,} of "
            f"{self.num_candidates:,} candidates were scored by the model."
        )


class Screened(NamedTuple):
    """The result of :func:`screen_missing_links`."""

    queries: Pairs
    scores: Scores
    screening: Screening


def screen_missing_links(
    scorer: Scorer,
    graph: Graph,
    k: int,
    *,
    seed: int = 0,
    engine: Engine | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Screened:
    """The ``k`` missing links with the highest scores, best first, of those that a screen lets through.

    A small perceptron learns the exact scores of some 30 000 pairs from numbers that are cheap to compute for whole
    rows of pairs, and reads all candidates. The best of them, at least 100 000 and 100 for every requested link, are
    scored by the model itself, so the scores are exact. Nothing proves that no link is missed; all pairs of some nodes
    are scored by the model to measure how many are. The result depends on the seed, and not on the engine or on the
    number of threads.

    Args:
        scorer: A scorer of the graph.
        graph: The graph; undirected, directed or bipartite.
        k: Number of links; fewer are returned if there are fewer.
        seed: Seed of the sampled pairs, of the perceptron and of the exact rows.
        engine: The engine that screens and scores; by default inline.
        on_progress: Called with the finished work and the total work, in percent.
    """
    if k < 1:
        raise ValueError(f"`k` must be at least 1, got {k}.")
    if graph.num_non_edges == 0:
        return Screened(*_nothing()[:2], Screening(0, 0, 0, 0, 0, 0))
    generator, where = np.random.default_rng(seed), InlineEngine() if engine is None else engine
    say = _steps(on_progress)
    inputs = RowInputs(graph)
    _check_room(inputs)
    student, num_taught = _taught(scorer, graph, inputs, generator, seed)
    say(0, 10, 1.0)
    most = max(FEWEST_SURVIVORS, SURVIVORS_PER_LINK * k)
    parts = _parts(graph.num_nodes)
    screen = Screen(inputs, student, graph, most)
    kept = _nothing()
    with closing(where.map(_scan, parts, shared=screen)) as results:
        for part, found in zip(parts, results, strict=True):
            kept = kept.merged(found.queries, found.scores, most, found.num_seen)
            say(10, 70, part.stop / graph.num_nodes)
    survivors = kept.queries[np.lexsort(kept.queries.T[::-1])]
    best = _nothing()
    places = [Part(low, min(low + _RESCORED, len(survivors))) for low in range(0, len(survivors), _RESCORED)]
    with closing(where.map(_rescore, places, shared=(scorer, survivors, k))) as results:
        for place, found in zip(places, results, strict=True):
            best = best.merged(found.queries, found.scores, k, 0)
            say(70, 90, place.stop / len(survivors))
    rows = exact_rows(scorer, graph, best.queries, generator)
    say(90, 100, 1.0)
    return _completed(graph, rows, best, k, Screening(kept.num_seen, num_taught, len(survivors), rows.num_rows, 0, 0))


def _completed(graph: Graph, rows: ExactRows, best: Best, k: int, screening: Screening) -> Screened:
    """The result with the pairs of the exact rows that the screen has missed, and how many these are."""
    known = set(map(tuple, best.queries.tolist()))
    is_new = np.array([pair not in known for pair in map(tuple, rows.pairs.tolist())], dtype=np.bool_)
    merged = best.merged(rows.pairs[is_new], rows.scores[is_new], k, 0)
    ends = merged.queries[:, :1] if graph.is_directed else merged.queries
    in_rows = np.isin(ends, rows.nodes).any(axis=1)
    expected = [tuple(pair) for pair in merged.queries[in_rows].tolist()]
    num_found = sum(pair in known for pair in expected)
    fields = screening.__dict__ | {"num_expected": len(expected), "num_found": num_found}
    return Screened(merged.queries, merged.scores, Screening(**fields))


class Screen(NamedTuple):
    """What a worker needs to screen a part of the rows."""

    inputs: RowInputs
    student: Student
    graph: Graph
    most: int
    """Number of pairs to keep of each part."""

    def rows(self, sources: IntArray, room: FloatArray, out: FloatArray) -> FloatArray:
        """The scores of consecutive sources and all nodes; minus infinity for pairs that are no candidates."""
        graph = self.graph
        first = 0 if graph.is_directed else int(sources[0]) + 1
        out[:, :first] = -np.inf
        self.student.rows(self.inputs, sources, first, room, out)
        found = out[: len(sources)]
        for lane, source in enumerate(sources):
            found[lane, graph.neighbours(source)] = -np.inf
            found[lane, source if graph.is_directed else slice(first, source + 1)] = -np.inf
            if graph.part is not None:
                found[lane, graph.part == graph.part[source]] = -np.inf
        return found


def _taught(
    scorer: Scorer, graph: Graph, inputs: RowInputs, generator: np.random.Generator, seed: int
) -> tuple[Student, int]:
    """A student after two lessons; the second one is about pairs that it took for the best after the first."""
    pairs = sample_pairs(graph, generator)
    if len(pairs) == 0:  # a tiny graph
        pairs = graph.non_edges(np.arange(1))
    scores = scorer(pairs)
    student = teach(inputs, pairs, scores, is_directed=graph.is_directed, seed=seed, passes=_FIRST_PASSES)
    every, degree = np.arange(graph.num_nodes), graph.links.degree.astype(np.float64)
    sources = [random_sources(every, _ROWS, generator, weight=weight) for weight in (None, degree)]
    best = _best_of_rows(Screen(inputs, student, graph, _PER_ROW), np.unique(np.concatenate(sources)))
    added = distinct_candidates(graph, best)
    pairs, scores = np.concatenate([pairs, added]), np.concatenate([scores, scorer(added)])
    return teach(inputs, pairs, scores, is_directed=graph.is_directed, seed=seed), len(pairs)


def _best_of_rows(screen: Screen, sources: IntArray) -> Pairs:
    """The pairs that a student takes for the best of each of some rows, in whichever order of their ends."""
    room, out = screen.inputs.room(), np.empty((LANES, screen.inputs.num_nodes), dtype=np.float32)
    found = []
    for low in range(0, len(sources), LANES):
        block = sources[low : low + LANES]
        screen.student.rows(screen.inputs, block, 0, room, out)
        for lane, source in enumerate(block):
            out[lane, screen.graph.neighbours(source)] = -np.inf
            out[lane, source] = -np.inf
            if screen.graph.part is not None:
                out[lane, screen.graph.part == screen.graph.part[source]] = -np.inf
            targets = np.argsort(-out[lane], kind="stable")[: screen.most]
            found.append(np.stack([np.full_like(targets, source), targets], axis=1))
    return np.concatenate(found)


def _scan(screen: Screen, part: Part) -> Best:
    """The pairs of a range of sources that a student takes for the best."""
    blocks = [np.arange(low, min(low + LANES, part.stop)) for low in range(part.start, part.stop, LANES)]
    size = max(1, -(-len(blocks) // (2 * num_threads())))
    some = [blocks[low : low + size] for low in range(0, len(blocks), size)]
    kept = _nothing()
    for found in run_all(partial(_scan_blocks, screen), some):
        kept = kept.merged(found.queries, found.scores, screen.most, found.num_seen)
    return kept


def _scan_blocks(screen: Screen, blocks: list[IntArray]) -> Best:
    room, out = screen.inputs.room(), np.empty((LANES, screen.inputs.num_nodes), dtype=np.float32)
    best, waiting, bound = _nothing(), [_nothing()], np.float32(-np.inf)
    for block in blocks:
        scores = screen.rows(block, room, out)
        is_candidate = scores > -np.inf
        lane, target = np.nonzero(is_candidate & (scores >= bound))
        pairs = np.stack([block[lane], target], axis=1).astype(np.int32)
        waiting.append(Best(pairs, scores[lane, target].astype(np.float64), int(np.count_nonzero(is_candidate))))
        if sum(len(some.scores) for some in waiting) > screen.most or block is blocks[-1]:
            queries, found, seen, _ = zip(*waiting, strict=True)
            best = best.merged(np.concatenate(queries), np.concatenate(found), screen.most, sum(seen))
            waiting = [_nothing()]
            bound = np.float32(best.scores[-1]) if len(best.scores) == screen.most else bound
    return best


def _rescore(shared: tuple[Scorer, Pairs, int], place: Part) -> Best:
    """The best survivors of a range, by the model."""
    scorer, survivors, k = shared
    pairs = survivors[place.start : place.stop]
    return _nothing().merged(pairs, scorer(pairs), k, 0)


def _parts(num_nodes: int) -> list[Part]:
    """Fixed ranges of sources, each with about the same number of pairs."""
    step = LANES * max(1, _PAIRS_PER_PART // (LANES * max(num_nodes, 1)))
    return [Part(start, min(start + step, num_nodes)) for start in range(0, num_nodes, step)]


def _check_room(inputs: RowInputs) -> None:
    needed = 4.0 * LANES * inputs.num_nodes * (inputs.num_filled + 1) * num_threads()
    check_memory(needed, f"screening rows of {inputs.num_nodes:,} nodes", "use --candidates hops:2, or fewer threads")


def _steps(on_progress: Callable[[int, int], None] | None) -> Callable[[int, int, float], None]:
    """A function that reports a share of the way from one percentage to another."""

    def say(low: int, high: int, share: float) -> None:
        if on_progress is not None:
            on_progress(round(low + (high - low) * share), 100)

    return say


def _nothing() -> Best:
    return Best(np.empty((0, 2), dtype=np.int32), np.empty(0))
