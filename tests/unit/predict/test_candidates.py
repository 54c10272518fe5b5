import networkx as nx
import numpy as np
import pytest

from linkwl import Graph, InputError, create_model, rank_missing_links
from linkwl.graph.attributes import Attributes
from linkwl.graph.positions import Positions
from linkwl.predict import candidates
from linkwl.predict.candidates import AllPairs, OneNode, Part, SomeNodes, WithinHops
from linkwl.predict.question import Question


def random_graph(num_nodes=60, num_rows=70, seed=0):
    ends = np.random.default_rng(seed).integers(0, num_nodes, (num_rows, 2))
    return Graph.from_pairs(ends, num_nodes)


def listed(chosen):
    found = []
    for part in chosen.parts():
        for pairs in chosen.blocks(part):
            found += pairs.tolist()
        if chosen.most is not None and len(found) >= chosen.most:
            break
    return found


@pytest.mark.parametrize("block", [3, 1 << 18])
@pytest.mark.parametrize("hops", [2, 3, 5, 80])
def test_hops_are_those_of_networkx(hops, block, monkeypatch):
    monkeypatch.setattr(candidates, "BLOCK", block)
    graph = random_graph()
    other = nx.Graph(graph.edges.tolist())
    lengths = dict(nx.all_pairs_shortest_path_length(other, hops))
    expected = [[p, q] for p in range(60) for q in range(p + 1, 60) if 2 <= lengths.get(p, {}).get(q, 0) <= hops]
    assert listed(WithinHops(graph, hops)) == expected
    assert len(expected) > 20


def test_many_pairs_never_come_at_once(monkeypatch):
    """Quiet nodes first, then the leaves of a star, each two edges from all others."""
    monkeypatch.setattr(candidates, "BLOCK", 100)
    found, sizes = candidates.pairs_within, []

    def counted(*arguments, **options):
        pairs, taken = found(*arguments, **options)
        sizes.append(len(pairs))
        return pairs, taken

    monkeypatch.setattr(candidates, "pairs_within", counted)
    quiet = [(2 * k, 2 * k + 1) for k in range(500)]
    graph = Graph.from_pairs([*quiet, *((1000, leaf) for leaf in range(1001, 1061))], 1061)
    assert len(listed(WithinHops(graph, 2))) == 60 * 59 // 2 == sum(sizes)
    assert max(sizes) < 160


def test_some_of_the_near_pairs(monkeypatch):
    monkeypatch.setattr(candidates, "NODES_PER_SAMPLE", 5)
    graph = random_graph()
    everything = {tuple(pair) for pair in listed(WithinHops(graph, 2))}
    some = [tuple(pair) for pair in listed(WithinHops(graph, 2, most=30))]
    assert len(some) == len(set(some))
    assert 30 <= len(some) < len(everything)
    assert set(some) < everything
    assert some == [tuple(pair) for pair in listed(WithinHops(graph, 2, most=30))]
    assert set(some) != {tuple(pair) for pair in listed(WithinHops(graph, 2, most=30, seed=1))}


@pytest.mark.parametrize("block", [5, 1 << 18])
def test_all_pairs_and_pairs_of_one_node(block, monkeypatch):
    monkeypatch.setattr(candidates, "BLOCK", block)
    graph = random_graph()
    everything = [[p, q] for p in range(60) for q in range(60) if p != q and not graph.has_edges([(p, q)])[0]]
    assert listed(AllPairs(graph)) == [pair for pair in everything if pair[0] < pair[1]]
    assert listed(OneNode(graph, 7)) == [pair for pair in everything if pair[0] == 7]


@pytest.mark.parametrize("block", [5, 130, 1 << 18])
@pytest.mark.parametrize("kind", ["undirected", "directed", "two sides"])
def test_pairs_of_some_nodes_are_those_of_each_without_repetition(block, kind, monkeypatch):
    monkeypatch.setattr(candidates, "BLOCK", block)
    rows = np.random.default_rng(0).integers(0, 20, (60, 2))
    part = np.arange(40) % 2 if kind == "two sides" else None
    graph = Graph.from_pairs(2 * rows + [0, 1], 40, is_directed=kind == "directed", part=part)
    nodes = np.array([7, 3, 12, 4])
    seen, expected = set(), []
    for node in nodes.tolist():
        expected += [pair for pair in listed(OneNode(graph, node)) if seen.isdisjoint(pair)]
        seen.add(node)
    assert listed(SomeNodes(graph, nodes)) == expected


@pytest.mark.parametrize("text", ["all", "hops:2", "hops:3"])
def test_parts_cover_the_work(text, monkeypatch):
    monkeypatch.setattr(candidates, "BLOCK", 50)
    monkeypatch.setattr(candidates, "NODES_PER_PART", 7)
    chosen = Question().candidates(random_graph(), text)
    parts = chosen.parts()
    assert len(parts) > 5
    assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
    assert parts[-1].stop == chosen.total


@pytest.mark.parametrize("text", ["", "hops", "hops:", "hops:1", "hops:x", "hops:-2", "hops:2.5", "hops:999", "none"])
def test_unknown_candidates_are_refused(text):
    with pytest.raises(InputError, match="unknown candidates .* use 'all', 'hops:3'"):
        Question().candidates(random_graph(), text)


def test_a_ranking_of_candidates_is_the_ranking_of_all_without_the_others():
    graph = random_graph()
    model = create_model("pa")
    pairs, scores = rank_missing_links(model, graph, 10**6)
    allowed = {tuple(pair) for pair in listed(WithinHops(graph, 2))}
    is_allowed = [tuple(pair) in allowed for pair in pairs.tolist()]
    near, near_scores = rank_missing_links(model, graph, 10**6, candidates=WithinHops(graph, 2))
    np.testing.assert_array_equal(near, pairs[is_allowed])
    np.testing.assert_array_equal(near_scores, scores[is_allowed])


def test_a_graph_where_nothing_is_missing():
    triangle = Graph.from_pairs([(0, 1), (1, 2), (0, 2)], 3)
    for text in ("all", "hops:2"):
        assert (
            len(
                rank_missing_links(create_model("cn"), triangle, 5, candidates=Question().candidates(triangle, text))[0]
            )
            == 0
        )
    assert len(rank_missing_links(create_model("cn"), triangle, 5, candidates=OneNode(triangle, 0))[0]) == 0


@pytest.mark.parametrize("hops", [2, 3, 4])
def test_the_share_of_links_that_would_be_candidates_is_that_of_networkx(hops):
    graph = random_graph(num_rows=200)
    other, count = nx.Graph(graph.edges.tolist()), 0
    for p, q in graph.edges.tolist():
        other.remove_edge(p, q)
        count += q in nx.single_source_shortest_path_length(other, p, hops)
        other.add_edge(p, q)
    assert WithinHops(graph, hops).share_of_links() == count / graph.num_edges
    assert 0 < count < graph.num_edges


@pytest.mark.parametrize("text", ["all", "hops:2", "hops:3"])
def test_candidates_of_a_bipartite_graph_join_its_sides(text):
    ends = np.random.default_rng(1).integers(0, 20, (60, 2))
    graph = Graph.from_pairs(2 * ends + [0, 1], 40, part=np.arange(40) % 2)
    pairs, _ = rank_missing_links(create_model("pa"), graph, 10**4, candidates=Question().candidates(graph, text))
    assert (graph.part[pairs[:, 0]] != graph.part[pairs[:, 1]]).all()
    assert (len(pairs) == 0) == (text == "hops:2")
    if text == "all":
        assert len(pairs) == graph.num_non_edges


def test_the_candidates_of_a_node_are_on_the_other_side():
    graph = Graph.from_pairs([(0, 2), (1, 3)], 5, part=np.array([0, 0, 1, 1, 1]))
    (block,) = OneNode(graph, 0).blocks(Part(0, 2))
    assert block.tolist() == [[0, 3], [0, 4]]


def directed_graph():
    ends = np.random.default_rng(0).integers(0, 60, (70, 2))
    return Graph.from_pairs(np.concatenate([ends, ends[:5, ::-1]]), 60, is_directed=True)


def ordered_non_edges(graph):
    return [[p, q] for p in range(60) for q in range(60) if p != q and not graph.has_edges([(p, q)])[0]]


def test_candidates_of_a_directed_graph_have_a_direction():
    graph = directed_graph()
    everything = ordered_non_edges(graph)
    assert listed(AllPairs(graph)) == everything
    expected = [pair for pair in everything if pair[0] == 7] + [pair for pair in everything if pair[1] == 7]
    assert listed(OneNode(graph, 7)) == expected


@pytest.mark.parametrize("block", [3, 1 << 18])
def test_hops_of_a_directed_graph_go_both_ways(block, monkeypatch):
    monkeypatch.setattr(candidates, "BLOCK", block)
    graph = directed_graph()
    lengths = dict(nx.all_pairs_shortest_path_length(nx.Graph(graph.edges.tolist()), 2))
    expected = [[p, q] for p, q in ordered_non_edges(graph) if q in lengths.get(p, {})]
    found = listed(WithinHops(graph, 2))
    assert sorted(found) == expected
    assert any(graph.has_edges([(q, p)])[0] for p, q in found)


def test_the_share_of_directed_links_that_would_be_candidates():
    graph, count = directed_graph(), 0
    for edge in graph.edges:
        count += [*edge.tolist()] in listed(WithinHops(graph.without(edge[None]), 2))
    assert WithinHops(graph, 2).share_of_links() == count / graph.num_edges


def test_candidates_join_the_two_sides():
    rows = np.array([(u, 5 + (u * k) % 4) for u in range(5) for k in (1, 2)])
    graph = Graph.from_pairs(rows, 9, part=np.repeat([0, 1], [5, 4]))
    missing = [[u, f] for u in range(5) for f in range(5, 9) if not graph.has_edges(np.array([(u, f)]))[0]]
    assert listed(AllPairs(graph)) == missing
    assert listed(OneNode(graph, 1)) == [pair for pair in missing if pair[0] == 1]
    assert listed(OneNode(graph, 7)) == [pair for pair in missing if pair[1] == 7]  # the left node comes first
    assert all(pair in missing for pair in listed(WithinHops(graph, 3)))
    assert listed(WithinHops(graph, 2)) == []


@pytest.mark.parametrize("block", [7, 1 << 18])
def test_close_nodes_are_candidates_besides_those_within_hops(block, monkeypatch):
    monkeypatch.setattr("linkwl.predict.candidates.BLOCK", block)
    generator = np.random.default_rng(0)
    plain = Graph.from_pairs(generator.integers(90, size=(70, 2)), 90)
    places = Positions(generator.normal(size=(90, 2)), "plane")
    graph = plain.with_attributes(Attributes(positions=places))
    pairs = np.array([(p, q) for p in range(90) for q in range(p + 1, 90)])
    is_close = (places.num_listings(pairs) > 0) & ~plain.has_edges(pairs)
    expected = {tuple(pair) for pair in pairs[is_close].tolist()} | {tuple(p) for p in listed(WithinHops(plain, 2))}
    found = [tuple(pair) for pair in listed(WithinHops(graph, 2))]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert WithinHops(graph, 2).share_of_links() > WithinHops(plain, 2).share_of_links()


@pytest.mark.parametrize("block", [7, 1 << 18])
def test_close_nodes_of_a_directed_graph_are_candidates_in_both_orders(block, monkeypatch):
    monkeypatch.setattr(candidates, "BLOCK", block)
    plain = directed_graph()
    places = Positions(np.random.default_rng(0).normal(size=(60, 2)), "plane")
    graph = plain.with_attributes(Attributes(positions=places))
    non_edges = np.array(ordered_non_edges(plain))
    is_close = places.num_listings(non_edges) > 0
    expected = {*map(tuple, non_edges[is_close].tolist()), *map(tuple, listed(WithinHops(plain, 2)))}
    found = [tuple(pair) for pair in listed(WithinHops(graph, 2))]
    assert sorted(found) == sorted(expected)
    is_candidate = places.num_listings(plain.edges) > 0
    assert is_candidate.mean() < WithinHops(graph, 2).share_of_links() < 1


def test_close_nodes_on_the_same_side_are_no_candidates():
    places = Positions(np.random.default_rng(0).normal(size=(40, 2)), "plane")
    ends = np.random.default_rng(1).integers(0, 20, (60, 2))
    plain = Graph.from_pairs(2 * ends + [0, 1], 40, part=np.arange(40) % 2)
    graph = plain.with_attributes(Attributes(positions=places))
    non_edges = plain.non_edges(np.arange(plain.num_non_edges))
    assert sorted(listed(WithinHops(graph, 2))) == non_edges[places.num_listings(non_edges) > 0].tolist()
