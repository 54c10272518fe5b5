"""What it takes to rank the missing facts of large graphs with `walk-2fwl`: seconds, and memory beyond the model.

All triples of the other entities of FB15k-237 v4, and the triples whose ends are joined by two facts in a synthetic
graph of a million facts. The model is trained for a few steps only, which changes neither. Seconds are for a
machine with two cores.

    python benchmarks/triple_ranking.py             the figures, as JSON
    python benchmarks/triple_ranking.py million     one of them
    python benchmarks/triple_ranking.py table       the record as a table
"""

from __future__ import annotations

from functools import partial

import numpy as np
import ranking
from power_law import power_law_graph

from linkwl import KnowledgeGraph, load_dataset

SETTINGS = {"training": {"max_steps": 20, "evaluate_every": 20}, "hiding": {"rounds": 1}}
NUM_NODES, NUM_RELATIONS, NUM_FACTS = 300_000, 10, 1_000_000


def synthetic() -> KnowledgeGraph:
    """The links of a graph with hubs, each a fact of a random relation."""
    generator = np.random.default_rng(0)
    pairs = power_law_graph(NUM_NODES, NUM_FACTS, generator).edges
    relation = generator.integers(0, NUM_RELATIONS, len(pairs))
    triples = np.stack([pairs[:, 0], relation, pairs[:, 1]], axis=1)
    return KnowledgeGraph.from_triples(triples, NUM_NODES, NUM_RELATIONS, name="a million facts")


def unseen() -> KnowledgeGraph:
    """The graph of the other entities."""
    return load_dataset("fb237_v4").division.unseen


Facts = partial(ranking.Case, what="triples", model="walk-2fwl", settings=SETTINGS)
CASES = {
    "fb237_v4": Facts(lambda: load_dataset("fb237_v4"), "all", other=unseen),
    "million": Facts(synthetic, "hops:2"),
}
markdown = partial(ranking.markdown, cases=CASES)

if __name__ == "__main__":
    ranking.main(__file__, CASES)
