"""The answers of the API, for its description; the routes write these as JSON themselves, which is faster."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from linkwl.serving.decisions import Verdict


class Health(BaseModel):
    """That the server answers."""

    status: Literal["ok"]
    version: str


class Node(BaseModel):
    """A node."""

    id: int
    name: str
    degree: int


class Link(BaseModel):
    """A pair or triple that may be a link or fact."""

    rank: int | None
    source: int
    target: int
    relation: int | None
    source_name: str
    target_name: str
    relation_name: str | None
    score: float
    log_odds: float
    probability: float
    verdict: Verdict | None
    is_link: bool | None = Field(default=None, description="Whether it is observed; only where that is possible.")


class GraphAbout(BaseModel):
    """The graph that is served."""

    nodes: int
    links: int
    task: Literal["pairs", "triples"]
    directed: bool
    sides: list[str] | None
    features: int | None
    drawing: Literal["map", "network"]
    relations: list[str] | None
    digest: str


class ModelAbout(BaseModel):
    """The model that is served."""

    id: str
    title: str
    digest: str


class MetricAbout(BaseModel):
    """A figure of the model on held-out links, with its 95 % interval where it is known."""

    id: str
    label: str
    value: float
    low: float | None
    high: float | None


class Counts(BaseModel):
    """Number of decisions, and of ranked links without one."""

    accepted: int
    rejected: int
    later: int
    open: int


class Limits(BaseModel):
    """How much may be asked for at once."""

    upload_bytes: int
    score_pairs: int
    page_rows: int


class ModelAnswer(BaseModel):
    """What is served."""

    name: str
    graph: GraphAbout
    model: ModelAbout
    metrics: list[MetricAbout]
    prior: float
    ranked: int
    candidates: str
    counts: Counts
    limits: Limits
    can_train: bool


class Drawing(BaseModel):
    """The graph as it is drawn; see the guide."""

    kind: Literal["map", "network"]
    metric: Literal["map", "plane"] | None
    x: list[float | None] | None
    y: list[float | None] | None
    degree: list[int]
    edges: list[int] = Field(description="Both ends of the first edge, then of the second one, and so on.")
    shown: list[int] | None = Field(description="The nodes that are drawn, if not all are; edges are places in it.")
    num_nodes: int


class Names(BaseModel):
    """Names of nodes."""

    names: list[str]


class Nodes(BaseModel):
    """The nodes that were found."""

    nodes: list[Node]


class LinkPage(BaseModel):
    """Some of the ranked links."""

    total: int
    links: list[Link]


class NodeLinks(BaseModel):
    """The best missing links of a node."""

    node: Node
    links: list[Link]


class Links(BaseModel):
    """The scores of given links, in their order."""

    links: list[Link]


class WhatIf(BaseModel):
    """The scores of links in the graph, and in the changed graph."""

    before: list[Link]
    after: list[Link]


class EvidenceGroup(BaseModel):
    """A group of evidence, and what it contributes."""

    kind: str
    text: str
    contribution: float
    error: float
    score_without: float
    effect: Literal["raises", "lowers", "unclear"]
    note: str
    paths: list[list[int]]


class ExplainAnswer(BaseModel):
    """Why a link has its score: the baseline and the contributions add up to it."""

    link: Link
    baseline: float
    score: float
    share: float
    unit: str
    groups: list[EvidenceGroup]
    degrees: list[int]
    num_common: int | None
    num_scores: int
    text: str


class Bin(BaseModel):
    """Links with about the same predicted probability, and the share of them that holds."""

    low: float
    high: float
    predicted: float
    observed: float
    count: int


class ReliabilityAnswer(BaseModel):
    """How far probabilities can be trusted: on held-out links, and by the user's own verdicts."""

    bins: list[Bin]
    own: list[Bin]


class CountsAnswer(BaseModel):
    """What is decided now."""

    counts: Counts


class Imported(BaseModel):
    """What an import has changed."""

    imported: int
    counts: Counts


OPENAPI_JSON: dict[str, Any] = {"content": {"application/json": {}}}
