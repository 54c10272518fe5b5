from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from dying_candidates import KILLED, ManyParts, WorkerDies
from linkwl.engine import ProcessEngine
from linkwl.errors import InputError, OutputError
from linkwl.predict import dataset_out
from linkwl.predict.candidates import WithinHops
from linkwl.predict.dataset_out import RECORD, DatasetWriter, Threshold


def writer(predictor, candidates, threshold=None) -> DatasetWriter:
    threshold = threshold or Threshold(score=0.0)
    scorer, graph = predictor._scorer(predictor.graph_), predictor.graph_
    return DatasetWriter(scorer, graph, predictor.calibration_, predictor.prior_for(graph), threshold, candidates)


def digests(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def test_every_score_above_the_threshold_is_there_once(predictor, tmp_path):
    ranking = predictor.recommend(10**6)
    least = float(np.sort(ranking.scores)[-500])
    progress = []
    found = predictor.write_scores(tmp_path / "d", min_score=least, on_progress=lambda *seen: progress.append(seen))
    rows = pq.read_table(tmp_path / "d").to_pylist()
    expected = [link for link in ranking if link.score >= least]
    assert len(expected) >= 500
    assert {tuple(row.values()) for row in rows} == {tuple(link)[:4] for link in expected}
    assert (found.num_rows, found.num_files, found.num_scored) == (len(rows), 1, len(ranking))
    assert progress == [(len(ranking), len(ranking))]
    record = json.loads((tmp_path / "d" / RECORD).read_text())
    assert (record["rows"], record["at least"], record["graph"]["digest"]) == (
        len(rows),
        {"score": least},
        predictor.graph_.digest,
    )


def test_probabilities_are_a_threshold_as_well(predictor, tmp_path):
    expected = predictor.recommend(10**6, candidates="hops:2")
    least = float(np.median(expected.probabilities))
    predictor.write_scores(tmp_path / "d", min_probability=least, candidates="hops:2")
    table = pq.read_table(tmp_path / "d")
    assert len(table) == int((expected.probabilities >= least).sum())
    assert 0 < len(table) < len(expected)
    assert min(table["probability"].to_pylist()) >= least


def test_files_are_few_and_rows_are_written_in_groups(predictor, tmp_path, monkeypatch):
    monkeypatch.setattr(dataset_out, "MOST_FILES", 4)
    monkeypatch.setattr(dataset_out, "ROWS", 1000)
    found = writer(predictor, ManyParts(predictor.graph_), Threshold(score=-1e9)).write(tmp_path)
    files = sorted(tmp_path.glob("part-*.parquet"))
    assert found.num_files == len(files) == 4
    assert sum(pq.read_metadata(file).num_rows for file in files) == found.num_rows == found.num_scored
    assert pq.read_metadata(files[0]).num_row_groups > 1


def test_a_dataset_without_rows_can_be_read(predictor, tmp_path):
    found = writer(predictor, ManyParts(predictor.graph_), Threshold(score=1e9)).write(tmp_path)
    assert (found.num_rows, found.num_files) == (0, 1)
    assert pq.read_table(tmp_path).column_names == ["source", "target", "score", "probability"]


@pytest.mark.thorough
def test_the_files_are_the_same_by_any_engine_though_a_worker_dies(predictor, tmp_path):
    graph = predictor.graph_
    writer(predictor, ManyParts(graph)).write(tmp_path / "one")
    writer(predictor, WorkerDies(graph, tmp_path)).write(tmp_path / "two", engine=ProcessEngine(2))
    assert (tmp_path / KILLED).exists()
    assert digests(tmp_path / "one") == digests(tmp_path / "two")


def test_a_folder_that_another_machine_does_not_see_is_a_sentence(predictor, tmp_path, monkeypatch):
    class Elsewhere(ProcessEngine):
        def run(self, function, tasks, shared):
            yield from ((index, dataset_out.Written(1, 1, 1)) for index, _ in enumerate(tasks))

    with pytest.raises(OutputError, match="other machines have written to a folder of their own"):
        writer(predictor, ManyParts(predictor.graph_)).write(tmp_path / "d", engine=Elsewhere(1))


def test_what_cannot_be_written_is_refused(predictor, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").touch()
    with pytest.raises(OutputError, match="the folder is not empty"):
        predictor.write_scores(tmp_path / "full", min_score=0)
    with pytest.raises(OutputError, match="it is a file"):
        predictor.write_scores(tmp_path / "full" / "a", min_score=0)
    for values in ({}, {"min_score": 1.0, "min_probability": 0.5}):
        with pytest.raises(
            InputError, match="the least score or the least probability of what is written, one of them"
        ):
            predictor.write_scores(tmp_path / "d", **values)
    for values in ({"min_probability": 1.5}, {"min_score": float("nan")}):
        with pytest.raises(InputError, match="must"):
            predictor.write_scores(tmp_path / "d", **values)
    with pytest.raises(InputError, match="leave out the limit"):
        writer(predictor, WithinHops(predictor.graph_, 2, most=5)).write(tmp_path / "d")
