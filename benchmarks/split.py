"""Splitting ten million edges under protocol `paper`, against reading them."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
from measure import ratio

from linkwl import PROTOCOLS, Graph, load_graph

NUM_EDGES, NUM_NODES = 10_000_000, 1_000_000


def main() -> None:
    """Writes the figures to standard output."""
    paper = PROTOCOLS["paper"]
    paper.apply(Graph.from_pairs([(v, (v + 1) % 50) for v in range(50)], 50), 0)  # load the compiled kernels
    generator = np.random.default_rng(0)
    ends = {name: generator.integers(0, NUM_NODES, NUM_EDGES) for name in ("source", "target")}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "edges.csv")
        pa.csv.write_csv(pa.table(ends), path)
        graph = load_graph(path)

        def split() -> None:
            # A fresh value, so that nothing a graph remembers from an earlier turn helps.
            paper.apply(Graph(graph.rowptr, graph.col, graph.ids), 0)

        value, times = ratio(split, lambda: load_graph(path))
    what = "time of the split over time of load_graph, 10 million edges"
    print(json.dumps([{"what": what, "value": value, "at_most": 1, "seconds": times}]))


if __name__ == "__main__":
    main()
