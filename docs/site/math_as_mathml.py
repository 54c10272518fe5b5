"""Formulas as MathML, which browsers draw themselves: Sphinx's own renderer loads a script from another host."""

from __future__ import annotations

import re

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

SIZES = re.compile(r"\\(?:[Bb]igg?[lr]?|textstyle)(?![A-Za-z])")
"""Sizes that the converter does not know; in MathML brackets grow by themselves."""


def _mathml(formula: str, *, as_block: bool = False) -> str:
    return tex2mathml(SIZES.sub("", formula), as_block=as_block)


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(_mathml(node.astext()))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="math">{_mathml(node.astext(), as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
