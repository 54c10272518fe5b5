from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from linkwl.datasets import CATALOGUE, benchmark_names, find_dataset
from linkwl.errors import UnknownNameError

PAPER = {"usair", "ns", "pb", "yeast", "celegans", "power", "router", "ecoli", "cora", "citeseer", "pubmed"}


TRIPLES = {f"{family}_v{version}" for family in ("fb237", "wn18rr") for version in (1, 2, 3, 4)}


def test_names_are_those_of_the_contract():
    assert set(CATALOGUE) == PAPER | TRIPLES | {"airports"}
    assert set(benchmark_names()) == PAPER
    assert set(benchmark_names("triples")) == TRIPLES
    assert all(name == dataset.name == name.lower() for name, dataset in CATALOGUE.items())


def test_every_file_is_pinned():
    for dataset in CATALOGUE.values():
        for file in dataset.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
            assert re.match(r"https://raw\.githubusercontent\.com/[^/]+/[^/]+/[0-9a-f]{40}/", file.url)


def test_unknown_name_offers_the_nearest():
    with pytest.raises(UnknownNameError, match="unknown dataset 'USAir'; did you mean 'usair'"):
        find_dataset("USAir")


@pytest.fixture(scope="module")
def manifest(benchmark_data):
    path = benchmark_data / "MANIFEST.json"
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    return json.loads(path.read_text())


@pytest.mark.parametrize("name", sorted(PAPER | TRIPLES))
def test_files_are_those_of_the_manifest(name, manifest):
    known = {file["path"]: file for file in manifest["files"]}
    for file in find_dataset(name).files:
        entry = known[file.path]
        assert (file.num_bytes, file.sha256, file.url) == (entry["bytes"], entry["sha256"], entry["url_pinned"])


@pytest.mark.parametrize("name", sorted(PAPER))
def test_facts_are_those_of_the_manifest(name, manifest):
    known = {file["path"]: file for file in manifest["files"]}
    dataset = find_dataset(name)
    entry = manifest["datasets"][known[dataset.files[0].path]["dataset"]]
    features = entry["features"]["dimension"] if entry["features"] else 0
    expected = (entry["nodes"], entry["undirected_edges"], features)
    assert (dataset.num_nodes, dataset.num_edges, dataset.num_features) == expected


@pytest.mark.parametrize("name", sorted(TRIPLES))
def test_triples_are_those_of_the_manifest(name, manifest):
    dataset = find_dataset(name)
    entry = manifest["datasets"][str(Path(dataset.files[0].path).parent)]
    expected = (entry["nodes"], entry["triples"]["total"], entry["relations"])
    assert (dataset.num_nodes, dataset.num_edges, dataset.num_relations) == expected
    assert (len(dataset.files), dataset.task) == (16, "triples")
