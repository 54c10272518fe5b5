"""INDIGO and local 2-WL on triples against plain implementations on the explicit graph of pairs: time of an epoch.

An epoch is one full-batch training step, as published: forward, loss over all labelled lines, backward, Adam. Both
sides get the same lines and the published widths. The plain one holds every adjacency of two pairs that share an
entity, once as a list of edges with `index_add`, once as torch's compressed rows; its features, labels and outputs are
dense, as in the public code.

    python benchmarks/pair_graph.py                     the figures, as JSON
    python benchmarks/pair_graph.py indigo fb237_v1     one case
"""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from measure import ratio, seconds
from torch import Tensor, nn

from linkwl import PROTOCOLS, KnowledgeGraph, create_model, load_dataset
from linkwl.models.bundled import bundled_settings
from linkwl.models.triples.published_lines import PublishedLines, draw_lines
from linkwl.splits import Split
from linkwl.training.determinism import deterministic

# At least so many times faster; where there is no limit the figure is only reported.
CASES: dict[tuple[str, str], float | None] = {
    (model, dataset): 20 if dataset == "fb237_v4" else None
    for dataset in ("wn18rr_v1", "fb237_v1", "fb237_v2", "fb237_v4")
    for model in ("indigo", "local-2wl")
}
FORMS = {"edges": "a list of adjacencies", "rows": "compressed rows"}


class ExplicitPairGraph:
    """Pairs of entities, and every adjacency of two that share one.

    Args:
        pairs: Distinct unordered pairs, the smaller entity first.
        form: ``edges`` for a list of adjacencies, ``rows`` for torch's compressed rows.
        symmetric: Whether weights are those of GCN; else rows sum to one.
    """

    def __init__(self, pairs: np.ndarray, form: str, *, symmetric: bool) -> None:
        entity = np.concatenate([pairs[:, 0], pairs[:, 1]])
        owner = np.concatenate([np.arange(len(pairs))] * 2)
        is_once = np.concatenate([np.ones(len(pairs), dtype=bool), pairs[:, 0] != pairs[:, 1]])
        order = np.argsort(entity[is_once], kind="stable")
        member = owner[is_once][order]
        stars = np.split(member, np.flatnonzero(np.diff(entity[is_once][order])) + 1)
        joined = np.concatenate([np.stack(np.meshgrid(star, star)).reshape(2, -1) for star in stars], axis=1)
        joined = joined[:, joined[0] != joined[1]]
        self.num_pairs, self.num_adjacencies = len(pairs), joined.shape[1]
        degree = 2 * np.bincount(joined[1], minlength=len(pairs)) + 1
        source, target = (np.concatenate([side, np.arange(len(pairs))]) for side in joined)
        weight = np.repeat([2.0, 1.0], [joined.shape[1], len(pairs)])
        weight /= np.sqrt(degree[source] * degree[target]) if symmetric else degree[target]
        self.source, self.target = torch.from_numpy(source), torch.from_numpy(target)
        self.weight = torch.from_numpy(weight).float()
        self.rows = None
        if form == "rows":
            order = torch.argsort(self.target * len(pairs) + self.source)
            ptr = torch.zeros(len(pairs) + 1, dtype=torch.int64)
            ptr[1:] = torch.bincount(self.target, minlength=len(pairs)).cumsum(0)
            arrays = ptr, self.source[order], self.weight[order]
            with warnings.catch_warnings():  # torch calls its compressed rows a beta
                warnings.simplefilter("ignore")
                self.rows = torch.sparse_csr_tensor(*arrays, (len(pairs),) * 2, check_invariants=False)

    def hear(self, x: Tensor) -> Tensor:
        """The weighted sum over neighbours and the pair itself."""
        if self.rows is not None:
            return self.rows @ x
        return torch.zeros_like(x).index_add(0, self.target, self.weight[:, None] * x[self.source])


class PlainIndigo(nn.Module):
    """Two convolutions."""

    def __init__(self, columns: int, settings: dict[str, Any]) -> None:
        super().__init__()
        self.inner = nn.Linear(columns, settings["channels"], bias=False)
        self.bias = nn.Parameter(torch.zeros(settings["channels"]))
        self.outer = nn.Linear(settings["channels"], columns, bias=False)
        self.outer_bias = nn.Parameter(torch.zeros(columns))
        self.dropout = nn.Dropout(settings["dropout"])

    def forward(self, x: Tensor, graph: ExplicitPairGraph) -> Tensor:
        """One logit for every pair and column; the order of products that is less work."""
        x = self.dropout((graph.hear(self.inner(x)) + self.bias).relu())
        return self.outer(graph.hear(x)) + self.outer_bias


class PlainLocalTwoWL(nn.Module):
    """One convolution and a linear map, or two convolutions with normalisation over all pairs."""

    def __init__(self, columns: int, settings: dict[str, Any]) -> None:
        super().__init__()
        width, self.has_two = settings["channels"], settings["rounds"] == 2
        self.inner = nn.Linear(columns, width, bias=False)
        self.bias = nn.Parameter(torch.zeros(width))
        self.outer = nn.Linear(width, columns)
        self.norms = nn.ModuleList(PlainGraphNorm(w) for w in (width, columns)) if self.has_two else None
        self.dropout = nn.Dropout(settings["dropout"])

    def forward(self, x: Tensor, graph: ExplicitPairGraph) -> Tensor:
        """One logit for every pair and column."""
        x = graph.hear(self.inner(x)) + self.bias
        x = x if self.norms is None else self.norms[0](x)
        x = self.dropout(F.layer_norm(x, x.shape[-1:])).relu()
        return self.outer(x) if self.norms is None else self.norms[1](self.outer(graph.hear(x)))


class PlainGraphNorm(nn.Module):
    """Centres and scales each channel over all pairs."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.shift, self.scale = nn.Parameter(torch.ones(channels)), nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))

    def forward(self, x: Tensor) -> Tensor:
        """The same shape."""
        x = x - self.shift * x.mean(dim=0)
        return self.scale * x / (x.square().mean(dim=0) + 1e-5).sqrt() + self.bias


class Plain:
    """A plain network on the labelled lines."""

    def __init__(self, model: str, lines: PublishedLines, graph: KnowledgeGraph, settings: dict, form: str) -> None:
        n, r, loops = graph.num_nodes, graph.num_relations, model == "indigo"
        ends = np.sort(lines.all[:, [0, 2]].astype(np.int64), axis=1)
        own = np.arange(n)[:, None].repeat(2, axis=1) if loops else np.empty((0, 2), dtype=np.int64)
        self.keys = np.unique(np.concatenate([ends, own]) @ [n, 1])
        self.num_nodes, self.num_relations = n, r
        self.graph = ExplicitPairGraph(np.stack(np.divmod(self.keys, n), axis=1), form, symmetric=model != "indigo")
        self.features, self.labels, self.mask = (torch.zeros(len(self.keys), 2 * r) for _ in range(3))
        for table, triples in (
            (self.features, lines.known),
            (self.labels, lines.train.positives),
            (self.mask, lines.train.queries),
        ):
            table[self._entries(triples)] = 1
        network = PlainIndigo if model == "indigo" else PlainLocalTwoWL
        self.network = network(2 * r, settings)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-3, weight_decay=5e-8)

    def _entries(self, triples: np.ndarray) -> tuple[Tensor, Tensor]:
        head, relation, tail = triples.astype(np.int64).T
        row = np.searchsorted(self.keys, np.minimum(head, tail) * self.num_nodes + np.maximum(head, tail))
        col = np.where(head <= tail, relation, self.num_relations + relation)
        return torch.from_numpy(row), torch.from_numpy(col)

    def epoch(self) -> float:
        """One training step."""
        self.network.train()
        out = torch.sigmoid(self.network(self.features, self.graph)) * self.mask
        loss = F.binary_cross_entropy(out, self.labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Ours:
    """A model of the package on the labelled lines."""

    def __init__(self, name: str, lines: PublishedLines, graph: KnowledgeGraph, settings: dict) -> None:
        self.model = create_model(name, task="triples", **settings)
        self.model.start(graph, seed=0)
        self.batch = self.model.published_batch(lines, graph)
        self.optimizer = torch.optim.Adam(self.model.network.parameters(), lr=1e-3, weight_decay=5e-8, fused=True)

    def epoch(self) -> float:
        """One training step, as the training loop takes it."""
        self.model.network.train()
        with deterministic():
            loss = self.model.loss(self.batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()


def lines_of(split: Split, model: str) -> PublishedLines:
    """The labelled lines of a benchmark."""
    graph = split.train.observed
    return draw_lines(
        split.train.positives,
        split.valid.positives,
        graph.num_nodes,
        graph.num_relations,
        np.random.default_rng(0),
        loops=model == "indigo",
    )


def compare(model: str, dataset: str) -> list[dict[str, Any]]:
    """The times of one case."""
    split = PROTOCOLS["indigo"].apply(load_dataset(dataset), 0)
    graph, settings = split.train.observed, bundled_settings(model, dataset, "paper")
    lines = lines_of(split, model)
    ours, figures = Ours(model, lines, graph, settings), []
    ours.epoch()
    for form, name in FORMS.items():
        plain = Plain(model, lines, graph, settings, form)
        turns = 7 if seconds(plain.epoch) < 1 else 3
        value, times = ratio(plain.epoch, ours.epoch, turns)
        figures.append(
            {
                "what": f"times faster than {name}: epoch of {model} on {dataset}",
                "value": value,
                "model": model,
                "dataset": dataset,
                "form": form,
                "adjacencies": plain.graph.num_adjacencies,
                "seconds": times,
            }
            | ({"at_least": CASES[model, dataset]} if form == "edges" and CASES[model, dataset] else {})
        )
    return figures


def main() -> None:
    """Writes the figures to standard output."""
    if sys.argv[1:]:
        return print(json.dumps(compare(*sys.argv[1:])))
    figures = []
    for case in CASES:
        command = [sys.executable, __file__, *case]
        figures += json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return print(json.dumps(figures))


if __name__ == "__main__":
    main()
