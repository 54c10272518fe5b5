"""The Weisfeiler-Lehman tests, against the matrix products that they cannot do without."""

from __future__ import annotations

import json

import numpy as np
from measure import ratio
from power_law import power_law_graph

from linkwl import Graph
from linkwl.wl import partition, refine

NUM_NODES, NUM_EDGES, NUM_LINKS = 1000, 5000, 100_000


def random_graph(generator: np.random.Generator) -> Graph:
    """Edges drawn uniformly."""
    empty = Graph.from_pairs([], NUM_NODES)
    return Graph.from_pairs(empty.non_edges(np.sort(generator.choice(empty.num_pairs, NUM_EDGES, False))), NUM_NODES)


def folklore(generator: np.random.Generator) -> list[dict[str, object]]:
    """2-FWL against plain matrix products, local 2-FWL against 2-FWL."""
    graph = random_graph(generator)
    left, right = generator.random((2, NUM_NODES, NUM_NODES))
    rounds = refine(graph, "2-fwl").rounds
    refine(graph, "local-2-fwl")

    def products() -> None:
        for _ in range(3 * rounds):
            left @ right

    figures = []
    value, times = ratio(lambda: refine(graph, "2-fwl"), products)
    title = f"2-FWL to stability ({rounds} rounds) over {3 * rounds} products of n x n floats: n = 1000, m = 5000"
    figures.append({"what": title, "value": value, "at_most": 6, "seconds": times})
    value, times = ratio(lambda: refine(graph, "2-fwl"), lambda: refine(graph, "local-2-fwl"))
    title = "times faster than 2-FWL is local 2-FWL: n = 1000, m = 5000"
    figures.append({"what": title, "value": value, "at_least": 2, "seconds": times})
    return figures


def nodes(generator: np.random.Generator) -> list[dict[str, object]]:
    """1-WL against sparse products, link queries of 2-WL against 1-WL."""
    graph = power_law_graph(200_000, 1_000_000, generator)
    matrix, vector = graph.to_scipy(), generator.random(graph.num_nodes)
    links = graph.non_edges(np.sort(generator.choice(graph.num_non_edges, NUM_LINKS)))
    rounds = refine(graph, "1-wl").rounds
    partition(graph, "2-wl", links)

    def products() -> None:
        for _ in range(rounds):
            matrix @ vector

    figures = []
    value, times = ratio(lambda: refine(graph, "1-wl"), products)
    title = f"1-WL to stability over one sparse product of SciPy for each of its {rounds} rounds: 1 million edges"
    figures.append({"what": title, "value": value, "at_most": 5, "seconds": times})
    value, times = ratio(lambda: partition(graph, "2-wl", links), lambda: refine(graph, "1-wl"))
    title = "2-WL classes of 100 000 links over 1-WL: 1 million edges"
    figures.append({"what": title, "value": value, "at_most": 1.5, "seconds": times})
    return figures


def main() -> None:
    """Writes the figures to standard output."""
    generator = np.random.default_rng(0)
    print(json.dumps(folklore(generator) + nodes(generator)))


if __name__ == "__main__":
    main()
