from __future__ import annotations

from io import BytesIO

import networkx as nx
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import linkwl
from linkwl import InputError, LinkPredictor, UnknownNameError
from linkwl.plots import plot_comparison, plot_curves, plot_pair, plot_reliability
from linkwl.predict import explain_query
from triple_graphs import relatives

QUICK = {"training": {"max_steps": 12}}


@pytest.fixture(scope="module")
def fitted():
    return LinkPredictor("local-2wl", settings=QUICK).fit(nx.les_miserables_graph())


@pytest.fixture(scope="module")
def formula():
    return LinkPredictor("ra").fit(nx.les_miserables_graph())


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def drawings(fitted, formula):
    comparison = linkwl.compare(nx.les_miserables_graph(), "ra,cn", seeds=1)
    return {
        "reliability": lambda ax: plot_reliability(formula, ax=ax),
        "roc": lambda ax: plot_curves(formula, ax=ax),
        "precision": lambda ax: plot_curves(formula, "precision-recall", ax=ax),
        "loss": lambda ax: plot_curves(fitted, "loss", ax=ax),
        "validation": lambda ax: plot_curves(fitted, "validation", ax=ax),
        "pair": lambda ax: plot_pair(formula, ("Javert", "Marius"), ax=ax),
        "explanation": lambda ax: plot_pair(formula.explain(("Javert", "Marius")), ax=ax),
        "comparison": lambda ax: plot_comparison(comparison, ax=ax),
        "method": lambda ax: comparison.plot(ax),
    }


def test_each_draws_on_given_axes_or_on_new_ones(fitted, formula):
    for name, draw in drawings(fitted, formula).items():
        given = Figure().add_subplot()
        assert draw(given) is given, name
        assert given.has_data(), name
        assert plt.get_fignums() == [], name
        made = draw(None)
        assert made.has_data(), name
        assert len(plt.get_fignums()) == 1, name
        made.get_figure().savefig(BytesIO())
        plt.close("all")


def test_the_curve_has_its_area(formula):
    axes = plot_curves(formula)
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    assert f"AUC {100 * formula.record_.test['auc']:.1f} %" in texts


def test_the_names_of_the_pair_are_drawn(formula):
    texts = {text.get_text() for text in plot_pair(formula, ("Javert", "Marius")).texts}
    assert {"Javert", "Marius"} <= texts


def test_facts_are_drawn_with_their_relation():
    predictor = LinkPredictor("floor").fit(relatives(6))
    texts = {text.get_text() for text in plot_pair(predictor, (0, "married to", 3)).texts}
    assert "married to" in texts


def test_what_cannot_be_drawn(formula):
    with pytest.raises(UnknownNameError, match="unknown curve 'rok'; did you mean 'roc'"):
        plot_curves(formula, "rok")
    with pytest.raises(InputError, match="ra is not trained in steps and has no curve of training; draw 'roc'"):
        plot_curves(formula, "loss")
    with pytest.raises(InputError, match="name the pair to draw"):
        plot_pair(formula)
    with pytest.raises(InputError, match="leave out the pair, or give the predictor"):
        plot_pair(formula.explain(("Javert", "Marius")), ("Javert", "Marius"))
    with pytest.raises(InputError, match="call `named_by` with its graph"):
        plot_pair(explain_query(formula.model_, formula.graph_, (0, 1)))
    assert plt.get_fignums() == []
