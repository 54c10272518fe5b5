from __future__ import annotations

import json


def test_our_split_is_clean_and_can_be_written_and_read(linkwl, linkwl_json, tmp_path):
    result = linkwl_json("audit", "airports", "--seed", "2", "--out", tmp_path / "split")
    assert result["passed"] is True
    assert result["seed"] == 2
    assert result["protocol"]["id"] == "paper"
    assert result["counts"]["train"]["positives"] == 2566
    assert {path.name for path in (tmp_path / "split").iterdir()} == {
        f"{fold}{kind}.csv" for fold in ("train", "valid", "test") for kind in ("", "_negatives")
    }
    theirs = linkwl_json("audit", "airports", "--split", tmp_path / "split")
    assert theirs["passed"] is True
    assert theirs["counts"] == result["counts"]


def test_a_leak_is_exit_code_one(linkwl, tmp_path):
    linkwl("audit", "airports", "--out", tmp_path)
    with (tmp_path / "train.csv").open("a") as file:
        file.write((tmp_path / "test.csv").read_text().splitlines()[1] + "\n")
    code, out, err = linkwl("audit", "airports", "--split", tmp_path, "--json", "-")
    assert code == 1
    assert "this split leaks" in err
    broken = [check["name"] for check in json.loads(out)["checks"] if not check["passed"]]
    assert "train and test share no positive" in broken


def test_reading_and_writing_at_once_is_refused(linkwl, tmp_path):
    code, _, err = linkwl("audit", "airports", "--split", tmp_path, "--out", tmp_path)
    assert code == 2
    assert "give one of them" in err


def test_a_benchmark_of_triples_is_audited(linkwl, linkwl_json, benchmark_data, tmp_path):
    result = linkwl_json("audit", "wn18rr_v1", "--protocol", "entities-50")
    assert result["passed"] is True
    assert result["inverses"][0]["relation"] == "_derivationally_related_form"
    assert result["findings"]["test facts whose reverse is observed, with any relation"] == 118
    code, _, err = linkwl("audit", "wn18rr_v1", "--protocol", "indigo", "--out", tmp_path)
    assert code == 2
    assert "a split of protocol `indigo` is not written to files" in err
    assert not list(tmp_path.iterdir())
