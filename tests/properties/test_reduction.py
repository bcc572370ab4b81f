"""Contraction against the oracle: nothing feasible is lost, nothing else let in, costs stay the same."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pcsos.base.exceptions import InfeasibleError
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, reduce_instance
from tests import oracle

seeds = st.integers(0, 2**32 - 1)


def reduce_or_witness(instance: Instance) -> Reduced | dict[str, object]:
    try:
        return reduce_instance(instance)
    except InfeasibleError as error:
        return error.witness


@settings(max_examples=120)
@given(seeds)
def test_every_feasible_partition_survives_with_its_cost(seed: int) -> None:
    instance = oracle.random_instance(np.random.default_rng(seed))
    truth = oracle.enumerate_feasible(instance)
    reduced = reduce_or_witness(instance)
    if not isinstance(reduced, Reduced):
        assert not truth.feasible
        return
    inner = Instance(reduced.means, reduced.n_clusters, cannot_link=reduced.cannot_link, weights=reduced.weights)
    kept = oracle.enumerate_feasible(inner)
    lifted = {tuple(row) for row in kept.labels[:, reduced.component]}
    assert lifted == {tuple(row) for row in truth.labels}
    if truth.feasible:
        scatter = oracle.costs(instance, np.zeros((1, instance.n_points), np.intp))[0]
        order, order_kept = np.lexsort(truth.labels.T), np.lexsort(kept.labels[:, reduced.component].T)
        ours = reduced.offset + kept.costs[order_kept]
        np.testing.assert_allclose(ours, truth.costs[order], rtol=0.0, atol=1e-14 * instance.n_points * scatter)


@settings(max_examples=120)
@given(seeds)
def test_a_witness_is_a_proof(seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = oracle.random_instance(rng)
    k = int(rng.integers(1, min(3, instance.n_points + 1)))
    instance = Instance(instance.points, k, instance.must_link, instance.cannot_link, instance.weights)
    witness = reduce_or_witness(instance)
    if isinstance(witness, Reduced):
        return
    must = {tuple(pair) for pair in instance.must_link.tolist()}
    cannot = {tuple(pair) for pair in instance.cannot_link.tolist()}
    if witness["kind"] == "contradiction":
        path = witness["must_link_path"]
        assert [path[0], path[-1]] == witness["cannot_link"]
        assert tuple(witness["cannot_link"]) in cannot
        assert all((min(e), max(e)) in must for e in itertools.pairwise(path))
    elif witness["kind"] == "clique":
        assert k == 1
        assert tuple(witness["points"]) in cannot
    elif witness["kind"] == "odd_cycle":
        group = _groups(instance)
        points = witness["points"]
        lifted = {frozenset((group[i], group[j])) for i, j in cannot}
        assert len(points) % 2 == 1
        assert all(
            frozenset((group[i], group[j])) in lifted for i, j in zip(points, points[1:] + points[:1], strict=True)
        )
    else:
        assert witness["kind"] == "too_few_points"
        assert len(set(_groups(instance))) < k


@settings(max_examples=100)
@given(seeds)
def test_two_clusters_are_refused_exactly_when_no_partition_exists(seed: int) -> None:
    instance = oracle.random_instance(np.random.default_rng(seed))
    if instance.n_points < 2:
        return
    instance = Instance(instance.points, 2, instance.must_link, instance.cannot_link)
    assert isinstance(reduce_or_witness(instance), Reduced) == oracle.enumerate_feasible(instance).feasible


def _groups(instance: Instance) -> list[int]:
    """Must-link component of each point, by repeated relabelling."""
    group = list(range(instance.n_points))
    for _ in range(instance.n_points):
        for i, j in instance.must_link.tolist():
            group[i] = group[j] = min(group[i], group[j])
    return group
