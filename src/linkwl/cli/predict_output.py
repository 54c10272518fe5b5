"""What ``linkwl predict`` prints and writes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwl.cli.console import console, say, standard_output
from linkwl.printable import printable

if TYPE_CHECKING:
    from rich.progress import Progress
    from rich.table import Table

    from linkwl.graph import Observed
    from linkwl.predict import LinkPredictor, Ranking
    from linkwl.predict.candidates import Candidates
    from linkwl.predict.dataset_out import Written
    from linkwl.typing import Task

_LONG_SECONDS = 60
_ROWS_SHOWN = 10
_FEWEST_ROWS = 5
"""With fewer rows, a node in most of them says nothing."""


def ranking_json(predictor: LinkPredictor, observed: Observed, ranking: Ranking, prior: float) -> dict[str, Any]:
    """A ranking, what it is of and how it was found."""
    found = {} if ranking.search is None else {"ranking": ranking.search.to_json()}
    counts = {observed.task: len(ranking)}
    rows = ranking.to_arrow().to_pylist()
    if ranking.functional is not None:
        found["functional"] = ranking.functional.to_json()
        is_second = ranking.functional.is_second.tolist()
        rows = [row | {"second_value": second} for row, second in zip(rows, is_second, strict=True)]
    return _source(predictor, observed, prior) | counts | found | {"predictions": rows}


def dataset_json(
    predictor: LinkPredictor, observed: Observed, written: Written, folder: Path, prior: float
) -> dict[str, Any]:
    """What a folder of scores is of, and how much it holds."""
    counts = {observed.task: written.num_rows, "scored": written.num_scored, "files": written.num_files}
    counts |= {"left_out": written.num_left_out} if observed.task == "triples" else {}
    return _source(predictor, observed, prior) | counts | {"folder": str(folder)}


def _source(predictor: LinkPredictor, observed: Observed, prior: float) -> dict[str, Any]:
    return {"graph": asdict(observed.record), "model": predictor.model_.id, "prior": prior}


def print_ranking(ranking: Ranking, out: Path | None, task: Task, *, excel_safe: bool) -> None:
    """Writes a ranking to a file and shows its first rows, or writes all of it to standard output."""
    if out is None:
        _print_csv(ranking, excel_safe)
        return
    ranking.save(out, excel_safe=excel_safe)
    say(f"{len(ranking):,} {task} written to {out}")
    console.print(ranking_table(ranking))


def _print_csv(ranking: Ranking, excel_safe: bool) -> None:
    """Writes CSV to standard output; on a terminal, control characters in names are spelled out."""
    with standard_output() as stream:
        if not stream.isatty():
            ranking.write_csv(stream.buffer, excel_safe=excel_safe)
            return
        content = BytesIO()
        ranking.write_csv(content, excel_safe=excel_safe)
        stream.write(printable(content.getvalue().decode()))


def files_text(written: Written) -> str:
    """The number of files, in words."""
    return "1 file" if written.num_files == 1 else f"{written.num_files:,} files"


def say_share(predictor: LinkPredictor, prior: float) -> None:
    """Prints the prior that the probabilities assume, and whether they are informative."""
    from linkwl.models.calibration import flat_text, share_text
    from linkwl.typing import FACT_WORD

    task = predictor.graph_.task
    say(
        f"probabilities assume that the share of {FACT_WORD[task]}s among such {task} is {share_text(prior)}; "
        "change it with --prior."
    )
    if predictor.calibration_.is_flat:
        say(flat_text(task))


def hub_text(ranking: Ranking) -> str:
    """That one node is in most of the ranked links, and what to do about it; empty if none is, or there are few links.

    A node with many links is a likely end of many more, and in a directed graph may fill the whole list.
    """
    if len(ranking.columns) != 2 or len(ranking) < _FEWEST_ROWS:
        return ""
    import numpy as np

    nodes, counts = np.unique(ranking.queries, return_counts=True)
    node, count = int(nodes[counts.argmax()]), int(counts.max())
    if 2 * count <= len(ranking):
        return ""
    name = next(iter(ranking.columns.values()))[node]
    return (
        f"{name} is an end of {count:,} of the {len(ranking):,} links; --per-node K ranks the links of every node by "
        "itself."
    )


def say_second_values(ranking: Ranking) -> None:
    """Prints what was left out of a ranking because the data have one value, or what would be a second value."""
    if ranking.functional is None or not (text := ranking.functional.to_text()):
        return
    say(text + " --second-values keep ranks them." * bool(ranking.functional.num_left_out))


def share_text_of(chosen: Candidates, text: str, task: Task) -> str:
    """How many of the existing links some candidates would include; empty for all of them."""
    from linkwl.predict.candidates import WithinHops
    from linkwl.predict.triple_candidates import TriplesOfRoles, TriplesWithinHops
    from linkwl.typing import FACT_WORD

    if not isinstance(chosen, WithinHops | TriplesWithinHops | TriplesOfRoles):
        return ""
    return (
        f"{chosen.share_of_links():.0%} of the existing {FACT_WORD[task]}s would be among the candidates {text} if "
        "they were missing."
    )


def ranking_progress(bar: Progress, observed: Observed, chosen: Candidates, text: str) -> Callable[[int, int], None]:
    """A function that updates the bar; it says once if the work will take long, by the time of its first part."""
    from linkwl.typing import FACT_WORD

    start, has_warned = time.monotonic(), False
    task = bar.add_task(f"ranking missing {FACT_WORD[observed.task]}s of {observed.name}", total=None)

    def show(done: int, total: int) -> None:
        nonlocal has_warned
        bar.update(task, completed=done, total=total)
        seconds = (time.monotonic() - start) * total / max(done, 1)
        if not has_warned and chosen.most is None and seconds > _LONG_SECONDS:
            has_warned = True
            if chosen.num_queries is None:
                what, remedy = f"the candidates {text}", "--most N stops after about N of them"
            else:
                what = f"all {chosen.num_queries:,} {observed.task}"
                remedy = "--candidates hops:3 scores only nodes within three edges of each other"
                if observed.task == "triples":
                    remedy = "--candidates roles scores only heads and tails that their relation already has"
            minutes = max(1, round(seconds / 60))
            say(f"scoring {what} will take about {minutes:,} minute{'s' if minutes > 1 else ''}; {remedy}.")

    return show


def ranking_table(ranking: Ranking) -> Table:
    """The first rows, for a terminal."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("rank", *ranking.columns, "score", "probability"):
        is_name = heading in ranking.columns
        table.add_column(heading, justify="left" if is_name else "right", overflow="fold" if is_name else "ellipsis")
    for row in ranking.head(_ROWS_SHOWN):
        names = (escape(printable(str(name), lines=False)) for name in row[: len(ranking.columns)])
        table.add_row(str(row.rank), *names, f"{row.score:.4g}", f"{row.probability:.4g}")
    return table
