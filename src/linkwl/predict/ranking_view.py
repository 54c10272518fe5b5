"""The first rows of a ranking, as text for a terminal and as HTML for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from linkwl.html_table import table_html
from linkwl.printable import printable

if TYPE_CHECKING:
    from linkwl.predict.ranking import Ranking

MOST_LINES = 10
"""Number of rows that are printed."""
MOST_ROWS = 20
"""Number of rows that a notebook shows."""
_LONGEST_NAME = 40


def ranking_text(ranking: Ranking) -> str:
    """The number of rows, and the first of them in columns."""
    names, rows = _cells(ranking, MOST_LINES)
    short = [[_short(printable(cell, lines=False)) for cell in row] for row in rows]
    table = [names, *short]
    widths = [max(len(row[k]) for row in table) for k in range(len(names))]
    lines = ["  ".join(_padded(row, widths, len(ranking.columns))).rstrip() for row in table]
    more = [f"... and {len(ranking) - len(rows):,} more"] if len(ranking) > len(rows) else []
    return "\n".join([_title(ranking), *(lines if rows else []), *more, *_remarks(ranking)])


def ranking_html(ranking: Ranking) -> str:
    """The first rows as a table; how they were found is said below."""
    names, rows = _cells(ranking, MOST_ROWS)
    notes = [f"and {len(ranking) - len(rows):,} more"] if len(ranking) > len(rows) else []
    if ranking.search is not None:
        notes.append(str(ranking.search))
    notes += _remarks(ranking)
    numbers = [name for name in names if name not in ranking.columns]
    return table_html(names, rows, title=_title(ranking), notes=notes, numbers=numbers)


def _remarks(ranking: Ranking) -> list[str]:
    """What there is to say about second values of functional relations."""
    text = "" if ranking.functional is None else ranking.functional.to_text()
    return [text] if text else []


def _title(ranking: Ranking) -> str:
    what = "link" if len(ranking.columns) == 2 else "fact"
    return f"{len(ranking):,} {what}{'' if len(ranking) == 1 else 's'}"


def _cells(ranking: Ranking, most: int) -> tuple[list[str], list[list[str]]]:
    """The names of the columns, and the texts of the first rows: rank, names, probability and score."""
    names = ["rank", *ranking.columns, "probability", "score"]
    rows = [
        [f"{row.rank:,}", *map(str, row[: len(ranking.columns)]), percent(row.probability), _score(row.score)]
        for row in ranking.head(most)
    ]
    return names, rows


def percent(share: float) -> str:
    """A share in percent, with at least two digits.

    Example:
        >>> percent(0.5), percent(0.00123)
        ('50.0 %', '0.12 %')
    """
    return f"{100 * share:.1f} %" if share >= 0.01 else f"{100 * share:.2g} %"


def _score(score: float) -> str:
    """A score with four digits, or a large one as a whole number."""
    return f"{score:#.4g}" if abs(score) < 1000 else f"{score:,.0f}"


def _padded(row: Sequence[str], widths: Sequence[int], num_names: int) -> list[str]:
    """The cells of a row in columns: names on the left, numbers on the right."""
    return [
        cell.ljust(width) if 1 <= place <= num_names else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"
