"""What is shipped: the source distribution holds the project whole, the wheel the package alone."""

import tarfile
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

import pcsos

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text())["project"]

#: Folders that the source distribution holds whole.
FOLDERS = ("benchmarks", "docs", "instances", "pcsos", "tests")
#: Files beside them.
FILES = {
    *("CHANGELOG.md", "CITATION.cff", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"),
    *("mkdocs.yml", "pyproject.toml", ".ci/run"),
}


def in_the_checkout(folder: str) -> set[str]:
    """Return the files of a folder, without what Python, compilers, SQLite and editors leave there."""
    paths = (path.relative_to(ROOT) for path in ROOT.joinpath(folder).rglob("*") if path.is_file())
    kept = (path for path in paths if not {"__pycache__", "build"} & {*path.parts} and not path.name.startswith("."))
    return {path.as_posix() for path in kept if path.suffix not in {".run", ".run-wal", ".run-shm"}}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    sdist = pytest.importorskip("hatchling.builders.sdist").SdistBuilder
    wheel = pytest.importorskip("hatchling.builders.wheel").WheelBuilder
    folder = str(tmp_path_factory.mktemp("dist"))
    return {
        "sdist": Path(next(sdist(str(ROOT)).build(directory=folder, versions=["standard"]))),
        "wheel": Path(next(wheel(str(ROOT)).build(directory=folder, versions=["standard"]))),
    }


def metadata(text: bytes) -> Message:
    return Parser().parsestr(text.decode())


def test_the_source_distribution_is_whole(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        shipped = {name.split("/", 1)[1] for name in archive.getnames()}
    wanted = FILES.union(*map(in_the_checkout, FOLDERS))
    assert {"tests/conftest.py", "tests/oracle.py", "pcsos/py.typed"} <= wanted
    assert wanted - shipped == set()
    assert {name for name in shipped if name.split("/")[0] in FOLDERS} - wanted == set()


def test_the_wheel_is_the_package_alone(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built["wheel"]) as archive:
        shipped = set(archive.namelist())
        described = metadata(archive.read(f"pcsos-{pcsos.__version__}.dist-info/METADATA"))
    assert {name for name in shipped if ".dist-info/" not in name} == in_the_checkout("pcsos")
    assert built["wheel"].name == f"pcsos-{pcsos.__version__}-py3-none-any.whl"
    assert described["License-Expression"] == "MIT"
    assert described["Requires-Python"] == ">=3.11"


def test_what_the_default_path_does_not_need_is_an_extra() -> None:
    required = {requirement.split(">")[0] for requirement in PROJECT["dependencies"]}
    extras = {"pandas", "scikit-learn", "pyarrow", "matplotlib", "distributed", "dask"}
    assert required.isdisjoint(extras | {"cvxpy", "scs", "clarabel", "gurobipy"})


def test_the_version_is_the_same_everywhere() -> None:
    version = pcsos.__version__
    assert f"\nversion: {version}\n" in ROOT.joinpath("CITATION.cff").read_text()
    assert f"\n## {version} - " in ROOT.joinpath("CHANGELOG.md").read_text()
