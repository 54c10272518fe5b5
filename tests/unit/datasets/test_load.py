from __future__ import annotations

import pytest

from linkwl.datasets import CATALOGUE, load_dataset
from linkwl.datasets.load import _READERS
from linkwl.errors import DownloadError, UnknownNameError


def test_every_family_has_a_reader():
    assert {dataset.family for dataset in CATALOGUE.values()} == set(_READERS)


def test_embedded_graphs_need_no_file(cache):
    assert load_dataset("airports").num_nodes == 352
    assert load_dataset("world").num_nodes == 979
    assert not cache.exists()


def test_unknown_name():
    with pytest.raises(UnknownNameError, match="did you mean 'cora'"):
        load_dataset("core")


def test_wrong_file_is_not_read(cache, monkeypatch):
    monkeypatch.setenv("LINKWL_DATA", str(cache))
    (cache / "seal").mkdir(parents=True)
    (cache / "seal" / "USAir.mat").write_bytes(b"not it")
    with pytest.raises(DownloadError, match=r"USAir\.mat: found 6 bytes .* expected 5213"):
        load_dataset("usair")
