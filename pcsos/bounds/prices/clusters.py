"""Clusters: those that prices are measured against, each with what it costs; the best are found by climbing."""

import numpy as np
from numpy.typing import NDArray

from pcsos.bounds.prices.profit import worth
from pcsos.numerics.kernels import copy_to, kernel
from pcsos.typing import Floats, Indices

#: Numbers that all clusters together may list.
MOST_MEMBERS = 60_000_000
#: Share of a cluster that others may have taken before it.
OVERLAP = 0.5


class Clusters:
    """A pool of clusters of super-points.

    Parameters
    ----------
    means, weights : ndarray, shapes (s, d), (s,)
        The super-points.
    rng : Generator
        What makes clusters known again.
    """

    def __init__(self, means: Floats, weights: Floats, rng: np.random.Generator) -> None:
        self.means, self.weights = means, weights
        self._marks = rng.integers(1, 2**63, len(means), np.uint64)
        self._known: set[int] = set()
        self.members: list[Indices] = []
        self.centres: list[Floats] = []
        self.costs: list[float] = []
        self.idle: list[int] = []  #: rounds since it last mattered

    def __len__(self) -> int:
        return len(self.members)

    @property
    def num_members(self) -> int:
        """Numbers listed."""
        return sum(members.size for members in self.members)

    def add(self, members: Indices) -> bool:
        """Add a cluster unless it is there; tell whether it was not."""
        mark = self._mark(members)
        if members.size == 0 or mark in self._known:
            return False
        weights, means = self.weights[members], self.means[members]
        centre = weights @ means / weights.sum()
        self._known.add(mark)
        self.members.append(members.astype(np.int32))
        self.centres.append(centre)
        self.costs.append(float(weights @ ((means - centre) ** 2).sum(axis=1)))
        self.idle.append(0)
        return True

    def climb(self, prices: Floats, places: Floats) -> tuple[Floats, Floats]:
        """Return where clusters that start at these places end, each the mean of what it takes, and what they earn."""
        ends, earned, marks = _climb(self.means, self.weights, prices, self._marks, np.ascontiguousarray(places))
        first = np.unique(marks, return_index=True)[1]
        order = first[np.argsort(-earned[first], kind="stable")]
        return ends[order], earned[order]

    def taken(self, prices: Floats, place: Floats) -> Indices:
        """Return the super-points that a cluster takes at a place."""
        return np.flatnonzero(prices > self.weights * ((self.means - place) ** 2).sum(axis=1))

    def rounded(self, shares: Floats, k: int) -> Floats:
        """Return centres of k clusters at most, those with the largest shares first that overlap little."""
        covered = np.zeros(len(self.means), np.bool_)
        centres: list[Floats] = []
        for position in np.argsort(-shares, kind="stable"):
            members = self.members[position]
            if len(centres) < k and covered[members].mean() < OVERLAP:
                covered[members] = True
                centres.append(self.centres[position])
        return np.array(centres)

    def forget(self, rounds: int) -> None:
        """Forget clusters that have not mattered for so many rounds, sooner where there are too many."""
        while True:
            kept = [position for position, idle in enumerate(self.idle) if idle <= rounds]
            if not kept:
                return
            gone = set(range(len(self))) - set(kept)
            self._known -= {self._mark(self.members[position]) for position in gone}
            for name in ("members", "centres", "costs", "idle"):
                listed = getattr(self, name)
                setattr(self, name, [listed[position] for position in kept])
            if rounds == 0 or self.num_members <= MOST_MEMBERS:
                return
            rounds //= 2

    def _mark(self, members: Indices) -> int:
        return int(self._marks[members].sum(dtype=np.uint64))


@kernel
def _climb(
    means: Floats, weights: Floats, prices: Floats, marks: NDArray[np.uint64], starts: Floats
) -> tuple[Floats, Floats, NDArray[np.uint64]]:
    """Move each place to the mean of what a cluster takes there, until that stays; profit never falls."""
    s, d = means.shape
    ends, earned = np.empty_like(starts), np.empty(len(starts))
    mark_of, moment = np.empty(len(starts), np.uint64), np.empty(d)
    for start in range(len(starts)):
        place, last, profit = starts[start].copy(), np.uint64(0), 0.0
        for _ in range(100):
            mark, weight, profit = np.uint64(1), 0.0, 0.0
            moment[:] = 0.0
            for i in range(s):
                own = worth(means, weights, prices, i, place)
                if own > 0.0:
                    profit += own
                    weight += weights[i]
                    mark += marks[i]
                    for c in range(d):
                        moment[c] += weights[i] * means[i, c]
            if mark == last or weight == 0.0:
                break
            last = mark
            for c in range(d):
                place[c] = moment[c] / weight
        copy_to(ends[start], place)
        earned[start], mark_of[start] = profit, last
    return ends, earned, mark_of
