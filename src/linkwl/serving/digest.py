"""The digest of a fitted model: what its scores and probabilities depend on."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from linkwl.predict.fitted_model import FittedModel


def model_digest(predictor: FittedModel) -> str:
    """SHA-256 of the model's name, settings and weights, of its graph, calibration and rejected queries.

    Two predictors with the same digest give the same ranking.
    """
    model = predictor.model_
    about = {
        "model": model.id,
        "task": model.task,
        "config": model.config.model_dump(mode="json"),
        "graph": predictor.graph_.digest,
        "calibration": predictor.calibration_.to_json(),
        "seed": predictor.seed,
        "rejected": predictor.record_.decisions.get("rejected queries", []),
    }
    digest = hashlib.sha256(b"linkwl model 1 ")
    digest.update(json.dumps(about, sort_keys=True).encode())
    state = model.state()
    for name in sorted(state):
        array = np.ascontiguousarray(state[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
