"""The graph of a text file: edges, triples if its columns say so, or a matrix."""

from __future__ import annotations

from pathlib import Path

from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.edge_list import pair_columns
from linkwl.graph.readers.matrix_market import is_matrix_market, read_matrix_market
from linkwl.graph.readers.networkx_text import has_edge_data, read_edge_data
from linkwl.graph.readers.side_matrix import read_side_matrix
from linkwl.graph.readers.table_text import EXPECTED_TRIPLES, detect_table
from linkwl.graph.readers.text_matrix import read_text_matrix
from linkwl.graph.readers.text_source import read_text
from linkwl.graph.readers.triple_list import looks_like_triples, triple_table
from linkwl.graph.readers.triple_places import find_triple
from linkwl.graph.reading import AS_DECLARED, TEXT, Reading


def read_text_graph(path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """The graph of a text file: triples if they are requested or recognised, else edges."""
    values, triples = reading.values, reading.triples
    content = read_text(path, reading.encoding)
    if is_matrix_market(content):
        return read_matrix_market(path, name=name, reading=reading)
    if has_edge_data(content):
        return read_edge_data(content, path, name=name, reading=reading)
    matrix = read_text_matrix(content, path, name=name, reading=reading)
    if matrix is None:
        matrix = read_side_matrix(content, path, name=name, reading=reading)
    if matrix is not None:
        return matrix
    reading.allow(TEXT, "a text that is no matrix", path)
    requested = [*values.names().values(), *triples.names.values()]
    expected = EXPECTED_TRIPLES if triples.are_requested else "two node ids per line"
    text = detect_table(path, content, reading, requested, expected=expected)
    places = find_triple(triples, values, text.dialect.header, text.dialect.num_columns, path)
    if places is not None:
        return triple_table(text, places, reading).to_graph(path, name=name)
    if not triples.are_refused and not values.names() and looks_like_triples(text):
        return triple_table(text, (0, 1, 2), reading, is_guess=True).to_graph(path, name=name)
    return pair_columns(text, reading).to_graph(path, name=name, reading=reading)
