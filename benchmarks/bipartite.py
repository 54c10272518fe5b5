"""Links between the two sides of bipartite graphs: `walk-2fwl` beside the heuristics, popularity and item-kNN.

Protocol `paper`, three splits, one if there are more than 20 000 links. AUC compares links with uniform pairs across
the sides. Recall@20: for every node of the left side that has test links, the share of them among its twenty likeliest
partners on the right side; the mean over these nodes.

    MOVIELENS=u.data COMMITS=repository/ python benchmarks/bipartite.py    the figures, as JSON
    python benchmarks/bipartite.py table                                   the record as a table

`u.data` is the file of ratings of MovieLens 100k: ratings of 4 and 5 are links. The links of a git repository join
authors and the files that they have changed. The other graphs come with Python packages, see `package_graphs.py`.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse as sp
from measure import collected, draws_table
from package_graphs import Edges, ligands_receptors

from linkwl import Graph, create_model
from linkwl.models.base import FormulaScorer, Scorer
from linkwl.predict.per_node import NodeLinks, rank_per_node
from linkwl.protocols import PAPER, TrainingData
from linkwl.splits import Split
from linkwl.training import Trainer
from linkwl.typing import Pairs

OURS = "walk-2fwl"
HEURISTICS = ("ra", "jaccard", "katz", "ppr")
OTHERS = (*HEURISTICS, "item-kNN", "popularity")
TOP, NEAREST = 20, 100
MANY_LINKS = 20_000
RECORD = Path(__file__).parent / "results" / "bipartite.json"


def movielens() -> Edges:
    """Viewers and the films that they rate with 4 or 5."""
    with Path(_required("MOVIELENS")).open(newline="") as file:
        yield from ((user, film) for user, film, rating, _ in csv.reader(file, delimiter="\t") if int(rating) >= 4)


def commits() -> Edges:
    """Authors and the files that they have changed."""
    command = ["git", "-C", _required("COMMITS"), "log", "--no-merges", "--no-renames", "--format=@%ae", "--name-only"]
    author = ""
    for line in subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        if line.startswith("@"):
            author = line
        elif line:
            yield author, line


def southern_women() -> Edges:
    """Women and social events, and who was where."""
    graph = nx.davis_southern_women_graph()
    women = set(graph.graph["top"])
    return ((a, b) if a in women else (b, a) for a, b in graph.edges)


SOURCES: tuple[Callable[[], Edges], ...] = (southern_women, ligands_receptors, commits, movielens)


def two_sided(source: Callable[[], Edges]) -> Graph:
    """The graph of a source; the first end of a link is on the left side, the second on the right one."""
    sides = list(zip(*[(str(a), str(b)) for a, b in source()], strict=True))
    (left, first), (right, second) = (np.unique(side, return_inverse=True) for side in sides)
    part = np.repeat([0, 1], [len(left), len(right)])
    pairs = np.stack([first, len(left) + second], axis=1)
    return Graph.from_pairs(pairs, len(part), part=part, name=source.__name__.replace("_", " "))


def measure(graph: Graph) -> dict[str, Any]:
    """How far the recall of ours is above that of the best of the others, in points."""
    seeds = range(1 if graph.num_edges > MANY_LINKS else 3)
    found: dict[str, dict[str, list[float]]] = {name: {"auc": [], "recall": []} for name in (OURS, *OTHERS)}
    for seed in seeds:
        split = PAPER.apply(graph, seed)
        for name, values in found.items():
            scorer = make_scorer(name, split)
            values["auc"].append(100 * PAPER.measure(split.test.targets, scorer(split.test.targets.queries))["auc"])
            values["recall"].append(100 * recall(scorer, split))
    means = {name: {metric: float(np.mean(v)) for metric, v in values.items()} for name, values in found.items()}
    best = max(OTHERS, key=lambda name: means[name]["recall"])
    return {
        "what": f"points of recall@{TOP} of {OURS} above the best of the others ({best}) on {graph.name}",
        "value": means[OURS]["recall"] - means[best]["recall"],
        "graph": graph.name,
        "sides": np.bincount(graph.part).tolist(),
        "links": graph.num_edges,
        "seeds": len(seeds),
        "mean": means,
    }


def make_scorer(name: str, split: Split) -> Scorer:
    """A system, trained on the train fold, that scores pairs about the observed graph of the test fold."""
    observed = split.test.observed
    assert isinstance(observed, Graph)
    if name == "popularity":
        degree = observed.degree.astype(np.float64)
        return FormulaScorer(observed, lambda pairs: degree[_right(observed, pairs)])
    if name == "item-kNN":
        return FormulaScorer(observed, item_knn(observed))
    model = create_model(name)
    model.fit(TrainingData.of(split, PAPER), Trainer(0))
    return model.prepare(observed)


def item_knn(observed: Graph) -> Callable[[Pairs], np.ndarray]:
    """Sums the cosine similarities of an item to the user's items, of the hundred items most similar to each."""
    matrix = sp.csr_array(observed.to_scipy())
    items = np.flatnonzero(observed.part)
    columns = sp.csc_array(matrix[:, items]) @ sp.diags_array(1 / np.sqrt(np.maximum(observed.degree[items], 1)))
    similar = (columns.T @ columns).tolil()
    similar.setdiag(0)
    similar = sp.csr_array(similar).toarray()
    lowest = np.sort(similar, axis=0)[max(0, len(items) - NEAREST)]
    similar[similar < lowest] = 0
    scores = np.zeros((observed.num_nodes, observed.num_nodes))
    scores[:, items] = matrix[:, items] @ similar
    place = np.arange(observed.num_nodes)

    def score(pairs: Pairs) -> np.ndarray:
        right = _right(observed, pairs)
        return scores[pairs.sum(axis=1) - right, place[right]]

    return score


def recall(scorer: Scorer, split: Split) -> float:
    """The mean share of a node's test links among its likeliest partners."""
    graph = split.test.observed
    assert isinstance(graph, Graph)
    right = _right(graph, split.test.positives)
    left = split.test.positives.sum(axis=1) - right
    ranked, _ = rank_per_node(scorer, NodeLinks.of(graph, np.unique(left), side="left"), TOP)
    hit = np.isin(left.astype(np.int64) * graph.num_nodes + right, ranked @ [graph.num_nodes, 1])
    nodes, node = np.unique(left, return_inverse=True)
    return float((np.bincount(node, hit) / np.bincount(node, minlength=len(nodes))).mean())


def _right(graph: Graph, pairs: Pairs) -> np.ndarray:
    assert graph.part is not None
    return np.where(graph.part[pairs[:, 0]] == 1, pairs[:, 0], pairs[:, 1])


def _required(variable: str) -> str:
    if variable not in os.environ:
        sys.exit(f"{variable} is not set; see the first lines of {Path(__file__).name}.")
    return os.environ[variable]


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    head = ["graph", "sides", "links", OURS, "best heuristic", "item-kNN", "popularity"]
    lines = [f"| {' | '.join(head)} |", "|---|--:" + "|--:" * (len(head) - 2) + "|"]
    for figure in figures:
        mean = figure["mean"]
        best = max(HEURISTICS, key=lambda name: mean[name]["recall"])
        cells = [f"{mean[name]['auc']:.2f} / {mean[name]['recall']:.1f}" for name in (OURS, best, *OTHERS[-2:])]
        cells[1] += f" {best}"
        sides = " + ".join(f"{size:,}" for size in figure["sides"])
        lines.append(f"| {figure['graph']} | {sides} | {figure['links']:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    json.dump(collected(measure, map(two_sided, SOURCES), RECORD), sys.stdout)


if __name__ == "__main__":
    main()
