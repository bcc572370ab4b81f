"""Engine: the role of what moves multipliers towards a good bound and never claims one itself, and where it starts."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pcsos.base.control.stop import Stop
from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.bounds.relaxation.cuts import join, select
from pcsos.bounds.relaxation.families import by_family
from pcsos.bounds.relaxation.families.family import codes_of, excess_of, is_about_pair, number_of, pairs_of
from pcsos.bounds.relaxation.peng_wei import Masses, PengWei
from pcsos.bounds.relaxation.rows import matrix_of, rows_of
from pcsos.bounds.relaxation.safe_bound import safe_bound
from pcsos.bounds.relaxation.separation import separate, separate_limited
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.problem.params import CutParams
from pcsos.problem.reduction import Reduced, sum_of_weighted_squares


def remap(cuts: Cuts, group: Indices) -> tuple[Cuts, Flags]:
    """Translate cuts to contracted super-points; return those that say the same of them, and which they were.

    Most families need distinct points; of a contracted super-point, a cut of the others holds all or nothing.

    Parameters
    ----------
    group : ndarray of int, shape (s,)
        New index of each super-point.
    """
    if len(cuts) == 0:
        return cuts, np.zeros(0, dtype=bool)
    centre = np.where(cuts.centre >= 0, group[np.maximum(cuts.centre, 0)], cuts.centre).astype(np.int32)
    valid = np.ones(len(cuts), dtype=bool)
    about = np.flatnonzero(is_about_pair(cuts))
    if about.size:
        i, j = group[pairs_of(cuts.centre[about], group.size)].T
        centre[about] = number_of(codes_of(cuts)[about], i, j, int(group.max()) + 1)
        valid[about] = i != j
    may_contract = np.zeros(len(cuts), dtype=bool)
    for family, which in by_family(cuts):
        may_contract[which] = family.contracts
    members = group[cuts.members].astype(np.int32)
    first = np.ones(members.size, dtype=bool)
    _mark_repeated(centre, cuts.indptr, members, np.bincount(group), may_contract, valid, first)
    kept_before = np.concatenate([[0], np.cumsum(first)])
    carried = Cuts(centre, kept_before[cuts.indptr].astype(np.int64), members[first])
    return select(carried, valid), valid


@kernel
def _mark_repeated(centre, indptr, members, sizes, contract, valid, first):  # type: ignore[no-untyped-def]
    """Mark cuts that name a super-point twice, or hold a part of one where they contract, and repeated members."""
    seen = np.zeros(sizes.size, np.bool_)
    for t in range(centre.size):
        begin, end = indptr[t], indptr[t + 1]
        total, is_once = 0, True
        for a in range(begin, end):
            j = members[a]
            if seen[j] or j == centre[t]:
                first[a] = is_once = False
            else:
                total += sizes[j]
            seen[j] = True
        valid[t] &= total == end - begin if contract[t] else is_once
        seen[members[begin:end]] = False


@dataclass(frozen=True, eq=False)
class WarmStart:
    """Where an engine begins."""

    #: N, the cuts in use and mu: for an engine in the scaled units of its relaxation, elsewhere in the units of the
    #: original sum of squares
    multipliers: Multipliers
    sigma: float = 0.0  #: penalty, in the same units; 0 leaves the choice to the engine
    x: Floats | None = None  #: shape (s, s): a point near the box and the cuts; None leaves the choice to the engine

    def scaled_by(self, factor: float) -> "WarmStart":
        """Return the same in other units."""
        return WarmStart(self.multipliers.scaled_by(factor), factor * self.sigma, self.x)

    def contracted(self, group: Indices, before: Masses, after: Floats) -> "WarmStart":
        """Return the same for contracted super-points; cuts that lose a point leave their part in N.

        With orthonormal rows P_gi = sqrt(e_i / e_g), feasible Y of the contracted problem are P Y P^T, and
        <N, P^T Y' P> = <P N P^T, Y'>.

        Parameters
        ----------
        group : ndarray of int, shape (s,)
            Contracted super-point of each super-point.
        before : Masses
            What the super-points weigh.
        after : ndarray, shape (s',)
            sqrt(e_i) of the contracted ones.
        """
        old = self.multipliers
        cuts, kept = remap(old.cuts, group)
        if before.roots.size == after.size:
            return WarmStart(Multipliers(old.box, cuts, old.weights), self.sigma, self.x)
        merge = np.zeros((after.size, before.roots.size))
        merge[group, np.arange(before.roots.size)] = before.roots / after[group]
        box = old.box + matrix_of(select(old.cuts, ~kept), old.weights[~kept], before)
        x = None if self.x is None else merge @ self.x @ merge.T
        return WarmStart(Multipliers(merge @ box @ merge.T, cuts, old.weights[kept]), self.sigma, x)

    def without(self, idle: Indices, masses: Masses) -> "WarmStart":
        """Return the same without some of the cuts, which leave their part in N."""
        if idle.size == 0:
            return self
        old = self.multipliers
        box = old.box + matrix_of(select(old.cuts, idle), old.weights[idle], masses)
        kept = np.setdiff1d(np.arange(len(old.cuts)), idle)
        return WarmStart(Multipliers(box, select(old.cuts, kept), old.weights[kept]), self.sigma, self.x)


def settled(start: WarmStart, relaxation: PengWei) -> WarmStart:
    """Return a warm start without cuts about pairs that are soft no more; they leave their part in N."""
    cuts = start.multipliers.cuts
    about = np.flatnonzero(is_about_pair(cuts))
    idle = excess_of(select(cuts, about), relaxation) == relaxation.penalties.size - 1
    return start.without(about[idle], relaxation.masses)


class Engine(ABC):
    """One relaxation with its cuts, and what moves its multipliers towards a good bound: on the processor, unless told.

    Multipliers, bounds and the penalty are in the scaled units of the relaxation.

    Attributes
    ----------
    proves : bool
        Whether its bounds are safe. Otherwise they steer, and count where :func:`prove` has seen the multipliers.
    cuts, rows, weights : Cuts, Rows, ndarray
        The cuts in use; and, if :meth:`separate` is that of the role, their coefficients and multipliers mu.
    x, y : ndarray, shape (s, s)
        A point that nearly satisfies box and cuts, from which new cuts are separated, and one that nearly satisfies the
        spectral constraints, which heuristics round.
    sigma : float
        The penalty in use; 0 for an engine without.
    frame : ndarray, shape (s, m), or None
        Orthonormal columns near the leading eigenvectors of -G, if they are at hand.
    converged : bool
        Whether further work on the same cuts is useless.
    """

    proves: ClassVar[bool] = True
    x: Floats
    y: Floats
    sigma: float
    weights: Floats
    frame: Floats | None = None

    def __init__(self, relaxation: PengWei, warm: WarmStart) -> None:
        self.relaxation, self.cuts, self.converged = relaxation, warm.multipliers.cuts, False
        self.rows = rows_of(self.cuts, relaxation)

    @abstractmethod
    def advance(self, stop: Stop) -> None:
        """Work until the next look at the bound."""

    @abstractmethod
    def multipliers(self) -> Multipliers:
        """Return N, the cuts in use and mu, of which Mathematics 3 makes a bound."""

    def separate(self, threshold: float, limit: int, params: CutParams, rng: np.random.Generator) -> tuple[Floats, int]:
        """Drop the cuts without a multiplier, and add violated ones as :func:`separate` finds them, and others.

        Return the violations of the new ones, in descending order, and the number of others, with limits of their own.
        """
        new, violation = separate(self.relaxation, self.x, self.cuts, threshold, limit)
        others = separate_limited(self.relaxation, self.x, self.cuts, params, rng)
        weights, added = self.weights, join(new, others)
        keep = weights > 0.0
        self.converged = self.converged and bool(keep.all()) and len(added) == 0
        self.cuts = join(select(self.cuts, keep), added)
        self.rows = rows_of(self.cuts, self.relaxation)
        self.weights = np.concatenate([weights[keep], np.zeros(len(added))])
        return violation, len(others)

    def bound(self) -> tuple[float, Callable[[], Multipliers]]:
        """Return the bound of the present multipliers, and what returns these, also later."""
        own = self.multipliers()
        return safe_bound(self.relaxation, own.box, own.cuts, own.weights, self.rows, self.frame), lambda: own


EngineFactory = Callable[[PengWei, WarmStart], Engine]


#: Share of the points for which the multipliers ask more than they have: how much nearer their own centre is.
ASKED_TOO_MUCH = 0.3


def start_from(reduced: Reduced, labels: Indices, sigma: float) -> WarmStart:
    """Return where an engine begins that is given a partition.

    Parameters
    ----------
    reduced : Reduced
        The problem, with s super-points.
    labels : ndarray of int, shape (s,)
        Cluster of each super-point; a partition that is nearly optimal makes the best start, but any will do.
    sigma : float
        Penalty, as a share of the size of the multipliers.

    Notes
    -----
    Let i in cluster a be nearer to its own mean than to that of cluster b by Delta_ib (squared distances). Multipliers
    ``N_ij = sqrt(e_i e_j) r_ib r_ja / (2 S_ab)`` with ``r_ib = E_b (Delta_ib - z (1 / E_a + 1 / E_b))`` and S_ab the
    sum of r_ib over a make the indicators of the clusters eigenvectors of G with the same eigenvalue z (Iguchi, Mixon,
    Peterson and Villar, Probably certifiably correct k-means clustering, Math. Program. 165, 2017, section 4). Where
    clusters are well apart, and z is small enough for all r to be positive, they prove the partition optimal. Elsewhere
    they are close to multipliers that prove much, once negative r are left out; nothing here needs to hold.
    """
    labels = np.unique(labels, return_inverse=True)[1]
    num_used = int(labels.max()) + 1
    weights = reduced.weights
    scale = sum_of_weighted_squares(reduced.means, weights) or 1.0
    points = reduced.means / np.sqrt(scale)
    mass = np.bincount(labels, weights, minlength=num_used).astype(np.float64)
    together = np.zeros((labels.size, num_used))
    together[np.arange(labels.size), labels] = 1.0
    centres = (together * weights[:, None]).T @ points / mass[:, None]
    rows = _row_sums(points, centres, labels, mass)
    total = together.T @ (rows * weights[:, None])
    total = 0.5 * (total + total.T)
    total[total <= 0.0] = np.inf
    box = rows[:, labels]
    box = box * box.T
    box *= (0.5 / total)[np.ix_(labels, labels)]
    roots = np.sqrt(weights)
    box *= roots[:, None]
    box *= roots
    shares = together * (roots[:, None] / np.sqrt(mass)[labels][:, None])
    size = float(np.linalg.norm(box)) / np.sqrt(num_used)
    return WarmStart(Multipliers(box, Cuts.none(), np.empty(0)), sigma * size, shares @ shares.T).scaled_by(scale)


def _row_sums(points: Floats, centres: Floats, labels: Indices, mass: Floats) -> Floats:
    """Return r_ib, shape (s, k): 0 in a point's own cluster, and where it would be negative."""
    inner = points @ centres.T
    lengths = np.einsum("bj,bj->b", centres, centres)
    away = lengths - 2.0 * inner
    every = np.arange(labels.size)
    away -= away[every, labels][:, None]
    asked = 1.0 / mass[labels][:, None] + 1.0 / mass
    most = away / asked
    most[every, labels] = np.inf
    z = float(np.quantile(most.min(axis=1), ASKED_TOO_MUCH)) if mass.size > 1 else 0.0
    rows = np.asarray(mass * (away - z * asked))
    rows[every, labels] = 0.0
    return np.asarray(np.maximum(rows, 0.0))
