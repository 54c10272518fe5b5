from __future__ import annotations

import os
import tracemalloc

import networkx as nx
import numpy as np
import pytest

from graphs import from_networkx
from linkwl import memory
from linkwl.errors import LinkwlError, MemoryLimitError
from linkwl.graph import Graph
from linkwl.memory import available_memory, check_memory
from linkwl.wl import partition, refine, refine_all
from linkwl.wl.case import build_cases, split_targets
from linkwl.wl.engine import FAST
from linkwl.wl.exact import EXACT


def peak(run):
    """What numpy took at most, beyond what was there; kernels are compiled before."""
    run()
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_refusal_says_what_how_much_and_what_else():
    with pytest.raises(MemoryLimitError) as caught:
        check_memory(2.04e9, "the table", "take half of it", limit=1e6)
    assert str(caught.value) == "the table takes about 2.0 GB, and 1.0 MB is the limit; take half of it."
    assert isinstance(caught.value, LinkwlError)


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0.0 kB"), (512, "0.5 kB"), (1e6, "1.0 MB"), (1.25e9, "1.2 GB"), (1e12, "1.0 TB"), (3.6e15, "3600.0 TB")],
)
def test_sizes_are_rounded_to_a_unit(size, text):
    with pytest.raises(MemoryLimitError, match=f"takes about {text}, and "):
        check_memory(size, "it", "wait", limit=-1)


def test_what_fits_exactly_is_allowed():
    check_memory(1000, "it", "wait", limit=1000)
    with pytest.raises(MemoryLimitError):
        check_memory(1001, "it", "wait", limit=1000)


def test_the_memory_that_is_free_is_the_limit_otherwise(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 5_000_000)
    check_memory(5_000_000, "it", "wait")
    with pytest.raises(MemoryLimitError, match=r"it takes about 6\.0 MB, and 5\.0 MB is free; wait\."):
        check_memory(6_000_000, "it", "wait")
    check_memory(6_000_000, "it", "wait", limit=7_000_000)


def test_where_the_system_says_nothing_all_is_allowed(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: None)
    check_memory(1e30, "it", "wait")


def test_this_system_has_memory():
    assert available_memory() is None or available_memory() > 1e6


def test_a_container_may_leave_less_than_the_system(monkeypatch):
    for system, container, expected in [(10, 4, 4), (4, 10, 4), (None, 7, 7), (7, None, 7), (10, -3, 0), (0, None, 0)]:
        monkeypatch.setattr(memory, "_meminfo", lambda amount=system: amount)
        monkeypatch.setattr(memory, "_container", lambda amount=container: amount)
        assert available_memory() == expected


def test_elsewhere_it_is_all_memory_or_unknown(monkeypatch):
    monkeypatch.setattr(memory, "_meminfo", lambda: None)
    monkeypatch.setattr(memory, "_container", lambda: None)
    pages = {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__, raising=False)
    assert available_memory() == 4_096_000
    for error in (OSError, ValueError):

        def fail(name, error=error):
            raise error

        monkeypatch.setattr(os, "sysconf", fail, raising=False)
        assert available_memory() is None
    monkeypatch.delattr(os, "sysconf")
    assert available_memory() is None


def test_linux_says_what_can_be_had(tmp_path):
    file = tmp_path / "meminfo"
    assert memory._meminfo(file) is None
    file.write_text("MemTotal:       24000000 kB\nMemFree:        100 kB\nMemAvailable:      2048 kB\nCached: 7 kB\n")
    assert memory._meminfo(file) == 2048 * 1024
    file.write_text("MemTotal:       24000000 kB\nMemFree:        100 kB\n")
    assert memory._meminfo(file) is None


def write_container(folder, limit="1000000\n", used="400000\n", stat="anon 5\ninactive_file 30000\nactive_file 9\n"):
    for name, text in (("memory.max", limit), ("memory.current", used), ("memory.stat", stat)):
        if text is not None:
            (folder / name).write_text(text)
    return folder


def test_a_container_leaves_its_limit_less_what_is_in_use(tmp_path):
    assert memory._container(write_container(tmp_path)) == 1_000_000 - 400_000 + 30_000
    assert memory._container(write_container(tmp_path, stat="anon 5\n")) == 600_000
    assert memory._container(write_container(tmp_path, stat="")) == 600_000


@pytest.mark.parametrize("files", [{"limit": "max\n"}, {"limit": None}, {"used": None}, {"used": "?"}, {"limit": "?"}])
def test_a_container_without_a_limit_says_nothing(tmp_path, files):
    assert memory._container(write_container(tmp_path, **files)) is None


@pytest.mark.parametrize("test", ["2-fwl", "local-2-fwl"])
@pytest.mark.parametrize("kind", ["no edges", "path"])
def test_a_large_graph_is_refused_at_once_and_nothing_is_made(test, kind):
    n = 200_000
    nodes = np.arange(n - 1)
    graph = Graph.from_pairs(np.stack([nodes, nodes + 1], axis=1) if kind == "path" else [], n)

    def run():
        with pytest.raises(MemoryLimitError, match=r"on 200000 nodes takes about 1\.\d TB, and .*; use local-2-"):
            refine(graph, test)

    assert peak(run) < 64 * n


@pytest.mark.parametrize("test", ["1-wl+01", "1-wl+drnl"])
def test_labels_for_all_links_of_a_large_graph_are_refused_and_nothing_is_made(test):
    graph = Graph.from_pairs([], 1500)

    def run():
        with pytest.raises(MemoryLimitError, match=r"linkwl\.wl\.partition"):
            refine(graph, test, memory_limit=1e6)

    assert peak(run) < 2e6


@pytest.mark.parametrize("test", FAST)
def test_the_limit_is_an_option_of_all_runs(test):
    graph = from_networkx(nx.path_graph(30))
    with pytest.raises(MemoryLimitError, match="is the limit"):
        refine(graph, test, memory_limit=100)
    with pytest.raises(MemoryLimitError, match="is the limit"):
        partition(graph, test, [(0, 2)], memory_limit=100)
    assert refine(graph, test, memory_limit=1e9).num_classes == refine(graph, test).num_classes


GRAPHS = [from_networkx(nx.gnm_random_graph(300, 900, seed=seed)) for seed in (1, 2)]
SYMMETRIC = [from_networkx(graph) for graph in (nx.empty_graph(300), nx.complete_graph(300))]


@pytest.mark.parametrize("test", ["2-fwl", "local-2-fwl"])
@pytest.mark.parametrize("num_graphs", [1, 2])
@pytest.mark.parametrize("graphs", [GRAPHS, SYMMETRIC], ids=["all pairs different", "few classes"])
def test_a_run_takes_about_as_much_as_estimated(graphs, test, num_graphs):
    graphs = graphs[:num_graphs]
    estimate = FAST[test].memory(build_cases(graphs, [None] * num_graphs))
    taken = peak(lambda: refine_all(graphs, test))
    assert estimate / 2 < taken < 1.15 * estimate


@pytest.mark.parametrize("test", ["1-wl+01", "1-wl+drnl"])
def test_a_run_for_every_link_takes_about_as_much_as_estimated(test):
    links = np.stack(np.divmod(np.arange(3000), 100), axis=1) + np.array([0, 100])
    [(case, _)] = split_targets(build_cases(GRAPHS[:1], [None])[0], links, "visible")
    estimate = FAST[test].memory([case])
    taken = peak(lambda: partition(GRAPHS[0], test, links, reading="visible"))
    assert estimate / 2 < taken < 1.15 * estimate


@pytest.mark.thorough
@pytest.mark.parametrize("test", EXACT)
@pytest.mark.parametrize("num_edges", [60, 350])
def test_a_run_by_dictionaries_takes_no_more_than_estimated(test, num_edges):
    graph = from_networkx(nx.gnm_random_graph(30, num_edges, seed=1))
    links = [(p, q) for p in range(5) for q in range(5, 20)]
    [(case, _)] = split_targets(build_cases([graph], [None])[0], links, "visible")
    taken = peak(lambda: partition(graph, test, links, reading="visible", engine="exact"))
    assert taken < 1.15 * EXACT[test].memory([case])


@pytest.mark.parametrize("test", ["1-wl", "local-2-wl", "2-wl"])
def test_a_run_on_nodes_takes_about_as_much_as_estimated(test):
    graph = Graph.from_pairs(np.random.default_rng(0).integers(0, 50_000, (100_000, 2)), 50_000)
    estimate = FAST[test].memory(build_cases([graph], [None]))
    taken = peak(lambda: refine(graph, test))
    assert estimate / 4 < taken < 1.15 * estimate
