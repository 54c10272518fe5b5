from __future__ import annotations

import pyarrow as pa

import linkwl
from linkwl.models.calibration import Calibration
from linkwl.serving.digest import model_digest
from served import airports


def trained(**settings):
    options = {"training": {"max_steps": 2}} | settings
    return linkwl.LinkPredictor("local-2wl", settings=options).fit(linkwl.load_dataset("airports"), progress=False)


def test_it_is_that_of_the_saved_model(tmp_path):
    predictor = trained()
    predictor.save(tmp_path / "model")
    assert model_digest(linkwl.LinkPredictor.load(tmp_path / "model")) == model_digest(predictor)


def test_it_changes_with_all_that_scores_depend_on():
    graph = airports().graph_
    rejected = pa.table({"source": ["JNU"], "target": ["WRG"], "verdict": ["rejected"]})
    same = linkwl.LinkPredictor("ra").fit(graph)
    assert model_digest(same) == model_digest(airports())
    others = [
        linkwl.LinkPredictor("aa").fit(graph),
        linkwl.LinkPredictor("ra").fit(graph.without(graph.edges[:1])),
        linkwl.LinkPredictor("ra", seed=1).fit(graph),
        linkwl.LinkPredictor("ra", prior=0.3).fit(graph),
        linkwl.LinkPredictor("ra").fit(graph, decisions=rejected),
    ]
    same.calibration_ = Calibration(1.0, 2.0, 0.5)
    assert len({model_digest(predictor) for predictor in (airports(), same, *others)}) == 7


def test_it_changes_with_the_weights():
    predictor = trained()
    before = model_digest(predictor)
    next(iter(predictor.model_.trained.parameters())).data.add_(0.1)
    assert model_digest(predictor) != before
