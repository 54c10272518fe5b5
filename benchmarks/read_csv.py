"""Reading ten million edges into a graph, against Arrow reading the same file into a table."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from measure import peak_gigabytes, ratio

from linkwl import load_graph

NUM_EDGES, NUM_NODES = 10_000_000, 1_000_000


def main() -> None:
    """Writes the figures to standard output."""
    generator = np.random.default_rng(0)
    ends = [pa.array(generator.integers(0, NUM_NODES, NUM_EDGES)) for _ in range(2)]
    with tempfile.TemporaryDirectory() as folder:
        numbers, names = Path(folder, "numbers.csv"), Path(folder, "names.csv")
        pa.csv.write_csv(pa.table({"source": ends[0], "target": ends[1]}), numbers)
        texts = [pc.binary_join_element_wise("n", end.cast(pa.string()), "") for end in ends]
        pa.csv.write_csv(pa.table({"source": texts[0], "target": texts[1]}), names)
        figures = []
        for path, kind, limit in ((numbers, "whole numbers", {"at_most": 4}), (names, "names", {})):
            small = Path(folder, "small.csv")
            small.write_bytes(b"".join(path.open("rb").readlines()[:1000]))
            load_graph(small)  # load the compiled kernels
            value, times = ratio(lambda p=path: load_graph(p), lambda p=path: pa.csv.read_csv(p))
            what = f"time of load_graph over pyarrow.csv.read_csv, 10 million edges, ids are {kind}"
            figures.append({"what": what, "value": value, "seconds": times} | limit)
            peak = peak_gigabytes(f"import linkwl; linkwl.load_graph({str(path)!r})")
            figures.append({"what": f"gigabytes at the peak, ids are {kind}", "value": peak, "at_most": 3})
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
