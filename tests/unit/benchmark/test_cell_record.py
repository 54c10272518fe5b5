from __future__ import annotations

import json

import pytest

from linkwl.benchmark.cell_record import CellRecord, digest
from linkwl.errors import InputError
from linkwl.records import Evaluation


def test_a_record_comes_back(make_record, tmp_path):
    for record in (make_record("cn", 3, 0.75, config={"a": (1, 2)}), make_record("cn", 4, refusal="too large.")):
        path = tmp_path / "new" / record.cell.place
        record.save(path)
        back = CellRecord.load(path)
        assert back.cell == record.cell
        assert back.refusal == record.refusal
        assert back.settings == "tuned"
        assert (back.run is None) == (record.refusal is not None)
        assert back.identity == record.identity
    assert CellRecord.load(tmp_path / "new" / "cn/airports/seed-3.json").run.metrics["auc"] == 0.75


def test_a_record_is_an_evaluation_too(save):
    evaluation = Evaluation.from_json(save("cn", 0, 0.75).read_text())
    assert evaluation.summary["cn"]["auc"]["mean"] == 0.75


def test_identity_is_settings_protocol_and_graph(make_record):
    from dataclasses import replace

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
    content = json.loads(path.read_text())
    for key, value in values.items():
        *parents, last = key.split("__")
        target = content
        for parent in parents:
            target = target[int(parent)] if isinstance(target, list) else target[parent]
        target[last] = value
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_text(path.read_text()[:200]),
        lambda path: path.write_bytes(b"\xff\xfe"),
        lambda path: path.write_text(""),
        lambda path: path.write_text("[]"),
        lambda path: path.write_text("{}"),
        lambda path: change(path, runs=[]),
        lambda path: change(path, cell__refusal="why", runs=[{}]),
        lambda path: change(path, runs__0__metrics={"ap": 0.5}),
        lambda path: change(path, runs__0__metrics={"auc": 93.0}),
        lambda path: change(path, runs__0__valid={"auc": "high"}),
        lambda path: change(path, runs__0__seed=7),
        lambda path: change(path, runs__0__model="aa"),
        lambda path: change(path, graph={"name": "x"}),
        lambda path: change(path, cell__more=1),
    ],
)
def test_a_broken_file_is_one_sentence(save, damage):
    path = save("cn", 0)
    damage(path)
    with pytest.raises(InputError) as caught:
        CellRecord.load(path)
    assert str(caught.value) == f"{path}: this is not a readable record of a run; delete it, and the cell is run again."


def test_a_record_in_the_wrong_place(save):
    path = save("cn", 0)
    moved = path.with_name("seed-1.json")
    path.rename(moved)
    with pytest.raises(InputError, match="this is the record of cn on airports, seed 0, and stands in the wrong place"):
        CellRecord.load(moved)
