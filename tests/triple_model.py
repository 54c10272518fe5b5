"""A model of triples that trains in a moment: one number for each relation and role, from the facts that are seen."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import torch
from torch import nn

from linkwl.graph import KnowledgeGraph
from linkwl.graph.node_ids import NodeIds
from linkwl.models import registry
from linkwl.models.gradient import GradientConfig, GradientModel, TrainingConfig


class ToyTripleConfig(GradientConfig):
    training: TrainingConfig = TrainingConfig(max_steps=30, patience=30, evaluate_every=5, learning_rate=0.1)


class ToyTriple(GradientModel):
    """Logistic regression on how often head and tail have been seen in their roles for the relation."""

    id = "toy-triple"
    title = "Toy of triples"
    reference = "None, 2022."
    task = "triples"
    Config = ToyTripleConfig

    def build_network(self, shape):
        return nn.Linear(3, 1)

    def logits(self, observed, queries):
        heads, tails = (role_counts(observed, column) for column in (0, 2))
        head, relation, tail = queries.T
        joined = observed.links.has_edges(queries[:, [0, 2]])
        columns = [np.log1p(heads[relation, head]), np.log1p(tails[relation, tail]), joined.astype(float)]
        return self.trained(torch.from_numpy(np.stack(columns, axis=1)).to(self.trained.weight))[:, 0]

    def describe(self, observed):
        return "a toy of triples"


def role_counts(graph: KnowledgeGraph, column: int) -> np.ndarray:
    """How often each entity is head, or tail, of each relation."""
    counts = np.zeros((graph.num_relations, graph.num_nodes))
    np.add.at(counts, (graph.triples[:, 1], graph.triples[:, column]), 1)
    return counts


def register(monkeypatch) -> None:
    """Puts the model among the known ones, for one test."""
    row = registry.ModelRow("toy-triple", "Toy of triples", "triple_model:ToyTriple", "network", task="triples")
    monkeypatch.setitem(registry.ROWS, row.id, row)


def family() -> KnowledgeGraph:
    """People of sixty families, and who is parent or sibling of whom."""
    facts, names = [], []
    for k in range(60):
        base = 6 * k
        names += [f"{role} {k}" for role in ("ann", "bob", "cid", "dan", "eve", "fay")]
        parents, children = (base, base + 1), range(base + 2, base + 6)
        facts += [(p, 0, c) for p in parents for c in children]
        facts += [(c, 1, d) for c in children for d in children if c != d]
    place = np.argsort(np.argsort(names))
    triples = np.array([(place[h], r, place[t]) for h, r, t in facts])
    return KnowledgeGraph.from_triples(
        triples,
        len(names),
        2,
        ids=NodeIds(pa.array(sorted(names))),
        relations=NodeIds(pa.array(["parent of", "sibling of"])),
        name="families",
    )
