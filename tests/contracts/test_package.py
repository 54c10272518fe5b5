"""The wheel has what the package needs and nothing else, and runs in an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
import yaml

import linkwl
from pages import ROOT

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def test_the_citation_has_the_version_of_the_package():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == linkwl.__version__
    assert citation["references"][0]["identifiers"][0]["value"] == "arXiv:2206.09567"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder, ROOT]
    subprocess.run(build, check=True, capture_output=True, text=True)
    (file,) = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """An empty environment with the wheel; what it depends on is taken from the environment of the tests."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, symlinks=True)
    subprocess.run([*PIP, "--python", folder, "install", "--no-deps", "--no-index", wheel], check=True)
    # A line of such a file adds a folder, but files of this kind in that folder are not read: the source tree, which
    # the environment of the tests may add in this way, stays out.
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def run(environment, *arguments):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    command = [environment / "bin" / arguments[0], *arguments[1:]]
    return subprocess.run(command, cwd=environment, env=kept, check=True, capture_output=True, text=True)


@pytest.mark.thorough
def test_the_wheel_has_data_and_no_tests(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        described = message_from_string(archive.read(metadata).decode())
    for file in (ROOT / "src" / "linkwl").rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            assert file.relative_to(ROOT / "src").as_posix() in names
    assert {"linkwl/py.typed", "linkwl/configs/local-2fwl.toml", "linkwl/datasets/embedded/routes.csv"} <= set(names)
    assert {name.split("/")[0] for name in names} == {"linkwl", metadata.split("/")[0]}
    assert not [name for name in names if name.endswith((".pyc", ".jsonl")) or "/test" in name]
    assert described["Version"] == linkwl.__version__
    extras = set(described.get_all("Provides-Extra"))
    assert extras == {"dev", "docs", "pyg", "ray", "rdf", "serve", "topology", "tune"}


@pytest.mark.thorough
def test_the_wheel_runs_without_the_source_tree(environment):
    where = run(environment, "python", "-c", "import linkwl; print(linkwl.__file__)").stdout
    assert where.startswith(str(environment))
    assert run(environment, "linkwl", "--version").stdout == f"linkwl {linkwl.__version__}\n"
    assert "airports" in run(environment, "linkwl", "demo", "--help").stdout
    assert linkwl.__version__ in run(environment, "linkwl", "doctor", "--json", "-").stdout


@pytest.mark.slow
def test_a_model_can_be_trained_and_asked(environment):
    run(environment, "linkwl", "train", "airports", "--set", "training.max_steps=5", "--out", "model")
    run(environment, "linkwl", "predict", "model", "--top-k", "5", "--for", "JNU", "--out", "links.csv")
    assert len((environment / "links.csv").read_text(encoding="utf-8").splitlines()) == 6
    assert (environment / "model" / "report.html").exists()
