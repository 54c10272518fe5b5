"""The knowledge graph that is part of the package: countries and facts about them; it needs no network access."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

import pyarrow as pa

from linkwl.graph import EntityTypes, KnowledgeGraph, NodeIds


@dataclass(frozen=True)
class Country:
    """The location of a country or territory on a map: that of its capital."""

    name: str
    """The country or territory, a node of the graph."""
    capital: str
    """Its capital, a node of the graph; empty if the graph has none."""
    latitude: float
    """Degrees north."""
    longitude: float
    """Degrees east."""


def load_world() -> KnowledgeGraph:
    """Countries and territories in 2026: borders, capitals, currencies, languages, organisations, festivals, ...

    Example:
        >>> graph = load_world()
        >>> graph
        KnowledgeGraph('world', 979 nodes, 12 relations, 4035 triples, 11 types)
        >>> list(graph.relations)[:4]
        ['borders', 'capital', 'classified as', 'currency']
    """
    facts = [(row["head"], row["relation"], row["tail"]) for row in _rows("world.tsv", "\t")]
    heads, relations, tails = zip(*facts, strict=True)
    ids = NodeIds(pa.array(sorted({*heads, *tails})))
    names = NodeIds(pa.array(sorted(set(relations))), kind="relation")
    columns = ids.indices(heads), names.indices(relations), ids.indices(tails)
    type_of = type_table()
    types = NodeIds(pa.array(sorted(set(type_of.values()))))
    graph = KnowledgeGraph.from_triples(
        list(zip(*columns, strict=True)),
        len(ids),
        len(names),
        ids=ids,
        relations=names,
        name="world",
        form="embedded table",
    )
    of_nodes = types.indices([type_of[str(name)] for name in ids])
    return graph.with_types(EntityTypes.from_pairs(list(range(len(ids))), of_nodes, len(ids), types))


def place_table() -> dict[str, Country]:
    """Capital and location of each country and territory, by its name.

    Example:
        >>> place_table()["France"].capital
        'Paris'
    """
    return {
        row["name"]: Country(row["name"], row["capital"], float(row["latitude"]), float(row["longitude"]))
        for row in _rows("world_places.csv", ",")
    }


def type_table() -> dict[str, str]:
    """The type of each node, by its name: country, territory, city, language, currency, region, organisation, ...

    Example:
        >>> type_table()["Paris"]
        'city'
    """
    return {row["entity"]: row["type"] for row in _rows("world_types.tsv", "\t")}


def _rows(table: str, delimiter: str) -> Iterator[dict[str, str]]:
    text = (files("linkwl.datasets") / "embedded" / table).read_text(encoding="utf-8")
    return csv.DictReader(text.splitlines(), delimiter=delimiter)
