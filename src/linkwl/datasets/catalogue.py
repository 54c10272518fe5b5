"""The benchmark graphs by name, with the sources and checksums of their files."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from linkwl.errors import UnknownNameError

if TYPE_CHECKING:
    from linkwl.typing import Task


@dataclass(frozen=True)
class DataFile:
    """One file, identified by its exact bytes."""

    path: str
    """Its path in a data folder: ``seal/USAir.mat``."""
    num_bytes: int
    sha256: str
    url: str
    """Its public address, pinned to a commit."""


@dataclass(frozen=True)
class Dataset:
    """A graph that :func:`linkwl.load_dataset` can load."""

    name: str
    title: str
    """Its name in the paper's tables."""
    family: str
    """The reader of its files: ``seal``, ``planetoid``, ``inductive`` or ``embedded``."""
    num_nodes: int
    num_edges: int
    """Distinct undirected edges, without loops; or distinct triples."""
    num_features: int
    source: str
    licence: str
    files: tuple[DataFile, ...]
    """In the order that the reader expects."""
    task: Task = "pairs"
    num_relations: int = 0
    """Number of relations of a graph of triples."""


def find_dataset(name: str) -> Dataset:
    """The entry of the catalogue with this name.

    Raises:
        UnknownNameError: If there is none; the nearest names are suggested.

    Example:
        >>> find_dataset("celegans").title
        'C.ele'
    """
    try:
        return CATALOGUE[name]
    except KeyError:
        raise UnknownNameError("dataset", name, CATALOGUE, remedy="`linkwl datasets list` shows them all.") from None


def benchmark_names(task: Task = "pairs") -> list[str]:
    """The names of the benchmark graphs of a task, without the graphs that are part of the package."""
    return [dataset.name for dataset in CATALOGUE.values() if dataset.task == task and dataset.files]


_SEAL = "https://raw.githubusercontent.com/muhanzhang/SEAL/ca1f019a15fb0c21796042165b4e6bee73981dd3/MATLAB/data"
_PLANETOID = "https://raw.githubusercontent.com/kimiyoung/planetoid/af6abf468a772cc055bec88c52e4d6f51b7c37e3/data"
_GRAIL = "https://raw.githubusercontent.com/kkteru/grail/2a3dffa719518e7e6250e355a2fb37cd932de91e/data"
_INDIGO = "https://raw.githubusercontent.com/shuwen-liu-ox/INDIGO/ad1b20bb290d28cf8a19357ea059077248e25d45/data"
_LABELS = "test/test-random-sample"


def _seal(title: str, stem: str, num_nodes: int, num_edges: int, num_bytes: int, sha256: str) -> Dataset:
    return Dataset(
        name=stem.lower(),
        title=title,
        family="seal",
        num_nodes=num_nodes,
        num_edges=num_edges,
        num_features=0,
        source="https://github.com/muhanzhang/SEAL",
        licence="MIT licence in the folder that holds the data; the networks come from third parties cited by SEAL",
        files=(DataFile(f"seal/{stem}.mat", num_bytes, sha256, f"{_SEAL}/{stem}.mat"),),
    )


def _planetoid(
    title: str, num_nodes: int, num_edges: int, num_features: int, files: dict[str, tuple[int, str]]
) -> Dataset:
    stem = f"ind.{title.lower()}"
    return Dataset(
        name=title.lower(),
        title=title,
        family="planetoid",
        num_nodes=num_nodes,
        num_edges=num_edges,
        num_features=num_features,
        source="https://github.com/kimiyoung/planetoid",
        licence="MIT licence of the repository; the data derive from the LINQS citation collections",
        files=tuple(
            DataFile(f"planetoid/{stem}.{part}", num_bytes, sha256, f"{_PLANETOID}/{stem}.{part}")
            for part, (num_bytes, sha256) in files.items()
        ),
    )


def _knowledge_graphs() -> list[Dataset]:
    """The inductive benchmarks of triples; their files are listed in a table."""
    files_of: dict[str, list[DataFile]] = {}
    text = (files("linkwl.datasets") / "knowledge_graphs.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        folder, name, file = row["path"].split("/")
        url = f"{_GRAIL}/{name}/{file}" if folder == "grail" else f"{_INDIGO}/GraIL-BM_{name}/{_LABELS}/{file}"
        found = DataFile(row["path"], int(row["bytes"]), row["sha256"], url)
        files_of.setdefault(row["dataset"], []).append(found)
    return [
        Dataset(
            name=name,
            title=f"{title} {name[-2:]}",
            family="inductive",
            num_nodes=num_nodes,
            num_edges=num_facts,
            num_features=0,
            source="https://github.com/kkteru/grail; labelled test triples: https://github.com/shuwen-liu-ox/INDIGO",
            licence="none in GraIL's repository, MIT in INDIGO's; the facts are subsets of public knowledge graphs",
            files=tuple(files_of[name]),
            task="triples",
            num_relations=num_relations,
        )
        for name, title, num_nodes, num_relations, num_facts in (
            ("fb237_v1", "FB15k-237", 1594, 180, 5226),
            ("fb237_v2", "FB15k-237", 2608, 200, 12085),
            ("fb237_v3", "FB15k-237", 3668, 215, 22394),
            ("fb237_v4", "FB15k-237", 4707, 219, 33916),
            ("wn18rr_v1", "WN18RR", 2746, 9, 6678),
            ("wn18rr_v2", "WN18RR", 6954, 10, 18968),
            ("wn18rr_v3", "WN18RR", 12078, 11, 32150),
            ("wn18rr_v4", "WN18RR", 3861, 9, 9842),
        )
    ]


_DATASETS = (
    Dataset(
        name="airports",
        title="Airports",
        family="embedded",
        num_nodes=352,
        num_edges=3017,
        num_features=0,
        source="Python package bokeh-sampledata 2026.1, module airport_routes",
        licence="BSD-3-Clause (Bokeh Contributors); the underlying data are in the public domain",
        files=(),
    ),
    Dataset(
        name="world",
        title="World",
        family="embedded",
        num_nodes=979,
        num_edges=4035,
        num_features=0,
        source="Unicode CLDR 47 (babel 2.18.0), countryinfo 1.0.1, countrygroups 0.13.0, bblocks-places 0.0.6, "
        "holidays 0.108, tzdata 2026.6",
        licence="Unicode licence v3 (CLDR), MIT (countryinfo, bblocks-places, holidays), CC0 (countrygroups), "
        "public domain (tzdata)",
        files=(),
        task="triples",
        num_relations=12,
    ),
    _seal("USAir", "USAir", 332, 2126, 5213, "6b48a37e2bb398234e5383787c30dca087de704366a2b7b05d64cc2f53210e0b"),
    _seal("NS", "NS", 1589, 2742, 9379, "c69258a674e13115e34ec11343c92f352bcec635baf3fe40f0adf6e8a5037019"),
    _seal("PB", "PB", 1222, 16714, 51773, "c0eca0a3b5bac0ecd46491c2a1e080ec22e445d28f9975bc776dc07b3d672d88"),
    _seal("Yeast", "Yeast", 2375, 11693, 34354, "2d199acffa6cecd9dfd0d13f0c4eaecd34158e83f1a717e5da7e38089692e112"),
    _seal("C.ele", "Celegans", 297, 2148, 6263, "450bb6f3ca833a65f53ee59103945ef87da70de2c6d262b1a760b9eefce287d6"),
    _seal("Power", "Power", 4941, 6594, 31194, "87d7b9d5449b6a18fad4fdd662efd33be84c805ea66692f9e2e0791569c5a478"),
    _seal("Router", "Router", 5022, 6258, 31434, "bae603199c2ddb0f8776acb1962c9c6ed89773da9d41377d6a7f8cc2b1e3a1c1"),
    _seal("E.coli", "Ecoli", 1805, 14660, 35769, "6701fdf0a01c01406e98f9874b04d4fbcae5786d71fad009f4501c0b6086df5e"),
    _planetoid(
        "Cora",
        num_nodes=2708,
        num_edges=5278,
        num_features=1433,
        files={
            "allx": (257305, "9419ba2f26f5c35243db64aba110e0f35a04851609e0dc5433450676ca6b8543"),
            "tx": (148025, "b9afbaa4a400df991f6f02ef677e1e44da55ffc04801fd02f9e673987829226a"),
            "test.index": (5000, "297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875"),
            "graph": (59847, "58f13302f39dde8852dad6fe6d15b89b077b6d7f837626bce671ef80344b383d"),
        },
    ),
    _planetoid(
        "Citeseer",
        num_nodes=3327,
        num_edges=4552,
        num_features=3703,
        files={
            "allx": (595021, "2ac30345d95c9ec933a817ee0bdd6a5f077f8c184a20e696910192d534414668"),
            "tx": (260321, "539a8906a2da97628d212f2fdd668c109a8b3f0d36574b59e5d3fd5b5303da21"),
            "test.index": (5000, "2af990671580b6b2df5d158d1038f8292e30c9cd821b5453f399659b25b723d4"),
            "graph": (61987, "d79a4ef9d3e7169aee8946145f6b7306e35bc79bffad26346cfb94e10e9912a7"),
        },
    ),
    _planetoid(
        "Pubmed",
        num_nodes=19717,
        num_edges=44324,
        num_features=500,
        files={
            "allx": (7578385, "508e538e2abdccdd54c4d3e9f49d638b4af7107d85845f66ddea5a5152658b7e"),
            "tx": (405505, "4eb5f5d0f30f26497eb0ac6ac9719d09c67e284f1ed0385c93f3ef27a671da3d"),
            "test.index": (6000, "b101d421688bbaecbd82e8a18f1e282378d6830f3a37666f28ebc47f844341b5"),
            "graph": (471808, "5b89f0036ca22909471f1e6558eb42fa06e0c730a577bde5b058b40638f81dc9"),
        },
    ),
    *_knowledge_graphs(),
)

CATALOGUE: Mapping[str, Dataset] = MappingProxyType({dataset.name: dataset for dataset in _DATASETS})
"""Every dataset by its name."""
