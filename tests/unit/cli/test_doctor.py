from __future__ import annotations


def test_doctor_says_what_is_here(linkwl, linkwl_json, monkeypatch, tmp_path):
    monkeypatch.setenv("LINKWL_DATA", str(tmp_path))
    rows = linkwl_json("doctor")["doctor"]
    assert rows[f"data folder {tmp_path}"] == "present"
    assert rows["datasets in the package"] == "airports, world"
    assert "linkwl" in rows
    assert "threads" in rows
    assert rows["engines"].startswith("inline, processes:N")
