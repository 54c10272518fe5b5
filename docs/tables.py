"""Draws the tables of the pages from the records: ``python docs/tables.py``.

A table stands between ``<!-- name -->`` and ``<!-- /name -->``. One without records yet is left as it is.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from linkwl.benchmark.cell_record import load_cells, merged
from linkwl.benchmark.collect import collect_scores
from linkwl.benchmark.collect_times import collect_times
from linkwl.benchmark.differences import Difference, collect_differences
from linkwl.benchmark.grid import GRIDS
from linkwl.datasets import CATALOGUE, benchmark_names
from linkwl.errors import InputError
from linkwl.models.bundled import SettingsKind
from linkwl.models.registry import RECOMMENDED, model_ids
from linkwl.records import Evaluation
from linkwl.reports.benchmark_table import ScoreTable, scores_rows_markdown
from linkwl.reports.benchmark_time import times_rows_markdown
from linkwl.reports.tables import results_markdown
from linkwl.tuning import Study
from linkwl.tuning.study import load_studies

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
PAGES = ("README.md", *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").glob("*.md"))))


def summary() -> str:
    """The recommended model beside the best number of the paper's tables, on every network."""
    titles, ours, paper = [], [], []
    for table in (collect_scores(GRIDS[name], RESULTS) for name in ("table1", "table2")):
        system = next(system for system in table.networks if system.name == RECOMMENDED)
        for dataset, title in table.datasets.items():
            pair = system.ours[dataset].mean, table.best_of_paper(dataset)
            marked = [f"**{value:.2f}**" if value == max(pair) else f"{value:.2f}" for value in pair]
            titles.append(title)
            ours.append(marked[0])
            paper.append(marked[1])
    rows = [["AUC %", *titles], ["---", *["--:"] * len(titles)], [f"`{RECOMMENDED}`", *ours], ["paper's best", *paper]]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def summary_of_triples() -> str:
    """The recommended model beside the best printed number, on every graph of triples and in every metric."""
    tables = [collect_scores(GRIDS[name], RESULTS, GRIDS[name].settings) for name in ("table3", "entities-50")]
    titles = list(tables[0].datasets.values())
    rows = [[f"`{RECOMMENDED}` / best in print, %", *titles], ["---", *["--:"] * len(titles)]]
    for block in (*tables[0].blocks, *tables[1].blocks):
        printed = [_best_in_print(block, dataset) for dataset in block.datasets]
        if any(printed):
            among = " among 50 entities" if block.name == "entities-50" else ""
            cells = map(_beside, _means(block), printed)
            rows.append([f"{block.metric}{among}", *cells])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _means(table: ScoreTable) -> list[float | None]:
    """The means of the recommended model, one for each dataset."""
    ours = next((system.ours for system in table.networks if system.name == RECOMMENDED), {})
    return [ours[dataset].mean if dataset in ours else None for dataset in table.datasets]


def _best_in_print(table: ScoreTable, dataset: str) -> float | None:
    rows = (system.printed for system in (*table.networks, *table.others))
    return max((row[dataset].mean or 0.0 for row in rows if dataset in row), default=None)


def _beside(ours: float | None, printed: float | None) -> str:
    """Both numbers, the larger one bold."""
    best = max(value for value in (ours, printed) if value is not None)
    texts = [
        "–" if value is None else f"**{value:.1f}**" if value == best else f"{value:.1f}" for value in (ours, printed)
    ]
    return " / ".join(texts)


def scores(name: str, kind: SettingsKind | None = None) -> str:
    """A table of ``linkwl bench``; one of several metrics is followed by a note on the printed numbers."""
    grid = GRIDS[name]
    table = collect_scores(grid, RESULTS, kind or grid.settings)
    note = f"\n\n{table.printed_note}" if table.further and table.printed_note else ""
    return scores_rows_markdown(table) + note


def against(name: str) -> str:
    """The recommended model minus every other in a table, over the splits of both; clear differences are bold."""
    grid = GRIDS[name]
    found = collect_differences(grid, RESULTS, RECOMMENDED, grid.settings)
    titles = grid.dataset_titles
    rows = [[f"`{RECOMMENDED}` minus", *titles.values()], ["---", *["--:"] * len(titles)]]
    for model in grid.networks:
        if model in found:
            rows.append([f"`{model}`", *(_difference(found[model].get(dataset)) for dataset in titles)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _difference(difference: Difference | None) -> str:
    if difference is None:
        return "–"
    found = difference.found
    mean = f"{100 * found.mean:+.2f}"
    margin = f" ± {100 * found.margin:.2f}" if difference.splits > 1 else " (1)"
    return (f"**{mean}**" if found.is_clear else mean) + margin


def tuning() -> str:
    """The budget that each system used on each network: trials and CPU minutes."""
    datasets = benchmark_names()
    rows = [["trials / CPU minutes", *(CATALOGUE[name].title for name in datasets)], ["---", *["--:"] * len(datasets)]]
    for model in model_ids("baseline", task="pairs"):
        studies = load_studies(RESULTS / "tuning", model)
        if studies:
            rows.append([f"`{model}`", *(_budget(studies.get(name)) for name in datasets)])
    if len(rows) == 2:
        raise InputError("there is no study; run `python benchmarks/tuning.py` first.", path=RESULTS / "tuning")
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _budget(study: Study | None) -> str:
    return "–" if study is None else f"{len(study.trials)} / {study.cpu_seconds / 60:.1f}"


def heuristics() -> str:
    """All heuristics on all networks."""
    return results_markdown([_heuristics_on(name) for name in benchmark_names()], "auc")


def _heuristics_on(dataset: str) -> Evaluation:
    found = [load_cells(RESULTS / "heuristics", model).values() for model in model_ids("heuristic", task="pairs")]
    return merged([record for records in found for record in records if record.cell.dataset == dataset])


def times() -> str:
    """The table of ``linkwl bench time``."""
    return times_rows_markdown(collect_times(RESULTS))


def benchmark(name: str, function: str = "markdown") -> str:
    """The table of a script in ``benchmarks``, which must be on the import path."""
    record = ROOT / "benchmarks" / "results" / f"{name}.json"
    if not record.exists():
        raise InputError(f"there is no record; run `python benchmarks/run.py {name}` first.", path=record)
    markdown: Callable[[object], str] = getattr(import_module(name), function)
    return markdown(json.loads(record.read_text(encoding="utf-8"))["figures"])


TABLES: dict[str, Callable[[], str]] = {
    "summary": summary,
    "summary-triples": summary_of_triples,
    **{name: partial(scores, name) for name in GRIDS},
    "table3-paper": partial(scores, "table3", "paper"),
    **{f"against-{name}": partial(against, name) for name in ("table1", "table2", "hits", "heart")},
    "tuning": tuning,
    "heuristics": heuristics,
    "time": times,
    "networks": partial(benchmark, "networks", "speeds_markdown"),
    **{name: partial(benchmark, name) for name in ("outside", "directed", "bipartite", "temporal", "coordinates")},
    "explanations": partial(benchmark, "explanations"),
    **{name: partial(benchmark, name) for name in ("limits", "fit_times", "recipe", "parts")},
    **{name: partial(benchmark, name) for name in ("calibration", "recovered", "ranking", "screening")},
    **{name: partial(benchmark, name) for name in ("triple_limits", "triple_ranking", "together", "pykeen_models")},
    **{name: partial(benchmark, name) for name in ("public_models", "growth", "drawing", "hard_negatives")},
}
"""What is drawn between the markers of each name."""


def draw(name: str) -> str:
    """A table, with one newline at its end."""
    return TABLES[name]().rstrip("\n") + "\n"


def block(name: str) -> re.Pattern[str]:
    """Matches a table with its markers; the table is the second group."""
    return re.compile(rf"(<!-- {name} -->\n)(.*?)(<!-- /{name} -->\n)", flags=re.DOTALL)


def main() -> None:
    """Draws all tables anew."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    texts = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES}
    for name in TABLES:
        try:
            table = draw(name)
        except InputError as error:
            sys.stderr.write(f"{name} is left as it is: {error}\n")
            continue
        for page, text in texts.items():
            texts[page] = block(name).sub(lambda match, table=table: match[1] + table + match[3], text)
    for page, text in texts.items():
        (ROOT / page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
