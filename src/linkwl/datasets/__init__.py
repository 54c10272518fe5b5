"""Datasets: the catalogue of benchmark graphs, their files, and the graphs that are part of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwl.lazy import lazy_names

if TYPE_CHECKING:
    from linkwl.datasets.airports import Airport, airport_table, load_airports
    from linkwl.datasets.catalogue import CATALOGUE, DataFile, Dataset, benchmark_names, find_dataset
    from linkwl.datasets.download import Progress
    from linkwl.datasets.load import load_dataset
    from linkwl.datasets.locate import cache_folder, data_folders, dataset_state, fetch_dataset, find_file
    from linkwl.datasets.world import Country, load_world, place_table, type_table

__all__ = [
    "CATALOGUE",
    "Airport",
    "Country",
    "DataFile",
    "Dataset",
    "Progress",
    "airport_table",
    "benchmark_names",
    "cache_folder",
    "data_folders",
    "dataset_state",
    "fetch_dataset",
    "find_dataset",
    "find_file",
    "load_airports",
    "load_dataset",
    "load_world",
    "place_table",
    "type_table",
]

__getattr__ = lazy_names(
    __name__,
    {
        "linkwl.datasets.airports": ["Airport", "airport_table", "load_airports"],
        "linkwl.datasets.catalogue": ["CATALOGUE", "DataFile", "Dataset", "benchmark_names", "find_dataset"],
        "linkwl.datasets.download": ["Progress"],
        "linkwl.datasets.load": ["load_dataset"],
        "linkwl.datasets.locate": ["cache_folder", "data_folders", "dataset_state", "fetch_dataset", "find_file"],
        "linkwl.datasets.world": ["Country", "load_world", "place_table", "type_table"],
    },
)
