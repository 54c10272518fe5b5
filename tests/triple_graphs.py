"""Small graphs of triples, and random ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from linkwl.graph import KnowledgeGraph
from linkwl.graph.node_ids import NodeIds

RELATIONS = ["child of", "married to", "parent of", "sibling of"]


def relatives(num_families: int = 40) -> KnowledgeGraph:
    """Families of two parents and four children: two inverse relations and two symmetric ones."""
    facts = []
    for k in range(num_families):
        base = 6 * k
        parents, children = (base, base + 1), range(base + 2, base + 6)
        facts += [(c, 0, p) for p in parents for c in children]
        facts += [(base, 1, base + 1), (base + 1, 1, base)]
        facts += [(p, 2, c) for p in parents for c in children]
        facts += [(c, 3, d) for c in children for d in children if c != d]
    names = NodeIds(pa.array(RELATIONS), kind="relation")
    return KnowledgeGraph.from_triples(facts, 6 * num_families, 4, relations=names, name="relatives")


def twice_named(num_nodes: int = 60) -> KnowledgeGraph:
    """A ring with two relations that say the same, and a third that says something else."""
    steps = [(v, r, (v + step) % num_nodes) for v in range(num_nodes) for r, step in ((0, 1), (1, 1), (2, 7))]
    return KnowledgeGraph.from_triples(steps, num_nodes, 3, name="twice named")


def named_relatives(num_families: int = 10) -> KnowledgeGraph:
    """The same people with names: family k is p6k and its partner, and their children."""
    graph = relatives(num_families)
    names = sorted(f"p{k}" for k in range(graph.num_nodes))
    place = np.array([names.index(f"p{k}") for k in range(graph.num_nodes)])
    head, relation, tail = graph.triples.T
    return KnowledgeGraph.from_triples(
        np.stack([place[head], relation, place[tail]], axis=1),
        graph.num_nodes,
        graph.num_relations,
        ids=NodeIds(pa.array(names)),
        relations=graph.relations,
        name=graph.name,
    )


def random_triples(
    num_nodes: int, num_relations: int, num_rows: int, seed: int = 0, *, first: int = 0
) -> KnowledgeGraph:
    """Uniform triples, loops among them; the entities are called by numbers, from the first one."""
    generator = np.random.default_rng(seed)
    ids = NodeIds(pa.array(range(first, first + num_nodes), pa.int64())) if first else None
    rows = generator.integers(0, [num_nodes, num_relations, num_nodes], (num_rows, 3))
    return KnowledgeGraph.from_triples(rows, num_nodes, num_relations, ids=ids, name="random")


@st.composite
def small_knowledge_graphs(draw: st.DrawFn) -> KnowledgeGraph:
    """Few entities and relations, with loops, reversed facts and entities of one fact."""
    num_nodes, num_relations = draw(st.integers(4, 30)), draw(st.integers(1, 5))
    num_rows, seed = draw(st.integers(20, 150)), draw(st.integers(0, 99))
    return random_triples(num_nodes, num_relations, num_rows, seed)


def fact_set(facts: np.ndarray) -> set[tuple[int, ...]]:
    """Rows as a set of tuples."""
    return set(map(tuple, np.asarray(facts).tolist()))


def write_triples(path: Path, facts: list[tuple[str, ...]]) -> None:
    """One fact per line, separated by tabs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts))
