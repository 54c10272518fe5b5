"""The files of the demonstration on a knowledge graph: which facts about countries are missing?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from linkwl.datasets import Country, find_dataset
from linkwl.files import make_folder
from linkwl.graph import KnowledgeGraph
from linkwl.predict.ranking import RankedFact
from linkwl.reports.model_report import write_report
from linkwl.reports.themes import read_picture
from linkwl.reports.world_map import draw_world_map

if TYPE_CHECKING:
    from linkwl.predict.summary import ModelSummary

CREDIT = (
    f"Facts about countries: {find_dataset('world').source}. The model knows these facts and nothing else of the "
    "world: a fact that is missing may be missing for a good reason."
)


def write_world_demo(summary: ModelSummary, places: Mapping[str, Country], folder: Path) -> tuple[RankedFact, ...]:
    """Writes ``index.html``, ``map.svg``, ``map.png`` and ``missing_facts.csv``.

    Args:
        summary: A model of the graph of countries, with its top-ranked facts.
        places: The countries and territories by name.
        folder: The output folder; created if missing.

    Returns:
        The top-ranked facts.
    """
    make_folder(folder)
    graph = summary.graph
    assert isinstance(graph, KnowledgeGraph)
    facts = tuple(row for row in summary.top if isinstance(row, RankedFact))
    pictures = [folder / "map.svg", folder / "map.png"]
    missing = [(str(fact.head), str(fact.relation), str(fact.tail)) for fact in facts]
    draw_world_map(places, _borders(graph), missing, pictures)
    with TemporaryDirectory() as scratch:
        narrow = Path(scratch) / "map.svg"
        draw_world_map(places, _borders(graph), missing, [narrow], is_narrow=True)
        images = {"map": read_picture(pictures[0]), "narrow map": read_picture(narrow)}
    write_report(
        summary,
        folder / "index.html",
        title="Which facts about countries are missing?",
        notes=(CREDIT,),
        images=images,
    )
    summary.top.save(folder / "missing_facts.csv")
    return facts


def _borders(graph: KnowledgeGraph) -> list[tuple[str, str]]:
    """Countries with a common border, each pair once."""
    relation = int(graph.relations.indices(["borders"])[0])
    rows = graph.triples[graph.triples[:, 1] == relation].tolist()
    return [(str(graph.ids[head]), str(graph.ids[tail])) for head, _, tail in rows if head < tail]
