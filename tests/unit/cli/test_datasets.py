from __future__ import annotations

from linkwl.datasets import CATALOGUE


def test_datasets_lists_describes_and_fetches(linkwl, linkwl_json):
    listed = linkwl_json("datasets", "list")["datasets"]
    assert [entry["name"] for entry in listed] == list(CATALOGUE)
    assert linkwl_json("datasets", "info", "cora")["num_features"] == 1433
    code, _, err = linkwl("datasets", "fetch", "airports")
    assert code == 0
    assert "352 nodes" in err
    code, _, err = linkwl("datasets")
    assert code == 0
    assert "celegans" in err
