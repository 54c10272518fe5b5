"""Time and memory of a large graph from file to ranking, and how both grow with the number of edges.

A synthetic graph with hubs is written as Parquet, converted, opened, split, learned from, and searched: the ten best
links within two edges for some random nodes. Every step is a process of its own. Its time is that of the processors,
which depends less on what else the machine does; its memory is the largest resident size, which includes the pages of
mapped files that it has read. Figures are kept as soon as they are there, so a run that was stopped continues.

    python benchmarks/growth.py                       1e5 to 3e7 edges; writes results/growth.json
    python benchmarks/growth.py 100000 1000000        some sizes
    python benchmarks/growth.py 100000000 --upto split
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from linkwl.records import versions
from linkwl.typing import FloatArray, IntArray

SIZES = (100_000, 1_000_000, 10_000_000, 30_000_000)
STEPS = ("write", "convert", "open", "split", "train", "rank")
TITLES = {
    "write": "write Parquet",
    "convert": "`linkwl convert`",
    "open": "open",
    "split": "open and split",
    "train": "`linkwl train`",
    "rank": "rank",
}
ROWS_PER_NODE = 10
CHUNK = 1 << 21
TRAINING_STEPS, BATCH = 20, 1024
WALKS = 3
"""Length of the longest walks: with hubs, those of four edges or more reach a large part of the graph."""
NODES = 1000
TOP = 10
MEMORY = "14GB"
RECORD = Path(__file__).parent / "results" / "growth.json"


def write(num_rows: int, path: Path) -> dict[str, Any]:
    """A table of random pairs, ends with weight rank^(-1/2), a chunk at a time; a few are loops and copies."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    num_nodes = num_rows // ROWS_PER_NODE
    weight = np.arange(1, num_nodes + 1) ** -0.5
    cumulative = np.cumsum(weight) / weight.sum()
    generator = np.random.default_rng(0)
    names = generator.permutation(num_nodes)  # hubs are not the first nodes
    schema = pa.schema([("source", pa.int64()), ("target", pa.int64())])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, num_rows, CHUNK):
            drawn = generator.random((2, min(CHUNK, num_rows - start)))
            source, target = (names[_places(cumulative, row).clip(max=num_nodes - 1)] for row in drawn)
            writer.write_table(pa.table([source, target], schema=schema))
    return {"rows": num_rows, "gigabytes_on_disk": path.stat().st_size / 1e9}


def _places(cumulative: FloatArray, values: FloatArray) -> IntArray:
    """``searchsorted`` in the order of the values: several times as fast where the first array exceeds the caches."""
    order = np.argsort(values)
    places = np.empty(len(values), dtype=np.int64)
    places[order] = np.searchsorted(cumulative, values[order])
    return places


def open_graph(folder: Path) -> dict[str, Any]:
    """Maps the converted graph and checks it."""
    from linkwl import load_graph

    graph = load_graph(folder)
    return {"edges": graph.num_edges, "nodes": graph.num_nodes, "largest_degree": int(graph.degree.max())}


def split(folder: Path) -> dict[str, Any]:
    """Opens the graph and splits it as the paper does, with its negatives."""
    from linkwl import PROTOCOLS, load_graph

    found = PROTOCOLS["paper"].apply(load_graph(folder), seed=0)
    return {"test_targets": len(found.test.targets.positives)}


def rank(folder: Path) -> dict[str, Any]:
    """The best missing links, two edges apart, of some random nodes."""
    from linkwl import LinkPredictor

    start = time.perf_counter()
    predictor = LinkPredictor.load(folder)
    graph = predictor.graph_
    nodes = np.random.default_rng(1).choice(graph.num_nodes, min(NODES, graph.num_nodes), replace=False)
    middle = time.perf_counter()
    found = predictor.recommend_per_node(TOP, nodes=[graph.ids[int(node)] for node in nodes], candidates="hops:2")
    return {"nodes": len(nodes), "links": len(found), "loading": middle - start, "search": time.perf_counter() - middle}


def measure(step: str, size: int, place: Path) -> dict[str, Any]:
    """One step in a process of its own: seconds, gigabytes, and what it says of itself."""
    table, graph, model = place / "edges.parquet", place / "graph", place / "model"
    linkwl = [sys.executable, "-m", "linkwl", "--max-memory", MEMORY]
    settings = (
        "position=off",
        "trees=off",
        f"steps={WALKS}",
        f"training.max_steps={TRAINING_STEPS}",
        f"training.max_batch={BATCH}",
    )
    small = [word for setting in settings for word in ("--set", setting)]
    command = {
        "write": [sys.executable, __file__, "--step", "write", str(size), str(table)],
        "convert": [*linkwl, "convert", str(table), str(graph), "--directed", "no", "--bipartite", "no", "--quiet"],
        "open": [sys.executable, __file__, "--step", "open", "0", str(graph)],
        "split": [sys.executable, __file__, "--step", "split", "0", str(graph)],
        "train": [*linkwl, "train", str(graph), "--model", "walk-2fwl", *small, "--out", str(model), "--quiet"],
        "rank": [sys.executable, __file__, "--step", "rank", "0", str(model)],
    }[step]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"OMP_WAIT_POLICY": "PASSIVE"})
    assert process.stdout is not None
    with process.stdout as pipe:
        output = pipe.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"{TITLES[step]} with {size} rows failed with exit code {process.returncode}")
    own = json.loads(output) if "--step" in command else {}
    busy = usage.ru_utime + usage.ru_stime
    figure = {"step": step, "size": size, "value": busy, "gigabytes": usage.ru_maxrss * 1024 / 1e9, "elapsed": seconds}
    return {"what": f"processor seconds: {TITLES[step]}, {size} rows"} | figure | own


def markdown(figures: list[dict[str, Any]]) -> str:
    """Processor seconds and gigabytes, a row for each size and a column for each step after the file is written."""
    found = {(figure["size"], figure["step"]): figure for figure in figures}
    sizes = sorted({size for size, step in found if step in STEPS[1:]})
    steps = [step for step in STEPS[1:] if any((size, step) in found for size in sizes)]
    rows = [["edges", *(TITLES[step] for step in steps)], ["--:", *["--:"] * len(steps)]]
    for size in sizes:
        edges = found[size, "open"]["edges"] if (size, "open") in found else size
        rows.append([f"{edges:,}", *(_cell(found.get((size, step))) for step in steps)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _cell(figure: dict[str, Any] | None) -> str:
    if figure is None:
        return "–"
    seconds = figure["value"]
    return f"{seconds:{'.3g' if seconds < 1000 else ',.0f'}} s, {figure['gigabytes']:.2g} GB"


def _keep(figures: list[dict[str, Any]]) -> None:
    record = {"benchmark": "growth", "date": datetime.now(UTC).isoformat(timespec="seconds"), "versions": versions()}
    RECORD.write_text(json.dumps(record | {"figures": figures}, indent=2) + "\n")


def main() -> None:
    """Measures what is not in the record yet."""
    parser = ArgumentParser()
    parser.add_argument("sizes", nargs="*")
    parser.add_argument("--upto", choices=STEPS, default=STEPS[-1])
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="for the files, which go")
    parser.add_argument("--step", choices=STEPS)
    given = parser.parse_args()
    if given.step is not None:
        size, path = int(given.sizes[0]), Path(given.sizes[1])
        steps = {"open": open_graph, "split": split, "rank": rank}
        print(json.dumps(write(size, path) if given.step == "write" else steps[given.step](path)))
        return
    figures: list[dict[str, Any]] = json.loads(RECORD.read_text())["figures"] if RECORD.exists() else []
    for size in [int(text) for text in given.sizes] or SIZES:
        known = {figure["step"] for figure in figures if figure["size"] == size}
        wanted = STEPS[: STEPS.index(given.upto) + 1]
        if known.issuperset(wanted):
            continue
        with tempfile.TemporaryDirectory(prefix="linkwl-growth-", dir=given.folder) as place:
            for step in wanted:
                figure = measure(step, size, Path(place))  # files of known steps are needed by the others
                text = f"{figure['value']:9.1f} s ({figure['elapsed']:.1f} s) {figure['gigabytes']:6.2f} GB"
                print(f"{text}  {step} {size}", file=sys.stderr, flush=True)
                if step not in known:
                    figures.append(figure)
                    _keep(figures)


if __name__ == "__main__":
    main()
