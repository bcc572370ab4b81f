"""Equal points: joined where that loses nothing, certified, and refused by the checker where it would."""

import time
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.evidence.codec import encode_decisions
from pcsos.evidence.kinds import Equal, Single
from pcsos.evidence.node import Decision, NodeRecord
from pcsos.evidence.result import Status
from pcsos.presolve.presolve import join_equal_points
from pcsos.problem.reduction import reduce_instance
from pcsos.verify import VerificationError, verify
from tests import oracle
from tests.slow import first_few
from tests.verify.certificates import edit, write


def crowded(rng: np.random.Generator) -> pcsos.Instance:
    """At most eight points on at most four places, with constraints and weights."""
    n = int(rng.integers(2, 9))
    k = int(rng.integers(1, min(n, 4) + 1))
    points = rng.normal(size=(4, 2))[rng.integers(4, size=n)]
    pairs = [tuple(rng.choice(n, 2, replace=False)) for _ in range(4)]
    return pcsos.Instance(
        points, k, pairs[: rng.integers(3)], pairs[2 : 2 + rng.integers(3)], rng.integers(1, 4, n).astype(float)
    )


@pytest.mark.parametrize("seed", first_few(12, range(150)))
def test_joining_loses_nothing(seed: int) -> None:
    instance = crowded(np.random.default_rng(seed))
    truth = oracle.enumerate_feasible(instance)
    if not truth.feasible:
        return
    reduced = reduce_instance(instance)
    problem, step = join_equal_points(instance, reduced)
    assert problem.size >= instance.n_clusters
    together = [] if step is None else [(d.i, d.j) for d in step.decisions]
    links = np.vstack([instance.must_link, np.array(together, np.intp).reshape(-1, 2)])
    joined = pcsos.Instance(instance.points, instance.n_clusters, links, instance.cannot_link, instance.weights)
    least = oracle.enumerate_feasible(joined).optimum
    assert least == pytest.approx(truth.optimum, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", first_few(10, range(60)))
def test_what_is_solved_so_is_true_and_verified(seed: int, tmp_path: Path) -> None:
    instance = crowded(np.random.default_rng(1000 + seed))
    truth, path = oracle.enumerate_feasible(instance), tmp_path / "crowd.run"
    result = pcsos.solve(instance, workers=1, run_file=path)
    if truth.feasible:
        assert result.objective == pytest.approx(truth.optimum, rel=1e-4, abs=1e-12)
        assert result.lower_bound <= truth.optimum * (1 + 1e-12) + 1e-300
    else:
        assert result.status is pcsos.Status.INFEASIBLE
    links = (instance.must_link, instance.cannot_link)
    assert verify(path, instance.points, links, weights=instance.weights).status == str(result.status)


def test_many_points_on_few_places_take_no_time(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    points = np.array([(x, y) for x in range(6) for y in range(6)], float)[rng.integers(36, size=800)]
    pcsos.solve(points[:40], 4, workers=1)
    begun = time.process_time()
    result = pcsos.solve(points, 4, workers=1, run_file=tmp_path / "grid.run")
    assert time.process_time() - begun < 5.0
    assert result.status is pcsos.Status.OPTIMAL
    assert verify(tmp_path / "grid.run", points, ([], [])).gap <= 1e-4


LIES = {
    "points at different places": (Decision("ML", 0, 2), "not at one place"),
    "a point with a cannot-link": (Decision("ML", 3, 4), "has a cannot-link"),
    "points apart": (Decision("CL", 0, 1), "not at one place"),
}


@pytest.mark.parametrize(("decision", "reason"), LIES.values(), ids=LIES)
def test_points_that_may_not_be_joined_are_refused(tmp_path: Path, decision: Decision, reason: str) -> None:
    path = tmp_path / "crowd.run"
    points = [0.0, 0.0, 5.0, 9.0, 9.0, 9.5]
    pcsos.solve(points, 3, cannot_link=[(3, 5)], workers=1, run_file=path)
    edit(path, ("UPDATE evidence SET payload = ? WHERE kind = 'equal'", (encode_decisions((decision,)),)))
    with pytest.raises(VerificationError, match=reason):
        verify(path)


def write_joined(path: Path, instance: pcsos.Instance, *pairs: tuple[int, int]) -> Path:
    """Write a file that joins pairs of points, and closes what is left by its cost."""
    equal = Equal(tuple(Decision("ML", i, j) for i, j in pairs))
    labels = [0, 0, 0, 1] if instance.n_clusters == 2 else [0, 0, 1, 2]
    return write(path, instance, [NodeRecord(0, None, None, (equal, Single(0.0)))], labels, 0.0, status=Status.FEASIBLE)


def test_super_points_that_hold_other_places_are_not_joined(tmp_path: Path) -> None:
    instance = pcsos.Instance([0.0, 1.0, 0.0, 5.0], 2, [(0, 1)])
    with pytest.raises(VerificationError, match="not at one place"):
        verify(write_joined(tmp_path / "run", instance, (0, 2)))


def test_joining_more_than_leaves_k_is_refused(tmp_path: Path) -> None:
    """With fewer places than clusters the best partition costs nothing, but the proof would be wrong all the same."""
    instance = pcsos.Instance([0.0, 0.0, 0.0, 5.0], 3)
    assert verify(write_joined(tmp_path / "run", instance, (0, 1))).lower_bound == 0.0
    with pytest.raises(VerificationError, match="too many points are joined"):
        verify(write_joined(tmp_path / "more", instance, (0, 1), (1, 2)))
