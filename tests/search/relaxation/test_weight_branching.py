"""Branching on the weights of clusters: children cover their parent, and runs with such branchings are proved."""

import sqlite3
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base.exceptions import InfeasibleError
from pcsos.problem.instance import Instance
from pcsos.problem.limit_pairs import cluster_weights
from pcsos.problem.reduction import WeightBound, reduce_instance
from pcsos.search.relaxation import branching
from pcsos.search.task import State
from pcsos.verify import verify
from tests.conditioned import Conditioned, random_conditioned
from tests.slow import first_few

ALWAYS, NEVER = -np.inf, np.inf


@cache
def conditioned_by_pairs(seed: int) -> Conditioned:
    """Eight points, whole weights or others, and soft pairs between all of them."""
    rng = np.random.default_rng(seed)
    points, weights = rng.normal(size=(8, 2)), rng.uniform(0.5, 2.0, 8) if rng.random() < 0.5 else rng.integers(1, 4, 8)
    pairs = [(i, j, float(rng.uniform(0.3, 0.6))) for i in range(8) for j in range(i)]
    says_same = rng.random(len(pairs)) < 0.4
    must, cannot = ([pair for pair, own in zip(pairs, says_same, strict=True) if own == same] for same in (True, False))
    conditions = [pcsos.SoftPairs(must, cannot)]
    return Conditioned(Instance(points, int(rng.integers(2, 4)), weights=weights, conditions=conditions))


def weight_of(instance: Instance, labels: np.ndarray, point: int) -> Fraction:
    return sum((Fraction(w) for w in instance.weights[labels == labels[point]].tolist()), Fraction(0))


@pytest.mark.parametrize("seed", first_few(15, range(150)))
def test_every_partition_keeps_to_what_one_of_two_children_says(seed: int) -> None:
    truth, rng = random_conditioned(seed), np.random.default_rng(seed)
    instance = truth.instance
    try:
        root = reduce_instance(instance)
    except InfeasibleError:
        return
    state, left = State(), [labels for labels, _ in truth.feasible]
    for _ in range(5):
        if not left:
            break
        own = weight_of(instance, left[int(rng.integers(len(left)))], point := int(rng.integers(instance.n_points)))
        bound = WeightBound("lighter", point, float(own) + float(rng.choice([0.0, -0.05, 0.3])))
        children = [state.with_change(change) for change in (bound, bound.opposite)]
        ranges = [cluster_weights(child.apply(root)) for child in children]
        kept: list[list[np.ndarray]] = [[], []]
        for labels in left:
            weights = np.array([float(weight_of(instance, labels, int(p))) for p in root.representative])
            for own_kept, (low, high) in zip(kept, ranges, strict=True):
                if (low * (1 - 1e-8) <= weights).all() and (weights <= high * (1 + 1e-8)).all():
                    own_kept.append(labels)
        assert {id(labels) for labels in kept[0] + kept[1]} == {id(labels) for labels in left}
        chosen = int(rng.integers(2))
        state, left = children[chosen], kept[chosen]


@pytest.mark.parametrize("seed", first_few(1, range(24)))
def test_runs_that_branch_on_weights_wherever_they_can_end_at_the_optimum(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(branching, "WORTH", ALWAYS)
    monkeypatch.setattr(branching, "SHARED", 0.6)
    truth = conditioned_by_pairs(seed)
    result = pcsos.solve(truth.instance, gap=1e-6, workers=1, run_file=tmp_path / "some.run")
    verdict = verify(tmp_path / "some.run")
    assert verdict.status == result.status == "OPTIMAL"
    assert truth.optimum is not None
    assert result.objective == pytest.approx(float(truth.optimum), rel=1e-6)
    assert Fraction(float(result.lower_bound)) <= truth.optimum * (1 + Fraction(1, 2**40))


def overlapping(weights: np.ndarray | None = None) -> Instance:
    """Points in three groups that overlap, and pairs of which one in ten is wrong, and expensive."""
    rng = np.random.default_rng(3)
    classes = np.repeat([0, 1, 2], (30, 24, 18))
    points = rng.normal(size=(72, 2)) + np.array([[0.0, 0.0], [2.5, 0.0], [0.0, 2.5]])[classes]
    pairs = np.array([rng.choice(72, 2, replace=False) for _ in range(300)])
    says_same = (classes[pairs[:, 0]] == classes[pairs[:, 1]]) ^ (rng.random(300) < 0.1)
    must, cannot = ([(*pair, 0.6) for pair in pairs[own].tolist()] for own in (says_same, ~says_same))
    return Instance(points, 3, weights=weights, conditions=[pcsos.SoftPairs(must, cannot)])


def changes_of(path: Path) -> set[str]:
    connection = sqlite3.connect(path)
    found = {change for (change,) in connection.execute("SELECT change FROM problems")}
    connection.close()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("is_whole", [True, False])
def test_bounds_of_weights_are_written_down_proved_read_and_gone_on_with(is_whole: bool, tmp_path: Path) -> None:
    weights = None if is_whole else np.random.default_rng(0).uniform(0.7, 1.3, 72)
    path = tmp_path / "some.run"
    first = pcsos.solve(overlapping(weights), workers=1, run_file=path, options=pcsos.Options(node_limit=9))
    assert changes_of(path) >= {"lighter", "heavier"}
    assert verify(path).status == first.status == "FEASIBLE"
    result = pcsos.resume(path, time_limit=600)
    assert verify(path).status == result.status == "OPTIMAL"


@pytest.mark.slow
def test_weights_make_proofs_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    with_weights = pcsos.solve(overlapping(), workers=1)
    monkeypatch.setattr(branching, "WORTH", NEVER)
    without = pcsos.solve(overlapping(), workers=1)
    assert with_weights.objective == pytest.approx(without.objective)
    assert with_weights.nodes < without.nodes
