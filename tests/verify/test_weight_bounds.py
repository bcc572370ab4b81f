"""Bounds of the weights of single clusters: what a state with them holds, in the checker and in the solver."""

import itertools
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx, fmpq
from numpy.typing import NDArray

from pcsos.base.exceptions import InfeasibleError
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.safe_bound import prove, safe_bound
from pcsos.evidence.codec import encode_multipliers
from pcsos.problem.instance import Instance
from pcsos.problem.limit_pairs import cluster_weights, refuse_broken_limits
from pcsos.problem.reduction import Reduced, WeightBound, contract, reduce_instance
from pcsos.verify import weight_bounds
from pcsos.verify.bound import Bound
from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.exact import exact
from pcsos.verify.state import State
from tests.blobs import arrays
from tests.bounds.relaxation.samples import garbage, plane_after, projection, random_cuts
from tests.conditioned import Conditioned, random_conditioned
from tests.slow import first_few
from tests.verify.certificates import random_multipliers
from tests.verify.test_conditions import conditions_of

Labels = NDArray[np.intp]


@pytest.fixture(autouse=True)
def precision() -> object:
    with ctx.workprec(128):
        yield


class Bounded:
    """A state with bounds that one of its partitions keeps, some just so, and all partitions that it holds."""

    def __init__(self, truth: Conditioned, seed: int) -> None:
        self.truth, self.rng = truth, np.random.default_rng(seed)
        self.instance, rng = truth.instance, self.rng
        n, k = self.instance.n_points, self.instance.n_clusters
        hidden, _ = truth.feasible[int(rng.integers(len(truth.feasible)))]
        ends = np.array([int(rng.choice(np.flatnonzero(hidden == c))) for c in range(k)])
        self.apart = list(itertools.combinations(ends.tolist(), 2)) if rng.random() < 0.8 else []
        self.together = [(p, q) for p, q in rng.integers(0, n, (2, 2)).tolist() if p != q and hidden[p] == hidden[q]]
        self.bounds = []
        for point in ends[rng.random(k) < 0.9].tolist() + rng.integers(0, n, int(rng.random() < 0.2)).tolist():
            own, away = self.weight(hidden, point), Fraction(float(rng.choice([0.0, 0.0, 0.25, 0.9])))
            for kind, weight in (("lighter", own + away), ("heavier", own - away)):
                if rng.random() < 0.7 and weight > 0 and Fraction(float(weight)) == weight:
                    self.bounds.append(WeightBound(kind, point, float(weight)))
        self.left = [(labels, cost) for labels, cost in truth.feasible if self.holds(labels)]
        assert any(labels is hidden for labels, _ in self.left)

    def weight(self, labels: Labels, point: int) -> Fraction:
        """What the cluster of a point weighs, exactly."""
        own = self.instance.weights[labels == labels[point]].tolist()
        return sum(map(Fraction, own), Fraction(0))

    def holds(self, labels: Labels) -> bool:
        pairs = all(labels[i] != labels[j] for i, j in self.apart) and all(
            labels[i] == labels[j] for i, j in self.together
        )
        return pairs and all(
            self.weight(labels, b.point) <= b.weight
            if b.kind == "lighter"
            else self.weight(labels, b.point) >= b.weight
            for b in self.bounds
        )

    @property
    def state(self) -> State:
        state = State(self.instance.n_points)
        for kind, pairs in (("ML", self.instance.must_link.tolist()), ("CL", self.instance.cannot_link.tolist())):
            for i, j in pairs:
                state.add(kind, i, j)
        for kind, links in (("ML", self.together), ("CL", self.apart)):
            for i, j in links:
                state.add(kind, i, j)
        for own in self.bounds:
            state.bound(own.kind, own.point, exact(own.weight))
        return state

    @property
    def reduced(self) -> Reduced:
        root = replace(reduce_instance(self.instance), bounds=tuple(self.bounds))
        pairs = (np.array(own, np.intp).reshape(-1, 2) for own in (self.together, self.apart))
        return contract(root, *(root.component[own] for own in pairs))


def drawn(seed: int) -> Iterator[Bounded]:
    truth = random_conditioned(seed)
    if truth.feasible:
        yield from (Bounded(truth, [seed, own]) for own in range(3))


@pytest.mark.parametrize("seed", first_few(16, range(125)))
def test_whatever_is_left_keeps_to_what_is_concluded_and_to_what_is_proved(seed: int) -> None:
    for own in drawn(seed):
        state, conditions, k = own.state, conditions_of(own.instance), own.instance.n_clusters
        assert not conditions.refute(state)
        names = state.names()
        position = {name: at for at, name in enumerate(names)}
        weights = [sum((exact(own.instance.weights[p]) for p in group), fmpq(0)) for group in state.groups()]
        around = [{position[other] for other in state.around(name)} for name in names]
        low, high = weight_bounds.cluster_weights(state, weights, around, k, conditions.ends)
        for (labels, _), (at, name) in itertools.product(own.left, enumerate(names)):
            held = own.weight(labels, name)
            assert Fraction(int(low[at].p), int(low[at].q)) <= held * (1 + Fraction(1, 2**29))
            assert held <= Fraction(int(high[at].p), int(high[at].q)) * (1 + Fraction(1, 2**29))
        data = Data(Doubles(own.instance.points), Doubles(own.instance.weights))
        for strength in (0.0, 0.1, 1.0):
            multipliers = random_multipliers(own.rng, state.size, k, strength, pairs=True)
            proof = Bound(data, state, arrays(encode_multipliers(multipliers)), k, conditions)
            assert Fraction(float(proof.value.lower())) <= min(cost for _, cost in own.left) * (1 + Fraction(1, 2**40))


@pytest.mark.parametrize("seed", first_few(16, range(125)))
def test_no_partition_that_is_left_costs_less_whatever_the_multipliers(seed: int) -> None:
    for own in drawn(seed):
        reduced, least = own.reduced, min(cost for _, cost in own.left)
        refuse_broken_limits(reduced)
        low, high = cluster_weights(reduced)
        for (labels, _), (at, point) in itertools.product(own.left, enumerate(reduced.representative)):
            held = own.weight(labels, int(point))
            assert Fraction(float(low[at])) <= held * (1 + Fraction(1, 2**29))
            assert held <= Fraction(float(high[at])) * (1 + Fraction(1, 2**29))
        if reduced.size == 1:
            continue
        r = peng_wei.build(reduced)
        for labels, _ in own.left:
            y = projection(r, labels[reduced.representative])
            assert (r.lower <= y * (1 + 1e-8)).all()
            assert (y <= r.upper * (1 + 1e-8)).all()
        cuts = random_cuts(own.rng, r.size, r.n_clusters, pairs=True)
        for _ in range(3):
            box, weights = garbage(own.rng, r.size, len(cuts))
            bound = safe_bound(r, box, cuts, weights)
            assert bound == -np.inf or Fraction(bound) * Fraction(r.scale) <= least
        if 1 < r.n_clusters < r.size:
            assert Fraction(prove(r, plane_after(3, r).best_multipliers())) <= least


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_checker_and_solver_know_the_same_of_weights(seed: int) -> None:
    for own in drawn(seed):
        state, reduced, k = own.state, own.reduced, own.instance.n_clusters
        weights = [sum((exact(own.instance.weights[p]) for p in group), fmpq(0)) for group in state.groups()]
        neighbours = [set(np.flatnonzero(row).tolist()) for row in reduced.graph.adjacency()]
        low, high = weight_bounds.cluster_weights(state, weights, neighbours, k, conditions_of(own.instance).ends)
        assert cluster_weights(reduced)[0] == pytest.approx(list(map(float, low)), rel=1e-8, abs=1e-9)
        assert cluster_weights(reduced)[1] == pytest.approx(list(map(float, high)), rel=1e-8)


def ranges(state: State, k: int, high: int) -> tuple[list[float], list[float]]:
    weights = [fmpq(len(group)) for group in state.groups()]
    names = state.names()
    around = [{names.index(other) for other in state.around(name)} for name in names]
    least, most = weight_bounds.cluster_weights(state, weights, around, k, (fmpq(0), fmpq(high)))
    return list(map(float, least)), list(map(float, most))


def test_k_points_that_are_apart_say_something_of_every_cluster() -> None:
    state = State(6)
    for pair in ((0, 1), (0, 2)):
        state.add("CL", *pair)
    mark = state.mark()
    assert ranges(state, 2, 6) == ([0] * 6, [4, 5, 5, 5, 5, 5])
    state.bound("lighter", 1, fmpq(7, 2))
    assert ranges(state, 2, 6) == ([2.5, 2, 2, 2, 2, 2], [4, 3.5, 3.5, 4, 4, 4])
    state.bound("heavier", 0, fmpq(3))
    assert ranges(state, 2, 6) == ([3, 2, 2, 2, 2, 2], [4, 3, 3, 4, 4, 4])
    state.add("ML", 1, 3)
    assert ranges(state, 2, 6) == ([3] * 5, [3] * 5)
    state.undo(mark)
    assert ranges(state, 2, 6) == ([0] * 6, [4, 5, 5, 5, 5, 5])


def test_a_cluster_of_just_the_weight_belongs_to_both_children() -> None:
    for kind in ("lighter", "heavier"):
        state = State(2)
        state.bound(kind, 0, fmpq(1))
        assert not Conditions(Doubles(np.ones(2)), 2).refute(state)
    state.bound("heavier", 1, fmpq(*(1.0 + 2.0**-52).as_integer_ratio()))
    assert Conditions(Doubles(np.ones(2)), 2).refute(state)


def test_bounds_are_not_those_of_parts() -> None:
    state = State(3)
    state.bound("lighter", 0, fmpq(1))
    assert state.of_part(np.array([0, 2])).bounds == []


def test_bounds_that_nothing_keeps_refute_a_state_of_the_solver() -> None:
    instance = Instance(np.arange(4.0)[:, None], 2, cannot_link=[(0, 3)])
    root = reduce_instance(instance)
    for weights, is_refuted in (((2.0, 2.0), False), ((2.5, 2.5), True)):
        bounds = tuple(WeightBound("heavier", point, weight) for point, weight in zip((0, 3), weights, strict=True))
        bounded = replace(root, bounds=bounds)
        with pytest.raises(InfeasibleError) if is_refuted else nullcontext():
            refuse_broken_limits(bounded)
