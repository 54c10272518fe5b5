from __future__ import annotations

import numpy as np
import pyarrow.parquet as pq
import pytest

import linkwl
from linkwl import InputError, LinkPredictor
from linkwl.engine import ProcessEngine
from linkwl.predict.dataset_out import RECORD
from linkwl.predict.question import Question
from linkwl.predict.second_values import FirstValues, left_out

PRIORITIES = ("required", "standard", "optional")


def packages(num=60):
    """Every package has one priority, and all but the last have one homepage, which belongs to it alone."""
    facts = [(f"p{k}", "priority", PRIORITIES[k % 3]) for k in range(num - 1)]
    facts += [(f"p{k}", "homepage", f"page {k}") for k in range(num - 2)]
    facts += [(f"p{k}", "needs", f"p{(k * step + 1) % num}") for k in range(num) for step in (3, 7, 11)]
    return linkwl.load_graph(facts, name="packages")


@pytest.fixture(scope="module")
def predictor():
    return LinkPredictor("floor").fit(packages())


def names(ranking):
    return [tuple(row)[:3] for row in ranking]


def test_second_values_are_left_out_and_counted(predictor):
    graph = predictor.graph_
    everything = predictor.recommend(10**6, second_values="keep")
    shown = predictor.recommend(10**6)
    is_second = everything.functional.is_second
    assert 0 < is_second.sum() == shown.functional.num_left_out == shown.search.num_left_out
    assert names(shown) == [row for row, second in zip(names(everything), is_second, strict=True) if not second]
    assert not shown.functional.is_second.any()
    assert everything.functional.num_left_out == 0
    known = {(h, r) for h, r, _ in graph.triples.tolist()}, {(t, r) for _, r, t in graph.triples.tolist()}
    for (h, r, t), second in zip(everything.queries.tolist(), is_second.tolist(), strict=True):
        relation = str(graph.relations[r])
        has_tail = relation in ("priority", "homepage") and (h, r) in known[0]
        has_head = relation == "homepage" and (t, r) in known[1]
        assert second == (has_tail or has_head)


def test_engines_and_parts_make_no_difference(predictor):
    inline = predictor.recommend(40, candidates="roles")
    parallel = predictor.recommend(40, candidates="roles", engine=ProcessEngine(2))
    assert names(inline) == names(parallel)
    assert inline.functional.num_left_out == parallel.functional.num_left_out > 0


def test_a_question_for_second_values_is_answered_and_marked(predictor):
    asked = predictor.recommend(5, head="p0", relation="priority")
    assert len(asked) == 5
    assert asked.functional.is_second.all()
    assert "5 triples would be second values, and wrong if the data are right" in repr(asked)
    assert "each head has one tail under" in asked._repr_html_()
    assert "2 triples would be" in repr(asked[:2])
    assert len(predictor.recommend(5, head="p0", relation="priority", second_values="drop")) == 0


def test_an_end_without_a_value_gets_values_that_are_free(predictor):
    found = predictor.recommend(10**6, head="p59", relation="homepage")
    assert len(found) > 0
    pages = {f"page {k}" for k in range(58)}
    assert not {tail for _, _, tail in names(found)} & pages
    assert found.functional.num_left_out == len(pages)
    assert "58 triples that would be second values were left out: in the data each head" in repr(found)


def test_given_facts_are_no_second_values(predictor):
    found = predictor.rank([("p0", "priority", "required"), ("p0", "priority", "optional")])
    assert found.functional.is_second.tolist() == [False, True]


def test_written_scores_leave_them_out(predictor, tmp_path):
    kept = predictor.write_scores(tmp_path / "all", min_score=-1e9, second_values="keep")
    written = predictor.write_scores(tmp_path / "first", min_score=-1e9)
    assert written.num_left_out > 0
    assert written.num_scored == kept.num_scored - written.num_left_out
    rows = pq.read_table(tmp_path / "first").select(["head", "relation"]).to_pylist()
    assert {"head": "p0", "relation": "priority"} not in rows
    assert f'"left out": {written.num_left_out}' in (tmp_path / "first" / RECORD).read_text()


def test_pairs_have_no_second_values():
    graph = linkwl.load_dataset("airports")
    assert left_out("auto", graph, Question()) is None
    assert LinkPredictor("ra").fit(graph).recommend(1).functional is None
    with pytest.raises(InputError, match="is a graph of pairs, and second values are facts"):
        left_out("drop", graph, Question())


def test_unknown_choices(predictor):
    with pytest.raises(InputError, match="unknown choice of second values 'some'; known are auto, drop, keep"):
        predictor.recommend(1, second_values="some")


def test_limits_of_candidates_are_kept(predictor):
    graph = predictor.graph_
    chosen = Question().candidates(graph, "hops:2", most=50)
    first = FirstValues(chosen, graph.functional)
    assert (first.most, first.total, first.step, first.num_queries) == (50, chosen.total, chosen.step, None)
    scorer = predictor.model_.prepare(graph)
    for part in first.parts()[:2]:
        for whole, some in zip(chosen.scored(scorer, part), first.scored(scorer, part), strict=True):
            is_left = some.scores > -np.inf
            np.testing.assert_array_equal(some.scores[is_left], whole.scores[is_left])
            assert some.num_left_out == (whole.scores > -np.inf).sum() - is_left.sum()
