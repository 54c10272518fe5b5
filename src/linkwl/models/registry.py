"""Every model by its name; a new model needs one row here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from linkwl.errors import InputError, UnknownNameError
from linkwl.models.needs import Needs

if TYPE_CHECKING:  # the rows are read to show help, which these would delay by a second
    from pydantic import ValidationError

    from linkwl.models.base import LinkModel
    from linkwl.typing import Task

_SHOWN = 60

Family: TypeAlias = Literal["heuristic", "network", "own", "baseline"]
"""Closed formulas; the networks of the paper; models of our own; other published systems."""


@dataclass(frozen=True)
class ModelRow:
    """The properties of a model that are known before its file is imported."""

    id: str
    """The name on the command line."""
    title: str
    """The name in a table."""
    path: str
    """The class, as ``package.module:Class``."""
    family: Family
    task: Task = "pairs"
    needs: Needs = Needs()
    published: str | tuple[str, ...] = ""
    """The corresponding row of the paper's tables; several names if the tables differ; empty if there is none."""
    on_triples: str = ""
    """The class of the same model on triples, if its own class is for pairs."""

    def has(self, task: Task) -> bool:
        """Whether the model exists for this kind of query."""
        return self.task == task or (task == "triples" and bool(self.on_triples))

    def published_in(self, systems: Collection[str]) -> str:
        """The name of the model among the systems of a table; empty if it is not there."""
        names = (self.published,) if isinstance(self.published, str) else self.published
        return next((name for name in names if name in systems), "")

    def load_class(self, task: Task | None = None) -> type[LinkModel]:
        """The class for a kind of query, or the only one; it is imported now, because torch takes a second."""
        path = self.on_triples if task == "triples" and self.on_triples else self.path
        module, _, class_name = path.partition(":")
        model: type[LinkModel] = getattr(import_module(module), class_name)
        return model


_LOCAL, _WHOLE_GRAPH = Needs(directed=True, weights=True), Needs(directed=True, weights=True, whole_graph=True)
_DIRECTED, _SAME_NODES, _WEIGHTS = Needs(directed=True), Needs(same_nodes=True), Needs(weights=True)
_HEURISTICS = "linkwl.models.heuristics"
_BASELINES = "linkwl.models.baselines"

ROWS: dict[str, ModelRow] = {
    row.id: row
    for row in (
        ModelRow("cn", "Common neighbours", f"{_HEURISTICS}:CommonNeighbours", "heuristic", needs=_LOCAL),
        ModelRow("aa", "Adamic-Adar", f"{_HEURISTICS}:AdamicAdar", "heuristic", needs=_LOCAL),
        ModelRow("ra", "Resource allocation", f"{_HEURISTICS}:ResourceAllocation", "heuristic", needs=_LOCAL),
        ModelRow("pa", "Preferential attachment", f"{_HEURISTICS}:PreferentialAttachment", "heuristic", needs=_LOCAL),
        ModelRow("jaccard", "Jaccard", f"{_HEURISTICS}:Jaccard", "heuristic", needs=_LOCAL),
        ModelRow("katz", "Katz", f"{_HEURISTICS}:Katz", "heuristic", needs=_WHOLE_GRAPH),
        ModelRow(
            "ppr",
            "Personalised PageRank",
            f"{_HEURISTICS}:PersonalisedPageRank",
            "heuristic",
            needs=_WHOLE_GRAPH,
        ),
        ModelRow("simrank", "SimRank", f"{_HEURISTICS}:SimRank", "heuristic", needs=_WHOLE_GRAPH),
        ModelRow("floor", "Floor", "linkwl.models.triples.floor:Floor", "heuristic", task="triples", needs=_DIRECTED),
        ModelRow("2wl", "2-WL", "linkwl.models.pairs.two_wl:TwoWL", "network", needs=_LOCAL, published="2-WL"),
        ModelRow(
            "local-2wl",
            "local 2-WL",
            "linkwl.models.pairs.local_two_wl:LocalTwoWL",
            "network",
            needs=_LOCAL,
            published="2-WL_L",
            on_triples="linkwl.models.triples.local_two_wl:LocalTwoWLTriples",
        ),
        ModelRow("2fwl", "2-FWL", "linkwl.models.pairs.two_fwl:TwoFWL", "network", needs=_LOCAL, published="2-FWL"),
        ModelRow(
            "local-2fwl",
            "local 2-FWL",
            "linkwl.models.pairs.local_two_fwl:LocalTwoFWL",
            "network",
            needs=_LOCAL,
            published="2-FWL_L",
            on_triples="linkwl.models.triples.local_two_fwl:LocalTwoFWLTriples",
        ),
        ModelRow(
            "mf",
            "Matrix factorisation",
            f"{_BASELINES}.mf:MatrixFactorisation",
            "baseline",
            needs=_SAME_NODES,
            published="MF",
        ),
        ModelRow(
            "node2vec",
            "node2vec",
            f"{_BASELINES}.node2vec:Node2Vec",
            "baseline",
            needs=_SAME_NODES,
            published="node2vec",
        ),
        ModelRow("vgae", "VGAE", f"{_BASELINES}.vgae:VGAE", "baseline", published="VGAE"),
        ModelRow("svgae", "S-VGAE", f"{_BASELINES}.svgae:SVGAE", "baseline", published="S-VGAE"),
        ModelRow("wlnm", "WLNM", f"{_BASELINES}.wlnm:WLNM", "baseline", published="WLNM"),
        ModelRow("seal", "SEAL", f"{_BASELINES}.seal:Seal", "baseline", published=("SEAL (structure only)", "SEAL")),
        ModelRow(
            "seal-node2vec",
            "SEAL with node2vec",
            f"{_BASELINES}.seal_node2vec:SealNode2Vec",
            "baseline",
            needs=_SAME_NODES,
            published="SEAL (with node2vec)",
        ),
        ModelRow("tlc-gnn", "TLC-GNN", f"{_BASELINES}.tlc_gnn:TLCGNN", "baseline", published="TLC-GNN"),
        ModelRow("walkpool", "WalkPool", f"{_BASELINES}.walkpool:WalkPoolModel", "baseline"),
        ModelRow("nbfnet", "NBFNet", f"{_BASELINES}.nbfnet:NBFNet", "baseline", published="NBFNet"),
        ModelRow(
            "gcn", "GCN autoencoder", f"{_BASELINES}.gcn:GCN", "baseline", needs=_DIRECTED, published="Optimized-GAE"
        ),
        ModelRow(
            "logistic",
            "Logistic regression on heuristics",
            f"{_BASELINES}.logistic:Logistic",
            "baseline",
            needs=_WEIGHTS,
        ),
        ModelRow(
            "boosting",
            "Gradient boosting on classical scores",
            f"{_BASELINES}.boosting:Boosting",
            "baseline",
            needs=_WEIGHTS,
        ),
        ModelRow("ncn", "NCN", f"{_BASELINES}.ncn:NCN", "baseline", published="NCN"),
        ModelRow("ncnc", "NCNC", f"{_BASELINES}.ncnc:NCNC", "baseline"),
        ModelRow("buddy", "BUDDY", f"{_BASELINES}.buddy:Buddy", "baseline", published="BUDDY"),
        ModelRow(
            "rgcn",
            "R-GCN",
            "linkwl.models.triples.rgcn:RGCN",
            "baseline",
            task="triples",
            needs=_DIRECTED,
            published="R-GCN",
        ),
        ModelRow(
            "grail",
            "GraIL",
            "linkwl.models.triples.grail:Grail",
            "baseline",
            task="triples",
            needs=_DIRECTED,
            published="GraIL",
        ),
        ModelRow(
            "indigo",
            "INDIGO",
            "linkwl.models.triples.indigo:Indigo",
            "baseline",
            task="triples",
            needs=_DIRECTED,
            published="INDIGO",
        ),
        ModelRow(
            "walk-2fwl",
            "walk 2-FWL",
            "linkwl.models.pairs.walk_two_fwl:WalkTwoFWL",
            "own",
            needs=Needs(directed=True, weights=True),
            on_triples="linkwl.models.triples.walk_two_fwl:WalkTwoFWLTriples",
        ),
    )
}
"""The registry, in the order of lists and tables."""


def find_rows(*families: Family, task: Task | None = None) -> list[ModelRow]:
    """The rows of the given families and task; by default all."""
    rows = (row for row in ROWS.values() if not families or row.family in families)
    return [row for row in rows if task is None or row.has(task)]


def model_ids(*families: Family, task: Task | None = None) -> list[str]:
    """The names of :func:`find_rows`."""
    return [row.id for row in find_rows(*families, task=task)]


def find_row(name: str) -> ModelRow:
    """The row with this name.

    Raises:
        UnknownNameError: If there is none; the nearest names are suggested.
    """
    if name not in ROWS:
        raise UnknownNameError("model", name, ROWS)
    return ROWS[name]


class _Models(Mapping[str, "type[LinkModel]"]):
    """The models by name; a class is imported on first use."""

    def __getitem__(self, name: str) -> type[LinkModel]:
        return ROWS[name].load_class()

    def __contains__(self, name: object) -> bool:
        return name in ROWS

    def __iter__(self) -> Iterator[str]:
        return iter(ROWS)

    def __len__(self) -> int:
        return len(ROWS)


MODELS: Mapping[str, type[LinkModel]] = _Models()
"""Every model's class by name; of a name that stands for two, the class for pairs."""

RECOMMENDED = "walk-2fwl"
"""The default model."""


def create_model(name: str, /, task: Task | None = None, **settings: Any) -> LinkModel:
    """Creates a model by name, with settings that differ from the defaults.

    Args:
        name: A key of :data:`MODELS`.
        task: The kind of query, for names that stand for a model of pairs and one of triples; by default pairs.
        settings: Values of the model's config, or strings to parse; a mapping for a group of settings, in which
            missing settings keep their defaults.

    Raises:
        UnknownNameError: If there is no such model or no such setting.
        InputError: If a setting has an invalid value.

    Example:
        >>> create_model("katz", beta="0.01")
        Katz(beta=0.01)
    """
    from pydantic import ValidationError

    from linkwl.models.settings import check_settings, setting_names, with_defaults

    model = find_row(name).load_class(task)
    settings = model.Config.without_retired(name, settings)
    check_settings(name, model.Config, settings)
    try:
        return model(model.Config.model_validate(with_defaults(model.Config, settings)))
    except ValidationError as error:
        raise InputError(_sentence(name, setting_names(model.Config), error)) from None


def recreate_model(name: str, task: Task | None, settings: Mapping[str, Any]) -> LinkModel:
    """Creates a model from all settings that it had, as a file of this or an earlier release has them.

    Raises:
        UnknownNameError: If there is no such model or no such setting any more.
        InputError: If a setting has an invalid value.
    """
    filled = dict(settings)
    for setting, value in find_row(name).load_class(task).Config.added.items():
        given = settings.get(setting, {})
        if not isinstance(value, Mapping):
            filled.setdefault(setting, value)
        elif isinstance(given, Mapping):
            filled[setting] = {**value, **given}
    return create_model(name, task, **filled)


def _sentence(name: str, known: Sequence[str], error: ValidationError) -> str:
    """The first of pydantic's errors: the setting, the expected and the actual value."""
    first = error.errors()[0]
    # For a union of types, the location also names the type that was tried, after the setting.
    places = [".".join(map(str, first["loc"][:count])) for count in range(len(first["loc"]), 0, -1)]
    setting = next((place for place in places if place in known), places[0] if places else None)
    # Nearly all messages of pydantic are "Input should be <what>, <why it is not>"; lists of choices contain commas.
    what = first["msg"] if first["type"] == "literal_error" else first["msg"].split(",")[0]
    expected = what.replace("Input should", "must")
    found = repr(first["input"])
    found = found if len(found) <= _SHOWN else f"{found[:_SHOWN]}..."
    got = "" if isinstance(first["input"], Mapping) else f", got {found}"  # a whole group would be too long
    subject = f"{name} setting {setting!r}" if setting is not None else f"{name}:"  # several settings
    return f"{subject} {expected}{got}."
