"""The scripts that measure the networks: the graphs they make and what they make of a measurement."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from linkwl import PROTOCOLS, Graph

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")


@pytest.fixture
def networks(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("networks")


@pytest.fixture
def scale(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("scale")


def test_power_law_graph_has_the_size_asked_for_and_a_heavy_tail(scale):
    graph = scale.power_law_graph(2_000, 20_000, np.random.default_rng(0))
    assert (graph.num_edges, graph.num_nodes) == (20_000, 2_000)
    assert graph.degree.max() > 10 * graph.degree.mean()
    assert np.median(graph.degree) < graph.degree.mean()


def test_power_law_graph_is_seeded(scale):
    one, again, other = (scale.power_law_graph(500, 5_000, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one.digest == again.digest != other.digest


def test_exponent_of_a_power(scale):
    assert scale.exponent((10, 100, 1000), [3 * n**1.5 for n in (10, 100, 1000)]) == pytest.approx(1.5)


def results() -> dict[str, dict[int, dict[str, object]]]:
    def result(size: int, factor: float) -> dict[str, object]:
        return {"positives": 5, "first": 1.0, "seconds": [factor * size] * 3, "gigabytes": size / 1e6}

    sizes = (10**5, 10**6, 10**7)
    return {name: {size: result(size, k) for size in sizes} for k, name in ((1e-6, "local-2wl"), (2e-6, "local-2fwl"))}


def test_figures_tell_linear_time_and_memory(scale):
    figures = scale.figures_of(results())
    slopes = [figure for figure in figures if "exponent" in figure["what"]]
    assert [figure["value"] for figure in slopes] == pytest.approx([1, 1])
    peaks = [figure["value"] for figure in figures if "gigabytes at the peak" in figure["what"]]
    assert peaks == pytest.approx([0.1, 1, 10] * 2)


def test_picture_is_drawn(scale, tmp_path):
    scale.draw(results(), tmp_path / "scale.png")
    assert (tmp_path / "scale.png").read_bytes().startswith(b"\x89PNG")


def test_batch_has_the_published_size(networks):
    graph = Graph.from_pairs(np.argwhere(np.triu(np.ones((40, 40)), 1))[::3], 40)
    split = PROTOCOLS["paper"].apply(graph, 0)
    positives, negatives = networks.batch_of(graph, split)
    assert len(positives) == len(negatives) == 2 * int(0.05 * graph.num_edges)
    assert graph.has_edges(positives).all()
    assert not graph.has_edges(negatives).any()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the process's sizes from Linux")
def test_memory_is_what_a_call_adds():
    script = """
import numpy as np
from networks import extra_bytes
np.ones(20_000_000).sum()  # an earlier peak does not count
blocks = [bytearray(100_000) for _ in range(1000)]
del blocks  # nor does freed memory that could be taken again
print(extra_bytes(lambda: [bytearray(100_000) for _ in range(1000)]))
"""
    # In a process of its own: between the blocks that other tests have left there is room that nothing can see.
    output = subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.PIPE, cwd=BENCHMARKS).stdout
    assert 95e6 < int(output) < 130e6


def test_every_case_has_a_plain_implementation(networks):
    plain = {
        "local-2wl": networks.second_order_graph.SETTINGS,
        "local-2fwl": networks.channel_products.SETTINGS,
        "2wl": networks.dense_pairs.TWO_WL,
        "2fwl": networks.dense_pairs.TWO_FWL,
    }
    assert all(dataset in plain[model] for model, dataset in networks.CASES)


def test_speeds_as_a_table(networks):
    figures = [
        {"what": "", "value": 31.6, "form": "local-2wl", "dataset": "pb", "task": "training step"},
        {"what": "", "value": 4.25, "form": "local-2wl/csr", "dataset": "ns", "task": "inference"},
        {"what": "seconds of something else", "value": 1.0},
    ]
    assert networks.speeds_markdown(figures).splitlines() == [
        "| times faster | pb | ns |",
        "|---|--:|--:|",
        "| local-2wl, training step | 32 |  |",
        "| local-2wl, inference |  |  |",
        "| local-2wl, training step, against compressed rows |  |  |",
        "| local-2wl, inference, against compressed rows |  | 4.2 |",
    ]
