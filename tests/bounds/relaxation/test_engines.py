"""Every engine leads to the same bound, and a start from a partition near to it at once."""

import numpy as np
import pytest

from pcsos.base.control.stop import NEVER
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Indices
from pcsos.bounds.relaxation import engine, engines, peng_wei
from pcsos.bounds.relaxation.engine import Engine, WarmStart, start_from
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.bounds.relaxation.peng_wei import Masses
from pcsos.bounds.relaxation.rows import matrix_of
from pcsos.bounds.relaxation.separation import separate
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.problem.instance import Instance
from pcsos.problem.params import CutParams, Params
from pcsos.problem.reduction import Reduced, reduce_instance, sum_of_weighted_squares
from tests.bounds.relaxation.samples import Sample, cut_list, loose_sample, plane_after, random_cuts, random_symmetric

ENGINES = ("admm", "scs", "clarabel")


def bound_of(sample: Sample, name: str, cuts: Cuts) -> tuple[float, Engine]:
    """Return the safe bound at the end of an engine's work, with these cuts from the start."""
    r = sample.relaxation
    warm = WarmStart(Multipliers(np.zeros((r.size, r.size)), cuts, np.zeros(len(cuts))))
    engine = engine_factory(name, Params())(r, warm)
    for _ in range(100):
        engine.advance(NEVER)
        if engine.converged:
            break
    return engine.bound()[0] * r.scale, engine


@pytest.mark.parametrize("seed", [0, 6])
def test_engines_agree_without_and_with_cuts(seed: int) -> None:
    sample = loose_sample(seed)
    optimum = sample.truth.optimum
    bare = {name: bound_of(sample, name, Cuts.none())[0] for name in ENGINES}
    point = bound_of(sample, "admm", Cuts.none())[1].x
    cuts, _ = separate(sample.relaxation, point, Cuts.none(), 1e-3, 200)
    assert len(cuts) > 0
    cut = {name: bound_of(sample, name, cuts)[0] for name in ENGINES}
    for name in ENGINES:
        assert bare[name] == pytest.approx(bare["clarabel"], rel=1e-4)
        assert cut[name] == pytest.approx(cut["clarabel"], rel=1e-4)
        assert bare[name] * (1 + 1e-4) < cut[name] <= optimum * (1 + 1e-9)


@pytest.mark.parametrize("name", ENGINES)
def test_new_cuts_wake_an_engine_up_even_where_they_are_as_many(name: str) -> None:
    sample = loose_sample(0)
    r = sample.relaxation
    others = cut_list([(c, [(c + 1) % r.size]) for c in range(r.size)])
    _, engine = bound_of(sample, name, others)
    assert engine.converged
    point = engine.x.copy()
    engine.weights = np.zeros(len(others))
    engine.separate(1e-3, len(others), CutParams(sets=0), np.random.default_rng(0))
    assert len(engine.cuts) == len(others)
    assert not engine.converged
    rows = engine.rows
    for _ in range(100):
        engine.advance(NEVER)
    assert np.abs(engine.x - point).max() > 1e-3
    violation = rows.right - np.add.reduceat(rows.coefficients * engine.x.ravel()[rows.entries], rows.indptr[:-1])
    assert violation.max() < 1e-4


def test_a_solver_that_is_not_there_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = {**engines.SETTINGS, "mosek": {"solver": "NO SUCH SOLVER"}}
    monkeypatch.setattr(engines, "SETTINGS", settings)
    with pytest.raises(InputError, match=r"engine is 'mosek', but NO SUCH SOLVER is not installed"):
        engine_factory("mosek", Params())


def test_a_solver_that_gives_up_leaves_valid_multipliers(caplog: pytest.LogCaptureFixture) -> None:
    sample = loose_sample(1)
    r = sample.relaxation
    warm = WarmStart(Multipliers.none(r.size))
    settings = {"solver": "SCS", "max_iters": 1, "time_limit_secs": 1e-9}
    engine = engines.Conic(r, warm, settings)
    engine.advance(NEVER)
    assert engine.bound()[0] * r.scale <= sample.truth.optimum
    assert engine.converged


def masses_of(roots: np.ndarray) -> Masses:
    return Masses(roots, np.full(roots.size, float((roots * roots).sum())), np.zeros(roots.size))


class TestWarmStartOfContractedPoints:
    def test_the_matrix_of_all_multipliers_is_contracted_as_a_whole(self) -> None:
        """N + sum mu A of the contracted problem is P (N + sum mu A) P', also where cuts lose a point."""
        rng = np.random.default_rng(0)
        s = 7
        weights = rng.uniform(0.5, 2.0, s)
        group = np.array([0, 1, 0, 2, 3, 2, 4])
        merged = np.bincount(group, weights)
        cuts = random_cuts(rng, s, 3, 20)
        mu, box = rng.random(len(cuts)), random_symmetric(rng, s)
        warm = WarmStart(Multipliers(box, cuts, mu), 0.5, random_symmetric(rng, s))
        roots, roots_merged = np.sqrt(weights), np.sqrt(merged)
        masses, after_masses = masses_of(roots), masses_of(roots_merged)
        after = warm.contracted(group, masses, roots_merged)
        merge = np.zeros((merged.size, s))
        merge[group, np.arange(s)] = roots / roots_merged[group]
        np.testing.assert_allclose(merge @ merge.T, np.eye(merged.size), atol=1e-14)
        whole = box + matrix_of(cuts, mu, masses)
        whole_after = after.multipliers.box + matrix_of(after.multipliers.cuts, after.multipliers.weights, after_masses)
        np.testing.assert_allclose(whole_after, merge @ whole @ merge.T, atol=1e-12)
        np.testing.assert_allclose(after.x, merge @ warm.x @ merge.T, atol=1e-14)
        assert 0 < len(after.multipliers.cuts) < len(cuts)
        assert after.sigma == 0.5

    def test_nothing_changes_where_nothing_is_contracted(self) -> None:
        rng = np.random.default_rng(0)
        cuts = random_cuts(rng, 5, 2)
        warm = WarmStart(Multipliers(random_symmetric(rng, 5), cuts, rng.random(len(cuts))))
        roots = np.sqrt(rng.random(5))
        after = warm.contracted(np.arange(5), masses_of(roots), roots)
        np.testing.assert_array_equal(after.multipliers.box, warm.multipliers.box)
        np.testing.assert_array_equal(after.multipliers.weights, warm.multipliers.weights)
        np.testing.assert_array_equal(after.multipliers.cuts.members, cuts.members)


def mixture(seed: int, apart: float, k: int = 4, n: int = 60) -> tuple[Reduced, Indices]:
    """Return weighted points around k centres, some of them must-linked, and the cluster of each super-point."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(k, size=n)
    labels[:k] = np.arange(k)
    points = apart * rng.normal(size=(k, 3))[labels] + rng.normal(size=(n, 3))
    same = [(i, j) for i in range(8) for j in range(20, 30) if labels[i] == labels[j]][:6]
    instance = Instance(points, k, must_link=same, weights=rng.uniform(0.5, 3.0, n))
    reduced = reduce_instance(instance)
    return reduced, labels[reduced.representative]


def cost(reduced: Reduced, labels: Indices) -> float:
    total = reduced.offset
    for cluster in np.unique(labels):
        points, weights = reduced.means[labels == cluster], reduced.weights[labels == cluster]
        total += sum_of_weighted_squares(points - weights @ points / weights.sum(), weights)
    return total


def bound_after(reduced: Reduced, labels: Indices | None, rounds: int) -> float:
    warm = None if labels is None else start_from(reduced, labels, 0.02)
    return plane_after(rounds, peng_wei.build(reduced), warm=warm).bound


@pytest.mark.parametrize("seed", range(5))
def test_clusters_far_apart_are_proved_by_the_start_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "ASKED_TOO_MUCH", 0.0)
    reduced, labels = mixture(seed, apart=30.0)
    assert bound_after(reduced, labels, 0) == pytest.approx(cost(reduced, labels), rel=1e-7)


def test_indicators_of_clusters_are_eigenvectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "ASKED_TOO_MUCH", 0.0)
    reduced, labels = mixture(7, apart=8.0)
    relaxation, start = peng_wei.build(reduced), start_from(reduced, labels, 0.02)
    u, box = relaxation.direction, start.multipliers.box / relaxation.scale
    away = np.eye(u.size) - np.outer(u, u)
    g = away @ (-relaxation.gram - box) @ away
    plane = start.x - np.outer(u, u)  # spanned by the indicators on the complement of u
    image = g @ plane
    assert np.linalg.norm(image - plane @ image) <= 1e-9 * np.linalg.norm(image)
    values = np.sort(np.linalg.eigvalsh(plane @ g @ plane))
    assert values[:3] == pytest.approx([values[0]] * 3, rel=1e-6)  # the same for all k - 1 of them


@pytest.mark.parametrize("seed", range(3))
def test_it_is_far_ahead_of_a_start_from_nothing(seed: int) -> None:
    reduced, labels = mixture(seed, apart=6.0, k=12, n=120)
    for _ in range(20):
        means = np.array([np.average(reduced.means[labels == c], axis=0) for c in range(12)])
        labels = np.argmin(((reduced.means[:, None] - means) ** 2).sum(axis=2), axis=1)
    missing = [cost(reduced, labels) - bound_after(reduced, start, 2) for start in (labels, None)]
    assert missing[0] < 0.5 * missing[1]


@pytest.mark.parametrize("seed", range(5))
def test_any_labels_will_do(seed: int) -> None:
    reduced, labels = mixture(seed, apart=3.0)
    rng = np.random.default_rng(seed)
    for told in (rng.integers(4, size=labels.size), np.zeros(labels.size, np.intp), 7 * labels):
        assert bound_after(reduced, told, 1) <= cost(reduced, labels)


def test_equal_points_give_no_multipliers_and_no_penalty() -> None:
    reduced = reduce_instance(Instance(np.zeros((6, 2)), 2))
    start = start_from(reduced, np.array([0, 0, 0, 1, 1, 1]), 0.02)
    assert not start.multipliers.box.any()
    assert start.sigma == 0.0
