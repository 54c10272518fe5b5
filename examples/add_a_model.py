"""Adds a model and compares it with a known one: ``python examples/add_a_model.py``."""

from functools import partial

import linkwl
from linkwl.graph import Graph
from linkwl.models.base import FormulaScorer, Scorer
from linkwl.models.registry import ROWS, ModelRow
from linkwl.typing import Pairs, Scores


class SmallerDegree(linkwl.LinkModel):
    """A pair is as good as the worse connected of its two nodes."""

    id = "smaller-degree"
    title = "Smaller degree"
    reference = "linkwl, examples/add_a_model.py, 2026."

    def prepare(self, observed: Graph) -> Scorer:
        """Reads the degrees."""
        self.check(observed)
        return FormulaScorer(observed, partial(_scores, observed))

    def describe(self, observed: Graph) -> str:
        """Nothing is approximated."""
        return "exact"


def _scores(observed: Graph, pairs: Pairs) -> Scores:
    return observed.degree[pairs].min(axis=1).astype(float)


def main() -> None:
    """Measures the model beside preferential attachment."""
    ROWS[SmallerDegree.id] = ModelRow(SmallerDegree.id, SmallerDegree.title, f"{__name__}:SmallerDegree", "heuristic")
    models = [linkwl.create_model(name) for name in (SmallerDegree.id, "pa")]
    graph = linkwl.load_dataset("airports")
    result = linkwl.evaluate_models(graph, models, linkwl.PROTOCOLS["paper"], seeds=range(3))
    for name, row in result.summary.items():
        print(f"{name:14} AUC {100 * row['auc']['mean']:.2f} %")


if __name__ == "__main__":
    main()
