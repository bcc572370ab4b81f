"""The projection onto box and cuts against a quadratic program, and what the engine promises."""

import cvxpy
import numpy as np
import pytest
from numpy.typing import NDArray

from pcsos.base.control.stop import NEVER, Stop
from pcsos.bounds.relaxation.admm import Admm, finish_step, mirror
from pcsos.bounds.relaxation.engine import WarmStart
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import Rows, combine, rows_of
from pcsos.evidence.multipliers import Multipliers
from pcsos.problem.params import AdmmParams
from tests.bounds.relaxation.samples import plain_sample, random_cuts, random_symmetric


def project(
    r: PengWei, rows: Rows, target: NDArray[np.float64], weights: NDArray[np.float64], sweeps: int
) -> NDArray[np.float64]:
    x, u = np.zeros_like(target), np.zeros_like(target)
    limits = r.lower.ravel()[rows.entries], r.upper.ravel()[rows.entries]
    work = np.empty_like(target)
    primal, dual = finish_step(
        target, x, u, 1.0, r.lower, r.upper, rows.indptr, rows.entries, rows.coefficients, rows.steps, *limits,
        rows.right, rows.norms, rows.excess, 1.0, np.empty(0), weights, sweeps, work, work.ravel(),
    )  # fmt: skip
    assert not np.tril(x, -1).any()
    mirror(x)
    mirror(u)
    np.testing.assert_array_equal(u, target - x)
    np.testing.assert_allclose([primal, dual], [np.linalg.norm(u), np.linalg.norm(x)])
    return x


def quadratic_program(r: PengWei, rows: Rows, target: NDArray[np.float64]) -> NDArray[np.float64]:
    x = cvxpy.Variable((r.size, r.size), symmetric=True)
    constraints = [x >= r.lower, x <= r.upper]
    for t, one in enumerate(np.eye(len(rows))):
        constraints.append(cvxpy.sum(cvxpy.multiply(combine(rows, one, r.size), x)) >= rows.right[t])
    cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(x - target)), constraints).solve(solver="CLARABEL")
    return np.asarray(x.value)


@pytest.mark.parametrize("seed", range(4))
def test_many_sweeps_reach_the_projection(seed: int) -> None:
    rng = np.random.default_rng(seed)
    r = plain_sample(seed, n=6, constraints=seed % 2 == 1).relaxation
    rows = rows_of(random_cuts(rng, r.size, 3, 10), r)
    target = r.lower + 0.5 * random_symmetric(rng, r.size)
    weights = rng.random(len(rows))  # any start will do
    x = project(r, rows, target, weights, 20_000)
    np.testing.assert_allclose(x, quadratic_program(r, rows, target), atol=1e-5)
    assert (weights >= 0.0).all()
    assert (weights > 0.0).any()
    # The multipliers belong to the projection: it is that of target + sum weights A onto the box alone.
    np.testing.assert_allclose(x, np.clip(target + combine(rows, weights, r.size), r.lower, r.upper), atol=1e-9)


def test_every_sweep_keeps_box_and_sign() -> None:
    rng = np.random.default_rng(1)
    r = plain_sample(1).relaxation
    rows = rows_of(random_cuts(rng, r.size, 3), r)
    weights = np.zeros(len(rows))
    for _ in range(20):
        x = project(r, rows, 3.0 * random_symmetric(rng, r.size), weights, 1)
        assert ((x >= r.lower) & (x <= r.upper)).all()
        assert (weights >= 0.0).all()


def test_without_cuts_the_projection_is_the_box() -> None:
    r = plain_sample(2).relaxation
    target = random_symmetric(np.random.default_rng(0), r.size)
    rows = rows_of(random_cuts(np.random.default_rng(0), r.size, 3, 0), r)
    np.testing.assert_array_equal(project(r, rows, target, np.empty(0), 2), np.clip(target, r.lower, r.upper))


def start(r: PengWei) -> WarmStart:
    cuts = random_cuts(np.random.default_rng(0), r.size, 3, 0)
    return WarmStart(Multipliers(np.zeros((r.size, r.size)), cuts, np.empty(0)))


def test_at_convergence_both_points_agree_and_satisfy_everything() -> None:
    r = plain_sample(3).relaxation
    warm = start(r)
    engine = Admm(r, warm)
    for _ in range(200):
        engine.advance(NEVER)
        if engine.converged:
            break
    assert engine.converged
    np.testing.assert_allclose(engine.x, engine.y, atol=1e-6)
    assert ((engine.x >= r.lower) & (engine.x <= r.upper)).all()
    np.testing.assert_allclose(engine.y @ r.direction, r.direction, atol=1e-9)
    values = np.linalg.eigvalsh(engine.y)
    assert values.min() > -1e-9
    assert values.max() < 1 + 1e-9
    assert values.sum() == pytest.approx(3.0)


def test_an_engine_stops_when_asked() -> None:
    r = plain_sample(3).relaxation
    warm = start(r)
    engine = Admm(r, warm)
    engine.advance(Stop(lambda: True))
    assert engine.iterations == 1


@pytest.mark.parametrize("balance_every", [1, 7])
def test_what_an_engine_leaves_is_symmetric(balance_every: int) -> None:
    r = plain_sample(3).relaxation
    engine = Admm(r, start(r), AdmmParams(iterations=15, balance_every=balance_every))
    engine.advance(NEVER)
    assert engine.iterations == 15
    for matrix in (engine.x, engine.u, engine.multipliers().box):
        np.testing.assert_array_equal(matrix, matrix.T)
    np.testing.assert_allclose(engine.y, engine.y.T, atol=1e-14)


def test_a_warm_start_begins_with_the_multipliers_it_was_given() -> None:
    rng = np.random.default_rng(4)
    r = plain_sample(4).relaxation
    cuts = random_cuts(rng, r.size, 3)
    box, weights = random_symmetric(rng, r.size), rng.random(len(cuts))
    engine = Admm(r, WarmStart(Multipliers(box, cuts, weights), 0.3))
    given = engine.multipliers()
    np.testing.assert_allclose(given.box, box, atol=1e-12)
    np.testing.assert_allclose(given.weights, weights, rtol=1e-12)
    assert engine.sigma == pytest.approx(0.3)
