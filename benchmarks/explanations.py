"""Whether explanations can be trusted: what removing the top group does, how much is explained, what it costs.

Each model is fitted to a graph with default settings. Twenty pairs are explained: ten links, and the first ten missing
links of the ranking. The group with the largest part is removed, and as many random links near the two nodes; the
change of the score is given in standard deviations of the scores of random pairs. A top group without links, such as
features, is compared with the other groups of the pair. The share is that of :attr:`linkwl.predict.Explanation.share`.
The time is that of an explanation over that of reading the graph and scoring one pair, in turns.

For six groups, of which all 64 combinations are scored, the parts from 16 scores are compared with the exact ones:
those of linkwl, and those of random orders in both directions with as many scores.

A folder in the variable LINKWL_MODELS keeps the trained models for a second run.

    python benchmarks/explanations.py           the figures, as JSON
    python benchmarks/explanations.py table     the record as a table
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measure import collected, draws_table, ratio

from linkwl import Graph, LinkPredictor, load_dataset
from linkwl.predict.contributions import Coalition, share_out
from linkwl.predict.explain import explain_query
from linkwl.predict.explanation import Explanation, Part
from linkwl.predict.groups import pair_groups
from linkwl.predict.variants import Variants

NETWORKS = ("walk-2fwl", "local-2fwl")
MODELS = (*NETWORKS, "ra")
GRAPHS = ("airports", "usair", "cora", "power")
NUM_PAIRS = 10
"""Of links, and of missing links."""
NUM_COMPARED = 6
"""Number of pairs whose parts are compared with the exact ones."""
GROUPS, FEW = 6, 16
"""Groups of the test of estimates, and the scores that they are estimated from."""
SEED = 0
RECORD = Path(__file__).parent / "results" / "explanations.json"


class Run(NamedTuple):
    """A model on a graph."""

    graph: str
    model: str

    def __str__(self) -> str:
        return f"{self.model} on {self.graph}"


def measure(run: Run) -> dict[str, Any]:
    """All figures of a model on a graph."""
    predictor, generator = _fitted(run), np.random.default_rng(SEED)
    graph, model = predictor.graph_, predictor.model_
    assert isinstance(graph, Graph)
    links = graph.edges[generator.choice(graph.num_edges, NUM_PAIRS, replace=False)]
    pairs = [(int(p), int(q)) for p, q in [*links, *predictor.recommend(NUM_PAIRS).queries]]
    # Of a formula, some scores are 0, and there is nothing to explain.
    found = [each for each in (explain_query(model, graph, pair) for pair in pairs) if each.parts]
    moved = np.array([_deleted(predictor, each, generator) for each in found])
    sample = predictor._scorer(graph)(generator.integers(0, graph.num_nodes, (2000, 2)))
    prepare = model.exact()
    times, _ = ratio(
        lambda: explain_query(model, graph, pairs[0]), lambda: prepare(graph)(np.array([pairs[0]])), turns=5
    )
    is_clear = [part.effect != "unclear" for each in found for part in each.parts]
    return {
        "what": f"share explained by {run}, the median of {len(found)} pairs",
        "value": float(np.median([each.share for each in found])),
        "shares": [round(each.share, 4) for each in found],
        "top": float(moved[:, 0].mean() / sample.std()),
        "random": float(moved[:, 1].mean() / sample.std()),
        "top_is_larger": float((moved[:, 0] > moved[:, 1]).mean()),
        "clear_groups": float(np.mean(is_clear)),
        "scores": max(each.num_scores for each in found),
        "times_of_a_score": times,
        **(_compared(predictor, pairs[-NUM_COMPARED:]) if run.model != "ra" else {}),
        **run._asdict(),
    }


def _fitted(run: Run) -> LinkPredictor:
    kept = os.environ.get("LINKWL_MODELS")
    folder = None if kept is None else Path(kept) / f"{run.graph}-{run.model}"
    return LinkPredictor(run.model, seed=SEED).fit(load_dataset(run.graph), folder=folder, resume=folder is not None)


def _deleted(predictor: LinkPredictor, found: Explanation, generator: np.random.Generator) -> tuple[float, float]:
    """How far a score moves without its top group, and without as much at random."""
    graph = predictor.graph_.without(np.array([found.pair]))
    top: Part = max(found.parts, key=lambda part: abs(part.contribution))
    if not top.group.edges:
        others = [abs(part.drop) for part in found.parts if part is not top]
        return abs(top.drop), float(np.mean(others or [0.0]))
    around = np.unique(np.concatenate([found.pair, *(graph.links.neighbours(end) for end in found.pair)]))
    near = graph.edges[np.isin(graph.edges, around).any(axis=1)]
    gone = {tuple(sorted(edge)) for edge in top.group.edges}
    left = np.array([edge for edge in near.tolist() if tuple(edge) not in gone])
    if not len(left):
        return abs(top.drop), 0.0
    chosen = left[generator.choice(len(left), min(len(gone), len(left)), replace=False)]
    score = predictor.model_.exact()(graph.without(chosen))(np.array([found.pair]))[0]
    return abs(top.drop), abs(found.score - score)


def _compared(predictor: LinkPredictor, pairs: list[tuple[int, int]]) -> dict[str, float]:
    """How far the parts of six groups from few scores are from the exact ones, as a share of all parts."""
    model, graph = predictor.model_, predictor.graph_
    assert isinstance(graph, Graph)
    prepare = model.exact()
    ours, orders, is_within = [], [], []
    for p, q in pairs:
        pair = (min(p, q), max(p, q))
        groups = pair_groups(graph, pair, model.evidence(graph), GROUPS)
        if len(groups) != GROUPS:
            continue
        variants, table = Variants(graph, pair, groups), {}

        def value(present: Coalition, variants: Variants = variants, table: dict[Coalition, float] = table) -> float:
            if present not in table:
                table[present] = float(prepare(variants(present))(np.array([pair]))[0])  # noqa: B023
            return table[present]

        exact = np.array(share_out(value, GROUPS, budget=1 << GROUPS).parts)
        few = share_out(value, GROUPS, budget=FEW)
        size = np.abs(exact).sum()
        ours.append(np.abs(few.parts - exact).sum() / size)
        orders.append(np.abs(_by_orders(table, np.random.default_rng(SEED)) - exact).sum() / size)
        is_within += (np.abs(few.parts - exact) <= 2 * np.array(few.errors)).tolist()
    if not ours:
        return {}
    return {
        "error_of_six": float(np.median(ours)),
        "error_of_orders": float(np.median(orders)),
        "within_two_errors": float(np.mean(is_within)),
    }


def _by_orders(table: Mapping[Coalition, float], generator: np.random.Generator) -> np.ndarray:
    """The parts from random orders in both directions, as many as the budget allows."""
    parts, scored, count = np.zeros(GROUPS), set[Coalition](), 0
    while True:
        order, drawn, added = generator.permutation(GROUPS).tolist(), set[Coalition](), np.zeros(GROUPS)
        for way in (order, order[::-1]):
            present: Coalition = frozenset()
            for group in way:
                drawn |= {present, present | {group}}
                added[group] += (table[present | {group}] - table[present]) / 2
                present |= {group}
        if count and len(scored | drawn) > FEW:
            return parts / count
        parts, scored, count = parts + added, scored | drawn, count + 1


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    lines = [
        "| graph | model | share explained | score moves without the top group | without as much at random | scores |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for figure in figures:
        if "graph" not in figure:
            continue
        lines.append(
            f"| {figure['graph']} | `{figure['model']}` | {100 * figure['value']:.0f} % | {figure['top']:.2f} "
            f"| {figure['random']:.2f} | {figure['scores']} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    figures = collected(measure, [Run(graph, model) for graph in GRAPHS for model in MODELS], RECORD)
    json.dump([*figures, _median(figures, MODELS, at_least=0.8), _median(figures, NETWORKS)], sys.stdout)


def _median(figures: list[dict[str, Any]], models: tuple[str, ...], **limit: float) -> dict[str, Any]:
    """The share explained, over all pairs of some models."""
    shares = [share for figure in figures if figure["model"] in models for share in figure["shares"]]
    what = f"share explained by {', '.join(models)}, the median of {len(shares)} pairs"
    return {"what": what, "value": float(np.median(shares)), **limit}


if __name__ == "__main__":
    main()
