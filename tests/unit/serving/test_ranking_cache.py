from __future__ import annotations

import numpy as np
import pyarrow.parquet as pq
import pytest

from linkwl.graph import Graph
from linkwl.serving import ranking_cache
from linkwl.serving.digest import model_digest
from linkwl.serving.ranking_cache import choose_candidates, load_or_rank
from served import airports, directed, two_sided, world


@pytest.fixture(params=[airports, directed, two_sided, world])
def predictor(request):
    return request.param()


def same(first, second):
    return (
        np.array_equal(first.queries, second.queries)
        and np.array_equal(first.scores, second.scores)
        and first.candidates == second.candidates
        and first.held_out == second.held_out
    )


def refuse(*_, **__):
    raise AssertionError("it was ranked again")


def test_the_second_start_ranks_nothing(predictor, tmp_path, monkeypatch):
    digest = model_digest(predictor)
    first = load_or_rank(predictor, digest, tmp_path / "rankings", k=20)
    monkeypatch.setattr(type(predictor), "recommend", refuse)
    second = load_or_rank(predictor, digest, tmp_path / "rankings", k=20)
    assert same(first, second)
    assert np.array_equal(first.log_odds, second.log_odds)
    assert [path.suffix for path in (tmp_path / "rankings").iterdir()] == [".parquet"]


def test_ranks_are_by_key(predictor):
    top = load_or_rank(predictor, "a", None, k=5)
    assert [top.rank[key] for key in top.keys] == [1, 2, 3, 4, 5]


def damage_bytes(path):
    path.write_bytes(path.read_bytes()[:-30])


def damage_nodes(path):
    table = pq.read_table(path)
    pq.write_table(table.set_column(0, "query_0", [np.full(len(table), 10**6)]), path)


def damage_scores(path):
    table = pq.read_table(path)
    pq.write_table(table.set_column(2, "score", [np.full(len(table), np.nan)]), path)


def damage_links(path):
    table = pq.read_table(path)
    edges = airports().graph_.edges[: len(table)]
    for place in (0, 1):
        table = table.set_column(place, f"query_{place}", [edges[:, place]])
    pq.write_table(table, path)


def damage_words(path):
    pq.write_table(pq.read_table(path).replace_schema_metadata(None), path)


@pytest.mark.parametrize("damage", [damage_bytes, damage_nodes, damage_scores, damage_links, damage_words])
def test_a_damaged_file_is_ranked_again(damage, tmp_path):
    digest = model_digest(airports())
    first = load_or_rank(airports(), digest, tmp_path, k=20)
    (path,) = tmp_path.iterdir()
    damage(path)
    assert same(load_or_rank(airports(), digest, tmp_path, k=20), first)
    assert same(load_or_rank(airports(), digest, tmp_path, k=20), first)


def test_the_ranking_of_another_model_is_not_used(tmp_path):
    load_or_rank(airports(), "a" * 64, tmp_path, k=20)
    (path,) = tmp_path.iterdir()
    path.rename(tmp_path / path.name.replace("a", "b"))
    found = ranking_cache._read(next(tmp_path.iterdir()), "b" * 64, airports().graph_, 20)
    assert found is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    assert len(load_or_rank(airports(), "a", tmp_path / "file", k=20)) == 20


def test_what_is_ranked_is_bounded(monkeypatch):
    pairs, facts = Graph.from_pairs([(0, 1)], 10), world().graph_
    assert choose_candidates(pairs)[:2] == ("all", None)
    assert choose_candidates(facts)[0] == "roles"
    monkeypatch.setattr(ranking_cache, "MOST_PAIRS", 40)
    monkeypatch.setattr(ranking_cache, "MOST_TRIPLES", 40)
    assert choose_candidates(pairs)[0] == "hops:2"
    assert choose_candidates(facts)[:2] == ("hops:2", 40)
    monkeypatch.setattr(ranking_cache, "MOST_TRIPLES", 10**9)
    assert choose_candidates(facts)[:2] == ("all", None)
    assert all(choose_candidates(graph)[2] for graph in (pairs, facts))
