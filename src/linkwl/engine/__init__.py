"""Engines: run tasks in this process or in several."""

from linkwl.engine.base import Engine
from linkwl.engine.find import find_engine
from linkwl.engine.inline import InlineEngine
from linkwl.engine.processes import ProcessEngine

__all__ = ["Engine", "InlineEngine", "ProcessEngine", "find_engine"]
