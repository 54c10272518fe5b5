"""How Sphinx builds the pages of this folder into a site: ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path

import linkwl

sys.path.insert(0, str(Path(__file__).parent / "site"))

project = "linkwl"
author = "the authors of linkwl"
release = version = linkwl.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
extensions += ["accessible", "command_pages", "math_as_mathml", "pages"]  # in the folder `site`
templates_path = ["site/templates"]
exclude_patterns = ["site"]
suppress_warnings = ["ref.python"]  # a field called `source` is one of several
smartquotes = False  # "--" begins an option
highlight_language = "text"  # blocks without a language are commands and what they print

myst_heading_anchors = 4  # the anchors that pages are linked by when they are read in the repository

autodoc_member_order = "groupwise"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_preserve_defaults = True
napoleon_use_ivar = True  # fields that are properties, too, are described once
napoleon_custom_sections = [("Shape", "notes_style")]
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"linkwl {version}"
html_copy_source = False
html_show_copyright = False
html_math_renderer = "mathml"  # no script, and nothing from another host
