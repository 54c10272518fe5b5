"""Web pages of one file: style, script and pictures are inside, and nothing is loaded from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import jinja2
from markupsafe import Markup

from linkwl.metrics import Interval
from linkwl.predict.held_out_figures import Estimate
from linkwl.predict.ranking import Ranking

_SCRIPT, _STYLE = "page.js", "style.css"
_LONG = re.compile(r"(\S{10}(?=\S{8}))")
"""Ten letters of a word that goes on for at least eight more; shorter words are never broken."""


def render_page(template: str, values: Mapping[str, Any]) -> str:
    """A page as text.

    The page carries a content security policy: a browser runs the one script whose digest it names and loads nothing.

    Args:
        template: The file in ``templates``.
        values: What it shows; all text is escaped.
    """
    environment = _environment()
    script, style = (_source(environment, name) for name in (_SCRIPT, _STYLE))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    # Neither holds values from outside.
    trusted = {"script": Markup(script), "style": Markup(style)}
    return environment.get_template(template).render(**trusted, policy=policy, **values)


def csv_address(ranking: Ranking) -> str:
    """A ranking as a data URL, the same CSV file that ``linkwl predict`` writes."""
    stream = io.BytesIO()
    ranking.write_csv(stream)
    return f"data:text/csv;base64,{base64.b64encode(stream.getvalue()).decode()}"


def percent(value: float) -> str:
    """A share with one decimal, rounded to 100 only if it is: ``99.9``."""
    text = f"{100 * value:.1f}"
    return "99.9" if text == "100.0" and value < 1 else text


def range_text(interval: Interval | Estimate) -> str:
    """The bounds in percent: ``98.7–99.6``."""
    return f"{percent(interval.low)}–{percent(interval.high)}"


def breakable(text: object) -> Markup:
    """A text in which a line can be broken after separators, and anywhere in words that are too long for a phone.

    Example:
        >>> breakable("Switzerland borders /location/<country>")
        Markup('Switzerland borders /<wbr>location/<wbr>&lt;country&gt;')
    """
    pieces = [piece for word in re.split(r"(?<=[/_.:])(?=[\w<])", str(text)) for piece in _LONG.split(word) if piece]
    return Markup("<wbr>").join(pieces)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("linkwl.reports"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"percent": percent, "range": range_text, "breakable": breakable}
    return environment


def _source(environment: jinja2.Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]
