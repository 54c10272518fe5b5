"""The links of a witness, by the classes of a test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwl.graph import Graph
from linkwl.typing import IntArray, Pairs
from linkwl.wl.compare import Verdict, compare
from linkwl.wl.partition import partition_all
from linkwl.wl.witnesses import Witness


@dataclass(frozen=True, eq=False)
class LinkClasses:
    """All links of a witness's graphs, with their classes under a test."""

    links: tuple[Pairs, ...]
    """For each graph, its pairs p < q without an edge."""
    rank: IntArray
    """For the links of all graphs in sequence: 0 for the class of the first compared link, 1 for the class of the
    second if it differs, 2, 3, ... for further classes."""
    compared: tuple[int, int]
    """Positions of the two compared links in the sequence."""
    verdict: Verdict


def classify_links(witness: Witness, test: str) -> LinkClasses:
    """Runs a test on all links of the witness's graphs together; a link is classified by both of its directions."""
    graphs = graphs_of(witness)
    links = tuple(graph.non_edges(np.arange(graph.num_non_edges)) for graph in graphs)
    both_ways = [np.concatenate([pairs, pairs[:, ::-1]]) for pairs in links]
    classes = partition_all(list(zip(graphs, both_ways, strict=True)), test)
    unordered = np.concatenate([np.sort(own.reshape(2, -1), axis=0) for own in classes], axis=1)
    numbers = list(map(tuple, unordered.T.tolist()))
    first = links[0].tolist().index(sorted(witness.first[1]))
    second = len(numbers) - len(links[-1]) + links[-1].tolist().index(sorted(witness.second[1]))
    rank = {numbers[second]: 1, numbers[first]: 0}
    rank |= {number: 2 + i for i, number in enumerate(dict.fromkeys(n for n in numbers if n not in rank))}
    verdict = compare(witness.first, witness.second, tests=[test])[test]
    return LinkClasses(links, np.array([rank[number] for number in numbers]), (first, second), verdict)


def graphs_of(witness: Witness) -> list[Graph]:
    """The graph of both links, or the two graphs."""
    return list(dict.fromkeys([witness.first[0], witness.second[0]]))
