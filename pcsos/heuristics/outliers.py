"""k-means--: k-means that leaves out the farthest points, finished by moves and exchanges (Chawla and Gionis 2013)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.centres import kmeans_pp_centres
from pcsos.heuristics.record import Record, Solution, Work, record_of
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.partition import Incumbent
from pcsos.problem.reduction import Reduced, centre_of_points

#: Starts unless another number is asked for, and steps of a local search at most.
NUM_STARTS, MAX_STEPS = 20, 1000
#: Exchanges that are tried before a local optimum is taken for one.
EXCHANGES = 20
#: A cost that falls by less than this share of it has not fallen.
LEAST_FALL = 1e-12


def inner_costs(instance: Instance, reduced: Reduced) -> Floats:
    """Return what each super-point costs inside, shape (s,)."""
    away = instance.points - centre_of_points(instance) - reduced.means[reduced.component]
    each = instance.weights * (away**2).sum(axis=1) * (reduced.counts[reduced.component] > 1)
    return np.asarray(np.bincount(reduced.component, each, reduced.size))


@dataclass(frozen=True, eq=False)
class LeavingOut:
    """Super-points of which some may be left out of all clusters."""

    reduced: Reduced  #: the super-points
    inner: Floats  #: shape (s,): what each costs inside
    apart: NDArray[np.bool_] | None  #: shape (s, s): which must not share a cluster; None where none are kept apart

    @classmethod
    def of(cls, instance: Instance, reduced: Reduced) -> "LeavingOut":
        """Return what an instance comes to."""
        apart = reduced.graph.adjacency() if len(reduced.cannot_link) else None
        return cls(reduced, inner_costs(instance, reduced), apart)

    def cost(self, labels: Indices) -> float:
        """Return what labels cost, -1 standing for those that are left out."""
        kept = labels >= 0
        weights, centres = self._sums(labels)
        own = ((self.reduced.coordinates[kept] - centres[labels[kept]]) ** 2).sum(axis=1)
        return float(self.inner[kept].sum() + self.reduced.weights[kept] @ own) if (weights > 0.0).all() else np.inf

    def near(self, centres: Floats) -> Indices | None:
        """Return the labels that k-means-- and exchanges reach from some centres; None if they fail to keep pairs."""
        best, cost = None, np.inf
        for _ in range(MAX_STEPS):
            labels = self._assigned(centres)
            own = np.inf if labels is None else self.cost(labels)
            if labels is None or not own < cost * (1.0 - LEAST_FALL):
                break
            best, cost, (_, centres) = labels, own, self._sums(labels)
        return None if best is None else self.improved(best)

    def improved(self, labels: Indices) -> Indices:
        """Return labels that no move of a super-point and none of the best exchanges makes cheaper."""
        labels, cost = labels.copy(), self.cost(labels)
        for _ in range(MAX_STEPS):
            for changed in self._neighbours(labels):
                own = self.cost(changed)
                if own < cost * (1.0 - LEAST_FALL):
                    labels, cost = changed, own
                    break
            else:
                break
        return labels

    def _sums(self, labels: Indices) -> tuple[Floats, Floats]:
        """Return weights and centres of the clusters."""
        kept, k, reduced = labels >= 0, self.reduced.n_clusters, self.reduced
        weights = np.asarray(np.bincount(labels[kept], reduced.weights[kept], k), np.float64)
        heavy = reduced.coordinates[kept] * reduced.weights[kept, None]
        moments = np.column_stack([np.bincount(labels[kept], column, k) for column in heavy.T])
        return weights, moments / np.maximum(weights, np.finfo(float).tiny)[:, None]

    def _assigned(self, centres: Floats) -> Indices | None:
        """Return labels by nearest centres with those left out that cost most for a point; None where none are right.

        Those of cannot-links go, one after the other, to the nearest cluster that none of these is in.
        """
        reduced, k = self.reduced, self.reduced.n_clusters
        squares = ((reduced.coordinates[:, None] - centres[None]) ** 2).sum(axis=2)
        labels: Indices = np.argmin(squares, axis=1).astype(np.intp)
        costs = reduced.weights * squares.min(axis=1) + self.inner
        open_points, open_groups = reduced.outliers, reduced.size - k
        for own in np.argsort(-costs / reduced.counts, kind="stable").tolist():
            if open_groups and reduced.counts[own] <= open_points:
                labels[own] = -1
                open_points, open_groups = open_points - int(reduced.counts[own]), open_groups - 1
        if self.apart is not None:
            for own in np.argsort(-self.apart.sum(axis=1), kind="stable").tolist():
                taken = labels[self.apart[own]]
                if labels[own] < 0 or labels[own] not in taken:
                    continue
                free = [c for c in np.argsort(squares[own]).tolist() if c not in taken]
                if not free:
                    return None
                labels[own] = free[0]
        for empty in np.setdiff1d(np.arange(k), labels).tolist():
            sizes = np.bincount(labels[labels >= 0], minlength=k)
            movable = np.flatnonzero((labels < 0) | (sizes[labels] > 1))
            if not movable.size:
                return None
            labels[movable[np.argmax(np.where(labels[movable] < 0, -1.0, costs[movable]))]] = empty
        return labels

    def _neighbours(self, labels: Indices) -> list[Indices]:
        """Return labels with one super-point moved, or one left out in place of others, the most promising first."""
        reduced, k = self.reduced, self.reduced.n_clusters
        weights, centres = self._sums(labels)
        e, kept, counts = reduced.weights, labels >= 0, reduced.counts
        squares = ((reduced.coordinates[:, None] - centres[None]) ** 2).sum(axis=2)
        into = e[:, None] * weights / (e[:, None] + weights) * squares + self.inner[:, None]
        if self.apart is not None:
            members = np.zeros((reduced.size, k))
            members[np.flatnonzero(kept), labels[kept]] = 1.0
            into = np.where(self.apart.astype(float) @ members > 0.0, np.inf, into)
        sizes = np.bincount(labels[kept], minlength=k)
        own = np.where(kept, labels, 0)
        rest = np.where(kept & (sizes[own] > 1), np.maximum(weights[own] - e, np.finfo(float).eps * e), e)
        saved = e * weights[own] / rest * squares[np.arange(reduced.size), own] + self.inner
        saved = np.where(kept & (sizes[own] > 1), saved, -np.inf)
        to = np.argmin(np.where(np.arange(k)[None] == labels[:, None], np.inf, into), axis=1)
        price = into[np.arange(reduced.size), to]
        found: list[tuple[float, list[tuple[int, int]]]] = []
        moving = [i for i in np.argsort(price - saved)[:EXCHANGES].tolist() if kept[i] and np.isfinite(price[i])]
        found += [(float(price[i] - saved[i]), [(i, int(to[i]))]) for i in moving]
        room = reduced.outliers - int(counts[~kept].sum())
        leaving = np.flatnonzero(np.isfinite(saved))
        leaving = leaving[np.argsort(-saved[leaving])][:EXCHANGES]
        coming = np.flatnonzero(~kept & np.isfinite(into.min(axis=1)))
        coming = coming[np.argsort(into.min(axis=1)[coming])][:EXCHANGES]
        for i in leaving.tolist():
            if counts[i] <= room:
                found.append((-float(saved[i]), [(i, -1)]))
            for j in coming.tolist():
                if counts[i] <= room + counts[j]:
                    cluster = int(np.argmin(into[j]))
                    found.append((float(into[j, cluster] - saved[i]), [(i, -1), (j, cluster)]))
        neighbours = []
        for _, changes in sorted(found, key=lambda own: own[0])[:EXCHANGES]:
            changed = labels.copy()
            for i, cluster in changes:
                changed[i] = cluster
            neighbours.append(changed)
        return neighbours


def k_means_minus_minus(
    instance: Instance,
    reduced: Reduced,
    *,
    seed: int = 0,
    num_starts: int = NUM_STARTS,
    centres: Floats | None = None,
    budget: Budget = AMPLE,
    on_improvement: object = None,
) -> tuple[Solution | None, Record]:
    """Return the best partition of many starts, with -1 for super-points that are left out, and the record of the run.

    The first start begins at ``centres`` (k, d), in :attr:`~pcsos.problem.reduction.Reduced.coordinates`, where there
    are any. Seed, budget and callback are those of :func:`pcsos.heuristics.s_mdeclust.s_mdeclust`.
    """
    problem, rng = LeavingOut.of(instance, reduced), np.random.default_rng([seed, 3])
    incumbent: Incumbent[Solution] = Incumbent(on_improvement=on_improvement)  # type: ignore[arg-type]
    for number in range(num_starts):
        begin = centres if centres is not None and number == 0 else kmeans_pp_centres(reduced, rng)
        labels = problem.near(begin)
        if labels is not None:
            incumbent.offer(Solution(labels, problem.cost(labels)))
        if budget.stop.asked():
            break
    return incumbent.best, record_of("k-means--", incumbent.best, budget.stop, Work(local_search_calls=number + 1))
