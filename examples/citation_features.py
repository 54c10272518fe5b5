"""What the words of papers add to their citations: ``python examples/citation_features.py [DATASET] [STEPS]``.

The citation networks ``cora`` and ``citeseer`` are looked for in the folder ``LINKWL_DATA`` and downloaded otherwise.
"""

import sys

import linkwl


def main(dataset: str = "cora", steps: str = "100") -> None:
    """Measures one network on the same split with and without features, then ranks citations for one paper."""
    papers = linkwl.load_dataset(dataset)
    print(papers)
    routes = [(papers.ids[p], papers.ids[q]) for p, q in papers.edges]
    plain = linkwl.load_graph(routes, name=f"{dataset}, links alone")
    for graph in (plain, papers):
        predictor = linkwl.LinkPredictor("local-2wl", settings={"training": {"max_steps": int(steps)}}).fit(graph)
        print(f"{graph.name:22} AUC {100 * predictor.record_.test['auc']:.1f} %")
    paper = papers.ids[int(papers.degree.argmax())]
    for link in predictor.recommend(3, for_node=paper):
        print(f"{link.probability:.2f}  paper {link.source} and paper {link.target}")


if __name__ == "__main__":
    main(*sys.argv[1:])
