from __future__ import annotations

from dataclasses import replace

import numpy as np
from rich.console import Console

from linkwl import PROTOCOLS, audit_split, create_model, evaluate_models
from linkwl.datasets import load_airports
from linkwl.reports.tables import (
    audit_table,
    evaluation_methods,
    evaluation_table,
    evaluation_title,
    results_markdown,
)
from triple_graphs import relatives, twice_named


def text_of(table):
    console = Console(width=160, record=True, file=open("/dev/null", "w"))  # noqa: PTH123, SIM115
    with console.file:
        console.print(table)
    return console.export_text()


def test_the_evaluation_table_shows_what_the_record_says():
    result = evaluate_models(load_airports(), [create_model("pa")], PROTOCOLS["paper"], [0, 1])
    text = text_of(evaluation_table(result))
    title = evaluation_title(result)
    aucs = [100 * run.metrics["auc"] for run in result.runs]
    assert "airports: 352 nodes, 3,017 edges; protocol `paper`, seeds 0 to 1" in title
    assert f"{np.mean(aucs):.2f} ± {np.std(aucs, ddof=1):.2f}" in text
    assert evaluation_methods(result) == [f"pa: {result.runs[0].method}"]


def test_one_run_has_no_deviation():
    result = evaluate_models(relatives(), [create_model("floor", "triples")], PROTOCOLS["indigo"], [0])
    assert "±" not in text_of(evaluation_table(result))
    assert f"{relatives().num_facts:,} facts; protocol `indigo`, seed 0" in evaluation_title(result, "triples")


def test_the_audit_table_shows_verdicts():
    graph = load_airports()
    split = PROTOCOLS["paper"].apply(graph, 0)
    assert "no leak" in text_of(audit_table(audit_split(split, graph)))
    leaking = replace(split, test=replace(split.test, observed=graph))
    text = text_of(audit_table(audit_split(leaking, graph)))
    assert "broken by 301 pairs, first " in text
    assert "this split leaks" in text


def test_the_markdown_table_marks_the_best():
    result = evaluate_models(load_airports(), [create_model("pa"), create_model("jaccard")], PROTOCOLS["paper"], [0])
    pa, jaccard = (100 * run.metrics["auc"] for run in result.runs)
    assert pa > jaccard
    assert results_markdown([result], "auc").splitlines() == [
        "| AUC % | pa | jaccard |",
        "|---|--:|--:|",
        f"| airports | **{pa:.1f}** ± 0.0 | {jaccard:.1f} ± 0.0 |",
    ]


def test_the_audit_table_shows_inverse_relations():
    graph = relatives()
    text = text_of(audit_table(audit_split(PROTOCOLS["entities-50"].apply(graph, 0), graph)))
    assert "sibling of holds both ways" in text
    assert "for 100% of 480 facts" in text
    assert "parent of is child of turned round" in text
    assert "for 100% of 320 facts, and 100% of 320" in text
    assert "test facts whose reverse is observed, with an inverse relation" in text


def test_the_audit_table_shows_near_duplicate_relations():
    graph = twice_named()
    text = text_of(audit_table(audit_split(PROTOCOLS["entities-50"].apply(graph, 0), graph)))
    assert "1 is nearly the same as 0" in text
    assert "for 100% of 60 facts, and 100% of 60" in text
    assert "test facts whose pair is observed, with a near-duplicate relation" in text
