"""A model that trains in a moment: a small network on the degrees of a pair's ends, with dropout."""

from __future__ import annotations

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import nn

from engine_tasks import die_once
from linkwl.models import registry
from linkwl.models.gradient import GradientConfig, GradientModel, TrainingConfig

MODEL_FILES = (
    "config.json",
    "nodes.parquet",
    "graph.safetensors",
    "calibration.json",
    "record.json",
    "sha256.json",
    "model.safetensors",
)
"""What a saved model is made of."""


class ToyEncoderConfig(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    channels: int = Field(default=8, ge=1)
    dropout: float = Field(default=0.2, ge=0, lt=1)


class ToyConfig(GradientConfig):
    encoder: ToyEncoderConfig = ToyEncoderConfig(dropout=0.3)
    training: TrainingConfig = TrainingConfig(max_steps=40, patience=40, evaluate_every=4, learning_rate=0.01)


class Toy(GradientModel):
    """A network on degrees."""

    id = "toy"
    title = "Toy"
    reference = "None, 2022."
    Config = ToyConfig
    config: ToyConfig

    def build_network(self, shape):
        encoder = self.config.encoder
        return nn.Sequential(
            nn.Linear(2 + shape["num_features"], encoder.channels),
            nn.Dropout(encoder.dropout),
            nn.ReLU(),
            nn.Linear(encoder.channels, 1),
        )

    def logits(self, observed, queries):
        degree = np.log1p(observed.degree[queries].astype(np.float32))
        columns = [degree.sum(axis=1), np.abs(degree[:, 0] - degree[:, 1])]
        if observed.features is not None:
            columns += list((observed.features[queries[:, 0]] + observed.features[queries[:, 1]]).T)
        x = torch.from_numpy(np.stack(columns, axis=1)).to(self.trained[0].weight)
        return self.trained(x)[:, 0]

    def describe(self, observed):
        return "a toy"


class DyingToy(Toy):
    """The same network; the first worker that computes its second loss is killed."""

    folder: str
    calls = 0

    def loss(self, batch):
        self.calls += 1
        if self.calls == 2:
            die_once(self.folder)
        return super().loss(batch)


def register(monkeypatch) -> None:
    """Puts the model among the known ones, for one test."""
    monkeypatch.setitem(registry.ROWS, "toy", registry.ModelRow("toy", "Toy", "toy_model:Toy", "network"))
