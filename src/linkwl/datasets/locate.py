"""Finds benchmark files: in the folder ``LINKWL_DATA``, the user's cache, then the network."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from platformdirs import user_cache_path

from linkwl.datasets.catalogue import DataFile, Dataset
from linkwl.datasets.download import Progress, download_file
from linkwl.errors import DownloadError, InputError


def cache_folder() -> Path:
    """The folder of downloaded files."""
    return user_cache_path("linkwl")


def data_folders() -> list[Path]:
    """The folders that are searched, in order."""
    chosen = os.environ.get("LINKWL_DATA")
    return [Path(chosen).expanduser(), cache_folder()] if chosen else [cache_folder()]


def find_file(file: DataFile) -> Path | None:
    """The file on this machine, with its content checked; None if it is missing.

    Raises:
        DownloadError: If the first file with that path has other content; it is neither used nor skipped.
        InputError: If it cannot be read.
    """
    paths = (folder / file.path for folder in data_folders())
    return next((path for path in paths if _is_present(path, file)), None)


def dataset_state(dataset: Dataset) -> str:
    """The state of the dataset's files, in a few words."""
    if not dataset.files:
        return "in the package"
    try:
        return "present" if all(find_file(file) for file in dataset.files) else "to be downloaded"
    except (DownloadError, InputError):
        return "damaged: see `linkwl datasets fetch`"


def fetch_dataset(dataset: Dataset, *, on_progress: Progress | None = None) -> list[Path]:
    """The dataset's files on this machine, in the catalogue's order; missing files are downloaded.

    Args:
        dataset: An entry of the catalogue.
        on_progress: Called with the number of bytes received so far and the total number of bytes to download.

    Raises:
        DownloadError: If a file is missing and cannot be fetched, or is not the file it should be.
    """
    paths = {file: find_file(file) for file in dataset.files}
    missing = [file for file, path in paths.items() if path is None]
    total, done = sum(file.num_bytes for file in missing), 0
    for file in missing:
        target = cache_folder() / file.path
        download_file(file, target, on_progress=_part(on_progress, done, total))
        paths[file] = target
        done += file.num_bytes
    return [path for path in paths.values() if path is not None]


def _part(on_progress: Progress | None, before: int, total: int) -> Progress | None:
    """Reports the progress of one file as progress of all files."""
    if on_progress is None:
        return None
    return lambda received, _: on_progress(before + received, total)


def _is_present(path: Path, file: DataFile) -> bool:
    try:
        with path.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
            num_bytes = stream.tell()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror}); give access to it or remove it.", path=path) from error
    if (num_bytes, sha256) != (file.num_bytes, file.sha256):
        raise DownloadError(
            f"{path}: found {num_bytes} bytes with sha256 {sha256}, expected {file.num_bytes} with {file.sha256}; "
            f"delete it to download it again, or replace it with the file at {file.url}."
        )
    return True
