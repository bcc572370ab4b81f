"""What a processed node claims: bounds that hold for all of it, records whose proofs can be repeated."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pcsos.base import tolerances
from pcsos.base.control.stop import Stop
from pcsos.base.control.subprocess import Here
from pcsos.bounds.relaxation.peng_wei import build
from pcsos.bounds.relaxation.safe_bound import prove
from pcsos.evidence.kinds import Bound, Branching, Fixed, Infeasible, Open, Single
from pcsos.evidence.node import Decision, decisions_of
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.params import Params, TreeParams
from pcsos.search.relaxation.bounding import process, process_in_worker
from pcsos.search.task import Outcome, State, Task
from tests import oracle
from tests.bounds.relaxation.samples import Sample, exact_optimum, loose_sample, plain_sample, sample_of

ROOT = Task(0, None, None, State(), 0.0)
OPTIONS = Options(gap=1e-4, workers=1)
HERE, STOPPED = Here(), Here(Stop(lambda: True))


#: Nodes give up after a single round without cuts, so that there is something to branch on.
FEW_ROUNDS = {"root_rounds": 1, "node_rounds": 1}
#: Pairs are fixed whenever there is one.
EAGER_FIXING = {"fixing_gap": 1.0, "least_fixed_share": 0.0}


def with_tree(**params: Any) -> Options:
    return replace(OPTIONS, params=Params(tree=TreeParams(**params)))


def check_record(sample: Sample, outcome: Outcome) -> None:
    """Repeat every proof of a record, and compare what it claims with brute force."""
    record = outcome.proof
    state = State()
    truth = sample.truth
    inside = np.ones(len(truth.costs), bool)
    for step in record.evidence:
        decisions = decisions_of([step])
        if isinstance(step, Fixed):
            proved = prove(build(state.apply(sample.reduced)), step.multipliers)
            assert proved <= truth.costs[inside].min(initial=np.inf)
            for d in decisions:
                violating = inside & (truth.labels[:, d.i] == truth.labels[:, d.j])
                assert truth.costs[violating].min(initial=np.inf) >= step.bound * (1 - 1e-12)
        for d in decisions:
            inside &= (truth.labels[:, d.i] == truth.labels[:, d.j]) == (d.kind == "ML")
        state = state.with_decisions(decisions)
    for leaf in [each for each in record.evidence if isinstance(each, Bound)]:
        assert leaf in record.evidence[-2:]
        again = prove(build(state.apply(sample.reduced)), leaf.multipliers)
        # contracted at once instead of step by step, which rounds differently
        assert max(again, 0.0) == pytest.approx(leaf.bound, rel=1e-12)
        assert again <= truth.costs[inside].min(initial=np.inf)
    assert outcome.fixed_bound == min(
        (step.bound for step in record.evidence if isinstance(step, Fixed)), default=math.inf
    )
    assert record.lower_bound == outcome.lower_bound <= truth.optimum
    assert outcome.lower_bound <= outcome.fixed_bound


@pytest.mark.parametrize("seed", [0, 1, 6])
def test_a_root_is_closed_at_the_cutoff(seed: int) -> None:
    sample = loose_sample(seed)
    outcome = process(HERE, sample.reduced, ROOT, math.inf, OPTIONS)
    check_record(sample, outcome)
    assert isinstance(outcome.proof.end, Bound)
    found = oracle.costs(sample.instance, outcome.found.labels[None])[0]
    assert found == pytest.approx(sample.truth.optimum, rel=1e-4)
    assert outcome.lower_bound >= tolerances.cutoff(found, 1e-4) * (1 - 1e-12)


@pytest.mark.parametrize("seed", [0, 1, 6, 13])
def test_a_root_that_cannot_be_closed_is_branched_on(seed: int) -> None:
    sample = loose_sample(seed)
    outcome = process(HERE, sample.reduced, ROOT, math.inf, with_tree(**FEW_ROUNDS))
    check_record(sample, outcome)
    closing = outcome.proof.end
    assert isinstance(closing, Branching)
    i, j = closing.decision.i, closing.decision.j
    assert closing.decision.kind == "ML"
    assert sample.reduced.component[i] != sample.reduced.component[j]
    assert 0.5 * sample.truth.optimum < outcome.lower_bound < sample.truth.optimum


@pytest.mark.parametrize("seed", [0, 1, 2, 5, 6, 9, 13])
def test_fixing_claims_only_what_it_proves(seed: int) -> None:
    sample = loose_sample(seed)
    outcome = process(HERE, sample.reduced, ROOT, sample.truth.optimum * 1.02, with_tree(**EAGER_FIXING, root_rounds=4))
    check_record(sample, outcome)
    assert any(isinstance(step, Fixed) for step in outcome.proof.evidence)


@pytest.mark.parametrize(("seed", "share"), [(0, 0.95), (1, 0.95), (6, 0.9), (13, 0.95)])
def test_bounds_after_fixing_do_not_forget_what_was_cut_off(seed: int, share: float) -> None:
    """An incumbent that nothing reaches cuts off partitions that are optimal, with no more than the cutoff claimed."""
    sample = loose_sample(seed)
    low = share * sample.truth.optimum
    outcome = process(HERE, sample.reduced, ROOT, low, with_tree(**EAGER_FIXING))
    check_record(sample, outcome)
    assert outcome.proof.end.bound > outcome.fixed_bound == outcome.lower_bound
    assert outcome.fixed_bound >= tolerances.cutoff(low, OPTIONS.gap)


@pytest.mark.parametrize("objective", [math.inf, 1e6])
def test_the_bound_of_a_node_is_at_least_the_parents(objective: float) -> None:
    sample = loose_sample(0)
    task = replace(ROOT, lower_bound=0.97 * sample.truth.optimum)
    outcome = process(STOPPED, sample.reduced, task, objective, OPTIONS)
    assert outcome.proof is None  # nothing that its task did not say
    assert task.lower_bound <= outcome.lower_bound <= sample.truth.optimum


def test_an_interrupted_node_is_recorded_as_open() -> None:
    sample = loose_sample(1)
    outcome = process(STOPPED, sample.reduced, ROOT, math.inf, OPTIONS)
    assert isinstance(outcome.proof.end, Open)
    assert outcome.proof.end.bound == outcome.lower_bound
    assert -math.inf < outcome.lower_bound < sample.truth.optimum


def test_a_large_interrupted_node_is_not_written_down() -> None:
    outcome = process(STOPPED, loose_sample(1).reduced, ROOT, math.inf, with_tree(largest_left_open=4))
    assert outcome.proof is None


def test_a_node_whose_time_is_up_before_a_worker_begins_it_stays_open() -> None:
    task = replace(ROOT, lower_bound=2.0)
    assert process_in_worker(STOPPED, loose_sample(1).reduced, task, math.inf, OPTIONS) == ()


def test_a_state_that_contradicts_itself_is_infeasible() -> None:
    sample = plain_sample(0)
    state = State().with_decisions((Decision("ML", 0, 1),))
    outcome = process(HERE, sample.reduced, Task(3, 1, None, state, 5.0), math.inf, OPTIONS)
    assert isinstance(outcome.proof.end, Infeasible)
    assert outcome.lower_bound == math.inf


def check_bound_of_single(points: NDArray[np.float64], k: int, pairs: list[tuple[int, int]]) -> None:
    sample = sample_of(Instance(points, k, pairs))
    outcome = process(HERE, sample.reduced, ROOT, math.inf, OPTIONS)
    closing = outcome.proof.end
    assert isinstance(closing, Single)
    assert closing.bound <= exact_optimum(sample)
    assert closing.bound >= float(exact_optimum(sample)) * (1 - 1e-6)
    np.testing.assert_array_equal(sample.truth.best_labels, outcome.found.labels)


@pytest.mark.parametrize("spread", [1.0, 1e-120, 1e-70, 1e70, 1e120])
@pytest.mark.parametrize("d", [2, 40])
@pytest.mark.parametrize("seed", range(5))
def test_a_single_partition_is_bounded_by_its_cost_in_any_units(spread: float, d: int, seed: int) -> None:
    points = spread * np.random.default_rng(seed).standard_normal((6, d))
    check_bound_of_single(points, 3, [(0, 3), (1, 4), (2, 5)])
    check_bound_of_single(points, 1, [])
    check_bound_of_single(points[:4], 3, [(0, 3)])


def test_a_cost_of_zero_is_closed_at_zero() -> None:
    points = np.repeat(np.array([[0.1, 0.0], [0.2, 0.3], [1.0, 1.0]]), 2, axis=0)
    sample = sample_of(Instance(points, 3))
    outcome = process(HERE, sample.reduced, ROOT, 0.0, with_tree(fixing_gap=-1.0))
    assert isinstance(outcome.proof.end, Bound)
    assert outcome.lower_bound == 0.0
