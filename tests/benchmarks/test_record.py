"""The record: one commit, one folder, rows that say what else the machine did, and refusals in a sentence."""

import gzip
import hashlib
import re
import subprocess
import tomllib
from argparse import Namespace
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import pcsos
from benchmarks import record, repository, runner
from benchmarks.case import Case, Tier, in_tiers
from benchmarks.clock import Beside
from benchmarks.data import digests, named_files
from benchmarks.runner import COMMON
from benchmarks.suites import NAMES, suite_named

OPTIONS: dict[str, Any] = {"quick": False, "data": None, "suite": None, "hours": None, "retry": False, "busy": True}


@pytest.mark.parametrize(("number", "names"), [(0, ""), (1, "a"), (2, "ac"), (3, "abc"), (4, "abcd"), (9, "abcd")])
def test_a_quick_record_takes_cases_from_all_over_a_suite(number: int, names: str) -> None:
    cases = in_tiers([Case(name) for name in "abcdx"], "[a-d]", quick=number)
    assert "".join(case.name for case in cases if case.tier == Tier.QUICK) == names
    assert "".join(case.name for case in cases if case.tier == Tier.ALL) == "x"


@pytest.mark.parametrize("name", NAMES)
def test_a_suite_has_cases_of_every_tier_with_columns_of_their_own(tmp_path: Path, name: str) -> None:
    suite = suite_named(name)
    columns = ["name", *suite.COLUMNS, *COMMON]
    assert len(set(columns)) == len(columns)
    assert set(suite.SHOWN) <= set(columns)
    for data in (None, folder_of_data(tmp_path)):
        cases = suite.cases(data)
        assert len({case.name for case in cases}) == len(cases)
        assert all(set(case.columns) <= set(columns) for case in cases)
        needs_data = name in ("constrained", "unconstrained")
        assert (not cases) == (needs_data and data is None)
        assert not cases or {Tier.QUICK} <= {case.tier for case in cases}


def folder_of_data(folder: Path) -> Path:
    """Return a folder with the names of a few files."""
    for name in ("pc-sos-sdp/constraints/iris/ml_25_cl_25_0.txt", "pc-sos-sdp/constraints/wine/ml_0_cl_100_0.txt"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).touch()
    (folder / "s-mdeclust").mkdir()
    (folder / "s-mdeclust" / "synthetic_n1000_d2_k20_constraints_500.json.gz").touch()
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_cases_whose_files_are_missing_are_left_out(tmp_path: Path, name: str) -> None:
    found = record.cases_of(name, tmp_path, Tier.ALL)
    assert [path for case in found for path in named_files(case, tmp_path)] == []


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A record of two cases, whose runs are listed and take no time."""
    runs: list[str] = []
    cases = {"memory": [Case("bomb-a", {"bomb": "a"}), Case("bomb-b", {"bomb": "b"}, tier=Tier.QUICK)]}
    monkeypatch.setattr(record, "NAMES", ("memory", "unconstrained"))
    monkeypatch.setattr(record, "cases_of", lambda name, *_: cases.get(name, []))
    monkeypatch.setattr(record, "commit_of_code", lambda: "c" * 40)
    monkeypatch.setattr(record, "refuse_commercial_solver", lambda: None)
    monkeypatch.setattr(record, "warm_up", lambda: None)
    monkeypatch.setattr(record, "machine", lambda: "Zx, 2 cores")
    monkeypatch.setattr(Beside, "cores", lambda _: 0.9)
    monkeypatch.setattr(
        runner, "run_child", lambda suite, arguments, _: runs.append(arguments["bomb"]) or {"outcome": "done"}
    )
    return runs


def test_a_record_goes_on_where_it_was_stopped_and_is_of_one_commit_and_machine(
    tmp_path: Path, quiet: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = Namespace(**OPTIONS | {"out": tmp_path})
    record.main(options)
    assert quiet == ["a", "b"]
    facts = record.facts_of(tmp_path)
    assert (facts["commit"], facts["machines"]["memory"]) == ("c" * 40, "Zx, 2 cores")
    assert record.summary(tmp_path, "memory") | {"seconds": 0} == {
        "rows": 2, "not done": 0, "beside other work": 2, "taken again": 0, "seconds": 0,
    }  # fmt: skip
    said = capsys.readouterr().out
    assert "unconstrained: no cases without their data" in said
    assert re.search(r"\| memory \|\s+2 \|\s+0 \|\s+2 \|", said)
    record.main(options)
    assert quiet == ["a", "b"]
    assert list(record.rows_in(tmp_path)) == ["memory"]
    assert all(f", {one} {metadata.version(one)}" in facts["versions"] for one in ("numba", "scipy"))

    (tmp_path / "memory.csv").unlink()
    monkeypatch.setattr(record, "machine", lambda: "other")
    record.main(options)
    assert quiet == ["a", "b"], "a suite went on on another machine"
    assert "left to Zx, 2 cores, which began it" in capsys.readouterr().out

    monkeypatch.setattr(record, "versions", lambda: ["new 1"])
    with pytest.raises(SystemExit, match=r"is a record with versions .*, not new 1; give another --out"):
        record.main(options)
    with pytest.raises(SystemExit, match="is a record with quick False, not True"):
        record.main(Namespace(**OPTIONS | {"out": tmp_path, "quick": True}))
    monkeypatch.setattr(record, "commit_of_code", lambda: "d" * 40)
    with pytest.raises(SystemExit, match=r"is a record with commit c{40}, not d{40}; give another --out"):
        record.main(options)


def test_an_interrupted_suite_is_in_the_facts(
    tmp_path: Path, quiet: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(record, "run_cases", interrupted)
    facts = record.begin(tmp_path, quick=False) | {"ended": "before"}
    with pytest.raises(KeyboardInterrupt):
        record.run_suite(tmp_path, facts, "memory", Namespace(**OPTIONS))
    assert record.facts_of(tmp_path)["ended"] > "2"


def test_files_of_data_are_known_by_their_digests(tmp_path: Path, quiet: list[str], monkeypatch: Any) -> None:
    points = tmp_path / "data" / "plane" / "a.txt"
    points.parent.mkdir(parents=True)
    points.write_text("1 2\n")
    packed = points.with_name("b.txt.gz")
    packed.write_bytes(gzip.compress(b"1 2\n", mtime=1))
    given = {"bomb": "a", "files": [str(points), None, 3], "deeper": {"no": "/a/b", "yes": str(packed)}}
    case = Case("bomb-a", given, {"bomb": str(points)})
    found = digests([case], tmp_path / "data")
    assert found == dict.fromkeys(("plane/a.txt", "plane/b.txt.gz"), hashlib.sha256(b"1 2\n").hexdigest())
    assert digests([replace(case, arguments={})], tmp_path / "data") == {}
    monkeypatch.setattr(record, "cases_of", lambda *_: [case])
    options, facts = Namespace(**OPTIONS | {"data": tmp_path / "data"}), record.begin(tmp_path, quick=False)
    record.run_suite(tmp_path, facts, "memory", options)
    assert record.facts_of(tmp_path)["data"] == found
    points.write_text("other")
    with pytest.raises(SystemExit, match=r"plane/a\.txt in --data is not the file that the record began with"):
        record.run_suite(tmp_path, facts, "memory", options)


def test_a_commercial_solver_is_refused_and_no_part_of_what_a_record_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(record.importlib.util, "find_spec", lambda name: None)
        record.refuse_commercial_solver()
    (tmp_path / "gurobipy.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit, match="made without a commercial solver; first: pip uninstall gurobipy"):
        record.refuse_commercial_solver()
    monkeypatch.setattr(record, "commit_of_code", lambda: "c" * 40)
    with pytest.raises(SystemExit, match="gurobipy"):
        record.main(Namespace(**OPTIONS | {"out": tmp_path}))
    assert "gurobipy" not in required("bench") > {"scs", "scikit-learn", "distributed"}


def required(extra: str) -> set[str]:
    """Return the packages of an extra, with those of the extras that it names."""
    extras = tomllib.loads(repository.ROOT.joinpath("pyproject.toml").read_text())["project"]["optional-dependencies"]
    found = set()
    for requirement in extras[extra]:
        name, _, others = requirement.rstrip("]").partition("[")
        found |= set().union(*map(required, others.split(","))) if others else {re.match(r"[\w-]*", name)[0]}
    return found


def test_what_is_not_one_commit_on_a_quiet_machine_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "WATCHED", 0.0)
    monkeypatch.setattr(Beside, "cores", lambda _: 0.8)
    with pytest.raises(SystemExit, match=r"0\.8 cores are busy with other work \(at most 0\.3\); wait, or give --busy"):
        record.refuse_busy_machine()
    monkeypatch.setattr(repository, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match="is not a git repository"):
        record.commit_of_code()
    (tmp_path / "pcsos").mkdir()
    (tmp_path / "pcsos" / "new.py").touch()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "empty"],
        cwd=tmp_path, check=True,
    )  # fmt: skip
    with pytest.raises(SystemExit, match="commit or put away first: pcsos/"):
        record.commit_of_code()


def test_the_commit_of_a_record_is_the_last_one_that_changed_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "ROOT", tmp_path)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    commits = []
    for changed in (
        "pcsos/code.py",
        "docs/page.md",
        "benchmarks/results/rows.csv",
        "tests/test_it.py",
        "tests/base/test_it.py",
    ):
        (tmp_path / changed).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / changed).touch()
        subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
        own = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", changed]
        subprocess.run(["git", *own], cwd=tmp_path, check=True)
        commits.append(repository.line_of_git("rev-parse", "HEAD"))
    assert len(set(commits)) == 5
    assert record.commit_of_code() == commits[0]
    assert repository.commit_of_tree() == commits[0][:10]
    (tmp_path / "pcsos" / "code.py").write_text("pass\n")
    assert repository.commit_of_tree() == f"{commits[0][:10]}+"


def test_no_code_has_changed_since_the_record_of_this_version() -> None:
    facts = record.facts_of(record.WHOLE)
    if facts["versions"].split(", ")[0] != f"pcsos {pcsos.__version__}":
        pytest.skip(f"the record is of {facts['versions'].split(', ')[0]}")
    paths = ("--", *repository.CODE, *repository.OTHER)
    try:
        changed = repository.line_of_git("diff", "--name-only", facts["commit"], *paths)
    except repository.NoAnswer:
        pytest.skip("the commit of the record is not in a repository here")
    assert changed.splitlines() == []
