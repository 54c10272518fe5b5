"""Pictures for notebooks, on axes of matplotlib.

Every function draws on ``ax``, by default on the axes of a new figure, and returns the axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from linkwl.errors import InputError, UnknownNameError
from linkwl.metrics import auc, find_metric, reliability
from linkwl.predict.explanation import Explanation
from linkwl.predict.held_out import held_out_probabilities, held_out_scores
from linkwl.reports import panels
from linkwl.reports.new_axes import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwl.graph.node_ids import NodeId
    from linkwl.predict import LinkPredictor
    from linkwl.reports.comparison import Comparison

CurveKind: TypeAlias = Literal["roc", "precision-recall", "loss", "validation"]

__all__ = ["CurveKind", "plot_comparison", "plot_curves", "plot_pair", "plot_reliability"]


def plot_reliability(predictor: LinkPredictor, *, bins: int = 10, prior: float = 0.5, ax: Axes | None = None) -> Axes:
    """Predicted probabilities of the test links and pairs, against the share of links among them.

    Points on the diagonal are perfect.

    Args:
        predictor: A fitted predictor.
        bins: Number of groups of pairs with similar probabilities.
        prior: The share of links; as many links as other pairs are tested, which is one half.
        ax: The axes to draw on.

    Example:
        >>> import linkwl
        >>> predictor = linkwl.LinkPredictor("ra").fit(linkwl.load_dataset("airports"))
        >>> plot_reliability(predictor).get_xlabel()
        'predicted probability'
    """
    axes = new_axes((4.2, 3.6)) if ax is None else ax
    panels.draw_reliability(axes, reliability(*held_out_probabilities(predictor, prior), prior=prior, bins=bins))
    return axes


def plot_curves(predictor: LinkPredictor, kind: CurveKind = "roc", *, ax: Axes | None = None) -> Axes:
    """A curve of the test links, or of training.

    Args:
        predictor: A fitted predictor.
        kind: ``roc`` or ``precision-recall`` of the test links; ``loss`` of every training step, or ``validation``,
            the metric by which weights were selected.
        ax: The axes to draw on.

    Raises:
        InputError: If a curve of training is asked for, and nothing was trained by steps.
    """
    if kind not in get_args(CurveKind):
        raise UnknownNameError("curve", kind, get_args(CurveKind))
    record = predictor.record_
    if kind in ("loss", "validation") and not record.steps:
        raise InputError(f"{record.model} is not trained in steps and has no curve of training; draw 'roc'.")
    axes = new_axes((4.4, 3.4)) if ax is None else ax
    if kind == "loss":
        panels.draw_losses(axes, record.history["losses"])
    elif kind == "validation":
        looks = [(int(step), float(value)) for step, value in record.history["valid"]]
        panels.draw_validation(axes, looks, record.training["best_step"], find_metric(record.selects).title)
    else:
        scores = held_out_scores(predictor)
        if kind == "roc":
            panels.draw_roc(axes, *scores, label=f"AUC {100 * auc(*scores):.1f} %")
        else:
            panels.draw_precision_recall(axes, *scores)
    return axes


def plot_pair(
    predictor: LinkPredictor | Explanation, query: Sequence[NodeId] | None = None, *, ax: Axes | None = None
) -> Axes:
    """The two nodes of a pair or of a fact, and what joins them.

    Args:
        predictor: A fitted predictor; or an explanation by one, and no query.
        query: Two nodes, or a head, a relation and a tail.
        ax: The axes to draw on.

    Raises:
        InputError: If the query is unknown or missing.
    """
    from linkwl.graph import KnowledgeGraph
    from linkwl.predict.explain_triple import TripleExplanation
    from linkwl.reports.report_figures import neighbourhood
    from linkwl.reports.triple_figure import fact_paths

    explanation = _explained(predictor, query)
    graph: Any = explanation.graph
    axes = new_axes((6.4, 4.2)) if ax is None else ax
    if isinstance(explanation, TripleExplanation):
        assert isinstance(graph, KnowledgeGraph)
        fact_paths(graph, explanation, axes)
    else:
        neighbourhood(graph, explanation, axes)
    return axes


def plot_comparison(comparison: Comparison, *, ax: Axes | None = None) -> Axes:
    """The models of :func:`linkwl.compare`, the best on top: test scores of every split, and their mean.

    Blue is the best by its validation scores; green are models that are within a point of it and not clearly worse.

    Args:
        comparison: The models.
        ax: The axes to draw on.
    """
    axes: Axes = comparison.plot(ax)
    return axes


def _explained(predictor: LinkPredictor | Explanation, query: Sequence[NodeId] | None) -> Explanation:
    if isinstance(predictor, Explanation):
        if query is not None:
            raise InputError("an explanation is about one pair; leave out the pair, or give the predictor.")
        if getattr(predictor, "graph", None) is None:
            raise InputError("the explanation has no graph to take names from; call `named_by` with its graph.")
        return predictor
    if query is None:
        raise InputError("name the pair to draw, as in `plot_pair(predictor, ('JNU', 'WRG'))`.")
    return predictor.explain(query)
