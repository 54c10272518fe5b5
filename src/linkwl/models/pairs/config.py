"""Settings that the networks share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from linkwl.models.gradient import GradientConfig
from linkwl.models.space import Choice, LogUniform, Uniform
from linkwl.nn.encoder import ConvName, NodeBlock, NodeEncoder, NodeInput
from linkwl.nn.norms import NormName
from linkwl.nn.readout import PairReadout, ReadoutName

Dropout = Annotated[float, Field(ge=0, lt=1)]


class Settings(BaseModel):
    """A group of settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class EncoderConfig(Settings):
    """The node encoder; see :class:`linkwl.nn.NodeEncoder`."""

    channels: int = Field(default=32, ge=1, le=1 << 16)
    layers: int = Field(default=2, ge=0, le=256)
    conv: ConvName = "gcn"
    norm: NormName | tuple[NormName, ...] = "graph"
    """After each convolution: one for all, or one for each."""
    activation: bool | tuple[bool, ...] = True
    """Whether each convolution is followed by ReLU: one for all, or one for each."""
    dropout: Dropout | tuple[Dropout, ...] = 0.1
    """After each convolution: one for all, or one for each."""
    input: Literal["auto", "degree", "features", "both"] = "auto"
    """The input of the nodes; ``auto`` is both if there are features, else the degree."""
    input_dropout: Dropout = 0.1
    feature_dropout: Dropout = 0.5
    alpha: float = Field(default=0.1, gt=0, lt=1)
    """Share of the input that ``appnp`` keeps at each step."""

    def build(self, shape: Mapping[str, int]) -> NodeEncoder:
        """The encoder for graphs of this shape; degrees replace requested features if there are none."""
        num_features = shape["num_features"]
        reads_features = num_features > 0 and self.input != "degree"
        reads_degree = self.input != "features" or not reads_features
        node_input = NodeInput(
            self.channels,
            num_features=num_features if reads_features else 0,
            max_degree=shape["max_degree"] if reads_degree else None,
            is_directed=bool(shape["is_directed"]),
            feature_dropout=self.feature_dropout,
            dropout=self.input_dropout,
        )
        switches = (self._each(value) for value in (self.norm, self.dropout, self.activation))
        blocks = [NodeBlock(*values) for values in zip(*switches, strict=True)]
        is_directed = bool(shape["is_directed"])
        return NodeEncoder(node_input, self.channels, blocks, conv=self.conv, alpha=self.alpha, is_directed=is_directed)

    @model_validator(mode="after")
    def _one_per_layer(self) -> Self:
        for name in ("norm", "activation", "dropout"):
            value = getattr(self, name)
            if isinstance(value, tuple) and len(value) != self.layers:
                raise PydanticCustomError(
                    "one_per_layer", f"`{name}` must be one value or one for each of the {self.layers} layers"
                )
        return self

    def _each(self, value: Any) -> list[Any]:
        return list(value) if isinstance(value, tuple) else [value] * self.layers


class ReadoutConfig(Settings):
    """The readout of a pair; see :class:`linkwl.nn.PairReadout`."""

    kind: ReadoutName = "mlp"
    nodes: Literal["every", "last", "none"] = "every"
    """The depths of the encoder at which the two ends are read besides the pair."""
    hidden: int = Field(default=32, ge=1, le=1 << 16)
    layers: int = Field(default=1, ge=1, le=256)
    """Number of hidden layers of the perceptron."""
    members: int = Field(default=1, ge=1, le=256)
    """Number of perceptrons, each with its own weights; the score is their mean."""
    dropout: Dropout = 0.1

    def build(self, pair_channels: int, encoder: EncoderConfig, *, is_directed: bool, product: bool) -> PairReadout:
        """The readout for pairs of this width and the outputs of the encoder."""
        return PairReadout(
            pair_channels,
            encoder.channels,
            {"every": encoder.layers + 1, "last": 1, "none": 0}[self.nodes],
            kind=self.kind,
            hidden=self.hidden,
            layers=self.layers,
            members=self.members,
            dropout=self.dropout,
            is_ordered=is_directed,
            product=product,
        )


class EncodedConfig(GradientConfig):
    """The settings of models that encode the nodes."""

    encoder: EncoderConfig = EncoderConfig()


class PairConfig(EncodedConfig):
    """The settings that the networks share."""

    readout: ReadoutConfig = ReadoutConfig()


PAIR_SPACE: dict[str, Choice | Uniform] = {
    "encoder.channels": Choice(32, 64, 128),
    "encoder.layers": Choice(1, 2, 3),
    "encoder.input": Choice("auto", "degree", "features"),
    "encoder.dropout": Uniform(0.0, 0.5),
    "encoder.input_dropout": Uniform(0.0, 0.5),
    "encoder.feature_dropout": Uniform(0.0, 0.7),
    "readout.layers": Choice(1, 2),
    "readout.dropout": Uniform(0.0, 0.5),
    "training.learning_rate": LogUniform(2e-3, 2e-2),
}
"""What tuning varies in all of the networks."""
