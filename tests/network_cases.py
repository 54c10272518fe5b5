"""The networks in all their forms, with weights that nobody trained."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch

from linkwl.graph import Graph
from linkwl.models import MODELS, create_model
from linkwl.models.gradient import GradientModel
from linkwl.models.registry import model_ids
from linkwl.sparse.trees import Trees

NETWORKS = model_ids("network")

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, {}) for name in NETWORKS},
    "2wl, perceptron": ("2wl", {"pairs": {"branch": "perceptron", "branch_layers": 2}}),
    "local-2wl, no norm": ("local-2wl", {"pairs": {"norm": "none", "rounds": 3}, "encoder": {"norm": "none"}}),
    "2fwl, perceptron": ("2fwl", {"pairs": {"branch": "perceptron", "rounds": 2}}),
    "2fwl, columns": ("2fwl", {"pairs": {"branch": "perceptron", "rounds": 2, "norm": "column"}}),
    "local-2fwl, published": (
        "local-2fwl",
        {
            "pairs": {"rounds": 2, "normalise": False, "factor": "relu", "bias": True, "read": "last"},
            "readout": {"kind": "linear", "nodes": "last"},
        },
    ),
    "local-2fwl, either": ("local-2fwl", {"pairs": {"neighbourhood": "either"}, "encoder": {"norm": "layer"}}),
    "sage": ("local-2wl", {"encoder": {"conv": "sage"}, "readout": {"nodes": "none"}}),
    "appnp": ("local-2fwl", {"encoder": {"conv": "appnp", "layers": 3}, "readout": {"kind": "sum"}}),
    "no layers": ("2wl", {"encoder": {"layers": 0}}),
    "walk-2fwl": ("walk-2fwl", {}),
    "walk-2fwl, gates": ("walk-2fwl", {"gates": "on", "position": "off", "trees": "off"}),
    "walk-2fwl, walks alone": ("walk-2fwl", {"position": "off", "trees": "off", "steps": 3}),
    "walk-2fwl, trees": ("walk-2fwl", {"trees": "on"}),
    "walk-2fwl, one perceptron": ("walk-2fwl", {"readout": {"members": 1}, "steps": 2}),
}
"""Settings under which other code runs, by a name."""

DIRECTED = [name for name, (model, _) in VARIANTS.items() if MODELS[model].needs.directed]
"""Those that know directions."""
KINDS = [(name, False) for name in VARIANTS] + [(name, True) for name in DIRECTED]
"""Every variant, on undirected and if it can be on directed graphs."""


def started(variant: str, graph: Graph, seed: int = 0, **more: Any) -> GradientModel:
    """The model in float64, no weight of it zero or one, so that what is left is not noise."""
    name, settings = VARIANTS[variant]
    model = create_model(name, **settings, **more)
    model.start(graph, seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in model.trained.double().parameters():
            weight += 0.3 * torch.randn(weight.shape, dtype=torch.float64, generator=generator)
    if settings.get("trees") == "on":
        plant_stumps(model, graph, seed)
    return model


def plant_stumps(model: Any, graph: Graph, seed: int = 0, count: int = 60) -> None:
    """Trees with one split each, at values that some pairs have."""
    generator = np.random.default_rng(seed)
    numbers = model._read_rows(graph, some_pairs(graph)).numbers
    feature = generator.integers(numbers.shape[1], size=count).astype(np.int32)
    threshold = numbers[generator.integers(len(numbers), size=count), feature].astype(np.float64)
    leaves = ~np.arange(2 * count, dtype=np.int32).reshape(count, 2)
    trees = Trees(np.arange(count, dtype=np.int32), feature, threshold, leaves, generator.normal(size=2 * count))
    trees.check(numbers.shape[1])
    model.shape = model.shape | model.trained.plant(trees)


def random_graph(num_nodes: int = 40, num_rows: int = 80, *, is_directed: bool = False, seed: int = 0) -> Graph:
    """Hubs, leaves, a second component and, at the end, isolated nodes."""
    generator = np.random.default_rng(seed)
    ends = generator.integers(0, num_nodes - 8, (num_rows, 2, 2)).min(axis=2)
    other = np.array([(0, 1), (1, 2), (2, 0), (2, 3)]) + num_nodes - 8
    return Graph.from_pairs(np.concatenate([ends, other]), num_nodes, is_directed=is_directed)


def some_pairs(graph: Graph, count: int = 40, seed: int = 1) -> np.ndarray:
    """Edges, other pairs, isolated nodes and (v, v); some pairs twice and either way round."""
    n = graph.num_nodes
    sampled = np.random.default_rng(seed).integers(0, n, (count, 2))
    return np.concatenate(
        [sampled, graph.edges[:10], sampled[:3], sampled[:3, ::-1], [(0, 0), (n - 1, 0), (n - 1, n - 2)]]
    )


def featured_graph(graph: Graph, kind: str) -> Graph:
    """The graph with six features per node, half of them zero, as a dense or a sparse array."""
    generator = np.random.default_rng(0)
    table = generator.normal(size=(graph.num_nodes, 6)) * (generator.random((graph.num_nodes, 6)) < 0.5)
    return graph.with_features(sp.csr_array(table) if kind == "sparse" else table)
