"""The command line with inner products, squared distances and kernels."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pcsos import Diameter, Distances, Gram, Instance, Kernel, Split
from pcsos.cli import main
from pcsos.problem.similarity import kernel_matrix

POINTS = np.random.default_rng(2).normal(size=(16, 2)) + 7.0 * np.repeat([[0, 0], [1, 1]], 8, axis=0)
SQUARES = ((POINTS[:, None] - POINTS) ** 2).sum(axis=2)
FORMS = (["--gram", "inner.npy"], ["--distances", "squares.csv"], ["points.csv", "--kernel", "rbf", "--gamma", "0.1"])


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, values in (("points", POINTS), ("squares", SQUARES), ("inner", POINTS @ POINTS.T)):
        np.savetxt(f"{name}.csv", values, delimiter=",", fmt="%.17g")
        np.save(f"{name}.npy", values)
    np.save("rbf.npy", kernel_matrix(POINTS, "rbf", gamma=0.1))
    np.save("other.npy", kernel_matrix(POINTS, "rbf", gamma=0.2))
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


@pytest.mark.parametrize("own", FORMS)
def test_a_run_is_verified_against_what_it_was_given(own: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    solved(*own, "--run-file", "some.run")
    verify = ["verify", "some.run", "--constraints", "pairs.txt"]
    given = own if own[0].startswith("--") else ["--points", *own]
    assert main([*verify, *given, "-k", "2", "--quiet"]) == 0
    assert main([*verify, "--points", "points.csv"]) == 5
    assert "the run is about a Gram matrix, not about points; give the matrix" in capsys.readouterr().err
    for other in (["--gram", "other.npy"], ["--points", "points.csv", "--kernel", "rbf", "--gamma", "0.2"]):
        assert main([*verify, *other]) == 5
        assert "the run is about other inner products or weights" in capsys.readouterr().err
    assert main(["verify", "some.run", "--kernel", "rbf"]) == 2
    assert "--kernel says nothing without --points; give the points too" in capsys.readouterr().err


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


@pytest.mark.parametrize("kind", ["gram", "distances", "kernel"])
@pytest.mark.parametrize("as_lines", [False, True])
def test_limits_of_distance_are_those_of_the_feature_space(kind: str, as_lines: bool) -> None:
    points = np.random.default_rng(0).integers(0, 4, (12, 2)).astype(float)
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    np.save("points.npy", points)
    np.save("K.npy", points @ points.T)
    np.save("D.npy", squares)
    between = np.sqrt(squares)  # many of them are exactly 1, 2 and 3
    place: object = {"distances": Distances(squares), "kernel": Kernel(points, "rbf", 0.5)}.get(
        kind, Gram(points @ points.T)
    )
    if kind == "kernel":
        between = np.sqrt(2.0 - 2.0 * np.exp(-0.5 * squares))
    far, near = (1.4, 0.9) if kind == "kernel" else (3.0, 1.0)
    instance = Instance(place, 5, conditions=[Diameter(far), Split(near)])
    i, j = np.triu_indices(12, 1)
    assert sorted(instance.cannot_link.tolist()) == [[a, b] for a, b in zip(i, j, strict=True) if between[a, b] > far]
    assert sorted(instance.must_link.tolist()) == [[a, b] for a, b in zip(i, j, strict=True) if between[a, b] < near]
    assert min(len(instance.cannot_link), len(instance.must_link)) > 0
    options = ["--max-diameter", str(far), "--min-split", str(near)]
    if as_lines:
        Path("pairs.txt").write_text(f"GAMMA {far}\nDELTA {near}\n")
        options = ["--constraints", "pairs.txt"]
    source = {
        "gram": ["--gram", "K.npy"], "distances": ["--distances", "D.npy"],
        "kernel": ["points.npy", "--kernel", "rbf", "--gamma", "0.5"],
    }[kind]  # fmt: skip
    assert main(["info", *source, "-k", "5", *options, "--json", "info.json"]) in (0, 3)
    figures = json.loads(Path("info.json").read_text())
    assert figures["n_cannot_link"] == len(instance.cannot_link)
    assert figures["n_must_link"] == len(instance.must_link)
