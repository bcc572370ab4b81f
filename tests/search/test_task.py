"""States, and what a cutting-plane loop inherits from one over other super-points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.exceptions import InfeasibleError
from pcsos.bounds.relaxation.admm import Admm
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.peng_wei import build
from pcsos.bounds.relaxation.safe_bound import prove
from pcsos.evidence.kinds import Bound, Branching, Clique, Fixed, Forced, Single
from pcsos.evidence.multipliers import Cuts as CutList
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import Decision, NodeRecord, set_aside
from pcsos.search.task import Inheritance, State, inherited
from tests import oracle
from tests.bounds.relaxation.samples import Sample, loose_sample, plain_sample, random_sample

seeds = st.integers(0, 2**32 - 1)


def optimum_of(sample: Sample, state: State) -> float:
    keep = np.ones(len(sample.truth.labels), bool)
    for pairs, wanted in ((state.must_link, True), (state.cannot_link, False)):
        for i, j in pairs:
            keep &= (sample.truth.labels[:, i] == sample.truth.labels[:, j]) == wanted
    return float(sample.truth.costs[keep].min(initial=np.inf))


def random_state(sample: Sample, rng: np.random.Generator, count: int = 3) -> State:
    """Decisions that some feasible partition agrees with."""
    labels = sample.truth.labels[rng.integers(len(sample.truth.labels))]
    decisions = []
    for _ in range(count):
        i, j = sorted(rng.choice(labels.size, 2, replace=False).tolist())
        decisions.append(Decision("ML" if labels[i] == labels[j] else "CL", i, j))
    return State().with_decisions(tuple(decisions))


@settings(max_examples=40)
@given(seeds)
def test_a_state_holds_just_the_partitions_that_agree_with_its_decisions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sample = random_sample(seed)
    if sample.instance.n_points < 2:
        return
    state = random_state(sample, rng)
    reduced = state.apply(sample.reduced)
    labels = oracle.all_partitions(reduced.size, reduced.n_clusters)
    i, j = reduced.cannot_link.T
    labels = labels[(labels[:, i] != labels[:, j]).all(axis=1)][:, reduced.component]
    everything = oracle.costs(sample.instance, np.zeros((1, sample.instance.n_points), np.intp))[0]
    found = oracle.costs(sample.instance, labels).min()
    assert found == pytest.approx(optimum_of(sample, state), rel=1e-12, abs=1e-13 * everything)


def test_states_do_not_change_when_decisions_are_added() -> None:
    state = State()
    more = state.with_decisions((Decision("ML", 0, 1), Decision("CL", 1, 2), Decision("ML", 3, 4)))
    assert (state.must_link.shape, state.cannot_link.shape) == ((0, 2), (0, 2))
    assert more.must_link.tolist() == [[0, 1], [3, 4]]
    assert more.cannot_link.tolist() == [[1, 2]]
    again = more.with_decisions(Forced((Clique(Decision("CL", 0, 4), (2, 3)),)).decisions)
    assert again.cannot_link.tolist() == [[1, 2], [0, 4]]


def test_a_contradiction_is_infeasible() -> None:
    sample = plain_sample(0)
    with pytest.raises(InfeasibleError):
        State().with_decisions((Decision("ML", 0, 1),)).apply(sample.reduced)  # 0 and 1 cannot be linked


def loss_of_inheritance(seed: int) -> float:
    """Return what the bound of a random child loses to its parent's, as a share of the optimum; check it too."""
    rng = np.random.default_rng(seed)
    sample = plain_sample(seed, constraints=seed % 2 == 0)
    plane = CuttingPlane(sample.relaxation, Admm)
    for _ in range(8):
        plane.round(NEVER)
        plane.separate()
    state = random_state(sample, rng)
    child = state.apply(sample.reduced)
    parent = Inheritance(sample.reduced.component, sample.relaxation.masses, plane.warm_start())
    warm = parent.carried_to(child)
    assert warm.multipliers.box.shape == (child.size, child.size)
    bound = prove(
        build(child),
        Multipliers(warm.multipliers.box, warm.multipliers.cuts, np.maximum(warm.multipliers.weights, 0.0)),
    )
    assert bound <= optimum_of(sample, state)
    before = plane.warm_start().multipliers
    at_parent = prove(sample.relaxation, Multipliers(before.box, before.cuts, np.maximum(before.weights, 0.0)))
    return (at_parent - bound) / sample.truth.optimum


def test_inherited_multipliers_prove_a_valid_bound_of_the_child_of_about_the_same_worth() -> None:
    losses = [loss_of_inheritance(seed) for seed in range(12)]
    assert np.mean(losses) < 0.02
    assert sum(loss < 0.05 for loss in losses) >= 10


def test_a_child_inherits_what_the_record_of_its_parent_holds() -> None:
    sample = loose_sample(0)
    plane = CuttingPlane(sample.relaxation, Admm)
    for _ in range(25):
        plane.round(NEVER)
        plane.separate()
    bound = Bound(plane.best_multipliers(), plane.bound)
    branching = Branching(Decision("ML", 4, 6), 0.25 * sample.relaxation.scale)
    inheritance = inherited(sample.reduced, NodeRecord(0, None, None, (bound, branching)))
    same = CuttingPlane(sample.relaxation, Admm, inheritance.carried_to(sample.reduced))
    same.round(Stop(lambda: True))
    assert same.bound > 0.99 * plane.bound
    for evidence in ((branching,), (bound,), (bound, Single(0.0), branching), (branching, bound)):
        assert inherited(sample.reduced, NodeRecord(0, None, None, evidence)) is None


def test_records_compare_by_identity_so_that_arrays_do_no_harm() -> None:
    multipliers = Multipliers(np.zeros((2, 2)), CutList.none(), np.empty(0))
    assert Bound(multipliers, 1.0) != Bound(multipliers, 1.0)


def test_what_several_steps_cut_off_costs_as_little_as_the_least_of_it() -> None:
    none, pair = Multipliers.none(2), (Decision("CL", 0, 1),)
    steps = [Fixed(pair, none, 3.0), Fixed(pair, none, 2.0), Fixed((), none, 1.0)]
    assert set_aside(steps) == 2.0
    assert set_aside(steps[2:]) == np.inf
