"""The command line with inner products, squared distances and kernels."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pcsos.cli import main
from pcsos.problem.similarity import kernel_matrix

POINTS = np.random.default_rng(2).normal(size=(16, 2)) + 7.0 * np.repeat([[0, 0], [1, 1]], 8, axis=0)
SQUARES = ((POINTS[:, None] - POINTS) ** 2).sum(axis=2)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, values in (("points", POINTS), ("squares", SQUARES), ("inner", POINTS @ POINTS.T)):
        np.savetxt(f"{name}.csv", values, delimiter=",", fmt="%.17g")
        np.save(f"{name}.npy", values)
    np.save("rbf.npy", kernel_matrix(POINTS, "rbf", gamma=0.1))
    Path("pairs.txt").write_text("ML 0 1\nCL 0 9\n")


def solved(*arguments: str) -> dict[str, object]:
    assert main(["solve", *arguments, "-k", "2", "--quiet", "--constraints", "pairs.txt", "--json", "out.json"]) == 0
    return dict(json.loads(Path("out.json").read_text()))


def test_all_forms_of_an_instance_are_solved_alike() -> None:
    plain = solved("points.csv")
    for arguments in (
        ("--gram", "inner.csv"),
        ("--gram", "inner.npy"),
        ("--distances", "squares.csv"),
        ("--distances", "squares.npy"),
        ("points.npy", "--kernel", "linear"),
    ):
        found = solved(*arguments)
        assert found["labels"] == plain["labels"]
        assert found["objective"] == pytest.approx(plain["objective"])
        assert 0.0 < float(str(found["gram_error"])) < 1e-9
    assert plain["gram_error"] is None


def test_kernels_are_computed() -> None:
    assert (
        solved("points.csv", "--kernel", "rbf", "--gamma", "0.1")["objective"]
        == solved("--gram", "rbf.npy")["objective"]
    )


@pytest.mark.parametrize(("option", "name"), [("--gram", "inner.npy"), ("--distances", "squares.csv")])
def test_a_run_is_verified_against_its_file(option: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    solved(option, name, "--run-file", "some.run")
    assert main(["verify", "some.run", option, name, "--constraints", "pairs.txt", "--quiet"]) == 0
    assert main(["verify", "some.run", "--points", "points.csv", "--constraints", "pairs.txt"]) == 5
    assert "the run is about a Gram matrix, not about points; give the matrix" in capsys.readouterr().err
    assert main(["verify", "some.run", "--gram", "rbf.npy", "--constraints", "pairs.txt"]) == 5
    assert "the run is about other inner products or weights" in capsys.readouterr().err


def test_other_commands_take_matrices(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--gram", "inner.npy", "-k", "2"]) == 0
    assert main(["heuristic", "--distances", "squares.npy", "-k", "2", "--quiet"]) == 0
    long = ["--time-limit", "20000"]  # of which the search may take a quarter, and does not
    assert main(["certify", "--gram", "rbf.npy", "-k", "2", "--quiet", *long]) == 0
    assert "OPTIMAL" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-k", "2"], "give one of POINTS, --gram FILE and --distances FILE"),
        (["points.csv", "--gram", "inner.npy", "-k", "2"], "give one of POINTS, --gram FILE and --distances FILE"),
        (["--gram", "inner.npy", "--kernel", "rbf", "-k", "2"], "--kernel is for POINTS, but --gram is given"),
        (["points.csv", "--gamma", "1", "-k", "2"], "--gamma says nothing without --kernel rbf"),
        (["points.csv", "--kernel", "rbf", "--gamma", "0", "-k", "2"], "'0' is not a positive number"),
        (["points.csv", "--kernel", "linear", "--gamma", "1", "-k", "2"], "only kernel='rbf' has one"),
        (["--gram", "points.npy", "-k", "2"], "gram has the shape (16, 2); give a square matrix"),
        (["--distances", "rbf.npy", "-k", "2"], "with 0 on the diagonal"),
        (["--gram", "missing.npy", "-k", "2"], "missing.npy does not exist"),
        (["--gram", "inner.npy", "-k", "2", "--json", "inner.npy"], "inner.npy"),
    ],
)
def test_one_sentence_says_what_is_wrong(arguments: list[str], sentence: str, refused: Callable[..., str]) -> None:
    assert sentence in refused("solve", *arguments)


def test_questions_are_refused(refused: Callable[..., str]) -> None:
    sentence = refused("ask", "--gram", "inner.npy", "-k", "2", "--constraints-out", "out.txt")
    assert "questions are about points" in sentence
