"""Repairs of the theme's pages for people who use a keyboard or a screen reader, found with axe-core."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

REPAIRS = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="This page">',
    '<div class="highlight"><pre>': '<div class="highlight"><pre tabindex="0">',  # may be wider than a phone
    '<div class="table-wrapper colwidths-auto docutils container">': (
        '<div class="table-wrapper colwidths-auto docutils container" tabindex="0">'
    ),
    '<div class="math-wrapper docutils container">': '<div class="math-wrapper docutils container" tabindex="0">',
    '<th class="head"><p></p></th>': "<td></td>",  # the corner of a table names nothing
}


def repair(app: Sphinx, error: Exception | None) -> None:
    """Repairs every page that was written."""
    if error is None and app.builder.name == "html":
        for page in Path(app.outdir).rglob("*.html"):
            text = before = page.read_text(encoding="utf-8")
            for found, repaired in REPAIRS.items():
                text = text.replace(found, repaired)
            if text != before:
                page.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Runs after all pages are written."""
    app.connect("build-finished", repair)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
