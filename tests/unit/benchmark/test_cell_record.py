from __future__ import annotations

import json
from dataclasses import replace

import pytest

from linkwl.benchmark.cell_record import CellRecord, digest, load_cells, merged, save_cell
from linkwl.benchmark.grid import TableCell
from linkwl.errors import InputError
from linkwl.records import Evaluation


def test_a_record_comes_back(make_record, tmp_path):
    records = [make_record("cn", 3, 0.75, config={"a": (1, 2)}), make_record("cn", 4, refusal="too large.")]
    for record in records:
        save_cell(tmp_path / "new", record)
    found = load_cells(tmp_path / "new", "cn")
    assert list(found) == [record.cell for record in records]
    for record in records:
        back = found[record.cell]
        assert back.cell == record.cell
        assert back.refusal == record.refusal
        assert back.settings == "tuned"
        assert (back.run is None) == (record.refusal is not None)
        assert back.identity == record.identity
    assert found[TableCell("airports", "cn", 3)].run.metrics["auc"] == 0.75


def test_lines_are_sorted_by_dataset_and_seed_and_replaced(make_record, tmp_path):
    for dataset, seed in (("usair", 10), ("cora", 1), ("usair", 2), ("cora", 0), ("usair", 2)):
        record = make_record("cn", seed, 0.5)
        save_cell(tmp_path, replace(record, cell=TableCell(dataset, "cn", seed)))
    rows = [json.loads(line)["cell"] for line in (tmp_path / "cn.jsonl").read_text().splitlines()]
    assert [(row["dataset"], row["seed"]) for row in rows] == [("cora", 0), ("cora", 1), ("usair", 2), ("usair", 10)]


def test_a_model_without_a_file_has_no_records(tmp_path):
    assert load_cells(tmp_path / "none", "cn") == {}


def test_a_record_is_an_evaluation_too(save):
    evaluation = Evaluation.from_json(save("cn", 0, 0.75).read_text())
    assert evaluation.summary["cn"]["auc"]["mean"] == 0.75


def test_the_runs_of_records_are_summarised_together(make_record):
    records = [make_record("cn", seed, auc) for seed, auc in enumerate((0.5, 1.0))]
    evaluation = merged([*records, make_record("cn", 2, refusal="too large.")])
    assert evaluation.seeds == [0, 1]
    assert evaluation.summary["cn"]["auc"]["mean"] == 0.75


def test_identity_is_settings_protocol_and_graph(make_record):
    record = make_record("cn", 0)
    assert record.identity == make_record("cn", 5, 0.1).identity
    assert record.identity != make_record("cn", 0, config={"a": 1}).identity
    graph = replace(record.evaluation.graph, digest="another")
    assert record.identity != make_record("cn", 0, graph=graph).identity
    protocol = replace(record, evaluation=replace(record.evaluation, protocol={"id": "other"}))
    assert record.identity != protocol.identity


def test_the_digest_does_not_depend_on_order_or_json():
    values = {"b": (1, 2.5), "a": {"y": None, "x": "text"}}
    assert digest(values) == digest(json.loads(json.dumps({"a": {"x": "text", "y": None}, "b": [1, 2.5]})))
    assert digest(values) != digest({"b": (1, 2.5), "a": {"y": None, "x": "test"}})


def change(path, **values):
    """Changes the second of two lines."""
    first, second = path.read_text().splitlines()
    content = json.loads(second)
    for key, value in values.items():
        *parents, last = key.split("__")
        target = content
        for parent in parents:
            target = target[int(parent)] if isinstance(target, list) else target[parent]
        target[last] = value
    path.write_text(f"{first}\n{json.dumps(content)}\n")


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_text(path.read_text()[:-200]),
        lambda path: path.write_text(path.read_text().splitlines()[0] + "\n{}\n"),
        lambda path: change(path, runs=[]),
        lambda path: change(path, cell__refusal="why", runs=[{}]),
        lambda path: change(path, runs__0__metrics={"ap": 0.5}),
        lambda path: change(path, runs__0__metrics={"auc": 93.0, "ap": 0.5}),
        lambda path: change(path, runs__0__valid={"auc": "high"}),
        lambda path: change(path, runs__0__valid={}),
        lambda path: change(path, runs__0__seed=7),
        lambda path: change(path, runs__0__model="aa"),
        lambda path: change(path, graph={"name": "x"}),
        lambda path: change(path, protocol={}),
        lambda path: change(path, cell__more=1),
    ],
)
def test_a_broken_line_is_one_sentence(save, damage):
    save("cn", 0)
    path = save("cn", 1)
    damage(path)
    with pytest.raises(InputError) as caught:
        load_cells(path.parent, "cn")
    assert str(caught.value) == (
        f"{path}, line 2: this is not a readable record of a run; delete the line, and measure again."
    )


def test_a_record_in_the_file_of_another_model(save):
    path = save("cn", 0)
    path.rename(path.with_name("aa.jsonl"))
    with pytest.raises(InputError, match=r"aa\.jsonl, line 1: this is the record of cn on airports, seed 0, in the"):
        load_cells(path.parent, "aa")


def test_a_cell_has_one_record(save):
    path = save("cn", 0)
    path.write_text(2 * path.read_text())
    with pytest.raises(InputError, match=r"cn\.jsonl, line 2: this is a second record of cn on airports, seed 0"):
        load_cells(path.parent, "cn")


def test_plain_values_are_a_record(make_record):
    record = make_record("cn", 0, 0.75)
    assert CellRecord.from_row(json.loads(json.dumps(record.to_row()))).run == record.run
