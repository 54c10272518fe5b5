"""The cells of a table: datasets by networks by seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from linkwl.benchmark import published
from linkwl.benchmark.published import PRINTED, PublishedRow
from linkwl.errors import InputError, UnknownNameError
from linkwl.metrics import find_metric
from linkwl.models.bundled import SettingsKind
from linkwl.models.registry import model_ids
from linkwl.protocols import PAPER, Protocol, find_protocol

FEWER_SEEDS: Mapping[tuple[str, str], int] = MappingProxyType(
    {("2wl", "pubmed"): 1, ("2fwl", "pubmed"): 1, ("walk-2fwl", "pubmed"): 3}
)
"""Number of seeds of cells that are too slow for every seed of the protocol, by model and dataset."""

FLOOR = "heuristics"
"""The name of the best heuristic among the models of a table, and the folder of the heuristics' records."""


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
    """The runs behind a table of scores."""

    name: str
    title: str
    datasets: tuple[str, ...]
    published: tuple[PublishedRow, ...] = ()
    published_heuristics: tuple[PublishedRow, ...] = ()
    models: tuple[str, ...] | None = None
    """The models of the table's rows; by default all of the registry except heuristics."""
    heuristics: tuple[str, ...] | None = None
    """Heuristics, the best of which is shown as the floor; by default all."""
    protocol: Protocol = PAPER
    """How its numbers are measured."""
    note: str = PRINTED
    """Whose the printed numbers are."""
    settings: SettingsKind = "tuned"
    """The default kind of settings of its models."""

    @property
    def networks(self) -> list[str]:
        """The models of the table's rows."""
        return model_ids("network", "own", "baseline", task="pairs") if self.models is None else list(self.models)

    @property
    def floor(self) -> list[str]:
        """Heuristics, the best of which is shown as the floor."""
        return model_ids("heuristic", task="pairs") if self.heuristics is None else list(self.heuristics)

    @property
    def floor_folder(self) -> str:
        """The folder of the heuristics' records, shared by the tables of a protocol."""
        return FLOOR if self.protocol == PAPER else f"{FLOOR}-{self.protocol.id}"

    @property
    def metric(self) -> str:
        """The metric of the table: the first metric of its protocol."""
        return self.protocol.metrics[0]

    @property
    def metric_title(self) -> str:
        """The title of the metric."""
        return find_metric(self.metric).title

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
            seeds: Number of seeds, from 0; by default that of the protocol, or of :data:`FEWER_SEEDS`.
        """
        cells = []
        for dataset in self.datasets if datasets is None else datasets:
            for model in self.networks if models is None else models:
                count = FEWER_SEEDS.get((model, dataset), self.protocol.seeds) if seeds is None else seeds
                cells += [TableCell(dataset, model, seed) for seed in range(count)]
        return cells


_QUICK = ("cn", "aa", "ra", "ppr")

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
