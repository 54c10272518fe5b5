"""N-Triples: a statement of RDF per line."""

from __future__ import annotations

import re
from pathlib import Path

from linkwl.errors import InputError
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.readers.rdf_statements import Statements
from linkwl.graph.readers.text_source import numbered_lines, read_text

_IRI = r"<([^\s<>\"{}|^`:]+:[^\s<>\"{}|^`]*)>"
_BLANK = r"(_:[\w:](?:[\w.:-]*[\w:-])?)"
_LITERAL = rf'"((?:[^"\\]|\\.)*)"(?:\^\^{_IRI}|@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?'
_STATEMENT = re.compile(rf"\s*(?:{_IRI}|{_BLANK})\s*{_IRI}\s*(?:{_IRI}|{_BLANK}|{_LITERAL})\s*\.\s*(?:#.*)?")
_NOTHING = re.compile(r"\s*(?:#.*)?")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.?)")
_SHOWN = 60


def read_ntriples(path: Path, *, name: str) -> KnowledgeGraph:
    """The knowledge graph of a file of N-Triples, plain or gzipped.

    Statements between IRIs or blank nodes are facts, those of ``rdf:type`` are types of entities, numbers are
    attributes. Other literals are counted, and not used.
    """
    statements = Statements()
    for number, _, line in numbered_lines(read_text(path)):
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise InputError("this line is not UTF-8 text; save the file as UTF-8.", path=path, line=number) from error
        found = _STATEMENT.fullmatch(text)
        if found is None and _NOTHING.fullmatch(text):
            continue
        try:
            _add(statements, found)
        except ValueError:
            raise InputError(_problem(text), path=path, line=number) from None
    return statements.to_graph(path, name=name, form="N-Triples")


def _add(statements: Statements, found: re.Match[str] | None) -> None:
    """Adds the statement of a line; raises ValueError if there is none."""
    if found is None:
        raise ValueError("no statement")
    subject, blank_subject, predicate, iri, blank_object, literal, datatype = found.groups()
    head, relation = blank_subject or _unescaped(subject), _unescaped(predicate)
    if literal is None:
        statements.add(head, relation, blank_object or _unescaped(iri))
    else:
        statements.add_literal(head, relation, literal, datatype)


def _unescaped(iri: str) -> str:
    return _ESCAPE.sub(_character, iri) if "\\" in iri else iri


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2] or "0", 16)
    if code <= 0x20 or 0xD800 <= code < 0xE000 or chr(code).isspace():  # chr refuses codes that are too large
        raise ValueError("an IRI has no such character")
    return chr(code)


def _problem(text: str) -> str:
    if text.lstrip().lower().startswith(("@prefix", "@base", "prefix ", "base ")):
        return "this is Turtle, not N-Triples; give the file the ending .ttl."
    shown = text.strip()
    shown = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "..."
    return f"expected `<subject> <predicate> <object> .` with full IRIs, found {shown!r}; fix this line."
