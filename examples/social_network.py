"""Who will be friends next in Zachary's karate club: ``python examples/social_network.py [MODEL] [STEPS]``."""

import sys

import networkx as nx

import linkwl


def main(model: str = "walk-2fwl", steps: str = "100") -> None:
    """Compares a model with a heuristic on hidden friendships, then ranks those that do not exist yet."""
    club = linkwl.load_graph(nx.karate_club_graph(), name="karate club")
    settings = {"training": {"max_steps": int(steps)}} if model == "walk-2fwl" else {}
    models = [linkwl.create_model(model, **settings), linkwl.create_model("pa")]
    measured = linkwl.evaluate_models(club, models, linkwl.PROTOCOLS["paper"], seeds=range(3))
    for name, row in measured.summary.items():
        print(f"{name:10} AUC {100 * row['auc']['mean']:.0f} % on hidden friendships, the mean of three splits")
    predictor = linkwl.LinkPredictor(model, settings=settings).fit(club)
    top = predictor.recommend(5)
    for link in top:
        print(f"{link.probability:.2f}  member {link.source} and member {link.target}")
    first = top.head(1)[0]
    print(predictor.explain((first.source, first.target)).to_text(club))


if __name__ == "__main__":
    main(*sys.argv[1:])
