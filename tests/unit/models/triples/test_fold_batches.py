from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl.errors import SplitError
from linkwl.graph import KnowledgeGraph
from linkwl.models.triples.fold_batches import FoldBatches, FoldConfig, cached_bytes
from triple_graphs import random_triples, relatives

CONFIG = FoldConfig(folds=3, relations=2, corruptions=4, uniform_relations=2)


def stream(graph=None, config=CONFIG, *, seed=0, avoided=None, per_round=2):
    graph = relatives(10) if graph is None else graph
    reserved = graph if avoided is None else avoided
    return FoldBatches(graph, graph.triples, reserved, config, 40, per_round, seed)


def same(one, other):
    return all(
        torch.equal(getattr(one, name), getattr(other, name))
        for name in ("queries", "place", "relation", "relations", "uniform", "corruptions")
    )


def test_hidden_facts_leave_no_trace_in_the_statistics():
    batches = stream()
    for data in batches._data:
        facts = np.stack([data.facts.pairs[:, 0], data.facts.relations[:, 0], data.facts.pairs[:, 1]], axis=1)
        assert not data.reading.graph.contains(facts).any()
    assert sum(len(data.facts.pairs) for data in batches._data) == relatives(10).num_facts


def test_negatives_that_must_be_avoided_take_no_part():
    graph = random_triples(12, 3, 60)
    avoided = graph.with_(random_triples(12, 3, 100, seed=1).triples)
    batches = stream(graph, avoided=avoided)
    num_left_out = 0
    for data in batches._data:
        for group in (data.uniform, data.corrupted):
            rows = np.repeat(group.pairs, group.relations.shape[1], axis=0)
            triples = np.stack([rows[:, 0], group.relations.reshape(-1), rows[:, 1]], axis=1)
            is_used = group.is_used.reshape(-1)
            assert not avoided.contains(triples[is_used]).any()
            num_left_out += np.count_nonzero(~is_used)
    assert num_left_out


def loops_by_relation(batches):
    """The relations of the loops that take part, and of those that do not."""
    found = [set(), set()]
    for data in batches._data:
        for group in (data.uniform, data.corrupted):
            is_loop = group.pairs[:, 0] == group.pairs[:, 1]
            for k, is_wanted in enumerate((group.is_used, ~group.is_used)):
                found[k] |= set(group.relations[is_loop][is_wanted[is_loop]].tolist())
    return found


def test_loops_are_negatives_of_relations_that_have_loops():
    graph = relatives(10)
    used, left_out = loops_by_relation(stream(graph))
    assert used == set()
    assert left_out
    knows = np.arange(0, 60, 4)
    loops = np.stack([knows, np.full(15, 4), knows], axis=1)
    with_loops = KnowledgeGraph.from_triples(np.concatenate([graph.triples, loops]), 60, 5)
    used, _ = loops_by_relation(stream(with_loops))
    assert used == {4}


def test_corruptions_change_one_end_and_some_have_the_role():
    graph = relatives(30)
    batches = stream(graph, FoldConfig(folds=2, corruptions=8, near_share=1.0, drop=0.0))
    for data in batches._data:
        pairs = data.corrupted.pairs.reshape(-1, 8, 2)
        assert (pairs[:, :4, 0] == data.facts.pairs[:, None, 0]).all()  # other tails
        assert (pairs[:, 4:, 1] == data.facts.pairs[:, None, 1]).all()  # other heads
        relation = data.facts.relations[:, 0]
        tails = {(r, t) for _, r, t in data.reading.graph.triples.tolist()}
        assert all((r, t) in tails for r, row in zip(relation, pairs[:, :4, 1], strict=True) for t in row)


def test_the_layout_of_a_batch():
    batch = next(stream())
    num_facts, num_others = batch.relations.shape
    assert num_others == 2  # a sample of the three others
    sizes = [num_facts * 3, num_facts * 2, num_facts * 4]
    assert len(batch.place) == sum(sizes) == len(batch.queries) == len(batch.relation)
    assert batch.uniform.shape == (num_facts, 2)
    assert batch.corruptions.shape == (num_facts, 2, 2)
    assert batch.correction == pytest.approx(np.log(3 / 2))
    assert batch.place[: sizes[0]].tolist() == np.repeat(np.arange(num_facts), 3).tolist()
    assert len(batch.inputs.head) == num_facts * (1 + 1 + 4)


def test_few_relations_are_all_compared():
    batch = next(stream(config=FoldConfig(folds=3)))
    assert batch.relations.shape[1] == 3
    assert batch.correction == 0
    first = batch.relation[: batch.relations.shape[0] * 4].view(-1, 4)
    assert (first.sort(dim=1).values == torch.arange(4)).all()


def test_the_same_seed_gives_the_same_batches_and_another_one_others():
    one, same_seed, other = stream(), stream(), stream(seed=1)
    assert all(same(next(one), next(same_seed)) for _ in range(20))
    assert not same(next(stream()), next(other))


def test_a_restored_stream_goes_on_where_it_was():
    one = stream()
    for _ in range(23):  # beyond the first round
        next(one)
    other = stream()
    other.restore(one.state())
    assert all(same(next(one), next(other)) for _ in range(9))


def test_every_epoch_has_every_fact_once_and_every_round_new_folds():
    batches = stream()
    first = [data.facts.pairs.tolist() for data in batches._data]
    per_epoch = len(batches._order)
    seen = sum(len(next(batches).relations) for _ in range(per_epoch))
    assert seen == relatives(10).num_facts
    next(batches)
    assert [data.facts.pairs.tolist() for data in batches._data] == first
    for _ in range(per_epoch):
        next(batches)
    assert [data.facts.pairs.tolist() for data in batches._data] != first


def test_large_graphs_are_sampled():
    batches = stream(config=CONFIG.model_copy(update={"most_facts": 50}))
    assert sum(len(data.facts.pairs) for data in batches._data) == 50
    assert cached_bytes(CONFIG, 10**9, 4) == cached_bytes(CONFIG, CONFIG.most_facts, 4)


def test_no_corruptions():
    batch = next(stream(config=FoldConfig(folds=2, corruptions=0)))
    assert batch.corruptions.numel() == 0


def test_too_few_facts():
    with pytest.raises(SplitError, match="too few facts"):
        stream(random_triples(3, 1, 1))
