"""Cuts about soft pairs hold for every partition, say the same of contracted super-points, and are worth having."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from pcsos import SoftPairs
from pcsos.bounds.relaxation import peng_wei, separation
from pcsos.bounds.relaxation.cuts import join, select
from pcsos.bounds.relaxation.engine import WarmStart, remap, settled
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.bounds.relaxation.families.cliques import CLIQUES
from pcsos.bounds.relaxation.families.family import number_of, pairs_of
from pcsos.bounds.relaxation.families.stars import STARS
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.bounds.relaxation.rows import charges_of, matrix_of, rows_of
from pcsos.bounds.relaxation.safe_bound import safe_bound
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params
from pcsos.problem.reduction import contract, reduce_instance
from tests.bounds.relaxation.samples import cut_list, cut_rows, plane_after, projection, random_symmetric
from tests.conditioned import Conditioned
from tests.oracle import all_partitions

LIMITS = [{}, {"size_min": 2}, {"size_max": 3}, {"size_min": 2, "size_max": 3}]


def soft_problem(seed: int, *, n: int = 6, k: int = 3, **limits: int) -> Instance:
    """Points in the plane with soft pairs of both kinds, of all weights where there are no limits."""
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(list(itertools.combinations(range(n), 2)))[: n + 2]
    rows = [(int(i), int(j), float(rng.uniform(0.1, 3.0))) for i, j in pairs]
    weights = np.ones(n) if limits else rng.uniform(0.5, 2.0, n)
    half = len(rows) // 2 + 1
    return Instance(
        rng.standard_normal((n, 2)),
        k,
        weights=weights,
        **limits,
        conditions=[SoftPairs(must_link=rows[:half], cannot_link=rows[half - 1 :])],
    )


def every_cut(s: int) -> Cuts:
    """All cuts about pairs of so many super-points, with every set S."""
    rows = []
    for i, j in itertools.combinations(range(s), 2):
        rows += [(-5 - 2 * (s * i + j), own) for own in ([i], [j], [i, j])]
        others = [x for x in range(s) if x not in {i, j}]
        for size in range(s - 1):
            for own in itertools.combinations(others, size):
                rows += [(-4 - 2 * (s * i + j), [end, *own]) for end in (i, j)]
    return cut_list(rows)


def broken(relaxation: PengWei, labels: np.ndarray) -> np.ndarray:
    """The excess of all pairs in a partition, from its definition; for pairs that are not soft, too."""
    i, j = relaxation.reduced.soft.pairs.T
    same = labels[i] == labels[j]
    by_matrix, none = charges_of(relaxation, projection(relaxation, labels), Cuts.none())
    assert not none.any()
    return np.append((np.column_stack([~same, same]) - by_matrix).ravel(), 1.0)


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("seed", range(4))
def test_every_cut_holds_for_every_partition(seed: int, limits: dict[str, int]) -> None:
    relaxation = peng_wei.build(reduce_instance(soft_problem(seed, **limits)))
    rows = rows_of(every_cut(relaxation.size), relaxation)
    assert set(rows.excess.tolist()) > {0, 1, relaxation.penalties.size - 1}
    tightest = np.full(len(rows), np.inf)
    for labels in all_partitions(6, 3):
        counts = np.bincount(labels)
        if counts.min() < limits.get("size_min", 1) or counts.max() > limits.get("size_max", 6):
            continue
        excess = broken(relaxation, labels)
        assert ((excess >= -1e-12) & (excess <= 1.0 + 1e-12)).all()
        terms = rows.coefficients * projection(relaxation, labels).ravel()[rows.entries]
        slack = np.add.reduceat(terms, rows.indptr[:-1]) + excess[rows.excess] - rows.right
        assert (slack >= -1e-12).all()
        tightest = np.minimum(tightest, slack)
    of_soft = rows.excess < relaxation.penalties.size - 1
    assert (tightest[of_soft] <= 1e-9).mean() > 0.5, "none could be tightened by a constant"


@pytest.mark.parametrize("seed", range(6))
def test_no_partition_costs_less_whatever_is_given_to_the_cuts(seed: int) -> None:
    """Multipliers that take more than a penalty, a thousand times more, or of pairs that are not soft."""
    instance = soft_problem(seed)
    relaxation = peng_wei.build(reduce_instance(instance))
    rng, cuts = np.random.default_rng(seed), every_cut(relaxation.size)
    least = Conditioned(instance).optimum
    assert least is not None
    for size in (1e-3, 1e-2, 0.1, 1.0, 1e3):
        weights = size * rng.random(len(cuts)) * (rng.random(len(cuts)) < 0.1)
        box = size * random_symmetric(rng, relaxation.size)
        assert Fraction(safe_bound(relaxation, box, cuts, weights)) * Fraction(relaxation.scale) <= least


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["admm", "clarabel"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_soft_pairs_lose_without_these_cuts_is_won_back(
    seed: int, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = soft_problem(seed, n=9)
    best = float(Conditioned(instance).optimum or 0)
    bound = bound_of(instance, engine)
    monkeypatch.setattr(separation, "FAMILIES", (STARS, CLIQUES))
    without = bound_of(instance, engine)
    assert bound <= best
    assert best - bound < 0.5 * (best - without)


def bound_of(instance: Instance, engine: str) -> float:
    return plane_after(15, peng_wei.build(reduce_instance(instance)), engine_factory(engine, Params())).bound


@pytest.mark.parametrize("seed", range(4))
def test_cuts_of_contracted_super_points_are_those_of_the_same_pairs_and_points(seed: int) -> None:
    problem = reduce_instance(soft_problem(seed, n=7))
    merged = contract(problem, [(1, 4)], ())
    cuts, kept = remap(every_cut(7), merged.component[problem.representative])
    group = merged.component[problem.representative]
    before = cut_rows(select(every_cut(7), kept))
    for (old, members), (new, now) in zip(before, cut_rows(cuts), strict=True):
        pair = pairs_of(np.array([old], np.int32), 7)[0]
        assert set(group[pair].tolist()) == set(pairs_of(np.array([new], np.int32), merged.size)[0].tolist())
        assert (old - new) % 2 == 0
        assert sorted(set(group[members].tolist())) == sorted(now)
    dropped = {
        tuple(pairs_of(np.array([centre], np.int32), 7)[0]) for centre, _ in cut_rows(select(every_cut(7), ~kept))
    }
    assert (1, 4) in dropped
    assert (1, 4) not in {tuple(pairs_of(np.array([centre], np.int32), 7)[0]) for centre, _ in before}


def test_a_pair_that_is_decided_leaves_its_cuts_to_the_box() -> None:
    problem = reduce_instance(soft_problem(0))
    i, j = problem.soft.pairs[0].tolist()
    apart = peng_wei.build(contract(problem, (), [(i, j)]))
    other = problem.soft.pairs[1].tolist()
    gone = cut_list([(int(number_of(-4, np.array(i), np.array(j), 6)), [i])])
    stays = cut_list([(int(number_of(-4, np.array(other[0]), np.array(other[1]), 6)), [other[0]])])
    start = WarmStart(Multipliers(np.zeros((6, 6)), join(gone, stays), np.array([2.0, 3.0])))
    after = settled(start, apart).multipliers
    assert cut_rows(after.cuts) == cut_rows(stays)
    assert after.weights.tolist() == [3.0]
    np.testing.assert_allclose(after.box, matrix_of(gone, np.array([2.0]), apart.masses))
