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
    assert linkwl_json("datasets", "info", "fb237_v1")["num_relations"] == 180


def test_triples_are_called_triples(linkwl, benchmark_data):
    code, _, err = linkwl("datasets", "fetch", "wn18rr_v1")
    assert code == 0
    assert "wn18rr_v1 is ready: 2,746 nodes, 6,678 triples" in err
