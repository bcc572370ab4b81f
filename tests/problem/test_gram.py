"""Gram matrices: their factors, what is measured of them, and what is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist

import pcsos
from pcsos.base.exceptions import InputError, RunFileError
from pcsos.evidence.codec import encode_floats
from pcsos.evidence.result import Reason, Status
from pcsos.problem.gram import FactoredGram
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.problem.similarity import inner_products, kernel_matrix
from pcsos.problem.validation.arrays import symmetric
from tests.gram_instances import KINDS, random_matrix
from tests.verify.certificates import edit

POINTS = np.random.default_rng(3).normal(size=(30, 3)) + 5.0 * np.repeat([[0, 0, 0], [1, 0, 0], [0, 1, 0]], 10, axis=0)
SQUARES = cdist(POINTS, POINTS, "sqeuclidean")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_weighted", [False, True])
def test_a_factor_has_the_inner_products_of_its_matrix(kind: str, is_weighted: bool) -> None:
    rng = np.random.default_rng(5)
    matrix = random_matrix(rng, 40, kind)
    weights = 10.0 ** rng.uniform(-4, 4, 40) if is_weighted else np.ones(40)
    gram = FactoredGram.of(matrix, weights)
    squares = matrix.diagonal()[:, None] + matrix.diagonal()[None, :] - 2.0 * matrix
    tolerance = {"offset": 1e-9, "rough": 1e-6}.get(kind, 1e-11) * max(squares.max(), 1e-300)
    np.testing.assert_allclose(cdist(gram.factor, gram.factor, "sqeuclidean"), squares, atol=tolerance)
    assert gram.rank <= 40


def test_the_rank_is_that_of_the_points() -> None:
    assert FactoredGram.of(symmetric(POINTS @ POINTS.T, "gram"), np.ones(30)).rank == 3
    assert FactoredGram.of(-0.5 * SQUARES, np.ones(30)).rank == 3
    assert FactoredGram.of(np.zeros((4, 4)), np.ones(4)).error(2) == 0.0


def test_equal_rows_are_points_at_one_place() -> None:
    matrix = kernel_matrix(POINTS[[0, 1, 2, 1, 0, 5, 6]], "rbf")
    factor = FactoredGram.of(matrix, np.ones(7)).factor
    assert np.array_equal(factor[1], factor[3])
    assert np.array_equal(factor[0], factor[4])


def test_what_a_factor_is_wrong_by_is_measured() -> None:
    matrix, weights = np.diag([3.0, 1.0, 1.0]), np.array([1.0, 2.0, 2.0])
    exact = FactoredGram.with_factor(matrix, np.diag(np.sqrt([3.0, 1.0, 1.0])), weights)
    assert exact.residual < 1e-13
    by_hand = FactoredGram.with_factor(np.diag([2.0, 2.0, 6.0]), np.diag(np.sqrt([2.0, 2.0, 1.5])), np.ones(3))
    assert by_hand.error(2) == pytest.approx(3.0, rel=1e-13)
    assert by_hand.error(2) > 3.0
    wrong = FactoredGram.with_factor(matrix, np.diag([np.sqrt(3.0), 1.0, 0.0]), weights)
    residual = np.diag([0.0, 0.0, 1.0])
    centring = np.eye(3) - np.outer(np.ones(3), weights) / 5.0
    least = np.linalg.norm(np.sqrt(weights)[:, None] * (centring @ residual @ centring.T) * np.sqrt(weights))
    assert least <= wrong.residual <= 3.0


@pytest.mark.parametrize(
    "given",
    [
        pcsos.Gram(POINTS @ POINTS.T),
        pcsos.Gram(-0.5 * SQUARES),
        pcsos.Kernel(POINTS, "linear"),
        pcsos.Distances(SQUARES),
        pcsos.Kernel(POINTS, lambda a, b: a @ b.T),
        pcsos.Gram((POINTS @ POINTS.T).astype(np.float32)),
    ],
    ids=["gram", "half distances", "linear", "distances", "callable", "single precision"],
)
def test_inner_products_of_points_are_solved_as_the_points(given: Any) -> None:
    options: dict[str, Any] = {"must_link": [(0, 11)], "cannot_link": [(2, 3)], "weights": np.linspace(1, 2, 30)}
    plain = pcsos.solve(POINTS, 3, **options)
    result = pcsos.solve(given, 3, **options)
    assert result.labels.tolist() == plain.labels.tolist()
    assert result.objective == pytest.approx(plain.objective, rel=1e-5 if isinstance(given, pcsos.Gram) else 1e-12)
    assert result.status is Status.OPTIMAL


def test_an_rbf_kernel_separates_what_points_do_not() -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 20, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.vstack([0.2 * ring, 4.0 * ring])
    truth = [0] * 20 + [1] * 20
    result = pcsos.solve(pcsos.Kernel(points, "rbf", gamma=0.5), 2)
    assert result.status is Status.OPTIMAL
    assert result.labels.tolist() == truth
    assert pcsos.solve(points, 2).labels.tolist() != truth  # type: ignore[union-attr]


def test_the_default_gamma_is_told_by_the_variance() -> None:
    expected = np.exp(-SQUARES / (3 * POINTS.var()))
    np.testing.assert_allclose(kernel_matrix(POINTS, "rbf"), expected, rtol=1e-12)
    assert (kernel_matrix(np.ones((3, 2)), "rbf") == 1.0).all()


def test_labels_of_a_table_name_its_rows() -> None:
    pandas = pytest.importorskip("pandas")
    names = [f"p{i}" for i in range(30)]
    frame = pandas.DataFrame(-0.5 * SQUARES, index=names, columns=names)
    instance = Instance(pcsos.Gram(frame), 3, must_link=[("p0", "p4")])
    assert instance.must_link.tolist() == [[0, 4]]
    assert instance.names[4] == "p4"
    assert instance.feature_names is None


def test_an_objective_is_exact_however_far_the_points_are() -> None:
    integers = np.array([[0.0, 3.0], [4.0, 0.0], [1.0, 1.0], [9.0, 9.0]]) + 2.0**20
    instance = Instance(pcsos.Gram(integers @ integers.T), 2)
    assert Partition.of(instance, [0, 0, 0, 1]).objective == 40.0 / 3.0


def test_an_objective_of_nothing_is_optimal_only_where_nothing_is_rounded() -> None:
    assert pcsos.solve(pcsos.Gram(np.zeros((4, 4))), 2).status is Status.OPTIMAL
    assert pcsos.solve(pcsos.Gram([[7.0]]), 1).status is Status.OPTIMAL
    stalled = pcsos.solve(pcsos.Gram(kernel_matrix(POINTS[[0, 1, 2, 0, 1, 2]], "rbf")), 3)
    assert (stalled.objective, stalled.reason, stalled.gap) == (0.0, Reason.STALLED, None)
    assert stalled.to_dict()["gap"] is None
    assert "the rounding of the Gram matrix leaves" in stalled.message


def test_results_say_what_their_matrix_is_wrong_by() -> None:
    assert pcsos.solve(POINTS, 3).to_dict()["gram_error"] is None
    result = pcsos.solve(pcsos.Kernel(POINTS, "linear"), 3)
    assert 0.0 < result.to_dict()["gram_error"] < 1e-8


def with_entry(value: float) -> np.ndarray:
    matrix = np.eye(4)
    matrix[1, 2] = matrix[2, 1] = value
    return matrix


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        (np.ones((3, 2)), r"gram has the shape \(3, 2\); give a square matrix of inner products"),
        (np.ones(4), r"gram has the shape \(4,\)"),
        (np.empty((0, 0)), r"gram has the shape \(0, 0\)"),
        (with_entry(np.nan), r"gram\[1, 2\] is nan; remove points whose entries are not finite"),
        (with_entry(np.inf), r"gram\[1, 2\] is inf"),
        (with_entry(1e300), r"gram\[1, 2\] is 1e\+300, too large to be squared; divide the data by a constant"),
        (np.triu(np.ones((3, 3))), r"gram\[0, 1\] is 1 but gram\[1, 0\] is 0; give .* that is symmetric"),
        (with_entry(5.0), r"its least eigenvalue, about the mean of all points, is -4; adding 4 to its diagonal mends"),
        (-np.eye(3), r"its least eigenvalue, about the mean of all points, is -1; .* only where all weights are 1"),
        (1e-300 * np.eye(3), "too little for double precision"),
        (np.eye(3) * 1j, "gram must be a square array of real numbers: they are complex"),
        ([["a"]], "gram must be a square array of real numbers"),
        (sparse.eye(3), "gram is a sparse matrix"),
        ("k.npy", "gram is of type str; give a square matrix of inner products"),
    ],
    ids=str,
)
def test_other_matrices_are_refused(matrix: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Instance(pcsos.Gram(matrix), 1)


def test_adding_the_eigenvalue_to_the_diagonal_mends_a_matrix() -> None:
    matrix = with_entry(5.0)
    with pytest.raises(InputError, match="least eigenvalue"):
        Instance(pcsos.Gram(matrix), 2)
    mended = Instance(pcsos.Gram(matrix + 4.0 * np.eye(4)), 2)
    labels = [0, 1, 1, 1]
    alone = sum(matrix[i, i] for i in range(4)) - matrix[0, 0] - matrix[1:, 1:].sum() / 3.0
    assert Partition.of(mended, labels).objective == pytest.approx(alone + 4.0 * (4 - 2))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda d: np.sqrt(d) ** 3,
            "distances are not squared Euclidean ones: their inner products have the eigenvalue -",
        ),
        (lambda d: -d, r"distances\[\d+, \d+\] is -\d+.*none of them negative"),
        (lambda d: d + np.eye(30), r"distances\[0, 0\] is 1; give .* with 0 on the diagonal"),
        (lambda d: d[:, :4], r"distances has the shape \(30, 4\); give a square matrix of squared distances"),
        (lambda d: d + np.triu(d), r"distances\[\d+, \d+\] is .* that is symmetric"),
    ],
)
def test_other_distances_are_refused(change: Callable[[Any], Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Instance(pcsos.Distances(change(SQUARES)), 2)


@pytest.mark.parametrize(
    ("given", "weights", "sentence"),
    [
        (pcsos.Kernel(POINTS, "linear", 1.0), None, "only kernel='rbf' has one"),
        (pcsos.Kernel(POINTS, "rbf", 0.0), None, "gamma is 0.0; give a positive number"),
        (pcsos.Kernel(POINTS, "rbf", np.nan), None, "gamma is nan; give a positive number"),
        (pcsos.Kernel(POINTS, "rbf", True), None, "gamma is True; give a positive number"),
        (pcsos.Kernel(POINTS, "cosine"), None, "kernel is 'cosine'; give 'linear', 'rbf' or a function"),
        (pcsos.Kernel(POINTS, lambda a, b: a), None, r"what kernel returns has the shape \(30, 3\)"),
        (pcsos.Kernel(np.zeros((50_000, 1)), "rbf"), None, "a matrix of 20 GB; give a sample of at most 20000"),
        (None, None, "points is of type NoneType"),
        (pcsos.Gram(np.eye(3)), [1.0], r"weights have shape \(1,\) but there are 3 points"),
        (pcsos.Gram(np.eye(1)), None, "n_clusters is 2 for 1 point;"),
    ],
)
def test_what_cannot_stand_for_points_is_refused(given: Any, weights: Any, sentence: str) -> None:
    for ask in (Instance, pcsos.solve):
        with pytest.raises(InputError, match=sentence):
            ask(given, 2, weights=weights)


def test_weights_of_any_size_are_taken_into_account() -> None:
    weights = np.r_[1e120, np.ones(28), 1e-120]
    result = pcsos.solve(
        pcsos.Kernel(POINTS, "rbf", gamma=0.1), 3, weights=weights, options=pcsos.Options(node_limit=1)
    )
    assert result.lower_bound is not None
    assert result.lower_bound <= result.objective  # type: ignore[operator]


def test_inner_products_are_kept_as_they_are_given() -> None:
    assert np.array_equal(inner_products(SQUARES), -0.5 * SQUARES)
    instance = Instance(pcsos.Gram(-0.5 * SQUARES), 2)
    assert instance.gram is not None
    with pytest.raises(ValueError, match="read-only"):
        instance.gram.matrix[0, 0] = 1.0


def test_certify_takes_inner_products() -> None:
    labels = np.repeat([0, 1, 2], 10)
    plain = pcsos.certify(POINTS, labels)
    result = pcsos.certify(pcsos.Gram(POINTS @ POINTS.T), labels=labels)
    assert (result.status, result.objective) == (plain.status, pytest.approx(plain.objective))
    with pytest.raises(InputError, match="labels"):
        pcsos.certify(pcsos.Gram(POINTS @ POINTS.T))


def test_questions_are_not_asked_about_inner_products() -> None:
    with pytest.raises(InputError, match="questions are about points"):
        pcsos.ActiveSession(Instance(pcsos.Gram(POINTS @ POINTS.T), 2))


def test_a_run_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    given, weights = pcsos.Kernel(POINTS, "rbf", 0.05), np.linspace(1.0, 2.0, 30)
    stopped = pcsos.solve(given, 3, weights=weights, run_file=path, options=pcsos.Options(node_limit=0))
    assert stopped.reason is Reason.NODE_LIMIT
    result = pcsos.resume(path)
    whole = pcsos.solve(given, 3, weights=weights)
    assert (result.status, result.objective) == (Status.OPTIMAL, whole.objective)
    assert np.array_equal(result.instance.gram.matrix, whole.instance.gram.matrix)
    assert np.array_equal(result.instance.points, whole.instance.points)
    again = pcsos.resume(path)
    assert (again.lower_bound, again.gap) == (result.lower_bound, result.gap)


def test_a_changed_matrix_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    pcsos.solve(pcsos.Kernel(POINTS, "linear"), 3, run_file=path)
    edit(path, ("UPDATE instance SET gram = ?", (encode_floats(np.eye(30)),)))
    with pytest.raises(RunFileError, match=r"was changed or damaged .*the instance has another digest"):
        pcsos.resume(path)


def test_limits_and_soft_pairs_are_about_inner_products_too() -> None:
    plain = pcsos.solve(POINTS, 3, size_max=10, conditions=[pcsos.SoftPairs(must_link=[(0, 15, 2.0)])])
    result = pcsos.solve(
        pcsos.Kernel(POINTS, "linear"), 3, size_max=10, conditions=[pcsos.SoftPairs(must_link=[(0, 15, 2.0)])]
    )
    assert (result.status, result.objective) == (plain.status, pytest.approx(plain.objective))
    assert result.lower_bound == pytest.approx(plain.lower_bound, rel=1e-3)
