"""Screened rankings against exact ones, and walks by whole rows against walks pair by pair.

- All pairs of Cora: the seconds of both, in turns, and whether the best 1000 are the same pairs with the same scores.
- All pairs of Pubmed: all of them screened; the time of the exact ranking is extrapolated from random blocks of its
  candidates, before and after. The recall is that of the best 1000 in the rows of some nodes, scored exactly: half of
  them are random nodes, half nodes of the best 1000.
- Pairs two edges apart in a synthetic graph with hubs: the walks of pairs of consecutive nodes, by rows, against those
  of a part of these pairs, pair by pair. The walks of nodes back to themselves, which are computed once for each node,
  are measured for some nodes and shared out over all pairs. And the same with all that `walk-2fwl` computes, without
  gates, in a smaller graph.

The models are `walk-2fwl` with default settings, trained in a process of its own; those in the folder `LINKWL_MODELS`
of the environment, such as `LINKWL_MODELS/cora`, are not trained again.

    python benchmarks/screening.py                    the figures, as JSON
    python benchmarks/screening.py pubmed             some of them: cora, pubmed, walks, hops
    python benchmarks/screening.py table              the record as a table
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from measure import draws_table, partial_record, ratio
from power_law import power_law_graph

from linkwl import Graph, LinkPredictor, create_model, load_dataset
from linkwl.predict import screen_recall
from linkwl.predict.candidates import AllPairs
from linkwl.predict.screen_recall import exact_rows
from linkwl.sparse import walks
from linkwl.sparse.hops import pairs_within
from linkwl.sparse.walks import WalkTable

TOP = 1000
TURNS = 2
BLOCKS = 2
ROWS = 96
PAIRS, FEW_PAIRS, GROUPS = 1 << 15, 96, 16
"""Number of pairs by rows; and of those pair by pair, consecutive ones in groups from all parts of the pairs. The
time of a pair varies with its hubs, so a few neighbouring pairs are no measure of the others."""
RECORD = Path(__file__).parent / "results" / "screening.json"


def trained(name: str, scratch: str) -> LinkPredictor:
    """The default model of a network of the catalogue, trained in another process."""
    folder = Path(os.environ.get("LINKWL_MODELS", scratch)) / name
    if folder.exists():
        return LinkPredictor.load(folder)
    command = [sys.executable, __file__, "--train", name, str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return LinkPredictor.load(folder)


def cora(scratch: str) -> list[dict[str, Any]]:
    """All pairs by both methods."""
    predictor, found = trained("cora", scratch), {}
    predictor.recommend(1, ranking="screened")  # compiles the kernels

    def rank(method: str) -> None:
        found[method] = predictor.recommend(TOP, ranking=method)

    times_faster, times = ratio(lambda: rank("exact"), lambda: rank("screened"), TURNS)
    exact, screened = found["exact"], found["screened"]
    is_same = np.array_equal(exact.queries, screened.queries) and np.array_equal(exact.scores, screened.scores)
    what = f"best {TOP} of all pairs of cora"
    return [
        {"what": f"exact over screened ranking, {what}", "value": times_faster, "at_least": 10, "seconds": times},
        {"what": f"screened ranking the same as the exact one, {what}", "value": float(is_same), "at_least": 1},
        {"what": f"recall that the ranking itself measured, {what}", "value": screened.search.screening.recall},
    ]


def pubmed(scratch: str) -> list[dict[str, Any]]:
    """All pairs by a screen, and some of them exactly."""
    predictor = trained("pubmed", scratch)
    graph, generator = predictor.graph_, np.random.default_rng(0)
    scorer = predictor._scorer(graph)
    candidates = AllPairs(graph)
    parts = candidates.parts()
    rates = []
    LinkPredictor("ra").fit(load_dataset("airports")).recommend(1, ranking="screened")  # compiles the kernels

    def score_some() -> None:
        for place in generator.integers(len(parts) - 1, size=BLOCKS):
            (pairs,) = candidates.blocks(parts[place])
            start = time.perf_counter()
            scorer(pairs)
            rates.append((time.perf_counter() - start) / len(pairs))

    score_some()
    start = time.perf_counter()
    found = predictor.recommend(TOP, ranking="screened")
    seconds = time.perf_counter() - start
    score_some()
    exact = median(rates) * candidates.total
    screen_recall.FEWEST_PAIRS = ROWS * graph.num_nodes
    rows = exact_rows(scorer, graph, found.queries, np.random.default_rng(1))
    known = set(map(tuple, found.queries.tolist()))
    lowest = found.scores[-1]
    expected = {tuple(pair) for pair in rows.pairs[rows.scores > lowest].tolist()}
    expected |= {tuple(pair) for pair in rows.pairs[rows.scores == lowest].tolist()} & known
    what = f"best {TOP} of all pairs of pubmed"
    return [
        {
            "what": f"exact over screened ranking, {what}; the first extrapolated from {len(rates)} blocks",
            "value": exact / seconds,
            "at_least": 25,
            "seconds": [exact, seconds],
            "seconds_per_pair": rates,
        },
        {
            "what": f"recall of the screened ranking, {what}, in {rows.num_rows} exact rows",
            "value": len(expected & known) / max(len(expected), 1),
            "at_least": 0.999,
            "num_expected": len(expected),
        },
        {"what": f"recall that the ranking itself measured, {what}", "value": found.search.screening.recall},
    ]


def nearby(graph: Graph, count: int) -> np.ndarray:
    """Pairs two edges apart of consecutive nodes from the middle of the graph."""
    nodes = np.arange(graph.num_nodes // 2, graph.num_nodes)
    return pairs_within(graph.rowptr, graph.col, nodes, 2, count)[0][:count]


def some_of(pairs: np.ndarray) -> np.ndarray:
    """The places of groups of consecutive pairs, all scored in one call."""
    starts = np.linspace(0, len(pairs) - FEW_PAIRS, GROUPS).astype(int)
    return (starts[:, None] + np.arange(FEW_PAIRS)).ravel()


def pair_by_pair(function: Callable[[], object]) -> Callable[[], object]:
    """The same without whole rows."""

    def run() -> object:
        before, walks._FEWEST_TARGETS = walks._FEWEST_TARGETS, 1 << 60
        try:
            return function()
        finally:
            walks._FEWEST_TARGETS = before

    return run


def walks_of_pairs(scratch: str) -> list[dict[str, Any]]:
    """The walks between the ends of pairs in a graph of a million nodes, and those back to the ends."""
    graph, steps = power_law_graph(1_000_000, 3_000_000, np.random.default_rng(0)), 7
    row = np.repeat(np.arange(graph.num_nodes), graph.degree)
    weight = 1 / np.sqrt(graph.degree[row] * graph.degree[graph.col])
    table = WalkTable(graph.rowptr, graph.col, weight, steps)
    pairs, some = nearby(graph, PAIRS), np.random.default_rng(1).permutation(graph.num_nodes)[:2000]
    places = some_of(pairs)
    table.at(pairs[:1])
    start = time.perf_counter()
    table._closed.at(some)
    degree = graph.degree.astype(np.float64)
    closed = (time.perf_counter() - start) / len(some) * graph.num_nodes / ((degree * (degree - 1)).sum() / 2)
    table._closed.at(np.unique(pairs))
    slowly = pair_by_pair(lambda: table.at(pairs[places]).between)
    largest = np.abs(slowly() - table.at(pairs).between[places]).max()
    _, times = ratio(slowly, lambda: table.at(pairs), TURNS)
    faster = median(slow / len(places) / (fast / len(pairs) + closed) for slow, fast in times)
    what = "walks of pairs two edges apart, a million nodes"
    return [
        {"what": f"pair by pair over whole rows, {what}", "value": faster, "at_least": 15, "seconds": times},
        {"what": f"largest difference between the two, {what}", "value": float(largest), "at_most": 1e-12},
    ]


def hops(scratch: str) -> list[dict[str, Any]]:
    """The scores of pairs two edges apart; the weights are random, which changes nothing in the time."""
    graph = power_law_graph(200_000, 600_000, np.random.default_rng(0))
    model: Any = create_model("walk-2fwl", steps=7, gates="off", training={"max_batch": 256})
    model.start(graph, 0)
    scorer = model.exact()(graph)
    pairs = nearby(graph, PAIRS)
    places = some_of(pairs)
    scorer(pairs)  # also finds the walks of these nodes back to themselves
    slowly = pair_by_pair(lambda: scorer(pairs[places]))
    is_same = np.array_equal(slowly(), scorer(pairs)[places])
    _, times = ratio(slowly, lambda: scorer(pairs), TURNS)
    faster = median(slow / len(places) / (fast / len(pairs)) for slow, fast in times)
    what = "scores of pairs two edges apart, 200 thousand nodes"
    return [
        {"what": f"pair by pair over whole rows, {what}", "value": faster, "at_least": 15, "seconds": times},
        {"what": f"share of the same bits in both, {what}", "value": float(is_same), "at_least": 1},
    ]


CASES = {"cora": cora, "pubmed": pubmed, "walks": walks_of_pairs, "hops": hops}


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = ["| measured | value |", "|---|--:|"]
    return "\n".join(lines + [f"| {figure['what']} | {figure['value']:.4g} |" for figure in figures]) + "\n"


def main() -> None:
    """Writes the figures to standard output, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    if sys.argv[1:2] == ["--train"]:
        LinkPredictor().fit(load_dataset(sys.argv[2])).save(sys.argv[3])
        return
    kept = partial_record(RECORD)
    known = json.loads(kept.read_text()) if kept.exists() else {}
    names = sys.argv[1:] or list(CASES)
    with TemporaryDirectory() as scratch:
        for name in names:
            if name not in known:
                known[name] = CASES[name](scratch)
                kept.write_text(json.dumps(known))
                for figure in known[name]:
                    print(f"{figure['value']:9.4g}  {figure['what']}", file=sys.stderr, flush=True)
    json.dump([figure for name in names for figure in known[name]], sys.stdout)


if __name__ == "__main__":
    main()
