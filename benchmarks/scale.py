"""Training steps of the local networks on synthetic power-law graphs of 1e5, 1e6 and 1e7 edges: time and memory.

Writes the figures as JSON and draws them as ``results/scale.png``. Each graph and model has a process of its own.

    python benchmarks/scale.py                        the figures, as JSON
    python benchmarks/scale.py local-2wl 1000000      one of them
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from networks import Ours, resident_bytes
from power_law import power_law_graph

from linkwl import Fold, Split, Targets, create_model
from linkwl.splits import sample_negatives

MODELS = ("local-2wl", "local-2fwl")
SIZES = (100_000, 1_000_000, 10_000_000)
EDGES_PER_NODE = 10
STEPS = 5
PICTURE = Path(__file__).parent / "results" / "scale.png"


def measure(name: str, num_edges: int) -> dict[str, Any]:
    """Seconds of each step after the first, and the largest resident size of the process, graph and all."""
    graph = power_law_graph(num_edges // EDGES_PER_NODE, num_edges, np.random.default_rng(0))
    generator = np.random.default_rng(1)
    nothing = np.empty((0, 2), dtype=np.int32)
    fold, empty = Fold(graph, Targets(graph.edges, nothing)), Fold(graph, Targets(nothing, nothing))
    model: Any = create_model(name)
    ours = Ours(model, Split(fold, empty, empty, protocol="scale"))
    config = model.config.training
    count = min(int(config.batch_ratio * graph.num_edges), config.max_batch)
    times = []
    for _ in range(STEPS + 1):
        positives = graph.edges[generator.choice(graph.num_edges, count, replace=False)]
        start = time.perf_counter()
        negatives = sample_negatives(graph, count * config.negatives_per_positive, generator)
        ours.step(positives, negatives)
        times.append(time.perf_counter() - start)
    gigabytes = resident_bytes("VmHWM") / 1e9
    return {"positives": count, "first": times[0], "seconds": times[1:], "gigabytes": gigabytes}


def exponent(sizes: tuple[int, ...], times: list[float]) -> float:
    """The slope of a straight line through the points on a log-log scale: 1 where time is proportional to size."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def figures_of(results: dict[str, dict[int, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Exponents, seconds and gigabytes."""
    figures: list[dict[str, Any]] = []
    for model, by_size in results.items():
        slope = exponent(tuple(by_size), [median(result["seconds"]) for result in by_size.values()])
        what = f"exponent of the time of a training step of {model} in the number of edges"
        figures.append({"what": what, "value": slope, "at_most": 1.1})
        for size, result in by_size.items():
            of = f"a training step of {model}, {size} edges, {result['positives']} positives"
            figures.append({"what": f"seconds of {of}", "value": median(result["seconds"]), **result})
            peak = {"value": result["gigabytes"], "at_most": 16}
            figures.append({"what": f"gigabytes at the peak of {of}"} | peak)
    return figures


def draw(results: dict[str, dict[int, dict[str, Any]]], path: Path) -> None:
    """Seconds per step and peak memory over edges, both axes logarithmic, with a line of slope 1 to compare."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.6), layout="constrained")
    time_axes, memory_axes = figure.subplots(1, 2)
    for (model, by_size), colour, mark in zip(results.items(), ("#0072B2", "#D55E00"), "os", strict=True):
        sizes = list(by_size)
        middle = [median(result["seconds"]) for result in by_size.values()]
        time_axes.plot(sizes, middle, marker=mark, color=colour, label=model)
        memory = [result["gigabytes"] for result in by_size.values()]
        memory_axes.plot(sizes, memory, marker=mark, color=colour, label=model)
    low, high = sizes[0], sizes[-1]
    # Between the models' first points, so that the slopes can be compared by eye.
    start = float(np.exp(np.mean([np.log(median(by_size[low]["seconds"])) for by_size in results.values()])))
    time_axes.plot([low, high], [start, start * high / low], color="0.5", linestyle=":", label="proportional to edges")
    memory_axes.axhline(16, color="0.5", linestyle=":", label="16 GB")
    for axes, name in ((time_axes, "seconds per training step"), (memory_axes, "peak memory of the process, GB")):
        axes.set(xscale="log", yscale="log", xlabel="edges", title=name)
        axes.legend(frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=150)


def main() -> None:
    """Writes the figures to standard output."""
    match sys.argv[1:]:
        case [model, size]:
            print(json.dumps(measure(model, int(size))))
        case _:
            results: dict[str, dict[int, dict[str, Any]]] = {model: {} for model in MODELS}
            for model in MODELS:
                for size in SIZES:
                    command = [sys.executable, __file__, model, str(size)]
                    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
                    results[model][size] = json.loads(output)
            draw(results, PICTURE)
            print(json.dumps(figures_of(results)))


if __name__ == "__main__":
    main()
