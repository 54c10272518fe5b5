from __future__ import annotations

import networkx as nx

from linkwl import load_graph


def test_what_networkx_writes(tmp_path):
    drawn = nx.les_miserables_graph()
    nx.write_gexf(drawn, tmp_path / "g.gexf")
    graph = load_graph(tmp_path / "g.gexf", weight="weight")
    found = {
        frozenset((graph.ids[p], graph.ids[q])): w
        for (p, q), w in zip(graph.edges.tolist(), graph.edge_weight, strict=True)
    }
    assert found == {frozenset((p, q)): w for p, q, w in drawn.edges(data="weight")}


def test_gephi(tmp_path):
    (tmp_path / "g.gexf").write_text(
        """<?xml version="1.0"?><gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz">
        <graph defaultedgetype="directed"><attributes class="edge"><attribute id="0" title="since" type="integer"/>
        </attributes><nodes><node id="n0" label="Ann"><viz:color r="1"/></node><node id="n1" label="Bob"/></nodes>
        <edges><edge id="0" source="n0" target="n1"><attvalues><attvalue for="0" value="1999"/></attvalues></edge>
        </edges></graph></gexf>"""
    )
    graph = load_graph(tmp_path / "g.gexf", time="since")
    assert (list(graph.ids), graph.edges.tolist(), graph.edge_time.tolist()) == (["Ann", "Bob"], [[0, 1]], [1999])
    assert graph.intake.notes == (
        "nodes named by their labels",
        "time from attribute `since`",
        "ignored node attribute `color`",
    )


def test_undirected_edges_of_a_directed_graph(tmp_path):
    (tmp_path / "g.gexf").write_text(
        '<gexf><graph defaultedgetype="directed"><nodes><node id="a"/><node id="b"/></nodes><edges>'
        '<edge source="a" target="b" type="undirected"/></edges></graph></gexf>'
    )
    assert load_graph(tmp_path / "g.gexf").edges.tolist() == [[0, 1], [1, 0]]
