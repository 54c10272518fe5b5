"""Our baselines beside public implementations: the same splits, one thread each, in one run.

    pip install -c constraints.txt -r benchmarks/public_models.txt

Every side gets the splits of protocol `paper` with seeds 0 to 4.

- node2vec: our skip-gram and gensim's on the same walks, then the same logistic regression; published settings. The
  time is that of skip-gram.
- VGAE: ours and PyG's, 200 steps with published widths and rate. PyG's loss samples negatives, ours and the published
  one take all pairs.
- SEAL: ours and one assembled from PyG, which extracts every subgraph once and keeps it; one hop without a limit, the
  same number of epochs, the best of them on validation targets.
- Matrix factorisation: ours by gradient descent, and the inner products of scikit-network's SVD of the adjacency. These
  are two algorithms for one idea, with the same number of factors.

Times are those of the processor, from the graph in memory to the scores of the test targets.

    OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1 python benchmarks/public_models.py     the figures, as JSON
    python benchmarks/public_models.py table                                     the record as a table
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import mean, stdev
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from measure import collected, draws_table

from linkwl import Graph, create_model, load_dataset
from linkwl.models.bundled import bundled_settings
from linkwl.models.logistic_regression import search_logistic
from linkwl.protocols import PAPER, TrainingData
from linkwl.sparse.random_walks import random_walks
from linkwl.sparse.skip_gram import SkipGramSettings, skip_gram
from linkwl.splits import Split, sample_negatives
from linkwl.training import Trainer
from linkwl.typing import FloatArray, IntArray, Scores

RECORD = Path(__file__).parent / "results" / "public_models.json"
WALKS, LENGTH = 10, 80
VGAE_STEPS = 200
SEAL_HOPS, SEAL_EPOCHS, SEAL_BATCH, SEAL_RATE = 1, 10, 32, 0.001
FACTORS = 16
SPLITS = 5


class Result(NamedTuple):
    """The scores of one side, and its seconds."""

    scores: Scores
    seconds: float


class Case(NamedTuple):
    """A system on a graph."""

    system: str
    dataset: str

    def __str__(self) -> str:
        return f"{self.system} on {self.dataset}"


CASES = (
    Case("node2vec", "usair"),
    Case("node2vec", "cora"),
    Case("vgae", "usair"),
    Case("vgae", "cora"),
    Case("seal", "usair"),
    Case("mf", "usair"),
    Case("mf", "cora"),
)


def measure(case: Case) -> dict[str, Any]:
    """How many times as long the public implementation takes, and the test AUC of both on every split."""
    library, compare = COMPARISONS[case.system]
    require(library)
    graph = load_dataset(case.dataset)
    auc: dict[str, list[float]] = {"ours": [], "public": []}
    seconds = dict.fromkeys(auc, 0.0)
    for seed in range(SPLITS):
        split = PAPER.apply(graph, seed)
        for side, found in zip(auc, compare(split, case.dataset), strict=True):
            auc[side].append(100 * PAPER.measure(split.test.targets, found.scores)["auc"])
            seconds[side] += found.seconds / SPLITS
    return {
        "what": f"seconds of {TITLES[library]} for one second of our {case.system} on {case.dataset}",
        "value": seconds["public"] / seconds["ours"],
        "system": case.system,
        "library": library,
        "dataset": case.dataset,
        "auc": auc,
        "seconds": seconds,
    }


def require(library: str) -> Any:
    """The imported library.

    Raises:
        SystemExit: If it is not installed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some versions of torch warn about PyG's imports
            return import_module(library)
    except ImportError:
        source = "linkwl[pyg]" if library == "torch_geometric" else "-r benchmarks/public_models.txt"
        sys.exit(f"{library} is not installed; run `pip install -c constraints.txt {source}`.")


def timed(function: Callable[[], Scores]) -> Result:
    """The scores that a function gives, and the time of the processor."""
    start = time.process_time()
    scores = function()
    return Result(scores, time.process_time() - start)


def compare_node2vec(split: Split, dataset: str) -> tuple[Result, Result]:
    """Our skip-gram and gensim's on the same walks, classified alike."""
    train = split.train.observed
    assert isinstance(train, Graph)
    generator = np.random.default_rng(0)
    sources = np.concatenate([generator.permutation(train.num_nodes) for _ in range(WALKS)])
    walks = random_walks(train.rowptr, train.col, sources, LENGTH, seed=0)
    settings = SkipGramSettings()
    skip_gram(walks[:1], train.num_nodes, settings, 0)  # compiled before the clock starts
    found = []
    for embed in (skip_gram, gensim_vectors):
        start = time.process_time()
        z = embed(walks, train.num_nodes, settings, 0)
        seconds = time.process_time() - start
        found.append(Result(classify(z, split), seconds))
    return found[0], found[1]


def gensim_vectors(walks: IntArray, num_nodes: int, settings: SkipGramSettings, seed: int) -> FloatArray:
    """The vectors of gensim's skip-gram; zero for nodes that are in no walk."""
    from gensim.models import Word2Vec

    sentences = [[str(v) for v in walk if v >= 0] for walk in walks.tolist()]
    model = Word2Vec(
        sentences,
        vector_size=settings.channels,
        window=settings.window,
        min_count=0,
        sg=1,
        negative=settings.negatives,
        sample=settings.sample,
        alpha=settings.rate,
        epochs=settings.epochs,
        workers=1,
        seed=seed,
    )
    z = np.zeros((num_nodes, settings.channels), dtype=np.float32)
    for v in range(num_nodes):
        if str(v) in model.wv:
            z[v] = model.wv[str(v)]
    return z


def classify(vectors: FloatArray, split: Split) -> Scores:
    """The scores of the test targets: a logistic regression on products of vectors, learned from the train edges.

    Nodes without train edges get the mean vector, as in our `node2vec`. Skip-gram leaves them where they started, near
    zero, and what the regression then makes of them is an accident: it moved gensim's
    validation AUC on Cora by four points.
    """
    generator = np.random.default_rng(0)
    is_alone = split.train.observed.degree == 0
    z = np.where(is_alone[:, None], vectors[~is_alone].mean(axis=0), vectors)
    links = split.train.positives
    others = sample_negatives(split.reserved, len(links), generator)
    labels = np.repeat([1.0, 0.0], [len(links), len(others)])
    curve = search_logistic(_products(z, np.concatenate([links, others])), labels, generator)
    return curve.logits(_products(z, split.test.targets.queries))


def _products(z: FloatArray, pairs: IntArray) -> FloatArray:
    return z[pairs[:, 0]].astype(np.float64) * z[pairs[:, 1]]


def run_ours(split: Split, name: str, **settings: Any) -> Result:
    """Our model, trained and asked; a first step before the clock starts loads what is compiled."""
    data, test = TrainingData.of(split, PAPER), split.test
    short = settings | {"training": settings.get("training", {}) | {"max_steps": 1}}
    create_model(name, **short).fit(data, Trainer(0))

    def train_and_score() -> Scores:
        model = create_model(name, **settings)
        model.fit(data, Trainer(0))
        return model(test.observed, test.targets.queries)

    return timed(train_and_score)


def compare_vgae(split: Split, dataset: str) -> tuple[Result, Result]:
    """Our published variant and PyG's autoencoder."""
    from public_vgae import train_and_score

    ours = run_ours(split, "vgae", **bundled_settings("vgae", dataset, "paper"))
    train_and_score(split, steps=1)
    return ours, timed(lambda: train_and_score(split, VGAE_STEPS))


def compare_seal(split: Split, dataset: str) -> tuple[Result, Result]:
    """Our SEAL and that of PyG's parts, as many epochs of as many pairs."""
    from public_seal import train_and_score

    links = split.train.positives
    steps = len(links) // SEAL_BATCH
    training = {
        "learning_rate": SEAL_RATE,
        "max_batch": SEAL_BATCH,
        "max_steps": SEAL_EPOCHS * steps,
        "patience": SEAL_EPOCHS * steps,
        "evaluate_every": steps,
        "average": 0.0,
    }
    ours = run_ours(split, "seal", hops=SEAL_HOPS, max_per_hop=10**6, training=training)
    negatives = sample_negatives(split.reserved, len(links), np.random.default_rng(0))
    options: dict[str, Any] = {"hops": SEAL_HOPS, "batch_size": 2 * SEAL_BATCH, "rate": SEAL_RATE}
    return ours, timed(lambda: train_and_score(split, negatives, epochs=SEAL_EPOCHS, **options))


def compare_mf(split: Split, dataset: str) -> tuple[Result, Result]:
    """Our factorisation and the singular vectors of the adjacency."""
    return run_ours(split, "mf", rank=FACTORS), timed(lambda: svd_scores(split))


def svd_scores(split: Split) -> Scores:
    """The entries of the adjacency's best approximation of low rank, by scikit-network."""
    from sknetwork.embedding import SVD

    train, pairs = split.train.observed, split.test.targets.queries
    assert isinstance(train, Graph)
    svd = SVD(n_components=min(FACTORS, train.num_nodes - 1), factor_singular=0.0, normalized=False)
    rows = svd.fit_transform(sp.csr_matrix(train.to_scipy()))  # the left vectors, scaled by the singular values
    columns = svd.singular_vectors_right_
    scores = [(rows[a] * columns[b]).sum(axis=1) for a, b in (pairs.T, pairs.T[::-1])]
    mean: Scores = (scores[0] + scores[1]) / 2
    return mean


COMPARISONS: dict[str, tuple[str, Callable[[Split, str], tuple[Result, Result]]]] = {
    "node2vec": ("gensim", compare_node2vec),
    "vgae": ("torch_geometric", compare_vgae),
    "seal": ("torch_geometric", compare_seal),
    "mf": ("sknetwork", compare_mf),
}
"""The library of the public implementation of each system, and how both sides are run."""
TITLES = {"gensim": "gensim", "torch_geometric": "PyG", "sknetwork": "scikit-network"}


def markdown(figures: list[dict[str, Any]]) -> str:
    """The figures as a table."""
    head = "| system | graph | AUC, ours | AUC, public | seconds, ours | seconds, public | ratio |"
    lines = [head, "|---|---|--:|--:|--:|--:|--:|"]
    for figure in figures:
        cells = [f"{mean(figure['auc'][side]):.2f} ± {stdev(figure['auc'][side]):.2f}" for side in ("ours", "public")]
        cells += [f"{figure['seconds'][side]:.2g}" for side in ("ours", "public")]
        name = f"`{figure['system']}` and {TITLES[figure['library']]}"
        lines.append(f"| {name} | {figure['dataset']} | {' | '.join(cells)} | {figure['value']:.2f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measures all, or draws what was measured."""
    if draws_table(RECORD, markdown):
        return
    os.environ["NUMBA_NUM_THREADS"] = "1"
    import torch

    torch.set_num_threads(1)
    json.dump(collected(measure, CASES, RECORD), sys.stdout)


if __name__ == "__main__":
    main()
