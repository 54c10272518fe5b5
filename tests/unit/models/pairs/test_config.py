from __future__ import annotations

import pytest
import torch
from pydantic import ValidationError

from linkwl.errors import InputError
from linkwl.models import create_model
from linkwl.models.pairs.config import EncoderConfig, PairConfig, ReadoutConfig
from linkwl.nn.encoder import GCNConv, SAGEConv
from linkwl.nn.norms import GraphNorm, LayerNorm, NoNorm

SHAPE = {"num_features": 5, "max_degree": 9, "is_directed": False}


@pytest.mark.parametrize(
    ("asked", "num_features", "has_degree", "has_features"),
    [
        ("auto", 5, True, True),
        ("auto", 0, True, False),
        ("both", 5, True, True),
        ("both", 0, True, False),
        ("degree", 5, True, False),
        ("features", 5, False, True),
        ("features", 0, True, False),  # a node needs an input
    ],
)
def test_what_nodes_start_from(asked, num_features, has_degree, has_features):
    encoder = EncoderConfig(input=asked).build(dict(num_features=num_features, max_degree=9, is_directed=False))
    assert (encoder.input.degree is not None) == has_degree
    assert (encoder.input.features is not None) == has_features
    assert encoder.input.in_degree is None


def test_directed_graphs_have_two_degrees():
    encoder = EncoderConfig().build(dict(num_features=0, max_degree=9, is_directed=True))
    assert encoder.input.in_degree is not None


def test_settings_reach_the_layers():
    config = EncoderConfig(channels=6, layers=3, conv="sage", input_dropout=0.2, feature_dropout=0.3, dropout=0.4)
    encoder = config.build(SHAPE)
    assert [type(conv) for conv in encoder.convs] == [SAGEConv] * 3
    assert [block.dropout for block in encoder.blocks] == [0.4] * 3
    assert encoder.input.dropout == 0.2
    assert encoder.input.features.dropout == 0.3
    assert encoder.channels == encoder.input.degree.channels == 6
    assert isinstance(EncoderConfig().build(SHAPE).convs[0], GCNConv)
    propagation = EncoderConfig(conv="appnp", layers=4, alpha=0.25).build(SHAPE).propagation
    assert (propagation.steps, propagation.alpha) == (4, 0.25)


def test_one_value_for_each_layer():
    config = EncoderConfig(
        layers=3, norm=("graph", "layer", "none"), activation=(True, False, True), dropout=(0, 0.5, 0)
    )
    encoder = config.build(SHAPE)
    assert [type(norm) for norm in encoder.norms] == [GraphNorm, LayerNorm, NoNorm]
    assert [block.activation for block in encoder.blocks] == [True, False, True]
    assert [block.dropout for block in encoder.blocks] == [0, 0.5, 0]


@pytest.mark.parametrize("setting", [{"norm": ("graph",)}, {"activation": (True,) * 3}, {"dropout": ()}], ids=str)
def test_as_many_values_as_layers(setting):
    with pytest.raises(ValidationError, match="2 layers"):
        EncoderConfig(layers=2, **setting)
    with pytest.raises(InputError, match="2 layers"):
        create_model("local-2wl", encoder={"layers": 2, **setting})


@pytest.mark.parametrize(
    "setting",
    [
        {"channels": 0},
        {"layers": -1},
        {"dropout": 1.0},
        {"norm": "batch"},
        {"conv": "gat"},
        {"alpha": 0},
        {"unknown": 1},
    ],
    ids=str,
)
def test_values_that_make_no_sense_are_refused(setting):
    with pytest.raises(ValidationError):
        EncoderConfig(**setting)


@pytest.mark.parametrize(("nodes", "depths"), [("every", 3), ("last", 1), ("none", 0)])
def test_depths_that_the_readout_reads(nodes, depths):
    encoder = EncoderConfig(channels=4, layers=2)
    readout = ReadoutConfig(nodes=nodes, hidden=7, dropout=0.3).build(5, encoder, is_directed=False, product=True)
    assert readout.depths == depths
    vectors = encoder.build(dict(num_features=0, max_degree=3, is_directed=False))
    assert len(vectors.blocks) + 1 == 3
    z = torch.ones(2, 5)
    scores = readout(z, z, [torch.ones(3, 4)] * 3, torch.tensor([[0, 1], [1, 2]]))
    assert scores.shape == (2,)
    assert readout.reader[0].dropout == 0.3
    assert readout.reader[1].in_features == 7


def test_settings_cannot_be_changed_afterwards():
    config = PairConfig()
    with pytest.raises(ValidationError):
        config.encoder.channels = 3
