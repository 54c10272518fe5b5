from __future__ import annotations

from importlib import metadata

from linkwl.cli import doctor


def test_doctor_says_what_is_here(linkwl, linkwl_json, monkeypatch, tmp_path):
    monkeypatch.setenv("LINKWL_DATA", str(tmp_path))
    rows = linkwl_json("doctor")["doctor"]
    assert rows[f"data folder {tmp_path}"] == "present"
    assert rows["datasets in the package"] == "airports, world"
    assert "linkwl" in rows
    assert "threads" in rows
    assert rows["engines"].startswith("inline, processes:N")


def test_a_build_for_the_processor_is_not_imported(monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "a graphics card")
    found = {"torch": "2.13.0+cpu"}
    monkeypatch.setattr(metadata, "version", lambda name: found[name])
    assert doctor._device() == "cpu"
    found["torch"] = "2.13.0"
    assert doctor._device() == "a graphics card"
