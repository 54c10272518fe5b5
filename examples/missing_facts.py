"""Ranks the missing facts of a file of triples: ``python examples/missing_facts.py [FACTS] [STEPS]``.

Without a file, the facts are those about countries that are part of the package.
"""

import sys

import linkwl
from linkwl.predict.rules import rules_of


def main(facts: str = "world", steps: str = "800") -> None:
    """Fits a model and prints the likeliest missing facts, the reasons for the first, and the rules of the graph."""
    graph = linkwl.load_dataset(facts) if facts == "world" else linkwl.load_graph(facts)
    predictor = linkwl.LinkPredictor(settings={"training": {"max_steps": int(steps)}}).fit(graph)
    print(f"AUC on hidden facts: {predictor.record_.test['auc']:.3f}")
    ranking = predictor.recommend(10, candidates="hops:2")
    for fact in ranking:
        print(f"{fact.probability:.3f}  {fact.head} -{fact.relation}-> {fact.tail}")
    print(predictor.explain(ranking.head(1)[0][:3]).to_text(graph))
    rules = [rule for rule in rules_of(graph) if rule.support >= 5]
    for rule in sorted(rules, key=lambda rule: -rule.confidence)[:5]:
        print(f"{rule.confidence:.0%} of {rule.paths:,}  {rule.to_text(graph)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
