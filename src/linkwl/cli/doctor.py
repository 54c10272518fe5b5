"""``linkwl doctor``: check the installation."""

from __future__ import annotations

import os
from importlib import metadata, util

from linkwl.cli.console import check_json_target, console, facts, write_json
from linkwl.cli.graph_argument import JsonOption
from linkwl.memory import available_memory, size_text

_EXTRAS = {
    "torch": "pyg",
    "torch_geometric": "pyg",
    "rdflib": "rdf",
    "ray": "ray",
    "fastapi": "serve",
    "uvicorn": "serve",
    "networkx": "dev",
}


def doctor(json: JsonOption = None) -> None:
    """Show versions, threads, device, free memory, data folders, and what is missing.

    [bold]Example[/]

      linkwl doctor
    """
    from linkwl.datasets import CATALOGUE, data_folders, dataset_state
    from linkwl.records import versions

    check_json_target(json)
    found = versions()
    rows = {name: version for name, version in found.items() if name != "threads"}
    rows["threads"] = found["threads"]
    rows["device"] = _device()
    free = available_memory()
    rows["free memory"] = "unknown" if free is None else size_text(free)
    rows["OMP_WAIT_POLICY"] = os.environ.get("OMP_WAIT_POLICY", "not set")
    for folder in data_folders():
        rows[f"data folder {folder}"] = "present" if folder.is_dir() else "missing"
    states: dict[str, list[str]] = {}
    for dataset in CATALOGUE.values():
        states.setdefault(dataset_state(dataset), []).append(dataset.name)
    rows |= {f"datasets {state}": ", ".join(names) for state, names in states.items()}
    for module, extra in _EXTRAS.items():
        missing = util.find_spec(module) is None
        rows[module] = (
            f"not installed; pip install 'linkwl[{extra}]' if you need it"
            if missing
            else metadata.version(module.replace("_", "-"))
        )
    rows["engines"] = "inline, processes:N" + ("" if util.find_spec("ray") is None else ", ray, ray:HOST:PORT")
    console.print(facts(rows))
    write_json(json, {"doctor": rows})


def _device() -> str:
    if util.find_spec("torch") is None or metadata.version("torch").endswith("+cpu"):
        return "cpu"  # a build without CUDA has no other, and importing it takes a second
    import torch

    return torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
