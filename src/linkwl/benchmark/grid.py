"""Which cells a table has: datasets by networks by seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from linkwl.benchmark import paper
from linkwl.benchmark.paper import PublishedRow
from linkwl.errors import InputError, UnknownNameError
from linkwl.models.bundled import SettingsKind
from linkwl.models.registry import model_ids
from linkwl.splits import PAPER

FEWER_SEEDS: Mapping[tuple[str, str], int] = MappingProxyType(
    {("2wl", "pubmed"): 1, ("2fwl", "pubmed"): 1, ("walk-2fwl", "pubmed"): 3}
)
"""Cells that are too dear for every seed of the protocol, by model and dataset."""


@dataclass(frozen=True, order=True)
class Cell:
    """One run of a table: one network on the split of one seed."""

    dataset: str
    model: str
    seed: int

    @property
    def place(self) -> Path:
        """Its record, inside the folder of the table."""
        return Path(self.model) / self.dataset / f"seed-{self.seed}.json"

    def __str__(self) -> str:
        return f"{self.model} on {self.dataset}, seed {self.seed}"


@dataclass(frozen=True)
class Grid:
    """The runs behind one of the paper's tables."""

    name: str
    title: str
    datasets: tuple[str, ...]
    published: tuple[PublishedRow, ...] = ()
    published_heuristics: tuple[PublishedRow, ...] = ()
    models: tuple[str, ...] | None = None
    """The models whose rows the table has; by default all that the registry has but for heuristics."""
    heuristics: tuple[str, ...] | None = None
    """Heuristics of which the best is shown below the others; by default all."""

    @property
    def networks(self) -> list[str]:
        """The models whose rows the table has."""
        return model_ids("network", "own", "baseline", task="pairs") if self.models is None else list(self.models)

    @property
    def floor(self) -> list[str]:
        """Heuristics of which the best is shown below the others."""
        return model_ids("heuristic", task="pairs") if self.heuristics is None else list(self.heuristics)

    def cells(
        self,
        *,
        datasets: Sequence[str] | None = None,
        models: Sequence[str] | None = None,
        seeds: int | None = None,
    ) -> list[Cell]:
        """The cells in the order they are run: dataset by dataset, network by network.

        Args:
            datasets: Some of the table's datasets; all if left out.
            models: Some of its networks; all if left out.
            seeds: How many, from 0; by default those of the protocol, or fewer where :data:`FEWER_SEEDS` says so.
        """
        cells = []
        for dataset in self.datasets if datasets is None else datasets:
            for model in self.networks if models is None else models:
                count = FEWER_SEEDS.get((model, dataset), PAPER.seeds) if seeds is None else seeds
                cells += [Cell(dataset, model, seed) for seed in range(count)]
        return cells


GRIDS: Mapping[str, Grid] = MappingProxyType(
    {
        grid.name: grid
        for grid in (
            Grid("table1", "Table 1: networks without features", paper.FEATURELESS, paper.TABLE1, paper.HEURISTICS1),
            Grid("table2", "Table 2: citation networks", paper.CITATION, paper.TABLE2, paper.HEURISTICS2),
        )
    }
)


def folder_name(table: str, kind: SettingsKind) -> str:
    """Where the records of a table are: settings that were not tuned have a folder of their own beside it."""
    return table if kind == "tuned" else f"{table}-{kind}"


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
