"""Branching: the pair of Paper 3.1, and two children that cover the parent without overlap."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pcsos.base.exceptions import InfeasibleError
from pcsos.bounds.relaxation.peng_wei import build
from pcsos.evidence.node import Decision
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from pcsos.search.relaxation.branching import branching_pair
from pcsos.search.task import State
from tests import oracle
from tests.bounds.relaxation.samples import Sample, plain_sample, random_sample, random_symmetric

seeds = st.integers(0, 2**32 - 1)


def partitions_below(sample: Sample, state: State) -> set[tuple[int, ...]]:
    """All partitions of the points that belong to a state, through its reduced problem."""
    try:
        reduced = state.apply(sample.reduced)
    except InfeasibleError:
        return set()
    labels = oracle.all_partitions(reduced.size, reduced.n_clusters)
    i, j = reduced.cannot_link.T
    kept = labels[(labels[:, i] != labels[:, j]).all(axis=1)]
    return {canonical(row) for row in kept[:, reduced.component].tolist()}


def canonical(row: list[int]) -> tuple[int, ...]:
    names: dict[int, int] = {}
    return tuple(names.setdefault(v, len(names)) for v in row)


@settings(max_examples=60)
@given(seeds)
def test_children_cover_the_parent_and_do_not_overlap(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sample = random_sample(seed)
    state = State()
    assert partitions_below(sample, state) == {canonical(row) for row in sample.truth.labels.tolist()}
    for _ in range(3):
        reduced = state.apply(sample.reduced)
        linked = {tuple(pair) for pair in reduced.cannot_link.tolist()}
        if len(linked) == reduced.size * (reduced.size - 1) // 2:
            break
        i, j = branching_pair(build(reduced), random_symmetric(rng, reduced.size))
        assert 0 <= i < j < reduced.size
        assert (i, j) not in linked
        point = reduced.representative
        decision = Decision("ML", int(point[i]), int(point[j]))
        together, apart = (state.with_decisions((d,)) for d in (decision, decision.opposite))
        below = partitions_below(sample, together), partitions_below(sample, apart)
        assert below[0] | below[1] == partitions_below(sample, state)
        assert not below[0] & below[1]
        state = together if below[0] and (not below[1] or rng.random() < 0.5) else apart


def test_the_pair_maximises_the_score_of_the_paper() -> None:
    """min(Z_ij, ||Z_i. - Z_j.||^2) over the original points, for a matrix with weights from must-links."""
    rng = np.random.default_rng(0)
    sample = plain_sample(0)
    r = sample.relaxation
    y = np.abs(random_symmetric(rng, r.size)) * 0.3
    z = y / np.outer(r.masses.roots, r.masses.roots)
    best, score = (0, 0), -1.0
    for j in range(r.size):
        for i in range(j):
            if r.upper[i, j] == 0.0:
                continue
            distance = sum(r.weights[m] * (z[i, m] - z[j, m]) ** 2 for m in range(r.size))
            if min(z[i, j], distance) > score:
                best, score = (i, j), min(z[i, j], distance)
    assert branching_pair(r, y) == best


def test_under_limits_of_sizes_a_pair_decides_for_its_company() -> None:
    """Two outliers and two groups of four waver alike; the pair from the groups decides for all eight."""
    r = build(reduce_instance(Instance(np.arange(10.0), 2, size_min=5, size_max=5)))
    groups = np.repeat([0, 1, 2, 3], [1, 1, 4, 4])
    share = np.array([[1.0, 0.5, 0.5, 0.0], [0.5, 1.0, 0.0, 0.5], [0.5, 0.0, 1.0, 0.5], [0.0, 0.5, 0.5, 1.0]]) / 5
    i, j = branching_pair(r, share[np.ix_(groups, groups)])
    assert {groups[i], groups[j]} == {2, 3}
    i, j = branching_pair(replace(r, reduced=replace(r.reduced, limits=None)), share[np.ix_(groups, groups)])
    assert {groups[i], groups[j]} != {2, 3}


def test_a_settled_point_still_gives_a_free_pair() -> None:
    sample = plain_sample(1)
    r = sample.relaxation
    for y in (sample.projections[0], np.zeros((r.size, r.size)), np.full((r.size, r.size), np.nan)):
        i, j = branching_pair(r, y)
        assert i < j
        assert r.upper[i, j] > 0.0
