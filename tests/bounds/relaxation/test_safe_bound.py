"""The one trusted kernel: whatever the multipliers, no partition costs less than the bound. Truth is rational."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pcsos.bounds.relaxation import safe_bound as kernel
from pcsos.bounds.relaxation.rows import rows_of
from pcsos.bounds.relaxation.safe_bound import prove, safe_bound
from pcsos.bounds.relaxation.spectral import Subspace
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.problem.instance import Instance
from tests.bounds.relaxation.samples import (
    Sample,
    exact_optimum,
    garbage,
    plain_sample,
    plane_after,
    random_cuts,
    random_sample,
    random_symmetric,
    sample_of,
)
from tests.slow import first_few

seeds = st.integers(0, 2**32 - 1)


def excess(sample: Sample, bound: float) -> Fraction:
    """Bound minus optimum, exactly; the scale is a power of two."""
    return Fraction(bound) * Fraction(sample.relaxation.scale) - exact_optimum(sample)


@settings(max_examples=100)
@given(seeds)
def test_no_partition_costs_less_whatever_the_multipliers(seed: int) -> None:
    sample = random_sample(seed)
    rng = np.random.default_rng(seed)
    r = sample.relaxation
    cuts = random_cuts(rng, r.size, r.n_clusters)
    for _ in range(4):
        box, weights = garbage(rng, r.size, len(cuts))
        bound = safe_bound(r, box, cuts, weights)
        assert bound == -np.inf or excess(sample, bound) <= 0


@settings(max_examples=40)
@given(seeds)
def test_no_partition_costs_less_where_the_multipliers_are_good(seed: int) -> None:
    sample = random_sample(seed)
    plane = plane_after(3, sample.relaxation)
    bound = prove(sample.relaxation, plane.best_multipliers())
    assert Fraction(bound) <= exact_optimum(sample)
    assert plane.bound <= exact_optimum(sample)


@pytest.mark.parametrize("seed", first_few(16, range(120)))
def test_a_bound_that_is_tight_in_exact_arithmetic_is_not_rounded_upwards(seed: int) -> None:
    """With no multipliers and d < k the relaxation gives the cost inside the super-points; with s = k that is all."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    points = rng.integers(-9, 10, (k + 2, k - 1)) + rng.choice([0.0, 0.1, 1e3])
    sample = sample_of(Instance(points, k, [(0, k), (1, k + 1)], (), rng.integers(1, 4, k + 2)))
    zero = np.zeros((k, k))
    bound = safe_bound(sample.relaxation, zero, Cuts.none(), np.empty(0))
    assert -1e-9 * sample.relaxation.total <= excess(sample, bound) / Fraction(sample.relaxation.scale) <= 0


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_one_cluster_is_bounded_by_its_cost(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sample = sample_of(Instance(rng.integers(-50, 50, (7, 3)), 1, weights=rng.integers(1, 5, 7)))
    bound = safe_bound(sample.relaxation, np.zeros((7, 7)), Cuts.none(), np.empty(0))
    assert -1e-11 <= excess(sample, bound) / Fraction(sample.relaxation.scale) <= 0


def test_an_optimum_of_zero_is_not_exceeded_but_nearly_reached() -> None:
    points = np.array([[0, 1], [0, 1], [5, 2], [5, 2], [9, -4], [9, -4]]) / 3.0
    sample = sample_of(Instance(points, 3))
    bound = safe_bound(sample.relaxation, np.zeros((6, 6)), Cuts.none(), np.empty(0))
    assert sample.truth.optimum == 0.0
    assert -1e-11 <= bound <= 0.0


def test_points_that_are_all_equal_are_bounded_by_nothing_above_zero() -> None:
    sample = sample_of(Instance(np.full((4, 2), 0.1), 2))
    rng = np.random.default_rng(0)
    for exponent in (-320, -300, -100, 0, 100):
        box = random_symmetric(rng, 4) * 10.0**exponent
        assert safe_bound(sample.relaxation, box, Cuts.none(), np.empty(0)) <= 0.0


@pytest.mark.parametrize("spread", [1.0, 1e-6, 1e6, 1e-130, 1e130])
@pytest.mark.parametrize("weight", [1.0, 1e-6, 1e6])
def test_the_bound_scales_with_points_and_weights(spread: float, weight: float) -> None:
    base = plain_sample(5)
    plane = plane_after(4, base.relaxation)
    best = plane.best_multipliers()
    factor = spread * spread * weight
    i = base.instance
    scaled = sample_of(Instance(spread * i.points, 3, i.must_link, i.cannot_link, weight * i.weights))
    # A cut acts on Z = Y / sqrt(e_i e_j), so its multiplier has the units of cost times weight.
    bound = prove(scaled.relaxation, Multipliers(factor * best.box, best.cuts, factor * weight * best.weights))
    assert bound == pytest.approx(factor * plane.bound, rel=1e-9)
    assert Fraction(bound) <= exact_optimum(scaled)


def test_good_multipliers_give_nearly_the_optimum() -> None:
    sample = plain_sample(7, constraints=False)
    plane = plane_after(40, sample.relaxation)
    assert 0.9999 * sample.truth.optimum <= plane.bound <= sample.truth.optimum


def test_rounding_costs_little() -> None:
    """The safe bound lies within 1e-10 of the plain formula, evaluated without any error terms."""
    sample = plain_sample(11)
    r = sample.relaxation
    rng = np.random.default_rng(0)
    box = 0.01 * random_symmetric(rng, r.size)
    cuts = random_cuts(rng, r.size, 3)
    weights = 0.01 * rng.random(len(cuts))
    rows = rows_of(cuts, r)
    a = np.zeros((r.size, r.size))
    for t in range(len(cuts)):
        span = slice(rows.indptr[t], rows.indptr[t + 1])
        for f, coefficient in zip(rows.entries[span], rows.coefficients[span], strict=True):
            a[f // r.size, f % r.size] += 0.5 * weights[t] * coefficient
            a[f % r.size, f // r.size] += 0.5 * weights[t] * coefficient
    g = -r.gram - box - a
    complement = np.linalg.svd(r.direction[None, :])[2][1:]
    spectral = np.linalg.eigvalsh(complement @ g @ complement.T)[:2].sum()
    linear = weights @ rows.right + (np.maximum(box, 0) * r.lower).sum() - (np.maximum(-box, 0) * r.upper).sum()
    plain = r.total + linear + r.direction @ g @ r.direction + spectral
    assert safe_bound(r, box, cuts, weights) == pytest.approx(plain, abs=1e-10)
    assert safe_bound(r, box, cuts, weights) < plain


@pytest.mark.parametrize("error", [1e-9, 1e-3, 0.1])
def test_eigenvalues_are_not_taken_at_their_word(error: float, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = plain_sample(7, constraints=False)
    multipliers, eigh = plane_after(20, sample.relaxation).best_multipliers(), np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda matrix: (eigh(matrix)[0] + error, eigh(matrix)[1]))
    assert Fraction(prove(sample.relaxation, multipliers)) <= exact_optimum(sample)


class TestFactor:
    """The bound by a Cholesky factor, which large relaxations take, on small ones."""

    @pytest.fixture(autouse=True)
    def _sizes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(kernel, "FACTORED_SIZE", 1)
        monkeypatch.setattr(kernel, "FACTORED_SHARE", 1.0)

    @settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(seeds)
    def test_no_partition_costs_less_whatever_the_multipliers_and_the_frame(self, seed: int) -> None:
        sample = random_sample(seed)
        rng = np.random.default_rng(seed)
        r = sample.relaxation
        cuts = random_cuts(rng, r.size, r.n_clusters)
        box, weights = garbage(rng, r.size, len(cuts))
        good = np.linalg.qr(rng.standard_normal((r.size, min(r.n_clusters, r.size))))[0]
        for frame in (good, 1e3 * good, 0.0 * good, np.nan * good, good[:, :1], np.eye(r.size)):
            bound = safe_bound(r, box, cuts, weights, frame=frame)
            assert bound == -np.inf or excess(sample, bound) <= 0

    def _case(self) -> tuple[Sample, Multipliers, np.ndarray]:
        sample = plain_sample(7, constraints=False)
        plane = plane_after(20, sample.relaxation)
        u = sample.relaxation.direction
        vectors = np.linalg.eigh(plane.engine.y - 2.0 * np.outer(u, u))[1]
        return sample, plane.best_multipliers(), vectors[:, -5:]

    @staticmethod
    def _by_eigenvalues(sample: Sample, multipliers: Multipliers) -> float:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel, "FACTORED_SIZE", 1000)
            return prove(sample.relaxation, multipliers)

    @pytest.mark.parametrize("has_frame", [True, False])
    def test_it_is_nearly_the_bound_by_eigenvalues(self, has_frame: bool) -> None:
        sample, multipliers, frame = self._case()
        by_eigenvalues = self._by_eigenvalues(sample, multipliers)
        by_factor = prove(sample.relaxation, multipliers, frame if has_frame else None)
        assert by_factor != by_eigenvalues
        assert by_factor == pytest.approx(by_eigenvalues, rel=1e-6 if has_frame else 1e-10)
        assert Fraction(by_factor) <= exact_optimum(sample)

    @pytest.mark.parametrize("number", [0, 1])
    def test_pairs_that_are_not_found_are_done_without(self, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
        sample, multipliers, _ = self._case()
        monkeypatch.setattr(
            "pcsos.bounds.relaxation.spectral.eigh", lambda m, **_: (np.zeros(number), np.zeros((len(m), number)))
        )
        assert prove(sample.relaxation, multipliers) == self._by_eigenvalues(sample, multipliers)

    @pytest.mark.parametrize("lie", ["values", "lengths", "order"])
    def test_pairs_are_not_taken_at_their_word(self, lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
        sample, multipliers, frame = self._case()
        honest = Subspace.pairs_near

        def told(subspace: Subspace, m: np.ndarray, basis: np.ndarray, wanted: int, tolerance: float) -> Any:
            values, vectors, _ = honest(subspace, m, basis, wanted, tolerance)
            size = float(np.linalg.norm(m))
            if lie == "values":
                return values - 0.01 * size, vectors, 0.0
            if lie == "lengths":
                return values[-1] + (values - values[-1]) / 1.2, 1.1 * vectors, 1e-6 * size
            vectors[:, 0] = subspace.direction
            return np.append(values[-1] - 0.1 * size, values[0]), vectors, 1e-6 * size

        if lie == "lengths":
            multipliers = Multipliers.none(len(frame))
        by_eigenvalues = self._by_eigenvalues(sample, multipliers)
        monkeypatch.setattr(Subspace, "pairs_near", told)
        bound = prove(sample.relaxation, multipliers, frame)
        assert bound <= by_eigenvalues + 1e-12 * sample.relaxation.scale
        assert lie == "values" or bound != by_eigenvalues

    @pytest.mark.parametrize("factor", [0.0, 0.99, 1.1, np.nan])
    def test_a_factor_is_not_taken_at_its_word(self, factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
        sample, multipliers, frame = self._case()
        honest = prove(sample.relaxation, multipliers, frame)
        potrf, calls = kernel.dpotrf, []

        def lie(matrix: np.ndarray, **options: int) -> tuple[np.ndarray, int]:
            calls.append(options)
            return factor * potrf(matrix + 0.1 * np.eye(len(matrix)), **options)[0], 0

        monkeypatch.setattr(kernel, "dpotrf", lie)
        bound = prove(sample.relaxation, multipliers, frame)
        assert calls
        assert Fraction(bound) <= exact_optimum(sample)
        assert bound < honest or np.isnan(factor)


class TestUnusableMultipliers:
    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
    def test_a_box_that_is_not_finite_proves_nothing(self, value: float) -> None:
        r = plain_sample(1).relaxation
        box = np.zeros((r.size, r.size))
        box[0, 1] = value
        assert safe_bound(r, box, Cuts.none(), np.empty(0)) == -np.inf

    @pytest.mark.parametrize("size", [1e101, 1e160, 1e300, 1.7e308])
    def test_a_huge_box_proves_nothing_or_little(self, size: float) -> None:
        r = plain_sample(1).relaxation
        for sign in (1.0, -1.0):
            assert safe_bound(r, np.full((r.size, r.size), sign * size), Cuts.none(), np.empty(0)) < 0.0

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, -1.0])
    def test_a_weight_that_is_no_multiplier_counts_as_zero(self, value: float) -> None:
        sample = plain_sample(1)
        r = sample.relaxation
        rng = np.random.default_rng(0)
        box, cuts = 0.1 * random_symmetric(rng, r.size), random_cuts(rng, r.size, 3)
        weights = np.full(len(cuts), 0.01)
        spoilt, without = weights.copy(), weights.copy()
        spoilt[3], without[3] = value, 0.0
        assert safe_bound(r, box, cuts, spoilt) == safe_bound(r, box, cuts, without)

    def test_only_the_symmetric_part_of_the_box_counts(self) -> None:
        r = plain_sample(2).relaxation
        box = np.random.default_rng(0).standard_normal((r.size, r.size))
        symmetric = safe_bound(r, 0.5 * (box + box.T), Cuts.none(), np.empty(0))
        assert safe_bound(r, box, Cuts.none(), np.empty(0)) == symmetric
