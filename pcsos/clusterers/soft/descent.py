"""The descent that all soft clusterers share: points go one by one to the cheapest cluster, then centres to the means.

Without pairs it is the k-means of Lloyd; with penalties it is PCKM (Vouros and Vasilaki 2021, section 2.3).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.soft.pairs import Penalties
from pcsos.heuristics.centres import summarise

#: The label of a point that is in no cluster yet.
NOWHERE = -1


@dataclass(frozen=True, eq=False)
class SoftClustering:
    """What a search has found until now: clusters and weights of features, and how they came about."""

    labels: Indices  #: shape (n,): cluster of each point, ``0..k-1``, none of them empty; -1 where a search begins
    centres: Floats  #: shape (k, p): means of the clusters
    weights: Floats  #: shape (p,): what the squared difference in each feature counts
    objectives: tuple[float, ...] = ()  #: the objective of the search after each round
    num_refilled: int = 0  #: how many times a cluster lost all its points and was given one
    remark: str = ""  #: what a user should know of it; empty as a rule

    @classmethod
    def begun(cls, n_points: int, centres: Floats, weights: Floats) -> Self:
        """Return where a search begins: no point is in a cluster yet."""
        return cls(np.full(n_points, NOWHERE), centres, weights)

    def followed(self, labels: Indices, centres: Floats, weights: Floats, cost: float, num_refilled: int) -> Self:
        """Return what comes after one more round."""
        objectives, total = (*self.objectives, cost), self.num_refilled + num_refilled
        return replace(self, labels=labels, centres=centres, weights=weights, objectives=objectives, num_refilled=total)


@dataclass(frozen=True, eq=False)
class Passes:
    """How points are gone through."""

    most: int  #: greatest number of passes, at least one
    #: what draws the order of the points anew for each pass; by index if there is none
    shuffler: np.random.Generator | None = None
    forget: bool = False  #: whether passes begin without labels as long as that lowers the cost

    def order(self, n_points: int) -> Indices:
        """Return the points in the order of the next pass."""
        return np.arange(n_points) if self.shuffler is None else self.shuffler.permutation(n_points)


def descend(
    points: Floats, penalties: Penalties, column_weights: Floats, centres: Floats, passes: Passes
) -> SoftClustering:
    """Repeat assignment and means until a pass changes no label.

    The cost never rises from one pass to the next, unless an empty cluster had to be given a point.

    The points, shape (n, p), and the centres to start from, shape (k, p), are scaled by the roots of the weights of
    features where these have some; the columns of the penalties have the weights ``column_weights``, shape (q,).
    """
    changes = penalties.changes(column_weights)

    def step(state: SoftClustering, labels: Indices) -> SoftClustering:
        labels = labels.copy()
        means, scatter, refilled = one_pass(points, penalties, changes, state.centres, passes, labels)
        cost = float(scatter.sum() + penalties.of(labels) @ column_weights)
        return state.followed(labels, means, state.weights, cost, refilled)

    return settled(SoftClustering.begun(len(points), centres, np.ones(points.shape[1])), step, passes)


#: Returns the state after a pass that begins with the centres and weights of a state and with these labels.
Step = Callable[[SoftClustering, Indices], SoftClustering]


def settled(start: SoftClustering, step: Step, passes: Passes) -> SoftClustering:
    """Repeat a step until it changes no label, or as often as it may.

    A point that its partners hold in a wrong cluster stays there from pass to pass. So passes may ``forget``: they
    begin without labels, where partners that have no cluster yet cost nothing, as long as each costs less than the one
    before; only then labels are kept from pass to pass. No point has a label at the start.
    """
    state = step(start, start.labels)
    while passes.forget and len(state.objectives) < passes.most:
        trial = step(state, start.labels)
        if not trial.objectives[-1] < state.objectives[-1]:
            break
        state = trial
    is_still = False
    while not is_still and len(state.objectives) < passes.most:
        before, state = state, step(state, state.labels)
        is_still = np.array_equal(before.labels, state.labels)
    return state


def one_pass(
    points: Floats, penalties: Penalties, changes: Floats, centres: Floats, passes: Passes, labels: Indices
) -> tuple[Floats, Floats, int]:
    """Assign all points once, in place; return means, scatter and how many clusters had to be given a point."""
    start, partner, pair = penalties.incidence
    assign(points, centres, start, partner, changes[pair], passes.order(len(points)), labels)
    refilled = refill(points, centres, labels)
    means, scatter = means_and_scatter(points, labels, len(centres))
    return means, scatter, refilled


@kernel
def assign(
    points: Floats,
    centres: Floats,
    start: Indices,
    partner: Indices,
    change: Floats,
    order: Indices,
    labels: Indices,
) -> None:
    """Put each point in turn into its cheapest cluster, given those that its partners are in at that moment.

    Where several cost the same it stays, or goes to the first of them.
    """
    n_clusters = centres.shape[0]
    costs = np.empty(n_clusters)
    for i in order:
        for h in range(n_clusters):
            total = 0.0
            for c in range(points.shape[1]):
                difference = points[i, c] - centres[h, c]
                total += difference * difference
            costs[h] = total
        for e in range(start[i], start[i + 1]):
            where = labels[partner[e]]
            if where >= 0:
                costs[where] += change[e]
        best = max(labels[i], 0)
        for h in range(n_clusters):
            if costs[h] < costs[best]:
                best = h
        labels[i] = best


def refill(points: Floats, centres: Floats, labels: Indices) -> int:
    """Give each empty cluster the point that is farthest from its own centre, and return how many there were.

    Points that are alone in their clusters stay there.
    """
    sizes = np.bincount(labels, minlength=len(centres))
    empty = np.flatnonzero(sizes == 0)
    if not empty.size:
        return 0
    far = ((points - centres[labels]) ** 2).sum(axis=1)
    for cluster in empty:
        chosen = int(np.argmax(np.where(sizes[labels] > 1, far, -1.0)))
        sizes[labels[chosen]] -= 1
        labels[chosen], sizes[cluster], far[chosen] = cluster, 1, 0.0
    return int(empty.size)


def means_and_scatter(points: Floats, labels: Indices, n_clusters: int) -> tuple[Floats, Floats]:
    """Return the means of the clusters, shape (k, p), and the sum of squares around them by feature, shape (p,)."""
    means, _ = summarise(np.ascontiguousarray(points), np.ones(len(points)), labels, n_clusters)
    return means, ((points - means[labels]) ** 2).sum(axis=0)
