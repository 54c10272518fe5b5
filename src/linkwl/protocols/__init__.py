"""Protocols: how numbers are measured. Every result names its protocol."""

from linkwl.protocols.protocol import Protocol, TrainingData, target_scores
from linkwl.protocols.registry import PAPER, PROTOCOLS, find_protocol, protocol_for

__all__ = ["PAPER", "PROTOCOLS", "Protocol", "TrainingData", "find_protocol", "protocol_for", "target_scores"]
