from __future__ import annotations

import re
from dataclasses import replace

from linkwl.reports.study_page import write_study_page
from studies import SPACE, study_of_twelve


def page_of(study, importance, tmp_path):
    write_study_page(study, SPACE, importance, tmp_path / "study.html")
    return (tmp_path / "study.html").read_text(encoding="utf-8")


def test_the_page_is_whole_and_needs_nothing_else(tmp_path):
    page = page_of(study_of_twelve(), {"group.share": 0.9, "kind": 0.1}, tmp_path)
    images = re.findall(r'src="([^"]*)"', page)
    assert len(images) == 2 + 2  # history and importance, and a slice for each setting that varies
    assert all(source.startswith("data:image/svg+xml;base64,") for source in images)
    assert page.count("<script") == 1
    assert not re.search(r"https?://", re.sub(r'src="[^"]*"', "", page))
    assert page.rstrip().endswith("</html>")


def test_its_numbers_are_those_of_the_record(tmp_path):
    study = study_of_twelve()
    page = page_of(study, {}, tmp_path)
    assert f"{100 * study.best.value:.2f} %</b> AUC of the best trial" in page
    assert "<b>12</b> trials, 1 of them ended early, 1 failed" in page
    assert "+5.00 ± 2.83 points: clearly better than the defaults" in page
    assert page.count('<td class="number">split') == 0
    for seed in study.confirmation.seeds:
        assert f"split {seed}" in page
    assert "(no convergence)" in page
    assert "Importance" not in page  # there was none to show


def test_names_from_files_are_text(tmp_path):
    page = page_of(study_of_twelve(), {}, tmp_path)
    assert "ring &lt;&amp;&gt;" in page
    assert "<b>," not in page
    assert "kind=&lt;b&gt;" in page


def test_a_study_without_a_result_has_a_page(tmp_path):
    study = study_of_twelve()
    page = page_of(replace(study, trials=(study.trials[4],), confirmation=None), {}, tmp_path)
    assert "fresh splits" not in page
    assert "AUC of the best trial" not in page
    assert "no convergence" in page
