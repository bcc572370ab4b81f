"""Run files with a Gram matrix: what is true is accepted, and files that are built to deceive prove nothing false."""

import sqlite3
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.evidence.codec import encode_floats
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from pcsos.verify import VerificationError, verify
from tests.gram_instances import exact_cost, feasible_labels, matrix_costs, random_gram_instance
from tests.slow import first_few
from tests.verify.certificates import edit

#: Six points of which three pairs are alike.
MATRIX = np.array(
    [
        [3.0, 2.5, 0.0, 0.0, 0.1, 0.0],
        [2.5, 3.0, 0.0, 0.0, 0.0, 0.1],
        [0.0, 0.0, 2.0, 1.5, 0.0, 0.0],
        [0.0, 0.0, 1.5, 2.0, 0.0, 0.0],
        [0.1, 0.0, 0.0, 0.0, 1.0, 0.75],
        [0.0, 0.1, 0.0, 0.0, 0.75, 1.0],
    ]
)
OPTIMUM = 0.5 + 0.5 + 0.25


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "some.run"
    assert pcsos.solve(pcsos.Gram(MATRIX), 3, run_file=path).objective == OPTIMUM
    return path


def test_a_run_is_verified_against_its_matrix(written: Path) -> None:
    said: list[str] = []
    verdict = verify(written, gram=MATRIX, constraints=([], []), n_clusters=3, gap=1e-4, on_step=said.append)
    assert (verdict.status, verdict.objective) == ("OPTIMAL", OPTIMUM)
    assert OPTIMUM * (1 - 1e-4) < verdict.lower_bound <= OPTIMUM
    assert "the Gram matrix and the weights are those given" in said
    assert any("costs differ from those of the points by at most" in sentence for sentence in said)


def test_a_matrix_that_is_symmetric_up_to_rounding_is_compared_as_it_was_used(tmp_path: Path) -> None:
    rough = MATRIX.copy()
    rough[0, 1] += 1e-9
    pcsos.solve(pcsos.Gram(rough), 3, run_file=tmp_path / "rough.run")
    assert verify(tmp_path / "rough.run", gram=rough).status == "OPTIMAL"
    with pytest.raises(VerificationError, match="other inner products"):
        verify(tmp_path / "rough.run", gram=MATRIX)


def test_squared_distances_are_compared_as_inner_products(tmp_path: Path) -> None:
    squares = (np.subtract.outer([0.0, 1.0, 5.0], [0.0, 1.0, 5.0])) ** 2
    pcsos.solve(pcsos.Distances(squares), 2, run_file=tmp_path / "d.run")
    assert verify(tmp_path / "d.run", gram=-0.5 * squares).objective == 0.5


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"points": np.eye(6)}, "the run is about a Gram matrix, not about points; give the matrix to compare with"),
        ({"gram": 2.0 * MATRIX}, "the run is about other inner products or weights"),
        ({"gram": MATRIX, "weights": np.arange(1.0, 7.0)}, "the run is about other inner products or weights"),
        ({"points": MATRIX, "gram": MATRIX}, "points and a Gram matrix are given"),
        ({"gram": MATRIX[:, :2]}, r"the Gram matrix to compare with has the shape \(6, 2\)"),
    ],
)
def test_something_else_to_compare_with_is_refused(written: Path, given: dict[str, object], sentence: str) -> None:
    with pytest.raises((VerificationError, InputError), match=sentence):
        verify(written, **given)  # type: ignore[arg-type]


def test_a_run_without_its_matrix_is_one_about_points(written: Path) -> None:
    edit(written, ("UPDATE instance SET gram = NULL", ()))
    with pytest.raises(VerificationError, match="the run is about points, not about a Gram matrix; give the points"):
        verify(written, gram=MATRIX)


def claimed(path: Path) -> tuple[float, float]:
    connection = sqlite3.connect(path)
    (row,) = connection.execute("SELECT objective, lower_bound FROM claim").fetchall()
    connection.close()
    return float(row[0]), float(row[1])


@pytest.mark.parametrize("seed", first_few(15, range(40)))
def test_no_bound_above_the_optimum_is_ever_accepted(seed: int, tmp_path: Path) -> None:
    """Points of another matrix, larger or with a column too many or too few, and a bound that only they have."""
    rng = np.random.default_rng(seed)
    instance = random_gram_instance(rng, max_points=6)
    labels = feasible_labels(instance)
    if not len(labels) or instance.gram is None:
        return
    best = labels[np.argmin(matrix_costs(instance, labels))]
    optimum = exact_cost(instance.gram.matrix, instance.weights, best)
    points = instance.points
    change = rng.integers(3)
    if change == 0:
        points = points * (1.0 + 10.0 ** rng.uniform(-8, 0))
    elif change == 1:
        points = np.column_stack([points, np.abs(points).max() * rng.standard_normal(len(points))])
    else:
        points = points + np.abs(points).max() * 10.0 ** rng.uniform(-8, 0) * rng.standard_normal(points.shape)
    path = tmp_path / "forged.run"
    other = Instance(points, instance.n_clusters, instance.must_link, instance.cannot_link, instance.weights)
    result = pcsos.solve(other, gap=1e-7, workers=1, run_file=path)
    bounds = [result.lower_bound, result.objective, 2.0 * float(optimum) + 1e-300]
    for bound in bounds:
        edit(
            path,
            ("UPDATE instance SET gram = ?", (encode_floats(instance.gram.matrix),)),
            ("UPDATE claim SET objective = ?, lower_bound = ?", (float(optimum), bound)),
        )
        try:
            verdict = verify(path)
        except VerificationError:
            continue
        assert Fraction(verdict.lower_bound) <= optimum


@pytest.mark.parametrize("seed", first_few(15, range(40)))
def test_every_claim_of_a_run_is_proved(seed: int, tmp_path: Path) -> None:
    instance = random_gram_instance(np.random.default_rng(500 + seed), max_points=6)
    result = pcsos.solve(instance, workers=1, run_file=tmp_path / "own.run")
    assert instance.gram is not None
    links = (instance.must_link.tolist(), instance.cannot_link.tolist())
    verdict = verify(tmp_path / "own.run", gram=instance.gram.matrix, constraints=links, weights=instance.weights)
    assert verdict.status == str(result.status)
    if result.status is not Status.INFEASIBLE:
        assert result.lower_bound is not None
        assert verdict.lower_bound >= result.lower_bound


def test_certificates_of_labels_are_verified(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    points = rng.normal(size=(60, 2)) + 8.0 * np.repeat([[0, 0], [1, 0], [0, 1]], 20, axis=0)
    labels = np.repeat([0, 1, 2], 20)
    result = pcsos.certify(pcsos.Kernel(points, "rbf", gamma=0.01), labels, run_file=tmp_path / "labels.run")
    assert result.status is Status.OPTIMAL
    assert result.instance is not None
    assert result.instance.gram is not None
    verdict = verify(tmp_path / "labels.run", gram=result.instance.gram.matrix)
    assert verdict.lower_bound >= claimed(tmp_path / "labels.run")[1] == result.lower_bound
