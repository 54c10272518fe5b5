"""What the Tab key completes: names of datasets, models, protocols and tests."""

from __future__ import annotations

from collections.abc import Iterable

PROTOCOL_NAMES = (
    "paper",
    "hits",
    "heart",
    "temporal",
    "indigo",
    "facts",
    "entities",
    "entities-50",
    "entities-roles",
    "entities-unseen",
)
"""The names of the protocols; written out, so that showing help does not load them."""


def complete_graph(incomplete: str) -> list[tuple[str, str]]:
    """The catalogue names that begin like this; the shell completes files if there are none."""
    from linkwl.datasets import CATALOGUE

    return [
        (dataset.name, f"{dataset.num_nodes:,} nodes, {dataset.num_edges:,} {_edges(dataset.task)}")
        for dataset in CATALOGUE.values()
        if dataset.name.startswith(incomplete)
    ]


def complete_datasets(incomplete: str) -> list[str]:
    """The same in a list of names separated by commas."""
    from linkwl.datasets import CATALOGUE

    return in_list(CATALOGUE, incomplete)


def complete_model(incomplete: str) -> list[tuple[str, str]]:
    """The names of models, with their titles."""
    from linkwl.models.registry import ROWS

    return [(row.id, row.title) for row in ROWS.values() if row.id.startswith(incomplete)]


def complete_models(incomplete: str) -> list[str]:
    """The same in a list of names separated by commas."""
    from linkwl.models.registry import ROWS

    return in_list(ROWS, incomplete)


def complete_protocol(incomplete: str) -> list[str]:
    """The names of protocols."""
    return [name for name in PROTOCOL_NAMES if name.startswith(incomplete)]


def in_list(names: Iterable[str], incomplete: str) -> list[str]:
    """A list of names separated by commas, with every name that its last one may become and that is not yet in it.

    Example:
        >>> in_list(["cn", "aa", "ra"], "cn,")
        ['cn,aa', 'cn,ra']
    """
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in names if name.startswith(last) and name not in before.split(",")]


def _edges(task: str) -> str:
    return "facts" if task == "triples" else "edges"
