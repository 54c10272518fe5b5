"""The typed numbers against the notes they were taken from, where those are at hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from linkwl.benchmark import published
from linkwl.datasets import CATALOGUE

NOTES = Path(__file__).resolve().parents[4] / "shared" / "reference"
HEURISTIC_NAMES = {
    "CN": "cn",
    "PA": "pa",
    "RA": "ra",
    "AA": "aa",
    "Jaccard": "jaccard",
    "Katz": "katz",
    "PPR": "ppr",
    "SimRank": "simrank",
}


def notes(name: str) -> str:
    if not (NOTES / name).is_file():
        pytest.skip("the notes on the published systems are not here")
    return (NOTES / name).read_text(encoding="utf-8")


def dataset_of(label: str) -> str | None:
    return next((d.name for d in CATALOGUE.values() if label in (d.title, d.name, d.name.capitalize())), None)


def tables(text: str) -> list[tuple[list[str], dict[str, list[str]]]]:
    """Every Markdown table: its header and its rows by their first cell."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        rows = [[cell.strip(" *") for cell in line.strip().strip("|").split("|")] for line in block.splitlines()]
        found.append((rows[0], {row[0]: row[1:] for row in rows[2:]}))
    return found


def number(text: str) -> tuple[float | None, float | None]:
    if text == "OOM":
        return None, None
    mean, _, std = text.partition(" ± ")
    return float(mean), float(std) if std else None


def compare(rows, header, body, names):
    """How many cells of ours are in the table, all of them equal."""
    systems = {row.system: row for row in rows}
    count = 0
    for label, cells in body.items():
        dataset = dataset_of(label)
        for title, cell in zip(header[1:], cells, strict=True):
            system = names.get(title, title)
            if dataset is not None and system in systems:
                value = systems[system].values[dataset]
                assert (value.value, value.std) == number(cell), (system, dataset)
                count += 1
    return count


@pytest.mark.parametrize(("rows", "last"), [(published.TABLE1, "SEAL (+node2vec)"), (published.TABLE2, "NBFNet")])
def test_tables_are_as_in_the_notes(rows, last):
    text = notes("BASELINES.md")
    header, body = next(
        (head, body) for head, body in tables(text[text.index("## 13.") :]) if last in head and "2-WL" in head
    )
    expected = sum(len(row.values) for row in rows if row.is_in_paper)
    assert compare(rows, header, body, {"SEAL (+node2vec)": "SEAL (with node2vec)"}) == expected


def test_both_rows_of_seal_are_as_in_the_notes():
    header, body = next((head, body) for head, body in tables(notes("BASELINES.md")) if "structure only" in body)
    rows = {row.system: row for row in published.TABLE1}
    for label, name in (("structure only", "SEAL (structure only)"), ("with node2vec", "SEAL (with node2vec)")):
        cells = next(cells for key, cells in body.items() if key.startswith(label))
        values = [(value.value, value.std) for value in rows[name].values.values()]
        assert values == [number(cell.strip("* ")) for cell in cells]
        assert [dataset_of(title) for title in header[1:]] == list(rows[name].values)
    assert [row.system for row in published.TABLE1 if not row.is_in_paper] == ["SEAL (structure only)"]


def test_heuristics_are_as_in_the_notes():
    text = notes("BASELINES.md")
    header, body = next((head, body) for head, body in tables(text) if head[:2] == ["AUC %", "CN"])
    body = {label: cells for label, cells in body.items() if dataset_of(label) in published.FEATURELESS}
    assert compare(published.HEURISTICS1, header, body, HEURISTIC_NAMES) == 8 * 8
    sentence = text[text.index("NBFNet paper, citation networks") :][:300].replace("\n", " ")
    for row in published.HEURISTICS2:
        title = next(title for title, name in HEURISTIC_NAMES.items() if name == row.system)
        printed = re.search(rf"{title} ([\d.]+) / ([\d.]+) / (\d+\.\d+)", sentence)
        assert [value.value for value in row.values.values()] == [float(text) for text in printed.groups()]


def test_times_are_as_in_the_notes():
    text = re.sub(r"\s+", " ", notes("MODELS.md"))
    sentence = text[text.index("Inference time [paper") :][:300]
    for row in published.TIMES:
        printed = re.search(rf"{row.system} ([\d.]+) / ([\d.]+) / ([\d.]+) s", sentence)
        assert [value.value for value in row.values.values()] == [float(text) for text in printed.groups()]


def test_the_table_of_triples_is_as_in_the_notes():
    text = notes("KG_PROTOCOL.md")
    block = text[text.index("## 8.") :]
    metrics = {"ACC": "acc", "AUROC": "auc", "Hits@3": "relation-hits@3"}
    found, metric = {}, ""
    for line in re.findall(r"^\|.*\d\.\d.*$", block[: block.index("## 9.")], flags=re.MULTILINE):
        label, system, *cells = (cell.strip(" *") for cell in line.strip().strip("|").split("|"))
        metric = metrics.get(label, metric)
        found[system, metric] = [float(cell) for cell in cells]
    ours = {(row.system, row.metric): [row.values[name].value for name in row.values] for row in published.TABLE3}
    assert ours == found
    assert len(ours) == 15


def test_entity_ranking_is_as_in_the_notes():
    text = re.sub(r"\s+", " ", notes("BASELINES.md"))
    sentence = text[text.index("Hits@10 among 50 sampled negatives") :][:250]
    printed = [float(number) for number in re.findall(r"\d+\.\d", sentence)]
    assert [value.value for row in published.ENTITIES for value in row.values.values()] == printed[:16]


def test_every_value_names_its_row():
    systems = (published.TABLE1, published.TABLE2, published.TABLE3, published.ENTITIES)
    for rows in (*systems, published.HEURISTICS1, published.HEURISTICS2, published.TIMES):
        for row in rows:
            assert all(value.source.endswith(f"row {row.system}") for value in row.values.values())
            assert ("Hu et al." in row.source) == row.is_in_paper


def test_out_of_memory_is_no_number():
    rows = {row.system: row for row in published.TABLE2}
    missing = [(name, data) for name, row in rows.items() for data, value in row.values.items() if value.value is None]
    assert missing == [("2-WL", "pubmed"), ("2-FWL", "pubmed")]
