import networkx as nx

from linkwl import LinkPredictor
from linkwl.predict import predictor as module


def test_before_fit_it_shows_its_arguments():
    assert "LinkPredictor(model=&#x27;ra&#x27;)" in LinkPredictor("ra")._repr_html_()


def test_a_fitted_one_shows_its_results():
    graph = nx.relabel_nodes(nx.les_miserables_graph(), {"Javert": "<Javert>"})
    fitted = LinkPredictor("ra", prior=0.25).fit(graph)
    made = fitted._repr_html_()
    for text in (f"AUC {100 * fitted.record_.test['auc']:.2f} %", "77 nodes", "(ra)", "25.0 %", "on cpu"):
        assert text in made
    assert fitted.choice_ not in made


def test_a_chosen_one_shows_the_choice(monkeypatch):
    monkeypatch.setattr(module, "auto_models", lambda task: ["cn", "ra"])
    fitted = LinkPredictor("auto").fit(nx.les_miserables_graph())
    assert fitted.choice_ in fitted._repr_html_()
