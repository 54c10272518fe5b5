from __future__ import annotations

import io
import sys

import pytest

from linkwl import InputError, load_graph


def test_bytes_and_texts():
    for stream in (io.BytesIO(b"a,b\nb,c\n"), io.StringIO("a,b\nb,c\n")):
        assert load_graph(stream).num_edges == 2
    graph = load_graph(io.BytesIO(b'[["a", "b"]]'), format="json", name="mine")
    assert (graph.name, graph.intake.form) == ("mine", "JSON")


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\nb\n"), encoding="utf-8"))
    with pytest.raises(InputError, match=r"^standard input, line 2: expected 2 columns") as caught:
        load_graph("-")
    assert caught.value.line == 2


def test_nothing_in_it():
    with pytest.raises(InputError, match="standard input: the file is empty"):
        load_graph(io.BytesIO(b""))
