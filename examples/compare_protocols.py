"""Measures models under two protocols: ``python examples/compare_protocols.py processes:2 cn ra ppr``."""

import sys

import linkwl
from linkwl.engine import find_engine


def main(engine: str, *names: str) -> None:
    """Prints the selecting metric of each protocol, for every model, over two splits."""
    graph = linkwl.load_dataset("airports")
    models = [linkwl.create_model(name) for name in names]
    for protocol in (linkwl.PROTOCOLS["paper"], linkwl.PROTOCOLS["heart"]):
        result = linkwl.evaluate_models(graph, models, protocol, seeds=range(2), engine=find_engine(engine))
        for model, row in result.summary.items():
            metric = protocol.selection
            print(f"{protocol.id:6} {model:10} {metric.title:4} {100 * row[metric.id]['mean']:.2f} %")


if __name__ == "__main__":  # worker processes import this file
    main(*sys.argv[1:])
