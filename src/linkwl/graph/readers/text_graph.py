"""The graph of a text file: edges, or triples if its columns say so."""

from __future__ import annotations

from pathlib import Path

from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.edge_list import pair_columns
from linkwl.graph.readers.table_text import EXPECTED_TRIPLES, open_table_text
from linkwl.graph.readers.triple_list import looks_like_triples, triple_table
from linkwl.graph.readers.triple_places import find_triple
from linkwl.graph.triple_columns import ANY_COLUMNS, TripleColumns
from linkwl.graph.value_columns import NOTHING, ValueColumns


def read_text_graph(
    path: Path,
    *,
    name: str,
    directed: bool | None = None,
    values: ValueColumns = NOTHING,
    triples: TripleColumns = ANY_COLUMNS,
) -> Graph | KnowledgeGraph:
    """The graph of a text file: triples if they are requested or recognised, else edges."""
    requested = [*values.names().values(), *triples.names.values()]
    expected = EXPECTED_TRIPLES if triples.are_requested else "two node ids per line"
    text = open_table_text(path, requested, expected=expected)
    places = find_triple(triples, values, text.dialect.header, text.dialect.num_columns, path)
    if places is not None:
        return triple_table(text, places).to_graph(path, name=name)
    if not triples.are_refused and not values.names() and looks_like_triples(text):
        return triple_table(text, (0, 1, 2), is_guess=True).to_graph(path, name=name)
    return pair_columns(text, values, triples).to_graph(path, name=name, directed=directed)
