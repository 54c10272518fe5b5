from __future__ import annotations

import networkx as nx
import pytest

from linkwl import InputError, load_graph


@pytest.mark.parametrize("seed", range(4))
def test_what_networkx_writes(tmp_path, seed):
    drawn = nx.gnm_random_graph(9, 14, seed=seed, directed=bool(seed % 2))
    named = nx.relabel_nodes(drawn, {k: f'<"é" & {k}>' for k in drawn})
    nx.write_gml(named, tmp_path / "g.gml")
    graph = load_graph(tmp_path / "g.gml")
    found = {(graph.ids[p], graph.ids[q]) for p, q in graph.edges.tolist()}
    assert graph.is_directed == drawn.is_directed()
    pairs = set if drawn.is_directed() else lambda edges: {frozenset(edge) for edge in edges}
    assert pairs(found) == pairs(named.edges)


def test_lists_and_comments(tmp_path):
    (tmp_path / "g.gml").write_text(
        '# a comment\ngraph [ directed 1 comment "x ] y"\n node [ id 1 graphics [ x 1.5 y -2e3 ] ]\n'
        " node [ id 2 ] edge [ source 2 target 1 ] ]"
    )
    graph = load_graph(tmp_path / "g.gml")
    assert (graph.edges.tolist(), graph.is_directed) == ([[1, 0]], True)
    assert graph.intake.notes == (
        "node attributes `graphics.x`, `graphics.y` not used: they seem to be computed from the links, the hidden ones "
        "included (to use: --node-attributes graphics.x,graphics.y)",
    )
    drawn = load_graph(tmp_path / "g.gml", node_attributes="graphics.x,graphics.y")
    assert drawn.attributes.positions.coordinates[0].tolist() == [1.5, -2000]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("graph [ node [ label 1 ] ]", "a node has no `id`"),
        ("graph [ node [ id 1 ] edge [ source 1 ] ]", "an? edge has no `target`"),
        ("graph [ ] ]", "a bracket closes nothing"),
        ("graph [ 5 ]", "a value has no key"),
        ("creator 5", "found 0 graphs"),
        ('graph [ node [ id 1 label "x ] ]', "this is not GML"),
    ],
)
def test_what_is_refused(tmp_path, content, words):
    (tmp_path / "g.gml").write_text(content)
    with pytest.raises(InputError, match=words):
        load_graph(tmp_path / "g.gml")
