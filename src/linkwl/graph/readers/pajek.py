"""Pajek files: ``*Vertices``, then ``*Arcs`` (directed), ``*Edges`` (undirected), lists of neighbours or a matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from linkwl.errors import InputError
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.pair_columns import Declared
from linkwl.graph.readers.listing import Listing
from linkwl.graph.readers.text_source import numbered_lines, read_text
from linkwl.graph.reading import AS_DECLARED, Reading

_FIELD = re.compile(r'"([^"]*)"|(\S+)')
_SECTIONS = ("*vertices", "*arcs", "*edges", "*arcslist", "*edgeslist", "*matrix")


def read_pajek(path: Path, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
    """The graph of a Pajek file; nodes are named by their labels if these are different, else by their numbers.

    The graph is directed if there are arcs; edges among them go both ways. Values of lines are the attribute
    ``weight``. Two numbers of vertices, as in ``*Vertices 32 18``, declare a bipartite graph.
    """
    file = _File(path, reading)
    for number, line in _lines(path, reading.encoding):
        file.read(number, [quoted or plain for quoted, plain in _FIELD.findall(line)])
    return file.to_graph(name)


def _lines(path: Path, encoding: str | None) -> Iterator[tuple[int, str]]:
    for number, _, line in numbered_lines(read_text(path, encoding)):
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            problem = "this line is not UTF-8 text; name the encoding with --encoding, as in latin-1."
            raise InputError(problem, path=path, line=number) from error
        if text.strip() and not text.lstrip().startswith("%"):
            yield number, text


class _File:
    """The state of reading a file: the current section, and what was found."""

    def __init__(self, path: Path, reading: Reading) -> None:
        self._path = path
        self._listing = Listing("Pajek", path, reading)
        self._section = ""
        self._count, self._num_first, self._row = 0, 0, 0
        self._edges: list[tuple[str, str, str | None, bool]] = []  # ends, value, whether it is an arc
        self._labels: dict[int, str] = {}
        self._has_relations = False

    def read(self, number: int, fields: list[str]) -> None:
        """Reads one line."""
        if fields[0].startswith("*"):
            self._start(number, fields)
        elif self._section == "*vertices":
            self._vertex(number, fields)
        elif self._section in ("*arcs", "*edges"):
            source, target = (self._node(number, fields, k) for k in (0, 1))
            self._edges.append((source, target, fields[2] if len(fields) > 2 else None, self._section == "*arcs"))
        elif self._section in ("*arcslist", "*edgeslist"):
            source, *targets = (self._node(number, fields, k) for k in range(len(fields)))
            self._edges += [(source, target, None, self._section == "*arcslist") for target in targets]
        elif self._section == "*matrix":
            self._row += 1
            self._edges += [(str(self._row), str(k), x, True) for k, x in enumerate(fields, start=1) if x.strip("0.")]
        elif self._section == "":
            raise InputError("expected `*Vertices` and the number of nodes first.", path=self._path, line=number)

    def _start(self, number: int, fields: list[str]) -> None:
        section = fields[0].lower()
        if section == "*network":
            return
        if section not in _SECTIONS:
            raise InputError(f"the section {fields[0]} is not read; remove it.", path=self._path, line=number)
        if section == "*vertices":
            sizes = [field for field in fields[1:3] if field.isdecimal() and len(field) < 10]
            if not sizes or self._count:
                problem = "expected one `*Vertices` with the number of nodes, as in `*Vertices 34`."
                raise InputError(problem, path=self._path, line=number)
            self._count, self._num_first = int(sizes[0]), int(sizes[1]) if len(sizes) > 1 else 0
        elif len(fields) > 1:
            self._has_relations = True
        self._section = section

    def _vertex(self, number: int, fields: list[str]) -> None:
        node = int(self._node(number, fields, 0))
        self._labels[node] = fields[1] if len(fields) > 1 else ""
        if len(fields) > 2:
            self._listing.note_node_attributes(["coordinates and looks"])

    def _node(self, number: int, fields: list[str], place: int) -> str:
        text = fields[place] if place < len(fields) else ""
        if not (text.isdecimal() and 1 <= int(text[:12]) <= self._count):
            found = f"found {text!r}" if text else "found nothing"
            problem = f"expected the number of a node, 1 to {self._count}; {found}."
            raise InputError(problem, path=self._path, line=number)
        return str(int(text))

    def to_graph(self, name: str) -> Graph | KnowledgeGraph:
        """The graph of what was read."""
        if not self._count:
            raise InputError("expected `*Vertices` and the number of nodes.", path=self._path)
        self._check_size()
        for node in range(1, self._count + 1):
            self._listing.add_node(str(node), self._labels.get(node))
        is_directed = any(is_arc for *_, is_arc in self._edges)
        if self._section == "*matrix":
            ends = {(source, target) for source, target, *_ in self._edges}
            is_directed = any((target, source) not in ends for source, target in ends)
        for source, target, value, is_arc in self._edges:
            attributes = {} if value is None else {"weight": value}
            self._listing.add_edge(source, target, attributes, is_both_ways=is_directed and not is_arc)
        notes = ["relations of lines not used"] if self._has_relations else []
        sides = True if self._num_first else None
        declared = Declared(is_directed, sides, "`*Vertices` declares" if sides else "")
        return self._listing.to_graph(name=name, declared=declared, notes=notes)

    def _check_size(self) -> None:
        """Raises InputError if far more nodes are declared than the file has lines for."""
        listed = len(self._labels) + 2 * len(self._edges)
        if self._count > 1000 * (listed + 1000):
            problem = f"it declares {self._count:,} nodes and lists {listed:,}; correct `*Vertices`."
            raise InputError(problem, path=self._path)
