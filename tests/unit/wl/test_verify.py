from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs import SYMMETRIC, atlas, classes, from_networkx, labelled_graphs, path_graph, refines, small_graphs
from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.wl import refine, refine_all, verify
from linkwl.wl.local_two_fwl import FastLocalTwoFWL
from linkwl.wl.one_wl import FastOneWL
from linkwl.wl.two_fwl import FastTwoFWL
from linkwl.wl.two_wl import FastTwoWL
from sampling import sampled

NODE_TESTS, PAIR_TESTS = ["1-wl", "local-2-wl", "2-wl"], ["local-2-fwl", "2-fwl"]
PROVABLE = NODE_TESTS + PAIR_TESTS
P3, C4, C5, C6 = (from_networkx(graph) for graph in (nx.path_graph(3), *map(nx.cycle_graph, (4, 5, 6))))
IRREGULAR = from_networkx(nx.gnm_random_graph(8, 9, seed=3))


def colours_of(colouring):
    """The array that a colouring keeps."""
    return colouring.matrix if hasattr(colouring, "matrix") else colouring.colours


def planted(colouring, colours):
    """The colouring with other colours."""
    key = "matrix" if hasattr(colouring, "matrix") else "colours"
    return replace(colouring, **{key: np.asarray(colours)})


def merged(colouring, first, second):
    colours = colours_of(colouring)
    return planted(colouring, np.where(colours == second, first, colours))


@pytest.mark.parametrize("test", PROVABLE)
@given(case=labelled_graphs())
@settings(deadline=None, max_examples=30)
def test_what_the_fast_engine_finds_is_proved(test, case):
    graph, labels = case
    assert verify(refine(graph, test))
    assert verify(refine(graph, test, labels=labels))


@pytest.mark.parametrize(("test", "name"), sampled(PROVABLE, SYMMETRIC, 8))
def test_what_the_fast_engine_finds_on_symmetric_graphs_is_proved(name, test):
    assert verify(refine(SYMMETRIC[name], test))


@pytest.mark.parametrize("test", PROVABLE)
def test_graphs_refined_together_are_proved_together(test):
    graphs = [P3, path_graph(), C4, C5, C6, IRREGULAR, Graph.from_pairs([], 1), Graph.from_pairs([], 3)]
    assert verify(*refine_all(graphs, test))
    assert verify(*refine_all(atlas(4), test))


@pytest.mark.parametrize("test", PROVABLE)
def test_graphs_of_more_pairs_than_one_thread_takes(test):
    graph = from_networkx(nx.circular_ladder_graph(20))
    found = refine(graph, test)
    assert verify(found)
    colours = colours_of(found)
    # One pair, or one node, late in the array takes another's colour.
    changed = colours.copy()
    changed.reshape(-1)[-2] = colours.max() + 1
    assert not verify(planted(found, changed))


@pytest.mark.parametrize("test", PROVABLE)
@pytest.mark.parametrize("graph", [path_graph(), C6, IRREGULAR, SYMMETRIC["c3 + c5"]])
def test_any_two_classes_merged_are_refused(graph, test):
    found = refine(graph, test)
    colours = colours_of(found)
    numbers = range(int(colours.max()) + 1)
    refused = [not verify(merged(found, a, b)) for b in numbers for a in range(b)]
    assert all(refused)
    assert refused or len(numbers) == 1


@pytest.mark.parametrize("test", PROVABLE)
@pytest.mark.parametrize("graph", [C6, SYMMETRIC["petersen"], SYMMETRIC["cube"]])
def test_one_entry_changed_is_refused(graph, test):
    """These graphs have a symmetry between any two members of a class, so that no member stands alone."""
    found = refine(graph, test)
    colours = colours_of(found)
    for place in (0, 1, colours.size // 2, colours.size - 2):
        for number in range(int(colours.max()) + 2):
            changed = colours.copy()
            changed.reshape(-1)[place] = number
            assert verify(planted(found, changed)) == (number == colours.reshape(-1)[place])


@pytest.mark.parametrize("test", PROVABLE)
def test_a_stable_colouring_that_ignores_labels_is_refused(test):
    found = refine(C6, test)
    assert verify(found)
    assert not verify(replace(found, labels=np.array([0, 1, 0, 1, 0, 1])))
    assert not verify(replace(found, labels=np.array([0, 0, 0, 0, 0, 1])))


@pytest.mark.parametrize("test", PAIR_TESTS)
def test_a_stable_colouring_that_ignores_edges_or_identity_is_refused(test):
    found = refine(C5, test)
    assert not verify(planted(found, np.eye(5, dtype=np.int64)))
    assert not verify(planted(found, np.zeros((5, 5), dtype=np.int64)))
    is_edge = np.array(nx.to_numpy_array(nx.cycle_graph(5)), dtype=np.int64)
    assert not verify(planted(found, is_edge))
    assert verify(planted(found, is_edge + 2 * np.eye(5, dtype=np.int64)))


def test_a_transposed_colouring_is_as_good():
    found = refine(IRREGULAR, "2-fwl")
    assert verify(planted(found, np.ascontiguousarray(found.matrix.T)))


@pytest.mark.parametrize("test", PROVABLE)
def test_names_of_classes_do_not_matter(test):
    found = refine(IRREGULAR, test)
    assert verify(planted(found, 7 * colours_of(found) + 1000))


@pytest.mark.parametrize("test", PROVABLE)
def test_colourings_made_apart_are_not_proved_together(test):
    """The same numbers stand for other things in either path."""
    first, second = refine(P3, test), refine(path_graph(), test)
    assert verify(first)
    assert verify(second)
    assert not verify(first, second)
    assert verify(*refine_all([P3, path_graph()], test))


@pytest.mark.parametrize(("test", "sees_size"), [("1-wl", False), ("local-2-wl", False), ("2-wl", True)])
def test_only_two_wl_asks_for_equal_histograms(test, sees_size):
    """All nodes of a cycle have one colour; so have those of a longer cycle."""
    assert verify(refine(C4, test), refine(C5, test)) == (not sees_size)
    assert verify(*refine_all([C4, C5], test))


@pytest.mark.parametrize(("test", "sees_size"), [("local-2-fwl", False), ("2-fwl", True)])
def test_only_two_fwl_counts_nodes_elsewhere(test, sees_size):
    alone = [refine(Graph.from_pairs([], n), test) for n in (2, 3)]
    assert verify(*alone) == (not sees_size)


@pytest.mark.parametrize("test", PROVABLE)
def test_a_mistake_in_either_of_two_graphs_is_found(test):
    graphs = [IRREGULAR, path_graph()]
    first, second = refine_all(graphs, test)
    for i, own in enumerate((first, second)):
        numbers = np.unique(colours_of(own)).tolist()
        for a, b in zip(numbers, numbers[1:], strict=False):
            wrong = [first, second]
            wrong[i] = merged(own, a, b)
            assert not verify(*wrong)


@pytest.mark.parametrize("test", PROVABLE)
def test_a_class_shared_by_two_graphs_that_should_not_share_it_is_found(test):
    first, second = refine_all([P3, path_graph()], test)
    numbers = np.unique(colours_of(second))
    assert not np.isin(numbers, colours_of(first)).any()
    renamed = np.searchsorted(numbers, colours_of(second))
    assert not verify(first, planted(second, renamed))


def weakened(test, mask):
    """The test with only some bits left of every new word, so that different things get the same."""
    original = test._refined

    def _refined(self, case, words, keys):
        refined = original(self, case, words, keys)
        refined &= np.uint64(mask)
        return refined

    return test, "_refined", _refined


@pytest.mark.parametrize("mask", [1, 3, 15])
@pytest.mark.parametrize(
    ("name", "test"),
    [
        ("1-wl", FastOneWL),
        ("local-2-wl", FastOneWL),
        ("2-wl", FastTwoWL),
        ("local-2-fwl", FastLocalTwoFWL),
        ("2-fwl", FastTwoFWL),
    ],
)
@given(graphs=st.lists(small_graphs(max_nodes=7), min_size=1, max_size=2))
@settings(deadline=None, max_examples=25)
def test_collisions_only_miss_splits_and_are_found_out(name, test, mask, graphs):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*weakened(test, mask))
        weak = refine_all(graphs, name)
    true = refine_all(graphs, name, engine="exact" if name in PAIR_TESTS else "fast")
    found, expected = (np.concatenate([colours_of(own).reshape(-1) for own in own]) for own in (weak, true))
    assert refines(expected, found)
    assert verify(*weak) == (classes(found) == classes(expected))


@pytest.mark.parametrize(
    ("name", "test"),
    [("1-wl", FastOneWL), ("2-wl", FastTwoWL), ("local-2-fwl", FastLocalTwoFWL), ("2-fwl", FastTwoFWL)],
)
def test_words_without_any_bits_are_found_out(monkeypatch, name, test):
    monkeypatch.setattr(*weakened(test, 0))
    for graph in (path_graph(), IRREGULAR):
        assert not verify(refine(graph, name))
    assert verify(refine(Graph.from_pairs([], 1), name))


def test_keys_that_are_no_secret_still_invent_nothing(monkeypatch):
    """All keys zero: words of different rounds are then related, but equal things stay equal."""
    for module in ("words", "pair_words"):
        monkeypatch.setattr(f"linkwl.wl.{module}.round_keys", lambda number: np.zeros(9, dtype=np.uint64))
    for graph in (path_graph(), C6, IRREGULAR, SYMMETRIC["frucht"]):
        for test in PROVABLE:
            weak, true = refine(graph, test), refine(graph, test, engine="exact")
            pairs = np.argwhere(np.ones((graph.num_nodes,) * 2))
            assert refines(true.pairs(pairs), weak.pairs(pairs))


@pytest.mark.parametrize("test", PROVABLE)
@pytest.mark.parametrize("num_nodes", [0, 1, 2])
def test_next_to_nothing_is_proved(test, num_nodes):
    assert verify(refine(Graph.from_pairs([], num_nodes), test))
    assert verify(refine(Graph.from_pairs([], 0), test), refine(Graph.from_pairs([], num_nodes), test))


@pytest.mark.parametrize("test", PROVABLE)
def test_exact_colourings_are_proved_too(test):
    found = refine(IRREGULAR, test, engine="exact")
    assert verify(found)
    assert verify(*refine_all([P3, path_graph(), C4, C5], test, engine="exact"))
    numbers = range(int(colours_of(found).max()) + 1)
    assert not any(verify(merged(found, a, b)) for b in numbers for a in range(b))
    assert not verify(replace(found, labels=np.array([0, 0, 0, 0, 0, 0, 0, 1])))
    assert not verify(refine(P3, test, engine="exact"), refine(path_graph(), test, engine="exact"))


@pytest.mark.parametrize("engine", ["fast", "exact"])
@pytest.mark.parametrize("test", ["1-wl+01", "1-wl+drnl"])
def test_tests_that_label_their_targets_have_no_proof(test, engine):
    with pytest.raises(InputError, match="no proof"):
        verify(refine(P3, test, engine=engine))


def test_colourings_of_two_tests_or_of_none_are_refused():
    with pytest.raises(ValueError, match="one test"):
        verify(refine(P3, "1-wl"), refine(P3, "2-wl"))
    with pytest.raises(InputError):
        verify(refine(P3, "2-wl"), refine(P3, "2-wl", engine="exact"))
    with pytest.raises((TypeError, ValueError)):
        verify()
