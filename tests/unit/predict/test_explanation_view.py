import dataclasses
import pickle

import networkx as nx
import pytest

from linkwl import InputError, LinkPredictor
from linkwl.predict import explain_query
from linkwl.predict.explanation_view import _cell
from triple_graphs import relatives


@pytest.fixture(scope="module")
def fitted():
    return LinkPredictor("ra").fit(nx.relabel_nodes(nx.les_miserables_graph(), {"Javert": "<Javert>"}))


def test_it_is_shown_by_name(fitted):
    why = fitted.explain(("<Javert>", "Marius"))
    assert str(why) == repr(why) == why.to_text() == why.to_text(fitted.graph_)
    assert why.to_json() == why.to_json(fitted.graph_)
    made = why._repr_html_()
    assert "&lt;Javert&gt;" in made
    assert "<Javert>" not in made


def test_a_table_has_a_row_for_each_part(fitted):
    why = fitted.explain(("<Javert>", "Marius"))
    frame = why.to_pandas()
    assert len(frame) > 0
    assert frame.map(lambda cell: isinstance(cell, str | float | int | bool)).to_numpy().all()


def test_lists_are_texts():
    assert _cell([["a", "b"], ["a", "c", "b"]]) == "a - b; a - c - b"
    assert _cell([1, 2]) == "1 - 2"
    assert _cell({"text": "a rule", "support": 3}) == "a rule"
    assert _cell({"support": 3}) == "{'support': 3}"
    assert _cell(0.5) == 0.5


def test_without_a_graph_there_are_no_names(fitted):
    bare = explain_query(fitted.model_, fitted.graph_, (0, 1))
    assert repr(bare) == f"PairExplanation(query=(0, 1), score={bare.score:.4g})"
    with pytest.raises(InputError, match="call `named_by` with its graph"):
        bare.to_pandas()
    with pytest.raises(InputError, match="call `named_by` with its graph"):
        bare.to_text()
    assert str(bare.named_by(fitted.graph_)) == bare.to_text(fitted.graph_)


def test_the_graph_is_no_part_of_the_value(fitted):
    bare = explain_query(fitted.model_, fitted.graph_, (0, 1))
    named = explain_query(fitted.model_, fitted.graph_, (0, 1)).named_by(fitted.graph_)
    assert bare == named
    assert "graph" not in {field.name for field in dataclasses.fields(named)}
    assert str(pickle.loads(pickle.dumps(named))) == str(named)


def test_facts_as_well():
    fitted = LinkPredictor("floor").fit(relatives(6))
    why = fitted.explain((0, "married to", 3))
    assert str(why) == why.to_text(fitted.graph_)
    assert "married to" in why._repr_html_()
    why.to_pandas()
