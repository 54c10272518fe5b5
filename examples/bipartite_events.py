"""Who came to which event: the Southern women of Davis: ``python examples/bipartite_events.py [MODEL]``."""

import sys

import networkx as nx

import linkwl


def main(model: str = "katz") -> None:
    """Ranks the likeliest unrecorded visits, and the likeliest one of every woman."""
    visits = linkwl.load_graph(nx.davis_southern_women_graph(), bipartite=True, name="southern women")
    print(visits)
    predictor = linkwl.LinkPredictor(model).fit(visits)
    print(f"AUC on hidden visits: {predictor.record_.test['auc']:.2f}")
    for link in predictor.recommend(5):  # only pairs across the sides; the woman is on the left
        print(f"{link.probability:.2f}  {link.source} at {link.target}")
    for link in predictor.recommend_per_node(1, side="left"):
        print(f"{link.source}: {link.target}")


if __name__ == "__main__":
    main(*sys.argv[1:])
