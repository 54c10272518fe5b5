"""The cells of a table: datasets by networks by seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from linkwl.benchmark import published
from linkwl.benchmark.published import PRINTED, PublishedRow
from linkwl.datasets import CATALOGUE
from linkwl.errors import InputError, UnknownNameError
from linkwl.metrics import find_metric
from linkwl.models.bundled import SettingsKind, bundled_settings
from linkwl.models.registry import Family, model_ids
from linkwl.protocols import PAPER, Protocol, find_protocol
from linkwl.typing import Task

_SLOW_ON_PAIRS = ("nbfnet", "ncnc", "seal", "seal-node2vec", "tlc-gnn", "walkpool")
_SLOW_ON_TRIPLES = {"rgcn": 1, "grail": 1, "indigo": 3, "local-2wl": 3, "local-2fwl": 3}

FEWER_SEEDS: Mapping[tuple[str, str], int] = MappingProxyType(
    {("2wl", "pubmed"): 1, ("2fwl", "pubmed"): 1, ("walk-2fwl", "pubmed"): 3}
    | {(model, dataset): 3 for model in _SLOW_ON_PAIRS for dataset in (*published.FEATURELESS, *published.CITATION)}
    | {(model, dataset): count for model, count in _SLOW_ON_TRIPLES.items() for dataset in published.INDUCTIVE}
)
"""Number of seeds of cells that are too slow for every seed of the protocol, by model and dataset."""

FLOOR = "heuristics"
"""The name of the best heuristic among the models of a table, and the folder of the heuristics' records."""

_SHORT_TITLES = {"FB15k-237": "FB", "WN18RR": "WN"}


@dataclass(frozen=True, order=True)
class TableCell:
    """One run of a table: one model on the split of one seed."""

    dataset: str
    model: str
    seed: int

    def __str__(self) -> str:
        return f"{self.model} on {self.dataset}, seed {self.seed}"


@dataclass(frozen=True)
class Grid:
    """The runs behind a table of scores.

    A table of pairs shows networks, and the best heuristic as their floor. In a table of triples every model has a row.
    """

    name: str
    title: str
    datasets: tuple[str, ...]
    published: tuple[PublishedRow, ...] = ()
    published_heuristics: tuple[PublishedRow, ...] = ()
    models: tuple[str, ...] | None = None
    """The models of the table's rows; by default all of the registry, for pairs except heuristics."""
    usual: tuple[str, ...] | None = None
    """The models that are run unless others are named; by default all."""
    heuristics: tuple[str, ...] | None = None
    """Heuristics, the best of which is shown as the floor; by default all of pairs."""
    protocol: Protocol = PAPER
    """How its numbers are measured."""
    note: str = PRINTED
    """Whose the printed numbers are."""
    settings: SettingsKind = "tuned"
    """The default kind of settings of its models."""
    task: Task = "pairs"
    """The kind of query."""
    metrics: tuple[str, ...] = ()
    """The metrics of the table, a block each; by default the first metric of the protocol."""
    seeds: int = 0
    """Number of seeds; by default that of the protocol."""

    @property
    def networks(self) -> list[str]:
        """The models of the table's rows."""
        if self.models is not None:
            return list(self.models)
        if self.task == "triples":
            return model_ids(task=self.task)
        families: tuple[Family, ...] = ("network", "own", "baseline")
        return [model for family in families for model in model_ids(family, task=self.task)]

    @property
    def floor(self) -> list[str]:
        """Heuristics, the best of which is shown as the floor."""
        if self.heuristics is not None:
            return list(self.heuristics)
        return [] if self.task == "triples" else model_ids("heuristic", task="pairs")

    def usual_models(self, kind: SettingsKind) -> list[str]:
        """The models that are run unless others are named.

        With settings of another kind than the table's own, they are those that have such settings.
        """
        models = [model for model in self.networks if self.usual is None or model in self.usual]
        if kind in (self.settings, "default"):
            return models
        return [m for m in models if any(bundled_settings(m, dataset, kind) for dataset in self.datasets)]

    @property
    def floor_folder(self) -> str:
        """The folder of the heuristics' records, shared by the tables of a protocol."""
        return FLOOR if self.protocol == PAPER else f"{FLOOR}-{self.protocol.id}"

    @property
    def metric_titles(self) -> dict[str, str]:
        """The titles of the metrics, by name."""
        return {metric: find_metric(metric).title for metric in self.metrics or self.protocol.metrics[:1]}

    @property
    def dataset_titles(self) -> dict[str, str]:
        """The titles of the columns, by name."""
        titles = {dataset: CATALOGUE[dataset].title for dataset in self.datasets}
        for long, short in _SHORT_TITLES.items():
            titles = {dataset: title.replace(long, short) for dataset, title in titles.items()}
        return titles

    @property
    def full_seeds(self) -> int:
        """Number of seeds of a model that is not slow."""
        return self.seeds or self.protocol.seeds

    @property
    def selects(self) -> str:
        """The metric on validation targets that selects the best heuristic."""
        return self.protocol.selection.id

    def file_name(self, kind: SettingsKind) -> str:
        """The name of its files."""
        return table_name(self.name, kind, self.settings)

    def cells(
        self,
        *,
        datasets: Sequence[str] | None = None,
        models: Sequence[str] | None = None,
        seeds: int | None = None,
    ) -> list[TableCell]:
        """The cells in the order of their runs: dataset by dataset, network by network.

        Args:
            datasets: Some of the table's datasets; by default all.
            models: Some of its networks; by default all.
            seeds: Number of seeds, from 0; by default :attr:`full_seeds`, or fewer after :data:`FEWER_SEEDS`.
        """
        cells = []
        for dataset in self.datasets if datasets is None else datasets:
            for model in self.networks if models is None else models:
                fewer = FEWER_SEEDS.get((model, dataset), self.full_seeds)
                count = min(fewer, self.full_seeds) if seeds is None else seeds
                cells += [TableCell(dataset, model, seed) for seed in range(count)]
        return cells


_QUICK = ("cn", "aa", "ra", "ppr")


def _entities(protocol: str, title: str, rows: tuple[PublishedRow, ...] = (), note: str = "") -> Grid:
    """A table of entity ranking; it has the name of its protocol."""
    return Grid(
        protocol,
        title,
        published.INDUCTIVE,
        rows,
        usual=("floor", "indigo", "local-2fwl", "walk-2fwl"),
        protocol=find_protocol(protocol),
        note=note,
        settings="default",
        task="triples",
        metrics=("mrr", "hits@1", "hits@10"),
        seeds=3,
    )


GRIDS: Mapping[str, Grid] = MappingProxyType(
    {
        grid.name: grid
        for grid in (
            Grid(
                "table1",
                "Table 1: networks without features",
                published.FEATURELESS,
                published.TABLE1,
                published.HEURISTICS1,
            ),
            Grid("table2", "Table 2: citation networks", published.CITATION, published.TABLE2, published.HEURISTICS2),
            Grid(
                "hits",
                "Citation networks, 70/10/20",
                published.CITATION,
                published.HITS,
                heuristics=_QUICK,
                protocol=find_protocol("hits"),
                note=published.PRINTED_HITS,
                settings="default",
            ),
            Grid(
                "heart",
                "Citation networks, hard negatives",
                published.CITATION,
                heuristics=_QUICK,
                protocol=find_protocol("heart"),
                note=published.PRINTED_HEART,
                settings="default",
            ),
            Grid(
                "table3",
                "Table 3: inductive graphs of triples",
                published.INDUCTIVE,
                published.TABLE3,
                protocol=find_protocol("indigo"),
                note=published.PRINTED_TRIPLES,
                settings="default",
                task="triples",
                metrics=("acc", "auc", "relation-hits@3"),
            ),
            _entities("entities-50", "Entities among 50 random ones", published.ENTITIES, published.PRINTED_ENTITIES),
            _entities("entities-roles", "Entities among those with the same role"),
            _entities("entities", "Entities among all"),
        )
    }
)
"""The tables of scores by name; each is a command of ``linkwl bench``."""


def table_name(table: str, kind: SettingsKind, usual: SettingsKind = "tuned") -> str:
    """The name of a table's files; it names the kind of settings unless that is the default."""
    return table if kind == usual else f"{table}-{kind}"


def choose(names: str, known: Sequence[str], kind: str) -> list[str]:
    """The names of a comma-separated list, in the order of ``known``.

    Raises:
        UnknownNameError: If one of them is not known.
        InputError: If there is none.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in known:
            raise UnknownNameError(kind, name, known, remedy=f"Known: {', '.join(known)}.")
    if not wanted:
        raise InputError(f"no {kind.rstrip(':')} named; choose from {', '.join(known)}.")
    return [name for name in known if name in wanted]
