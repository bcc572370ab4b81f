"""Forced pairs and feasibility against the oracle: nothing is lost, every argument holds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pcsos.base.exceptions import InfeasibleError
from pcsos.evidence.kinds import Clique
from pcsos.evidence.node import Decision
from pcsos.presolve.implied_pairs import infer_and_check
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from tests import oracle

seeds = st.integers(0, 2**32 - 1)


def dense_instance(seed: int) -> Instance:
    """Few clusters and many cannot-links, so that colouring forces pairs and often fails."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    k = int(rng.integers(2, min(n, 4) + 1))
    share = rng.uniform(0.2, 0.7)
    cannot_link = [(i, j) for j in range(n) for i in range(j) if rng.random() < share]
    must_link = [(0, n - 1)] if rng.random() < 0.3 else []
    return Instance(rng.standard_normal((n, 2)), k, must_link, cannot_link)


@settings(max_examples=120)
@given(seeds)
def test_an_instance_is_refused_exactly_when_no_partition_exists(seed: int) -> None:
    instance = dense_instance(seed)
    truth = oracle.enumerate_feasible(instance)
    try:
        settled, _ = infer_and_check(reduce_instance(instance))
    except InfeasibleError:
        assert not truth.feasible
        return
    assert truth.feasible
    inner = Instance(settled.means, settled.n_clusters, cannot_link=settled.cannot_link)
    kept = oracle.enumerate_feasible(inner).labels[:, settled.component]
    assert {tuple(row) for row in kept} == {tuple(row) for row in truth.labels}


@settings(max_examples=120)
@given(seeds)
def test_every_forced_pair_has_a_witness_that_holds(seed: int) -> None:
    instance = dense_instance(seed)
    try:
        _, step = infer_and_check(reduce_instance(instance))
    except InfeasibleError as error:
        step = None if "contradict each other" in str(error) else error.step
    must, cannot = instance.must_link.tolist(), instance.cannot_link.tolist()
    for forced in step.cliques if step else ():
        assert_witness(forced, instance.n_points, instance.n_clusters, must, cannot)
        (must if forced.decision.kind == "ML" else cannot).append([forced.decision.i, forced.decision.j])


def assert_witness(forced: Clique, n: int, k: int, must: list[list[int]], cannot: list[list[int]]) -> None:
    """Check the clique of a forced pair in the state given by all pairs before it."""
    group = list(range(n))
    for _ in range(n):
        for i, j in must:
            group[i] = group[j] = min(group[i], group[j])
    apart = {(group[i], group[j]) for i, j in cannot} | {(group[j], group[i]) for i, j in cannot}
    i, j = group[forced.decision.i], group[forced.decision.j]
    clique = [group[v] for v in forced.witness]
    assert all((a, b) in apart for a in clique for b in clique if a != b)
    if forced.decision.kind == "ML":
        assert len(set(clique)) == k - 1
        assert all((i, v) in apart and (j, v) in apart for v in clique)
    else:
        assert len(set(clique)) == k
        assert all((i, v) in apart or (j, v) in apart for v in clique)


def test_what_is_found_infeasible_on_the_way_keeps_its_forced_pairs() -> None:
    """A wheel of triangles forces pairs together until two that are apart are one."""
    triangles = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 5), (4, 6), (5, 6), (6, 0)]
    with pytest.raises(InfeasibleError) as caught:
        infer_and_check(reduce_instance(Instance(np.arange(7.0), 3, cannot_link=triangles)))
    assert {forced.decision for forced in caught.value.step.cliques} >= {Decision("ML", 0, 3), Decision("ML", 3, 6)}
