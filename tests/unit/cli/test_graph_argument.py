from __future__ import annotations

import pytest

from linkwl import InputError, UnknownNameError
from linkwl.cli.graph_argument import open_graph


def test_a_name_is_looked_up_before_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "airports").write_text("a,b\n")
    assert open_graph("airports").num_nodes == 352
    assert open_graph("./airports").num_nodes == 2


def test_what_is_neither_a_name_nor_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownNameError, match="unknown dataset 'airport'; did you mean 'airports'"):
        open_graph("airport")
    with pytest.raises(InputError, match=r"airports.csv: no such file"):
        open_graph("airports.csv")
