from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from linkwl.records import GraphRecord
from linkwl.tuning import Budget, Study, Trial


@pytest.fixture
def tuning(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "benchmarks"))
    return import_module("tuning")


STUDY = Study("gcn", GraphRecord("usair", 332, 2126, "d"), "h", {"id": "paper"}, "auc", 1, Budget(), {})


def test_the_best_settings_are_written_and_the_rest_of_the_file_stays(tuning, tmp_path):
    file = tmp_path / "src" / "linkwl" / "configs" / "gcn.toml"
    file.parent.mkdir(parents=True)
    file.write_text('# Settings of gcn.\n#\n# paper: from print.\n\n[[paper]]\ndatasets = ["ns"]\nchannels = 8\n')
    settings = {"training": {"learning_rate": 0.01}}
    trials = (Trial(0, "default", {}, (0.8,)), Trial(1, "drawn", settings, (0.9,)))
    tuning.keep_best(replace(STUDY, trials=trials), tmp_path)
    text = file.read_text()
    assert text.startswith(
        "# Settings of gcn.\n#\n# paper: from print.\n#\n# tuned: the best trial of each study in results/"
    )
    assert tomllib.loads(text) == {
        "tuned": [{"datasets": ["usair"], **settings}],
        "paper": [{"datasets": ["ns"], "channels": 8}],
    }
    tuning.keep_best(replace(STUDY, trials=trials[:1]), tmp_path)
    assert tomllib.loads(file.read_text())["tuned"] == [{"datasets": ["usair"]}]
    assert file.read_text().count("# tuned:") == 1


def test_a_new_file_has_a_header(tuning, tmp_path):
    (tmp_path / "src" / "linkwl" / "configs").mkdir(parents=True)
    tuning.keep_best(replace(STUDY, trials=(Trial(0, "default", {"layers": 2}, (0.8,)),)), tmp_path)
    text = (tmp_path / "src" / "linkwl" / "configs" / "gcn.toml").read_text()
    assert text.startswith("# Settings of gcn for the datasets of the catalogue.\n#\n")
    assert tomllib.loads(text) == {"tuned": [{"datasets": ["usair"], "layers": 2}]}


def test_nothing_is_written_without_a_result(tuning, tmp_path):
    tuning.keep_best(STUDY, tmp_path)
    assert list(tmp_path.iterdir()) == []
