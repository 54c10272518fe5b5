"""A fitted predictor as a small table for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwl.html_table import facts_html
from linkwl.metrics import find_metric
from linkwl.predict.ranking_view import percent
from linkwl.typing import FACT_WORD

if TYPE_CHECKING:
    from linkwl.predict.fitted_model import FittedModel


def predictor_html(predictor: FittedModel) -> str:
    """The model, its graph, its results on hidden links, and what its probabilities assume."""
    record, graph = predictor.record_, predictor.graph_
    what = FACT_WORD[graph.task]
    steps = f"{record.steps:,} steps, " if record.steps else ""
    metrics = record.protocol.get("metrics", [record.selects])
    results = [f"{find_metric(name).title} {100 * record.test[name]:.2f} %" for name in metrics if name in record.test]
    facts = {
        "graph": repr(graph),
        "training": f"{steps}{record.seconds['fit']:.1f} seconds, seed {record.seed}, on {predictor.device_}",
        f"hidden {what}s": ", ".join(results),
        "prior": f"{percent(predictor.prior_for(graph))} of the queries are assumed to be {what}s",
    }
    notes = [predictor.choice_] if len(predictor.compared_) > 1 else []
    return facts_html(f"LinkPredictor: {predictor.model_.title} ({predictor.model_.id})", facts, notes)
