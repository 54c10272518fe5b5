"""Reads the folder of a benchmark of triples that its authors have divided, in the layout that GraIL introduced."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph.division import Division, Labelled
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.text_source import numbered_lines, read_text
from linkwl.typing import IntArray, Queries

_TRIPLE = ("head", "relation", "tail")


class TripleFiles(NamedTuple):
    """The files of one graph: facts to observe, and facts to predict."""

    train: Path
    valid: Path | None = None
    test: Path | None = None

    @classmethod
    def of(cls, folder: Path) -> TripleFiles:
        """The files ``train.txt``, ``valid.txt`` and ``test.txt`` of a folder; the last two may be missing."""
        train, *others = (folder / f"{part}.txt" for part in ("train", "valid", "test"))
        return cls(train, *(path if path.exists() else None for path in others))


def read_benchmark_folder(folder: Path, *, name: str | None = None) -> KnowledgeGraph:
    """The graph in a folder with ``train.txt``, ``valid.txt`` and ``test.txt``, with its division.

    Each line is head, relation and tail, separated by tabs; names are strings. If there is a folder of the same name
    that ends in ``_ind``, it is the graph of other entities for an inductive test: its ``train.txt`` is observed and
    its ``test.txt`` predicted. Then ``test.txt`` of the folder itself may be missing.

    Raises:
        InputError: If a file is missing or cannot be read.
    """
    own = TripleFiles.of(folder)
    if not own.train.exists():
        raise InputError(
            "this is a folder; name a file in it, or a folder of a benchmark with train.txt, valid.txt and test.txt.",
            path=folder,
        )
    named = folder if folder.name not in ("", "..") else folder.resolve()
    beside = named.with_name(f"{named.name}_ind")
    unseen = TripleFiles.of(beside) if beside.is_dir() else None
    for files, part in ((own, "valid"), (own if unseen is None else unseen, "test")):
        if getattr(files, part) is None:
            raise InputError(f"no such file; a benchmark needs {part}.txt.", path=files.train.with_name(f"{part}.txt"))
    return read_benchmark(name or named.name, own, unseen)


def read_benchmark(name: str, own: TripleFiles, unseen: TripleFiles | None = None) -> KnowledgeGraph:
    """The graph of a benchmark from its files, with its division.

    Relations are numbered in the order of their names: first those of ``train`` and ``valid``, then those that occur
    only in ``test``, then those that occur only in the graph of other entities.

    Raises:
        InputError: If a file cannot be read, or a held-out fact is also observed.
    """
    rows = _read_all(own)
    others = _read_all(unseen) if unseen is not None else {}
    relations = _ordered([[rows["train"], rows["valid"]], [rows["test"]], list(others.values())])
    facts, ids = _graph_of(rows, relations)
    notes = [", ".join(f"{len(found):,} facts in {part}.txt" for part, found in facts.items() if len(found))]
    graph = KnowledgeGraph.from_triples(
        np.concatenate(list(facts.values())), len(ids), len(relations), ids=ids, relations=relations, name=name
    )
    division = Division(facts["train"], facts["valid"], facts["test"])
    if unseen is not None:
        known = len(_ordered([[rows["train"], rows["valid"], rows["test"]]]))
        facts, other_ids = _graph_of(others, relations)
        division = replace(
            division,
            unseen=KnowledgeGraph.from_triples(
                facts["train"], len(other_ids), len(relations), ids=other_ids, relations=relations, name=f"{name}_ind"
            ),
            unseen_valid=facts["valid"],
            unseen_test=facts["test"],
        )
        notes.append(
            f"tested on {len(other_ids):,} other entities with {len(facts['train']):,} observed facts and "
            f"{len(facts['test']):,} to predict"
        )
        if shared := int((ids.find(other_ids.to_arrow()) >= 0).sum()):
            notes.append(
                f"{shared:,} of the other entities have the name of an entity in training, and count as others"
            )
        if copies := sum(map(len, others.values())) - sum(map(len, facts.values())):
            notes.append(f"{copies:,} repeated rows about the other entities were merged")
        if new := len(relations) - known:
            notes.append(f"{new:,} of the relations occur only among the other entities")
    assert graph.intake is not None
    num_rows = sum(len(found) for found in rows.values())
    duplicates = num_rows - graph.num_facts
    intake = replace(graph.intake, form="benchmark folder", rows=num_rows, duplicates=duplicates, notes=tuple(notes))
    return replace(graph, intake=intake, division=division)


def find_labelled(folder: Path) -> list[Path]:
    """The ``.txt`` files of a folder, in the order of the numbers in their names.

    Raises:
        InputError: If there is no such folder, or no such file in it.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - returns False for a name that is too long
        raise InputError("no such folder; expected one of labelled files, test0.txt, test1.txt, ...", path=folder)
    paths = sorted(folder.glob("*.txt"), key=lambda path: ([int(n) for n in re.findall(r"\d+", path.name)], path.name))
    if not paths:
        raise InputError("there is no .txt file in this folder; expected test0.txt, test1.txt, ...", path=folder)
    return paths


def read_labelled(paths: Sequence[Path], graph: KnowledgeGraph) -> KnowledgeGraph:
    """The graph of a benchmark with labelled samples of its test, one per file.

    Each line is head, relation, tail and label, 1 for a fact and 0 for none, separated by tabs.

    Args:
        paths: The files.
        graph: The graph, with its division.

    Raises:
        InputError: If the graph is not divided, a file cannot be read, or its facts are not those of the test.
    """
    division = graph.division
    if division is None:
        raise InputError(f"{graph.name} is not a benchmark with a test of its own, so labels do not belong to it.")
    samples = tuple(_read_sample(path, division.unseen or graph) for path in paths)
    for path, sample in zip(paths, samples, strict=True):
        try:
            division.with_labels((sample,))
        except ValueError as error:
            problem = f"the triples with label 1 are not the {len(division.test_facts):,} facts of test.txt, each once."
            raise InputError(problem, path=path) from error
    return replace(graph, division=division.with_labels(samples))


@dataclass(frozen=True)
class _Rows:
    """The rows of a file, by name."""

    path: Path
    columns: tuple[pa.Array, ...]

    def __len__(self) -> int:
        return len(self.columns[0])

    def error(self, problem: str, row: int) -> InputError:
        """The error of one row, from 0."""
        lines = [number for number, _, line in numbered_lines(read_text(self.path)) if line]
        return InputError(problem, path=self.path, line=lines[row])


_NO_ROWS = _Rows(Path(), (pa.array([], pa.string()),) * 3)


def _read_all(files: TripleFiles) -> dict[str, _Rows]:
    return {
        part: _NO_ROWS if path is None else _read_rows(path, _TRIPLE)
        for part, path in zip(TripleFiles._fields, files, strict=True)
    }


def _read_rows(path: Path, names: Sequence[str]) -> _Rows:
    """The columns of a file, separated by tabs, without spaces around the names."""
    content = read_text(path)
    try:
        table = pa.csv.read_csv(
            pa.BufferReader(content),
            read_options=pa.csv.ReadOptions(column_names=list(names), block_size=min(content.size + 1, 2**31 - 1)),
            parse_options=pa.csv.ParseOptions(delimiter="\t", quote_char=False),
            convert_options=pa.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), null_values=[]),
        )
    except pa.ArrowInvalid as error:
        raise _explain(path, content, names) from error
    columns = tuple(pc.utf8_trim_whitespace(table[name].combine_chunks()) for name in names)
    rows = _Rows(path, columns)
    for name, column in zip(names, columns, strict=True):
        if pc.any(is_empty := pc.equal(column, "")).as_py():
            raise rows.error(f"the {name} is empty; complete this line.", int(np.argmax(is_empty.to_numpy(False))))
    return rows


def _explain(path: Path, content: pa.Buffer, names: Sequence[str]) -> InputError:
    """The error for the first line that cannot be read."""
    for number, _, line in numbered_lines(content):
        found = line.count(b"\t") + 1
        if line and found != len(names):
            expected = f"{', '.join(names[:-1])} and {names[-1]}"
            return InputError(f"expected {expected}, separated by tabs, found {found} columns.", path=path, line=number)
        try:
            line.decode()
        except UnicodeDecodeError:
            return InputError("this line is not UTF-8 text; save the file as UTF-8.", path=path, line=number)
    return InputError("the text cannot be read as triples; look for odd characters.", path=path)


def _ordered(groups: Sequence[Sequence[_Rows]]) -> NodeIds:
    """The names of the relations, ascending within each group; a name belongs to the first group that has it."""
    names: dict[str, None] = {}
    for group in groups:
        found = pa.chunked_array([rows.columns[1] for rows in group], pa.string()).unique()
        names |= dict.fromkeys(sorted(found.to_pylist()))
    return NodeIds(pa.array(list(names), pa.string()), kind="relation")


def _graph_of(parts: dict[str, _Rows], relations: NodeIds) -> tuple[dict[str, Queries], NodeIds]:
    """The distinct facts of each part by index, ascending, and the entities.

    Raises:
        InputError: If two parts share a fact.
    """
    names = pa.chunked_array([column for rows in parts.values() for column in rows.columns[::2]]).unique()
    ids = NodeIds(names.take(pc.sort_indices(names)))
    facts: dict[str, Queries] = {}
    for part, rows in parts.items():
        found = _indices(rows, ids, relations)
        graph = KnowledgeGraph.from_triples(found, len(ids), len(relations), ids=ids, relations=relations)
        for other, before in facts.items():
            if (shared := graph.contains(before)).any():
                row = int(np.argmax((found == before[shared][0]).all(axis=1)))
                raise rows.error(f"this fact is also in {other}.txt; remove it from one of them.", row)
        facts[part] = graph.triples
    return facts, ids


def _read_sample(path: Path, graph: KnowledgeGraph) -> Labelled:
    rows = _read_rows(path, (*_TRIPLE, "label"))
    found = _indices(rows, graph.ids, graph.relations)
    for k, (column, names) in enumerate(zip(_TRIPLE, graph.query_columns.values(), strict=True)):
        if found[:, k].min(initial=0) < 0:
            row = int(np.argmin(found[:, k]))
            name = rows.columns[k][row].as_py()
            raise rows.error(UnknownNameError(column, name, names.around(name)).problem, row)
    labels = rows.columns[-1].to_pylist()
    if wrong := [row for row, label in enumerate(labels) if label not in ("0", "1")]:
        raise rows.error(f"the label must be 1 for a fact or 0 for none, found {labels[wrong[0]]!r}.", wrong[0])
    is_fact = np.array([label == "1" for label in labels])
    return Labelled(found[is_fact], found[~is_fact])


def _indices(rows: _Rows, ids: NodeIds, relations: NodeIds) -> IntArray:
    head, relation, tail = rows.columns[:3]
    return np.stack([ids.find(head), relations.find(relation), ids.find(tail)], axis=1).astype(np.int32)
