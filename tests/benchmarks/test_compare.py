"""The comparison of two revisions: its interval, the order of its runs, what it says, and how it refuses."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import parser
from benchmarks.compare import child, command, runs, sides
from benchmarks.compare.report import Comparison, Interval, interval, report
from benchmarks.compare.runs import SAMPLE, Measured, Sampled, in_turn

#: A package that says which version it is; each call takes the milliseconds that stand there.
FAKE = """
import time
def solve(points, n_clusters, workers):
    time.sleep({milliseconds} / 1000.0)
    return type("Result", (), dict(status="OPTIMAL", objective={objective}, nodes=1))
"""
READER = "def read_points(path):\n    return [float(line) for line in open(path)]\nread_constraints = None\n"


def test_the_interval_is_the_one_of_the_textbook() -> None:
    found = interval([1.0, 1.0, 1.0, 1.0, 1.0], np.exp([1.0, 2.0, 3.0, 4.0, 5.0]))
    half = 2.7764451052 * np.sqrt(2.5 / 5.0)  # Student's t with four degrees of freedom
    assert np.log([found.ratio, found.low, found.high]) == pytest.approx([3.0, 3.0 - half, 3.0 + half])
    assert found.verdict == "slower"
    assert interval(np.exp([1.0, 2.0, 3.0, 4.0, 5.0]), np.ones(5)).verdict == "faster"
    with pytest.raises(ValueError, match="at least 2 rounds"):
        interval([1.0], [1.0])


def simulated(share_disturbed: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the times of both sides in 3,000 comparisons of six rounds, in which B takes 1.1 times as long."""
    rng = np.random.default_rng(5)

    def times(mean: float) -> np.ndarray:
        disturbed = np.where(rng.random((3000, 6)) < share_disturbed, 1.5, 1.0)
        return mean * np.exp(0.02 * rng.standard_normal((3000, 6))) * disturbed

    return times(2.0), times(2.2)


@pytest.mark.parametrize(("share_disturbed", "least", "most"), [(0.0, 0.94, 0.96), (0.1, 0.95, 1.0)])
def test_it_covers_the_true_ratio_in_19_of_20_comparisons(share_disturbed: float, least: float, most: float) -> None:
    found = [interval(of_a, of_b) for of_a, of_b in zip(*simulated(share_disturbed), strict=True)]
    assert least <= np.mean([each.low <= 1.1 <= each.high for each in found]) <= most


def test_of_several_cases_what_disturbs_a_whole_round_counts_once() -> None:
    disturbed = np.array([1.0, 1.2, 0.9, 1.1])
    one, many = interval(np.ones(4), disturbed), interval(np.ones((8, 4)), np.tile(disturbed, (8, 1)))
    assert (many.ratio, many.low, many.high) == pytest.approx((one.ratio, one.low, one.high))
    assert interval([[1.0, 1.0], [1.0, 1.0]], [[2.0, 2.0], [8.0, 8.0]]).ratio == pytest.approx(4.0)


def test_sides_run_in_turn_and_whoever_was_first_is_second_next() -> None:
    turns = list(in_turn(3, 4))
    assert sorted(turns) == [(number, case, side) for number in range(4) for case in range(3) for side in (0, 1)]
    for case in range(3):
        order = "".join("AB"[side] for _, which, side in turns if which == case)
        assert order == ("BAABBAAB" if case == 1 else "ABBAABBA")
    assert "".join("AB"[side] for number, _, side in turns if number == 0) == "ABBAAB"


def run(case: str, letter: str, seconds: float, beside: float | None = None, **result: object) -> Measured:
    found = [{"status": "OPTIMAL", "objective": 2.0, "nodes": 3} | result]
    row = {"outcome": "done", "seconds": seconds, "cpu_seconds": 1.0, "peak_mb": 10.0 * seconds, "found": found}
    return Measured(case, letter, row, beside)


def test_the_report_names_changed_results_first_then_what_failed_then_times_and_marks() -> None:
    failed = Measured("old", "A", {"outcome": "failed", "error": "TypeError: no such argument"}, 0.0)
    text = report(
        Comparison(
            [failed]
            + [run("x", "A", seconds, 0.1) for seconds in (1.00, 1.01, 0.99)]
            + [run("x", "B", seconds, 0.4, nodes=5) for seconds in (1.20, 1.22, 1.21)]
        )
    )
    first, second, *_ = text.split("\n\n")
    assert first == "Results have changed:\nx: nodes of instance 1: 3 before, 5 now"
    assert second.endswith("\nold: A failed, TypeError: no such argument")
    assert "wall-clock seconds: B / A 1.210, 95 % 1.182 to 1.238: slower" in text
    assert "CPU seconds: B / A 1.000, 95 % 1.000 to 1.000: no difference seen" in text
    assert re.search(r"10 \| 12.1 \| 1.210 \| +0.40\* \|", text), "memory"
    assert "* 3 of 7 runs had more than 0.3 cores busy beside them" in text
    assert "are the same" not in text


def status_of(*runs: Measured) -> int:
    """Return the exit status of ``compare HEAD``."""
    return command.status(parser().parse_args(["compare", "HEAD"]), Comparison(runs))


def test_what_b_cannot_run_or_finds_otherwise_is_no_success() -> None:
    sound = [run(case, letter, 1.0) for case in "xyxy" for letter in "AB"]
    assert status_of(*sound) == 0
    failed = {letter: Measured("y", letter, {"outcome": "failed", "error": "-"}, None) for letter in "AB"}
    assert status_of(*sound, failed["B"]) == command.WORSE
    assert status_of(*sound, failed["A"]) == status_of(*sound, failed["A"], failed["B"]) == 0
    for changed, expected in (("status", 1), ("objective", 1), ("lower_bound", 0), ("nodes", 0)):
        other = {"x": {"B": {changed: 7.0}}, "y": {}}  # in the last round alone
        last = [run(case, letter, 1.0, **other[case].get(letter, {})) for case in "xy" for letter in "AB"]
        assert (changed, status_of(*sound, *last)) == (changed, expected)
        assert Comparison([*sound, *last]).changes() == ["x: the results of B differ between its rounds"]


@pytest.mark.parametrize(
    ("of_a", "of_b", "expected"),
    [
        ((2.0, 7.0), (2.0, 2.0), 0),
        ((7.0, 2.0), (2.0, 2.0), 0),
        ((2.0, 7.0), (7.0, 2.0), 0),
        ((2.0, 7.0), (2.0, 8.0), 1),
        ((2.0, 2.0), (7.0, 7.0), 1),
    ],
)
def test_only_what_a_found_in_no_round_is_a_fault_of_b(
    of_a: tuple[float, ...], of_b: tuple[float, ...], expected: int
) -> None:
    rounds = [run("x", letter, 1.0, objective=each) for pair in zip(of_a, of_b, strict=True)
              for letter, each in zip("AB", pair, strict=True)]  # fmt: skip
    assert status_of(*rounds) == expected


def test_a_looser_bound_is_told() -> None:
    looser = [run("x", letter, 1.0, lower_bound=bound) for letter, bound in (("A", 1.9999), ("B", 1.9998)) * 2]
    assert report(Comparison(looser)).startswith(
        "Results have changed:\nx: lower_bound of instance 1: 1.9999 before, 1.9998 now\n"
    )
    result = type("Result", (), {"status": "OPTIMAL", "objective": 2.0, "lower_bound": 1.9999, "nodes": 1, "gap": 5e-5})
    assert child.results(result) == {"status": "OPTIMAL", "objective": 2.0, "lower_bound": 1.9999, "nodes": 1}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with two versions of a small package, the second one slower, and worse."""
    root = tmp_path / "repository"
    (root / "pcsos").mkdir(parents=True)
    (tmp_path / "points.txt").write_text("1\n2\n")
    git(root, "init", "-q")
    git(root, "commit", "-q", "--allow-empty", "-m", "nothing")
    (root / "pcsos" / "io.py").write_text(READER)
    for milliseconds, objective in ((20, 2.0), (60, 3.0)):
        (root / "pcsos" / "__init__.py").write_text(FAKE.format(milliseconds=milliseconds, objective=objective))
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "version")
    arguments = {"instances": [{"points": str(tmp_path / "points.txt"), "n_clusters": 1}], "workers": 1}
    monkeypatch.setattr("benchmarks.repository.ROOT", root)
    monkeypatch.setattr(command, "SAMPLE", (Sampled("case", "solve", arguments),))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    return root


def git(root: Path, *arguments: str) -> str:
    names = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", *arguments], cwd=root, check=True, capture_output=True, text=True, env=os.environ | names
    )
    return done.stdout


def called(*arguments: str) -> int:
    """Return the exit status of the command."""
    options = parser().parse_args(["compare", *arguments])
    with pytest.raises(SystemExit) as ending:
        options.main(options)
    return int(ending.value.code or 0)


@pytest.mark.slow
def test_two_revisions_of_a_small_package(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert called("HEAD~1", "--rounds", "2") == command.WORSE, "the objective has changed"
    out = capsys.readouterr().out
    assert f"A: HEAD~1 ({git(repository, 'rev-parse', 'HEAD~1')[:10]})\nB: HEAD (" in out
    assert "Results have changed:\ncase: objective of instance 1: 2.0 before, 3.0 now\n" in out
    assert git(repository, "status", "--porcelain", "--ignored") == ""
    assert git(repository, "worktree", "list").count("\n") == 1
    assert list((repository.parent / "scratch").iterdir()) == []


@pytest.mark.slow
def test_the_working_tree_is_taken_as_it_is_and_a_side_that_cannot_run_is_told(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "pcsos" / "__init__.py").write_text("from pcsos.new import solve\n")
    (repository / "pcsos" / "new.py").write_text("def solve(*, other): ...\n")
    assert called("HEAD", "WORK") == command.WORSE
    out = capsys.readouterr().out
    assert "B: the working tree\n" in out
    assert "case: B failed, TypeError: solve() got an unexpected keyword argument" in out
    assert out.endswith("Nothing could be compared.\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nope"], "there is no revision 'nope' in"),
        (["HEAD", "HEAD~2"], "there is no pcsos/ in HEAD~2"),
        (["HEAD", "--rounds", "0"], "--rounds is 0; give an even number"),
        (["HEAD", "--rounds", "5"], "--rounds is 5; give an even number, so that each side is first as often"),
        (["HEAD", "--sample", "nope"], "there is no case 'nope'; there are case"),
        (["HEAD", "--fail-above", "nan"], "--fail-above is nan; give a ratio"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    repository: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert called(*arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"compare: {sentence}")
    assert said.count("\n") == 1


def test_after_ctrl_c_nothing_is_left(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        assert len(list((repository.parent / "scratch").iterdir())) == 1
        raise KeyboardInterrupt

    monkeypatch.setattr(runs, "run_process", interrupted)
    assert called("HEAD") == 130
    assert capsys.readouterr().err.endswith("compare: interrupted, nothing is kept\n")
    assert list((repository.parent / "scratch").iterdir()) == []


def test_another_package_than_that_of_the_side_is_no_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"outcome": "done", "package": str(tmp_path / "elsewhere" / "pcsos" / "__init__.py")}
    monkeypatch.setattr(runs, "run_process", lambda *_, **__: row)
    found = runs.measured(sides.Side("A", "HEAD", tmp_path / "A"), SAMPLE[0])
    assert not found.is_done
    assert found.row["error"] == f"ran the pcsos in {tmp_path / 'elsewhere' / 'pcsos'} instead"


@pytest.mark.parametrize(("low", "limit", "expected"), [(1.2, 1.1, 1), (1.0, 1.1, 0), (1.2, None, 0)])
def test_it_fails_only_where_the_whole_interval_lies_above_the_limit(
    monkeypatch: pytest.MonkeyPatch, low: float, limit: float | None, expected: int
) -> None:
    monkeypatch.setattr(Comparison, "mean", lambda *_: Interval(1.25, low, 1.3))
    options = parser().parse_args(["compare", "HEAD"])
    options.fail_above = limit
    assert command.status(options, Comparison([])) == expected


def test_every_case_of_the_sample_has_a_name_of_its_own_and_files_that_are_there() -> None:
    assert len({case.name for case in SAMPLE}) == len(SAMPLE)
    for case in SAMPLE:
        for instance in case.arguments.get("instances", ()):
            for key in ("points", "constraints"):
                assert key not in instance or Path(instance[key]).is_file()
