from __future__ import annotations

import pytest

from linkwl.benchmark.collect_times import collect_times
from linkwl.benchmark.gae import GAE
from linkwl.benchmark.published import TIMES
from linkwl.benchmark.timing import Clock, TimeRecord, save_times
from linkwl.errors import InputError
from linkwl.protocols import PAPER
from linkwl.records import GraphRecord


def save(out, dataset="cora", refusals=None, **clocks):
    record = TimeRecord(
        dataset,
        GraphRecord(dataset, 1, 1, ""),
        PAPER.to_json(),
        0,
        1054,
        {name.replace("_", "-").replace("gae", GAE): clock for name, clock in clocks.items()},
        refusals or {},
        {"threads": "2"},
    )
    save_times(out, record)


def test_medians_and_ratios_turn_by_turn(tmp_path):
    save(tmp_path, gae=Clock(9.0, (1.0, 2.0, 4.0)), local_2wl=Clock(5.0, (3.0, 2.0, 2.0)))
    table = collect_times(tmp_path)
    assert [system.name for system in table.systems[:2]] == ["local-2wl", GAE]
    ours, reference = (system.ours["cora"] for system in table.systems[:2])
    assert (ours.seconds, ours.first, ours.ratio) == (2.0, 5.0, 1.0)
    assert (reference.seconds, reference.first, reference.ratio) == (2.0, 9.0, None)
    assert table.systems[1].is_reference
    assert "2 threads" in table.conditions
    assert "Cora 1,054" in table.conditions
    assert "median of 3 warm runs" in table.conditions


def test_printed_times_stand_beside_ours(tmp_path):
    save(tmp_path, local_2wl=Clock(5.0, (3.0,)), cn=Clock(1.0, (1.0,)))
    table = collect_times(tmp_path)
    by_name = {system.name or system.printed_name: system for system in table.systems}
    assert list(by_name) == ["local-2wl", "cn", "2-FWL_L", "SEAL", "NBFNet"]
    rows = {row.system: {name: value.value for name, value in row.values.items()} for row in TIMES}
    assert by_name["local-2wl"].printed == rows["2-WL_L"]
    assert by_name["NBFNet"].printed == rows["NBFNet"]
    assert by_name["cn"].printed == {}
    assert by_name["local-2wl"].ours["cora"].ratio is None
    assert GAE not in table.conditions


def test_a_model_with_several_printed_names_stands_beside_that_of_the_table(tmp_path):
    save(tmp_path, seal=Clock(5.0, (3.0,)))
    seal = collect_times(tmp_path).systems[0]
    assert (seal.name, seal.printed_name) == ("seal", "SEAL")
    assert seal.printed["cora"] == next(row.values["cora"].value for row in TIMES if row.system == "SEAL")


def test_refusals_are_told(tmp_path):
    save(tmp_path, refusals={"2fwl": "too large."}, cn=Clock(1.0, (1.0,)))
    assert collect_times(tmp_path).notes == ("Refused: 2fwl on Cora: too large.",)


def test_nothing_there_is_one_sentence(tmp_path):
    with pytest.raises(
        InputError, match=f"{tmp_path}/time.jsonl: there is no record of times; run `linkwl bench time` first"
    ):
        collect_times(tmp_path)


def test_every_kind_of_settings_has_a_table_of_its_own(tmp_path):
    save(tmp_path, cn=Clock(1.0, (1.0,)))
    (tmp_path / "time.jsonl").rename(tmp_path / "time-paper.jsonl")
    assert collect_times(tmp_path, "paper").name == "time-paper"
    with pytest.raises(InputError, match="there is no record of times"):
        collect_times(tmp_path)
