"""Small adjustments between pages in the repository and pages of the site."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import linkwl

ROOT = Path(__file__).parents[2]
OUTSIDE = {"CONTRIBUTING.md": "contributing", "CHANGELOG.md": "changelog"}
"""Pages at the root of the repository, and the pages of the site that show them."""


def show_outside(app: Sphinx, name: str, source: list[str]) -> None:
    """Pages at the root of the repository are shown by a page of the site, where links to them lead."""
    for file, page in OUTSIDE.items():
        if name == page:
            source[0] = (ROOT / file).read_text(encoding="utf-8").replace("](docs/", "](")
    for file, page in OUTSIDE.items():
        source[0] = re.sub(rf"\]\(((?:\.\./)*?)(?:\.\./)?{re.escape(file)}", rf"](\1{page}.md", source[0])


def skip_shown(app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any) -> bool | None:
    """What ``linkwl`` itself exports is shown on its page, and not again on that of a part."""
    module = app.env.temp_data.get("autodoc:module") or app.env.ref_context.get("py:module")
    if what == "module" and module not in (None, "linkwl") and name in linkwl.__all__:
        return True if member is getattr(linkwl, name) else None
    return None


def import_lazy_names() -> None:
    """Imports what packages import when it is first used, so that autodoc finds it."""
    for page in (ROOT / "docs" / "reference").glob("*.md"):
        if page.stem != "index":
            package = import_module("linkwl" if page.stem == "linkwl" else f"linkwl.{page.stem}")
            for name in package.__all__:
                setattr(package, name, getattr(package, name))


def setup(app: Sphinx) -> dict[str, bool]:
    """Connects them."""
    import_lazy_names()
    app.connect("source-read", show_outside)
    app.connect("autodoc-skip-member", skip_shown)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
