"""Engines: run tasks in this process, in several, or on a cluster."""

from linkwl.engine.base import Engine
from linkwl.engine.find import find_engine
from linkwl.engine.inline import InlineEngine
from linkwl.engine.processes import ProcessEngine
from linkwl.engine.ray import RayEngine

__all__ = ["Engine", "InlineEngine", "ProcessEngine", "RayEngine", "find_engine"]
