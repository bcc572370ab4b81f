"""What is shipped: the source distribution holds the project whole, the wheel the package alone."""

import re
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
    *("hatch_build.py", "mkdocs.yml", "pyproject.toml", ".ci/run"),
}


def in_the_checkout(folder: str) -> set[str]:
    """Return the files of a folder, without what Python, compilers, SQLite and editors leave there."""
    paths = (path.relative_to(ROOT) for path in ROOT.joinpath(folder).rglob("*") if path.is_file())
    kept = (path for path in paths if not {"__pycache__", "build"} & {*path.parts} and not path.name.startswith("."))
    return {path.as_posix() for path in kept if path.suffix not in {".run", ".run-wal", ".run-shm"}}


def built_as(kind: str, folder: Path) -> Path:
    builders = pytest.importorskip(f"hatchling.builders.{kind}")
    builder = getattr(builders, f"{kind.title()}Builder")(str(ROOT))
    return Path(next(builder.build(directory=str(folder), versions=["standard"])))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("dist")
    return {kind: built_as(kind, folder) for kind in ("sdist", "wheel")}


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        return Parser().parsestr(archive.read(f"pcsos-{pcsos.__version__}.dist-info/METADATA").decode())


@pytest.mark.slow
def test_the_source_distribution_is_whole(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        shipped = {name.split("/", 1)[1] for name in archive.getnames()}
    wanted = FILES.union(*map(in_the_checkout, FOLDERS))
    assert {"tests/conftest.py", "tests/oracle.py", "pcsos/py.typed"} <= wanted
    assert wanted - shipped == set()
    assert {name for name in shipped if name.split("/")[0] in FOLDERS} - wanted == set()


@pytest.mark.slow
def test_the_wheel_is_the_package_alone(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built["wheel"]) as archive:
        shipped = set(archive.namelist())
    described = metadata(built["wheel"])
    assert {name for name in shipped if ".dist-info/" not in name} == in_the_checkout("pcsos")
    assert built["wheel"].name == f"pcsos-{pcsos.__version__}-py3-none-any.whl"
    assert described["License-Expression"] == "MIT"
    assert described["Requires-Python"] == ">=3.11"


def test_what_the_default_path_does_not_need_is_an_extra() -> None:
    required = {requirement.split(">")[0] for requirement in PROJECT["dependencies"]}
    extras = {"pandas", "scikit-learn", "pyarrow", "matplotlib", "distributed", "dask"}
    assert required.isdisjoint(extras | {"cvxpy", "scs", "clarabel", "gurobipy"})


def test_the_version_is_the_same_everywhere_and_has_a_date_in_both_places_or_in_none() -> None:
    changelog, citation = (ROOT.joinpath(name).read_text() for name in ("CHANGELOG.md", "CITATION.cff"))
    version, date = re.findall(r"^## (\S+) (?:\(unreleased\)|- (\d{4}-\d\d-\d\d))$", changelog, re.MULTILINE)[0]
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [version] == [pcsos.__version__]
    assert re.findall(r"^date-released: (.*)$", citation, re.MULTILINE) == ([date] if date else [])


def test_links_of_the_readme_lead_to_files_of_the_tag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PCSOS_URL", "https://host.example/pcsos")
    described = metadata(built_as("wheel", tmp_path))
    assert "Repository, https://host.example/pcsos" in described.get_all("Project-URL", [])
    own = re.findall(r"\]\(([^)#:]+)\)", ROOT.joinpath("README.md").read_text())
    place = rf"https://host\.example/pcsos/(blob|raw)/v{re.escape(pcsos.__version__)}/"
    linked = [re.fullmatch(rf"{place}(.*)", link) for link in re.findall(r"\]\((.*?)\)", described.get_payload())]
    assert [found and found[2] for found in linked] == own
    assert {found[1] for found in linked if found and found[2].endswith(".svg")} == {"raw"}


def test_they_are_words_where_nobody_has_said_where_the_repository_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PCSOS_URL", raising=False)
    described = metadata(built_as("wheel", tmp_path))
    assert described["Project-URL"] is None
    assert "More in the guide: sizes and diameters," in described.get_payload()
    assert "](" not in described.get_payload()


def test_the_workflows_try_the_versions_of_python_that_are_declared() -> None:
    declared = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"]))
    for name in ("tests", "release"):
        text = ROOT.joinpath(".github", "workflows", f"{name}.yml").read_text()
        (tried,) = re.findall(r"python: \[(.*)\]", text)
        assert re.findall(r"[\d.]+", tried) == declared
    assert f"Python {declared[0]} to {declared[-1]}" in ROOT.joinpath("README.md").read_text()
