"""Turtle: RDF with prefixes and abbreviations, parsed by rdflib."""

from __future__ import annotations

import logging
import re
import warnings
from pathlib import Path
from typing import Any

from linkwl.errors import InputError
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.rdf_statements import Statements
from linkwl.graph.readers.text_source import find_line, read_text

_BASE = "file:///"
"""Relative IRIs belong to no place on this machine."""


def read_turtle(path: Path, *, name: str) -> KnowledgeGraph:
    """The knowledge graph of a Turtle file, plain or gzipped; see :func:`~linkwl.graph.readers.ntriples.read_ntriples`.

    Blank nodes are named ``_:b1``, ``_:b2``, ... in the order of the file.

    Raises:
        InputError: If rdflib is not installed, or the file is not valid Turtle.
    """
    try:
        from rdflib.plugins.parsers.notation3 import RDFSink, SinkParser
    except ImportError as error:
        problem = "Turtle files are read with rdflib; install it with `pip install linkwl[rdf]`."
        raise InputError(problem, path=path) from error
    content = read_text(path)
    try:
        text = content.to_pybytes().decode()
    except UnicodeDecodeError as error:
        line = find_line(content, 1, _is_not_text)
        raise InputError("this line is not UTF-8 text; save the file as UTF-8.", path=path, line=line) from error
    text = re.sub(r"\r\n?", "\n", text)
    collector = _Collector()
    graph: Any = collector
    parser = SinkParser(RDFSink(graph), baseURI=_BASE, turtle=True)
    log, quiet = logging.getLogger("rdflib"), logging.NullHandler()
    log.addHandler(quiet)  # without a handler its warnings about odd IRIs would be printed
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parser.loadBuf(text)
    except Exception as error:  # besides syntax errors, damaged files raise all kinds
        raise _explained(error, parser, text, path) from error
    finally:
        log.removeHandler(quiet)
    return collector.statements.to_graph(path, name=name, form="Turtle")


class _Collector:
    """Stands in for rdflib's graph: it keeps the order of statements, which the names of blank nodes follow."""

    def __init__(self) -> None:
        self.statements = Statements()
        self.store = None
        self._blank: dict[str, str] = {}

    def add(self, triple: tuple[Any, Any, Any]) -> None:
        """Adds a statement."""
        subject, predicate, value = triple
        head, relation = self._name(subject), self._name(predicate)
        if _is_literal(value):
            datatype = None if value.datatype is None else str(value.datatype)
            self.statements.add_literal(head, relation, str(value), datatype)
        else:
            self.statements.add(head, relation, self._name(value))

    def _name(self, term: Any) -> str:
        if type(term).__name__ == "BNode":
            return self._blank.setdefault(str(term), f"_:b{len(self._blank) + 1}")
        name = str(term)
        if _is_literal(term) or not name or name != name.strip() or not name.isprintable():
            raise ValueError(f"{name!r} is not an IRI")
        return name


def _is_literal(term: Any) -> bool:
    return type(term).__name__ == "Literal"


def _is_not_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return True
    return False


def _explained(error: Exception, parser: Any, text: str, path: Path) -> InputError:
    """The error as one sentence with a line."""
    line = min(int(getattr(error, "lines", parser.lines)) + 1, text.count("\n") + 1)
    reason = getattr(error, "_why", None) if type(error).__name__ == "BadSyntax" else None
    if isinstance(error, ValueError) and "is not an IRI" in str(error):
        reason = str(error)
    why = " ".join(str(reason).split()).rstrip(".") if reason else "it may end too early, or a quote is open"
    return InputError(f"not valid Turtle: {why}; fix this line or the one before it.", path=path, line=line)
