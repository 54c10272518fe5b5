from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest

from linkwl import InputError, load_graph

WRITERS = {
    "gml": nx.write_gml,
    "gexf": nx.write_gexf,
    "graphml": nx.write_graphml,
    "json": lambda graph, path: path.write_text(json.dumps(nx.node_link_data(graph, edges="links"))),
}


def towns() -> nx.Graph:
    """Five towns with a place, a size, a kind and a truth value; one has gaps."""
    graph = nx.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("a", "c")])
    for k, node in enumerate("abcde"):
        graph.nodes[node].update(lat=50.5 + k, lon=9.25 - k, people=1000.5 * k, kind="xy"[k % 2], port=k < 2)
    del graph.nodes["e"]["people"]
    return graph


@pytest.mark.parametrize("ending", WRITERS)
def test_a_file_is_read_as_the_same_table_would_be(tmp_path, ending):
    drawn = towns()
    WRITERS[ending](drawn, tmp_path / f"g.{ending}")
    rows = [f"{n},{','.join(str(d.get(c, '')) for c in COLUMNS)}" for n, d in drawn.nodes(data=True)]
    (tmp_path / "nodes.csv").write_text("\n".join([f"node,{','.join(COLUMNS)}", *rows]))
    found = load_graph(tmp_path / f"g.{ending}")
    plain = load_graph(tmp_path / f"g.{ending}", features=tmp_path / "nodes.csv")
    np.testing.assert_array_equal(found.features, plain.features)
    assert found.attributes.signature == plain.attributes.signature
    for name, values in plain.attributes.arrays.items():
        np.testing.assert_array_equal(found.attributes.arrays[name], values)
    assert "node attribute `people`: numbers, 1 missing" in found.intake.notes
    assert "node attribute `lat`: place on the map" in found.intake.notes
    assert any(note.startswith("ignored node attributes") for note in plain.intake.notes)


COLUMNS = ("lat", "lon", "people", "kind", "port")


@pytest.mark.parametrize("ending", WRITERS)
def test_which_are_used(tmp_path, ending):
    path = tmp_path / f"g.{ending}"
    WRITERS[ending](towns(), path)
    nothing = load_graph(path, node_attributes="none")
    assert (nothing.features, nothing.attributes) == (None, None)
    assert any("ignored node attributes" in note for note in nothing.intake.notes)
    some = load_graph(path, node_attributes="people, kind")
    assert ([c.name for c in some.attributes.numbers], some.attributes.positions) == (["people"], None)
    assert any(note.startswith("ignored node attributes `lat`, `lon`, `port`") for note in some.intake.notes)
    plane = load_graph(path, coordinates="plane:lat,lon")
    assert plane.attributes.positions.metric == "plane"
    with pytest.raises(InputError, match="no node has a value of the attribute `peeple`; there are: `lat`"):
        load_graph(path, node_attributes="peeple")
    with pytest.raises(InputError, match="give one of them"):
        load_graph(path, node_attributes="kind", features={"a": {"x": 1}})


GEPHI = """<gexf xmlns:viz="http://gexf.net/1.3/viz"><graph><attributes class="node">
<attribute id="0" title="Modularity Class" type="integer"/><attribute id="1" title="age" type="integer"/></attributes>
<nodes>{}</nodes><edges><edge source="0" target="1"/><edge source="1" target="2"/></edges></graph></gexf>"""
NODE = """<node id="{0}"><attvalues><attvalue for="0" value="{0}"/><attvalue for="1" value="4{0}"/></attvalues>
<viz:position x="1{0}" y="2{0}" z="0"/></node>"""


def test_drawings_and_statistics_are_not_used_unless_asked_for(tmp_path):
    path = tmp_path / "g.gexf"
    path.write_text(GEPHI.format("".join(NODE.format(k) for k in range(3))))
    graph = load_graph(path)
    assert (graph.features.tolist(), graph.attributes.positions) == ([[40], [41], [42]], None)
    assert graph.intake.notes[-1] == (
        "node attributes `Modularity Class`, `viz.x`, `viz.y`, `viz.z` not used: they seem to be computed from the "
        'links, the hidden ones included (to use: --node-attributes "Modularity Class,viz.x")'
    )
    asked = load_graph(path, node_attributes="viz.x,viz.y")
    assert asked.attributes.positions.coordinates.tolist() == [[10, 20], [11, 21], [12, 22]]
    assert load_graph(path, node_attributes="all").features.shape == (3, 3)


def with_values(path, **columns):
    graph = nx.path_graph(4)
    for name, values in columns.items():
        nx.set_node_attributes(graph, dict(enumerate(values)), name)
    path.write_text(json.dumps(nx.node_link_data(graph, edges="links")))
    return path


def test_a_bad_attribute_that_nobody_asked_for_is_left_out(tmp_path):
    path = with_values(
        tmp_path / "g.json", age=[1, 2, 3, "old"], size=[1, 2, 3, 4], lat=[99, 1, 1, 1], lon=[1, 2, 3, 4]
    )
    graph = load_graph(path)
    assert [column.name for column in graph.attributes.numbers] == ["size", "lat", "lon"]
    assert "node attribute `age`: ignored, of node 3: `age` is 'old', and most others are numbers" in str(graph.intake)
    assert "coordinates are read as numbers: node 0: 99 is no latitude" in str(graph.intake)
    with pytest.raises(InputError, match="`age` is 'old'"):
        load_graph(path, node_attributes="age")


def test_nothing_that_can_be_compared(tmp_path):
    graph = load_graph(with_values(tmp_path / "g.json", note=["p", "q", "r", "s"], tags=[[1], [2], [3], [4]]))
    assert (graph.features, graph.attributes) == (None, None)
    assert graph.intake.notes[-2:] == (
        "node attribute `note`: ignored, a label (4 different texts)",
        "ignored node attribute `tags`",
    )


def test_lists_have_no_value(tmp_path):
    graph = load_graph(with_values(tmp_path / "g.json", pos=[[0, 1], [0, 2], [3, 4], [5, 6]]), node_attributes="all")
    assert graph.attributes.positions.coordinates.tolist() == [[0, 1], [0, 2], [3, 4], [5, 6]]


def test_options_where_there_are_no_attributes(tmp_path):
    nx.write_gml(nx.path_graph(3), tmp_path / "g.gml")
    with pytest.raises(InputError, match="the attributes of nodes that are used are none of these; there are: none"):
        load_graph(tmp_path / "g.gml", coordinates="plane:a,b")
    (tmp_path / "g.csv").write_text("a,b\nb,c\n")
    with pytest.raises(InputError, match="`node_attributes` are read from GML.*with --features"):
        load_graph(tmp_path / "g.csv", node_attributes="all")
    assert load_graph(tmp_path / "g.csv", node_attributes="none").num_edges == 2


def test_attributes_of_few_nodes(tmp_path):
    """Otherwise a megabyte could ask for a table of ten thousand rows and columns."""
    graph = nx.path_graph(400)
    for node in graph:
        graph.nodes[node][f"own{node}"] = node
    nx.set_node_attributes(graph, {node: node / 2 for node in range(20)}, "some")
    (tmp_path / "g.json").write_text(json.dumps(nx.node_link_data(graph, edges="links")))
    found = load_graph(tmp_path / "g.json")
    assert [column.name for column in found.attributes.numbers] == ["some"]
    assert "400 node attributes, as `own0`, ignored: fewer than 5% of the nodes have it" in found.intake.notes
    asked = load_graph(tmp_path / "g.json", node_attributes="own3")
    assert [column.name for column in asked.attributes.numbers] == ["own3"]
