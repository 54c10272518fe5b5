"""The four networks against plain implementations of the published algorithms: time and memory.

A training step is all that happens with one batch: its positives leave the graph, forward, backward, Adam. Inference
is the test targets of protocol `paper` on a graph never seen before, everything but reading files. Both sides get the
published widths, depths and the same batch; 2-WL and 2-FWL of ours are those with a closed form. Each case runs in a
process of its own, and so does each measurement of memory: how far the resident size rises above what it was when all
was loaded and warm.

    python benchmarks/networks.py                 the figures, as JSON
    python benchmarks/networks.py local-2wl pb    one case
    python benchmarks/networks.py plain           the plain implementations alone
    python benchmarks/networks.py table           the record as a table
"""

from __future__ import annotations

import copy
import ctypes
import dataclasses
import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, Protocol

import channel_products
import dense_pairs
import numpy as np
import second_order_graph
import torch
import torch.nn.functional as F
from measure import ratio, seconds

from linkwl import PROTOCOLS, Graph, Split, create_model, load_dataset
from linkwl.benchmark.gae import prepare_gae
from linkwl.memory import check_memory
from linkwl.models.bundled import bundled_settings
from linkwl.models.gradient import torch_threads

# At least so many times faster; where there is no limit the figure is only reported.
CASES: dict[tuple[str, str], float | None] = {
    **{("local-2wl", dataset): 20 for dataset in ("pb", "ecoli", "yeast")},
    **{("local-2wl", dataset): 1 for dataset in ("ns", "power", "router", "cora", "citeseer", "pubmed")},
    ("local-2wl", "usair"): None,
    **{("local-2fwl", dataset): 50 for dataset in ("pb", "ecoli", "yeast", "usair", "cora")},
    **{(model, dataset): 3 for model in ("2wl", "2fwl") for dataset in ("yeast", "cora")},
}
SECOND_FORM = {
    "local-2wl": "the plain one in compressed rows",
    "local-2fwl": "the plain one in compressed rows, which passes no gradient through the products",
}
"""Limits are against what one would write first; what a careful user would try next is measured as well."""
WITH_MEMORY = ("2wl", "2fwl")
# Inference over that of PyG's autoencoder on Cora, and seconds on Pubmed, at most.
BESIDE_GAE = {"local-2wl": (2, 0.1), "local-2fwl": (3, 0.5)}
TASKS = ("training step", "inference")
MEMORY_LIMIT = 16 << 30
"""Bytes that a process may take here; what needs more does not fit."""


class Side(Protocol):
    """One of the two that are compared."""

    def step(self, positives: np.ndarray, negatives: np.ndarray) -> float:
        """One training step."""

    def score(self) -> object:
        """The scores of the test targets."""


class Ours:
    """A model of the package."""

    def __init__(self, model: Any, split: Split) -> None:
        self.model, self.split = model, split
        model.start(split.train.observed, seed=0)
        self.optimizer = torch.optim.Adam(model.network.parameters(), lr=model.config.training.learning_rate)

    def step(self, positives: np.ndarray, negatives: np.ndarray) -> float:
        """One training step."""
        graph, targets = self.split.train.observed, np.concatenate([positives, negatives])
        labels = torch.cat([torch.ones(len(positives)), torch.zeros(len(negatives))])
        self.model.network.train()
        with torch_threads(self.model.num_threads(graph, len(targets))):
            loss = F.binary_cross_entropy_with_logits(self.model.logits(graph.without(positives), targets), labels)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()

    def score(self) -> object:
        """The scores of the test targets."""
        fold = self.split.test
        # Nothing that graph or model remember of an earlier turn may help: it is another graph with other features.
        graph = dataclasses.replace(fold.observed, features=copy.copy(fold.observed.features))
        self.model.network.eval()
        return self.model(graph, np.concatenate([fold.positives, fold.negatives]))


def make(whose: str, model: str, dataset: str, split: Split) -> Side:
    """Our model or the plain one, with the published settings; ``local-2wl/csr`` is the plain one in another form.

    ``tuned`` is our model with the settings that it is trained with.
    """
    name, _, form = model.partition("/")
    if whose == "tuned":
        return Ours(create_model(name, **bundled_settings(name, dataset, "tuned")), split)
    if whose == "ours":
        published = bundled_settings(name, dataset, "paper")
        if not published:  # defaults may be smaller networks: no fair comparison
            raise ValueError(f"there are no published settings of {name} for {dataset}.")
        if name == "2fwl":
            # The published norm needs the table of all pairs, and is no part of the algorithm. Gates do not.
            widths = {key: published["pairs"][key] for key in ("channels", "rounds", "dropout")}
            published["pairs"] = widths | {"wide_channels": widths["channels"]}
        if name == "2wl":
            published["pairs"] = {key: published["pairs"][key] for key in ("channels", "dropout")}
        return Ours(create_model(name, **published), split)
    if name == "local-2wl":
        return second_order_graph.baseline(dataset, split, form or "edge_index")
    if name == "local-2fwl":
        return channel_products.baseline(dataset, split, form or "coo")
    return dense_pairs.baseline(name, dataset, split)


def batch_of(graph: Graph, split: Split) -> tuple[np.ndarray, np.ndarray]:
    """Positives and negatives of one step, as many as published."""
    order = np.random.default_rng(0).permutation(len(split.train.positives))[: 2 * int(0.05 * graph.num_edges)]
    return split.train.positives[order], split.train.negatives[order]


def tasks(whose: str, model: str, dataset: str) -> dict[str, Callable[[], object]]:
    """What is measured of one side."""
    return tasks_on(load_dataset(dataset), whose, model, dataset)


def tasks_on(graph: Graph, whose: str, model: str, dataset: str) -> dict[str, Callable[[], object]]:
    """The same on another graph, with the settings for the dataset."""
    split = PROTOCOLS["paper"].apply(graph, 0)
    if model == "gae":
        targets = np.concatenate([split.test.positives, split.test.negatives])
        return {"inference": prepare_gae(split.test.observed, targets, seed=0)}
    side, batch = make(whose, model, dataset, split), batch_of(graph, split)
    return dict(zip(TASKS, (lambda: side.step(*batch), side.score), strict=True))


def turns_for(first_seconds: float) -> int:
    """How often to repeat what took so long."""
    return 7 if first_seconds < 1 else 3 if first_seconds < 60 else 1


def compare(model: str, dataset: str) -> list[dict[str, Any]]:
    """The times of one case."""
    ours, figures = tasks("ours", model, dataset), []
    forms = {model: "the plain one"} | ({f"{model}/csr": SECOND_FORM[model]} if model in SECOND_FORM else {})
    for form, name in forms.items():
        limit = CASES.get((form, dataset))
        theirs = tasks("plain", form, dataset)
        for task in TASKS:
            ours[task]()
            value, times = ratio(theirs[task], ours[task], turns_for(seconds(theirs[task])))
            figure = {"what": f"times faster than {name}: {task} of {model} on {dataset}", "value": value}
            case = {"form": form, "dataset": dataset, "task": task, "seconds": times}
            figures.append(figure | ({} if limit is None else {"at_least": limit}) | case)
    return figures


def speeds_markdown(figures: list[dict[str, Any]]) -> str:
    """How many times faster than the plain implementations, a row per network and task, a column per dataset."""
    values = {(f["form"], f["task"], f["dataset"]): f["value"] for f in figures if "form" in f}
    datasets = list(dict.fromkeys(dataset for *_, dataset in values))
    lines = [f"| times faster | {' | '.join(datasets)} |", f"|---|{'--:|' * len(datasets)}"]
    for form in dict.fromkeys(form for form, *_ in values):
        model, _, second = form.partition("/")
        for task in TASKS:
            cells = [values.get((form, task, dataset)) for dataset in datasets]
            texts = ["" if cell is None else f"{cell:.0f}" if cell >= 10 else f"{cell:.1f}" for cell in cells]
            lines.append(f"| {model}, {task}{', against compressed rows' if second else ''} | {' | '.join(texts)} |")
    return "\n".join(lines)


def beside_gae(model: str) -> list[dict[str, Any]]:
    """Inference over that of PyG's autoencoder on Cora and Pubmed, and its seconds on Pubmed."""
    figures = []
    most, most_seconds = BESIDE_GAE[model]
    for dataset, limit in (("cora", {"at_most": most}), ("pubmed", {})):
        ours, theirs = (tasks(*side, dataset)["inference"] for side in (("tuned", model), ("plain", "gae")))
        ours(), theirs()
        value, times = ratio(ours, theirs, 15)
        what = f"time of inference of {model} over that of PyG's GAE on {dataset}"
        figures.append({"what": what, "value": value, "seconds": times} | limit)
    took = median(ours for ours, _ in times)
    return [*figures, {"what": f"seconds of inference of {model} on pubmed", "value": took, "at_most": most_seconds}]


def memory(model: str, dataset: str) -> list[dict[str, Any]]:
    """Our memory over that of the plain implementation."""
    figures = []
    for task in TASKS:
        ours, theirs = (child("peak", whose, model, dataset, task) for whose in ("ours", "plain"))
        what = f"memory of {task} of {model} on {dataset} over that of the plain one"
        if theirs is None:
            what, theirs = f"{what}, which does not fit and counts as {MEMORY_LIMIT >> 30} GiB", MEMORY_LIMIT
        figures.append({"what": what, "value": ours / theirs, "at_most": 0.1, "bytes": [ours, theirs]})
    return figures


def peak(whose: str, model: str, dataset: str, task: str) -> int | None:
    """Bytes that one task takes, None if it does not fit."""
    # Libraries and kernels are loaded before it counts, on so small a graph that nothing else stays.
    small = Graph.from_pairs([(p, (p + k) % 60) for p in range(60) for k in (1, 2, 5)], 60)
    for run in tasks_on(small, whose, model, "usair").values():
        run()
    run = tasks(whose, model, dataset)[task]
    try:
        return extra_bytes(run)
    except (MemoryError, RuntimeError) as error:  # torch's allocator raises the latter
        if "allocate" not in str(error):
            raise
        return None


def extra_bytes(function: Callable[[], object]) -> int:
    """How far the resident size rises above what it is now while the function runs; Linux with glibc."""
    gc.collect()
    # What the C library keeps of freed memory would be used again unseen.
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # forgets the highest size so far
    before = resident_bytes("VmRSS")
    function()
    return resident_bytes("VmHWM") - before


def resident_bytes(field: str) -> int:
    """``VmRSS``: the resident size now. ``VmHWM``: the highest so far."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def plain_alone(model: str, dataset: str, task: str) -> dict[str, float]:
    """Median seconds of one task of a plain implementation, on the clock and of the processor."""
    run = tasks("plain", model, dataset)[task]
    turns, start = turns_for(seconds(run)), time.process_time()
    times = [seconds(run) for _ in range(turns)]
    return {"seconds": median(times), "cpu_seconds": (time.process_time() - start) / turns, "turns": turns}


def plain_table() -> None:
    """Writes seconds and gigabytes of the plain implementations, a line each, as they come."""
    cases = [*CASES, *((f"{model}/csr", dataset) for model, dataset in CASES if model in SECOND_FORM)]
    for model, dataset in cases:
        for task in TASKS:
            row = {"model": model, "dataset": dataset, "task": task}
            used = child("peak", "plain", model, dataset, task)
            fits = {} if used is None else {"gigabytes": used / 1e9} | child("plain", model, dataset, task)
            print(json.dumps(row | {"fits": used is not None} | fits), flush=True)


def stay_within(num_bytes: int) -> None:
    """Makes this process fail to allocate more, and be the one to go should the machine run out of memory."""
    check_memory(num_bytes, "a fair trial of the plain implementations", "end other programs first")
    resource.setrlimit(resource.RLIMIT_DATA, (num_bytes, num_bytes))
    Path("/proc/self/oom_score_adj").write_text("1000")


def child(*arguments: str) -> Any:
    """What this script writes when it is run with these arguments, in a process of its own."""
    command = [sys.executable, __file__, *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def main() -> None:
    """Writes the figures to standard output."""
    match sys.argv[1:]:
        case ["plain"]:
            return plain_table()
        case ["table"]:
            record = json.loads((Path(__file__).parent / "results" / "networks.json").read_text())
            return print(speeds_markdown(record["figures"]))
        case ["plain", model, dataset, task]:
            result: object = plain_alone(model, dataset, task)
        case ["peak", whose, model, dataset, task]:
            stay_within(MEMORY_LIMIT)
            result = peak(whose, model, dataset, task)
        case ["gae", model]:
            result = beside_gae(model)
        case [model, dataset]:
            result = compare(model, dataset)
        case _:
            figures = [figure for case in CASES for figure in child(*case)]
            figures += [f for case in CASES if case[0] in WITH_MEMORY for f in memory(*case)]
            result = figures + [figure for model in BESIDE_GAE for figure in child("gae", model)]
    print(json.dumps(result))
    return None


if __name__ == "__main__":
    main()
