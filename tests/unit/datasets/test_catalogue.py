from __future__ import annotations

import json
import re

import pytest

from linkwl.datasets import CATALOGUE, find_dataset
from linkwl.errors import UnknownNameError

PAPER = {"usair", "ns", "pb", "yeast", "celegans", "power", "router", "ecoli", "cora", "citeseer", "pubmed"}


def test_names_are_those_of_the_contract():
    assert set(CATALOGUE) == PAPER | {"airports", "world"}
    assert all(name == dataset.name == name.lower() for name, dataset in CATALOGUE.items())


def test_every_file_is_pinned():
    for dataset in CATALOGUE.values():
        for file in dataset.files:
            assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
            assert re.match(r"https://raw\.githubusercontent\.com/[^/]+/[^/]+/[0-9a-f]{40}/", file.url)


def test_unknown_name_offers_the_nearest():
    with pytest.raises(UnknownNameError, match="unknown dataset 'USAir'; did you mean 'usair'"):
        find_dataset("USAir")


@pytest.mark.parametrize("name", sorted(PAPER))
def test_facts_are_those_of_the_manifest(name, benchmark_data):
    manifest_path = benchmark_data / "MANIFEST.json"
    if not manifest_path.is_file():
        pytest.skip(f"{manifest_path} is not here")
    manifest = json.loads(manifest_path.read_text())
    known = {file["path"]: file for file in manifest["files"]}
    dataset = find_dataset(name)
    for file in dataset.files:
        entry = known[file.path]
        assert (file.num_bytes, file.sha256, file.url) == (entry["bytes"], entry["sha256"], entry["url_pinned"])
    entry = manifest["datasets"][entry["dataset"]]
    features = entry["features"]["dimension"] if entry["features"] else 0
    expected = (entry["nodes"], entry["undirected_edges"], features)
    assert (dataset.num_nodes, dataset.num_edges, dataset.num_features) == expected
