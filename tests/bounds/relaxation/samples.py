"""Small problems, cuts and multipliers of every kind, and exact costs, for the tests of bounds."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.control.stop import NEVER
from pcsos.base.exceptions import InfeasibleError
from pcsos.bounds.relaxation.admm import Admm
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.engine import EngineFactory, WarmStart
from pcsos.bounds.relaxation.peng_wei import PengWei, build
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, reduce_instance
from tests import oracle
from tests.clouds import clouds
from tests.exact_oracle import ExactCosts


@dataclass(frozen=True, eq=False)
class Sample:
    """An instance, its reduced problem and relaxation, and all its feasible partitions."""

    instance: Instance
    reduced: Reduced
    relaxation: PengWei
    truth: oracle.Truth

    @property
    def projections(self) -> NDArray[np.float64]:
        """Y of every feasible partition of the super-points, shape (p, s, s), from the oracle."""
        return oracle.y_matrices(self.truth.labels[:, self.reduced.representative], self.reduced.weights)


def sample_of(instance: Instance) -> Sample:
    reduced = reduce_instance(instance)
    return Sample(instance, reduced, build(reduced), oracle.enumerate_feasible(instance))


def random_sample(seed: int, *, max_points: int = 7) -> Sample:
    """A feasible instance of any kind: weights, duplicates, ties, offsets, all scales, constraints."""
    rng = np.random.default_rng(seed)
    while True:
        instance = oracle.random_instance(rng, max_points=max_points)
        try:
            sample = sample_of(instance)
        except InfeasibleError:
            continue
        if sample.truth.feasible:
            return sample


def plain_sample(seed: int, *, n: int = 8, k: int = 3, constraints: bool = True) -> Sample:
    """Overlapping clusters of weighted points in the plane; never infeasible for k >= 3."""
    rng = np.random.default_rng(seed)
    points, _ = clouds(rng, n, k, 2, 1.5)
    pairs = ([(0, 3)], [(0, 1), (2, 5)]) if constraints else ([], [])
    return sample_of(Instance(points, k, *pairs, rng.uniform(0.5, 2.0, n)))


def loose_sample(seed: int) -> Sample:
    """Nine points without clusters: with seeds 0, 1, 6 and 13 the bound without cuts is 6 to 14 % too low."""
    rng = np.random.default_rng(seed)
    return sample_of(Instance(rng.standard_normal((9, 2)), 3, [(0, 3)], [(0, 1), (2, 5)], rng.uniform(0.5, 2.0, 9)))


def plane_after(
    rounds: int, relaxation: PengWei, make_engine: EngineFactory = Admm, warm: WarmStart | None = None, **given: Any
) -> CuttingPlane:
    """The cutting-plane loop after so many rounds, each with a look for cuts."""
    plane = CuttingPlane(relaxation, make_engine, warm, **given)
    for _ in range(rounds):
        plane.round(NEVER)
        plane.separate()
    return plane


def cut_list(rows: list[tuple[int, list[int]]]) -> Cuts:
    """Cuts from (centre, members) pairs; centre -1 is a clique, -2 a set."""
    members = np.array([j for _, row in rows for j in row], np.int32)
    indptr = np.cumsum([0, *(len(row) for _, row in rows)]).astype(np.int64)
    return Cuts(np.array([c for c, _ in rows], np.int32), indptr, members)


def cut_rows(cuts: Cuts) -> list[tuple[int, list[int]]]:
    """The inverse of :func:`cut_list`."""
    bounds = zip(cuts.indptr[:-1].tolist(), cuts.indptr[1:].tolist(), strict=True)
    return [(int(c), cuts.members[a:b].tolist()) for c, (a, b) in zip(cuts.centre, bounds, strict=True)]


def random_pair_row(rng: np.random.Generator, s: int) -> tuple[int, list[int]]:
    """A cut about a pair of s > 1 super-points: a variation cut, or a weight cut with one end or both."""
    i, j, *others = rng.permutation(s).tolist()
    number = s * min(i, j) + max(i, j)
    if rng.random() < 0.5:
        return -4 - 2 * number, [i, *others[: int(rng.integers(0, s - 1))]]
    return -5 - 2 * number, [i] if rng.random() < 0.5 else [i, j]


def random_cuts(
    rng: np.random.Generator, s: int, k: int, count: int = 12, *, sets: bool = False, pairs: bool = False
) -> Cuts:
    """Stars of every size and, where there are points enough, cliques; sets and cuts about pairs if wanted."""
    rows = []
    for _ in range(count):
        order = rng.permutation(s).tolist()
        if pairs and s > 1 and rng.random() < 0.5:
            rows.append(random_pair_row(rng, s))
        elif sets and rng.random() < 0.4:
            rows.append((-2, order[: int(rng.integers(1, s + 1))]))
        elif k < s and rng.random() < 0.3:
            rows.append((-1, order[: k + 1]))
        elif s > 1:
            rows.append((order[0], order[1 : 1 + int(rng.integers(1, s))]))
    return cut_list(rows)


def slack(
    centre: int, members: list[int], z: NDArray[np.float64], largest: float, weights: NDArray[np.float64] | None = None
) -> float:
    """By how much Z satisfies a cut: the definition, term by term; of a set, what crosses it by these weights."""
    if centre == -2:
        outside = set(range(len(z))) - set(members)
        return float(sum(weights[i] * weights[j] * z[i, j] for i in members for j in outside))
    pairs = sum(z[i, j] for a, i in enumerate(members) for j in members[:a])
    if centre < 0:
        return float(pairs - 1.0 / largest)
    return float(z[centre, centre] + pairs - sum(z[centre, j] for j in members))


def projection(relaxation: PengWei, labels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the matrix Y of a partition of the super-points."""
    together = labels[:, None] == labels[None, :]
    cluster_weight = np.bincount(labels, weights=relaxation.weights)[labels]
    roots = relaxation.masses.roots
    return np.where(together, np.outer(roots, roots) / cluster_weight[:, None], 0.0)


def random_symmetric(rng: np.random.Generator, s: int) -> NDArray[np.float64]:
    m = rng.standard_normal((s, s))
    return m + m.T


def garbage(rng: np.random.Generator, s: int, t: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """N and mu of any size, sign and symmetry; mu also NaN and infinite."""
    box = rng.standard_normal((s, s)) * 10.0 ** rng.choice([-320, -12, -3, -1, 0, 1, 6, 15])
    if rng.random() < 0.5:
        box = 0.5 * (box + box.T)
    weights = rng.standard_normal(t) * 10.0 ** rng.choice([-320, -12, -3, -1, 0, 1, 6, 15])
    if rng.random() < 0.2:
        weights[rng.random(t) < 0.3] = rng.choice([np.nan, np.inf, -np.inf])
    return box, weights


def exact_optimum(sample: Sample) -> Fraction:
    """The optimum in rational arithmetic, from the partitions that floating point cannot tell from the best."""
    rounded = sample.truth.costs
    near = rounded <= rounded.min() * (1 + 1e-9) + 1e-12 * float(sample.relaxation.total * sample.relaxation.scale)
    costs = ExactCosts(sample.instance.points, sample.instance.weights)
    return min(costs.cost(labels) for labels in sample.truth.labels[near])
