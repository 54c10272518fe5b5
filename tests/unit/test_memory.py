from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
import torch

from graphs import from_networkx
from linkwl import memory
from linkwl.errors import InputError, LinkwlError, MemoryLimitError
from linkwl.graph import Graph
from linkwl.memory import available_memory, check_memory, memory_asked_once, memory_refused, parse_size
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


@pytest.fixture
def unlimited(monkeypatch):
    """A system that reports nothing and limits nothing."""
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "_meminfo", lambda: None)
    monkeypatch.setattr(memory, "_control_groups", lambda: [])
    monkeypatch.setattr(memory, "_process_limits", lambda: [])


@pytest.mark.usefixtures("unlimited")
def test_the_smallest_of_all_limits_counts(monkeypatch):
    for system, groups, process, expected in [
        (10, [4], [], 4),
        (4, [10], [20], 4),
        (None, [7, None, 3], [5], 3),
        (7, [None], [], 7),
        (10, [-3], [], 0),
        (0, [], [], 0),
        (9, [8], [2], 2),
    ]:
        monkeypatch.setattr(memory, "_meminfo", lambda amount=system: amount)
        monkeypatch.setattr(memory, "_control_groups", lambda amounts=groups: amounts)
        monkeypatch.setattr(memory, "_process_limits", lambda amounts=process: amounts)
        assert available_memory() == expected


@pytest.mark.usefixtures("unlimited")
def test_elsewhere_it_is_all_memory_or_unknown(monkeypatch):
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


def left_in(folder):
    return memory._left_in(folder, "memory.max", "memory.current", "inactive_file")


def test_a_container_leaves_its_limit_less_what_is_in_use(tmp_path):
    assert left_in(write_container(tmp_path)) == 1_000_000 - 400_000 + 30_000
    assert left_in(write_container(tmp_path, stat="anon 5\n")) == 600_000
    assert left_in(write_container(tmp_path, stat="")) == 600_000


@pytest.mark.parametrize("files", [{"limit": "max\n"}, {"limit": None}, {"used": None}, {"used": "?"}, {"limit": "?"}])
def test_a_container_without_a_limit_says_nothing(tmp_path, files):
    assert left_in(write_container(tmp_path, **files)) is None


def groups_left(own, root):
    return {amount for amount in memory._control_groups(own, root) if amount is not None}


def test_all_slices_around_this_process_count(tmp_path):
    own, root = tmp_path / "cgroup", tmp_path / "root"
    inner = root / "user.slice" / "job.scope"
    inner.mkdir(parents=True)
    own.write_text("0::/user.slice/job.scope\n")
    assert groups_left(own, root) == set()
    write_container(root / "user.slice", limit="900000\n", stat="")
    assert groups_left(own, root) == {500_000}
    write_container(inner, limit="max\n", stat="")
    assert groups_left(own, root) == {500_000}
    write_container(inner, limit="450000\n", stat="")
    assert groups_left(own, root) == {500_000, 50_000}
    (root / "other.slice").mkdir()
    write_container(root / "other.slice", limit="400001\n", stat="")
    assert 1 not in groups_left(own, root)


def test_a_container_that_sees_its_group_as_the_root(tmp_path):
    own = tmp_path / "cgroup"
    write_container(tmp_path, stat="")
    for text in ("0::/docker/of/the/host\n", "0::/\n", ""):
        own.write_text(text)
        assert groups_left(own, tmp_path) == {600_000}
    assert groups_left(tmp_path / "nowhere", tmp_path) == {600_000}


def test_control_groups_of_version_1(tmp_path):
    own, root = tmp_path / "cgroup", tmp_path / "root"
    own.write_text("9:name=systemd:/\n4:cpu,memory:/jobs/7\n0::/\n")
    job = root / "memory" / "jobs" / "7"
    job.mkdir(parents=True)
    for folder, limit in ((job, 700_000), (root / "memory", 9223372036854771712)):
        (folder / "memory.limit_in_bytes").write_text(f"{limit}\n")
        (folder / "memory.usage_in_bytes").write_text("100000\n")
        (folder / "memory.stat").write_text("cache 1\ntotal_inactive_file 20000\n")
    assert min(groups_left(own, root)) == 620_000


def run_python(code, **environment):
    """What a fresh process prints."""
    command = [sys.executable, "-c", f"from linkwl.memory import *; {code}"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says how much of a limit is in use")
@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_ulimit_is_seen(kind):
    limit = f"import resource; resource.setrlimit(resource.{kind}, (3 * 10**9, -1))"
    left = int(run_python(f"{limit}; print(available_memory())"))
    assert 0 < left < 3 * 10**9


def test_the_own_limit_is_seen_and_inherited():
    left = int(run_python("print(available_memory())", LINKWL_MAX_MEMORY="2GB"))
    assert left < 2e9
    code = "limit_memory('1.5 GB'); import os; print(os.environ[VARIABLE], available_memory() < 1.5e9)"
    assert run_python(code) == "1500000000 True"
    assert run_python("limit_memory(5_000_000_000); limit_memory(None); import os; print(VARIABLE in os.environ)") == (
        "False"
    )


@pytest.mark.parametrize(
    ("text", "size"),
    [("4GB", 4e9), ("512 mb", 512e6), ("1.5G", 1.5e9), ("2GiB", 2**31), ("100000", 1e5), ("7kB", 7e3), ("1t", 1e12)],
)
def test_amounts_of_memory(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "GB", "-4GB", "0", "four", "4 GB free", "1e9", "9" * 400, "99999999TB", "nan"])
def test_texts_that_are_no_amounts(text):
    with pytest.raises(InputError, match="is not an amount of memory; write it like 4GB"):
        parse_size(text)


def allocate_numpy():
    np.empty(1 << 60, np.uint8)


def allocate_arrow():
    pa.allocate_buffer(1 << 60)


def allocate_torch():
    torch.empty(1 << 60, dtype=torch.uint8)


@pytest.mark.parametrize("allocate", [allocate_numpy, allocate_arrow, allocate_torch])
def test_allocation_errors_of_all_libraries_become_one(allocate):
    says = r"^the work takes more memory than is free; wait\.$"
    with pytest.raises(MemoryLimitError, match=says), memory_refused("the work", "wait"):
        allocate()


@pytest.mark.parametrize("error", [RuntimeError("shapes differ"), ValueError("out of memory"), OSError(2, "missing")])
def test_other_errors_stay_as_they_are(error):
    with pytest.raises(type(error)) as caught, memory_refused("the work", "wait"):
        raise error
    assert caught.value is error


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


def test_within_a_block_the_system_is_asked_once(monkeypatch):
    asked = []
    monkeypatch.setattr(memory, "_meminfo", lambda: asked.append(1) or 10**15 - len(asked))
    with memory_asked_once():
        first = available_memory()
        with memory_asked_once():
            check_memory(1.0, "a graph", "use a smaller one")
        assert available_memory() == first
    assert len(asked) == 1
    available_memory()
    assert len(asked) == 2


def test_an_error_ends_such_a_block(monkeypatch):
    asked = []
    monkeypatch.setattr(memory, "_meminfo", lambda: asked.append(1) or 10**15)
    with pytest.raises(ValueError, match="work"), memory_asked_once():
        raise ValueError("work")
    available_memory()
    assert len(asked) == 2
