"""Variable fixing: whatever partition violates a fixed pair costs at least what is claimed."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pcsos
from pcsos.base.control.stop import NEVER
from pcsos.bounds.relaxation.admm import Admm
from pcsos.bounds.relaxation.engine import WarmStart
from pcsos.bounds.relaxation.fixing import expensive_pairs, fixable_pairs
from pcsos.bounds.relaxation.safe_bound import prove
from pcsos.evidence.kinds import Soft
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.evidence.node import Decision
from pcsos.evidence.run_file import RunFile
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from tests.bounds.relaxation.samples import (
    Sample,
    garbage,
    plain_sample,
    plane_after,
    random_cuts,
    random_sample,
    sample_of,
)
from tests.conditioned import random_conditioned
from tests.exact_oracle import ExactCosts
from tests.slow import first_few

seeds = st.integers(0, 2**32 - 1)


def check(sample: Sample, multipliers: Multipliers, cutoff: float) -> int:
    """Check every fixed pair against all partitions; return the number of pairs."""
    bound = prove(sample.relaxation, multipliers)
    pairs, least = fixable_pairs(sample.relaxation, multipliers, bound, cutoff)
    assert len(pairs) == 0 or least >= cutoff
    assert len(pairs) > 0 or least == np.inf
    labels = sample.truth.labels[:, sample.reduced.representative]
    exact = ExactCosts(sample.instance.points, sample.instance.weights)
    for i, j in pairs:
        assert i < j
        assert sample.relaxation.upper[i, j] > 0.0
        violating = labels[:, i] == labels[:, j]
        costs = sample.truth.costs[violating]
        if costs.size and costs.min() < least * (1 + 1e-9) + 1e-9 * sample.relaxation.total * sample.relaxation.scale:
            cheapest = sample.truth.labels[violating][np.argmin(costs)]
            assert exact.cost(cheapest) >= Fraction(least)
    return len(pairs)


@settings(max_examples=60)
@given(seeds)
def test_nothing_is_fixed_wrongly_whatever_the_multipliers(seed: int) -> None:
    sample = random_sample(seed)
    rng = np.random.default_rng(seed)
    r = sample.relaxation
    cuts = random_cuts(rng, r.size, r.n_clusters)
    box, weights = garbage(rng, r.size, len(cuts))
    box = 0.5 * (box + box.T)
    weights = np.where(np.isfinite(weights), np.maximum(weights, 0.0), 0.0)
    multipliers = Multipliers(box * r.scale, cuts, weights * r.scale)
    check(sample, multipliers, float(rng.normal()) * 10.0 ** rng.integers(-2, 6) * r.scale)


@settings(max_examples=40)
@given(seeds)
def test_nothing_is_fixed_wrongly_where_the_multipliers_are_good(seed: int) -> None:
    sample = random_sample(seed)
    plane = plane_after(3, sample.relaxation)
    check(sample, plane.best_multipliers(), sample.truth.optimum)
    check(sample, plane.best_multipliers(), plane.bound)


def test_pairs_that_no_good_partition_puts_together_are_fixed() -> None:
    sample = plain_sample(1, constraints=False)
    plane = plane_after(30, sample.relaxation)
    assert check(sample, plane.best_multipliers(), 1.001 * sample.truth.optimum) >= 5


@pytest.mark.parametrize("seed", range(4))
def test_the_raised_bound_is_tight_where_a_pair_fills_the_largest_cluster(seed: int) -> None:
    """With n = k + 1 two points share a cluster: the best multipliers for Y_ij = 1 / 2 prove just its cost."""
    sample = sample_of(Instance(np.random.default_rng(seed).standard_normal((4, 2)), 3))
    r = sample.relaxation
    for j in range(1, 4):
        lower = r.lower.copy()
        lower[0, j] = lower[j, 0] = 0.5
        warm = WarmStart(Multipliers.none(4))
        engine = Admm(replace(r, lower=lower), warm)
        for _ in range(60):
            engine.advance(NEVER)
        found = engine.multipliers()
        multipliers = Multipliers(0.5 * (found.box + found.box.T) * r.scale, Cuts.none(), found.weights)
        cost = float(((sample.instance.points[0] - sample.instance.points[j]) ** 2).sum()) / 2.0
        pairs, least = fixable_pairs(r, multipliers, prove(r, multipliers), 0.9999 * cost)
        assert [0, j] in pairs.tolist()
        assert 0.9999 * cost <= least <= cost


def test_a_negative_bound_fixes_nothing_by_itself() -> None:
    """The bound of the multipliers counts as it is, not as 0, which is a bound too but none that N can raise."""
    sample = plain_sample(2, constraints=False)
    r = sample.relaxation
    box = np.full((r.size, r.size), -r.scale)
    np.fill_diagonal(box, 0.0)
    box[0, 1] = box[1, 0] = r.scale
    cuts = random_cuts(np.random.default_rng(0), r.size, 3, 0)
    multipliers = Multipliers(box, cuts, np.empty(0))
    bound = prove(r, multipliers)
    assert bound < 0.0
    assert len(fixable_pairs(r, multipliers, bound, 0.01 * r.scale)[0]) == 0


def test_soft_pairs_are_kept_where_a_bound_and_the_penalty_reach_the_cutoff() -> None:
    instance = Instance(
        [0.0, 1.0, 5.0, 6.0],
        2,
        conditions=[pcsos.SoftPairs(must_link=[(0, 1, 3.0), (2, 3, 1.0)], cannot_link=[(1, 2, 2.5), (0, 3, 9.0)])],
    )
    decisions, least = expensive_pairs(reduce_instance(instance), 1.0, 3.6)
    assert decisions == (Decision("ML", 0, 1), Decision("CL", 0, 3))
    assert least == pytest.approx(4.0)
    assert expensive_pairs(reduce_instance(instance), 1.0, 11.0) == ((), np.inf)


@pytest.mark.parametrize("seed", first_few(12, range(40)))
def test_breaking_what_became_hard_at_the_root_costs_what_is_claimed(seed: int, tmp_path: Path) -> None:
    truth = random_conditioned(seed)
    path = tmp_path / "some.run"
    pcsos.solve(truth.instance, gap=1e-6, workers=1, run_file=path)
    with RunFile.read(path) as file:
        steps = [step for record in file.records() for step in record.evidence if isinstance(step, Soft)]
    for step in steps[:1]:  # those after it stand in a state that this one has changed
        for labels, cost in truth.feasible:
            keeps = [(labels[d.i] == labels[d.j]) == (d.kind == "ML") for d in step.decisions]
            assert all(keeps) or cost >= Fraction(step.bound)
