"""Ranks the missing links of a file: ``python examples/rank_missing_links.py my_edges.csv missing.csv [MODEL]``."""

import sys

import linkwl


def main(edges: str, out: str, model: str = "walk-2fwl") -> None:
    """Fits a model, writes the hundred likeliest missing links and explains the first."""
    predictor = linkwl.LinkPredictor(model).fit(edges)
    print(f"AUC on hidden links: {predictor.record_.test['auc']:.3f}")
    ranking = predictor.recommend(100)
    ranking.save(out)
    first = ranking.head(1)[0]
    print(predictor.explain((first.source, first.target)).to_text(predictor.graph_))


if __name__ == "__main__":
    main(*sys.argv[1:])
