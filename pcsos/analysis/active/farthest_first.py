"""The strategies ``mmffqs`` and ``kmmffqs``: points far from one another are placed first.

Each point in turn is compared with one member of every neighbourhood (points that are known to be together) of those
before it, the nearest first, until one is its own; if none is, it opens a neighbourhood. Exploring and consolidating
are then one traversal: a point whose largest similarity to those before is least is the one farthest from them,
for any similarity that falls with the distance.
"""

import math
from collections.abc import Iterator

import numpy as np

from pcsos.analysis.active.state import SessionState
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.ipc_kmeans import multi_start
from pcsos.problem.instance import Instance
from pcsos.problem.partition import cluster_means
from pcsos.problem.reduction import reduce_instance

#: Skeletons in a row that add no point, after which all points are gone through.
FRUITLESS = 10


class FarthestFirst:
    """Min-max farthest-first: all points, from a random one (Dang, Vu, Do and Le, 2021, equation (2))."""

    def __init__(self, instance: Instance, seed: int) -> None:
        self.instance, self.rng = instance, np.random.default_rng(seed)
        self.visited: list[int] = []  #: the points in the order of the traversal, as far as it was needed
        self._distance = np.full(instance.n_points, np.inf)
        self._traversal = self._points()

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return the question that places the first point which is not placed yet."""
        position = 0
        while position < len(self.visited) or self._go_on():
            pair = self._question(state, position)
            if pair is not None:
                return pair
            position += 1
        return None

    def _go_on(self) -> bool:
        return next(self._traversal, None) is not None

    def _points(self) -> Iterator[int]:
        yield from self._visit(np.arange(self.instance.n_points))

    def _visit(self, candidates: Indices) -> Iterator[int]:
        """Go through candidates, always to the one farthest from all that were visited before."""
        left = np.setdiff1d(candidates, self.visited)
        while left.size:
            at = int(np.argmax(self._distance[left])) if self.visited else int(self.rng.integers(left.size))
            point = int(left[at])
            self.visited.append(point)
            self._distance = np.minimum(self._distance, _distances(self.instance.points, point))
            left = np.delete(left, at)
            yield point

    def _question(self, state: SessionState, position: int) -> tuple[int, int] | None:
        """Return what to ask next about a visited point; None where it is placed, or that cannot be known."""
        point, before = self.visited[position], np.array(self.visited[:position], np.intp)
        group = state.knowledge.problem.component
        if np.any(group[before] == group[point]):
            return None
        order = before[np.argsort(_distances(self.instance.points[before], self.instance.points[point]), kind="stable")]
        nearest = order[np.sort(np.unique(group[order], return_index=True)[1])]
        return next(((point, int(other)) for other in nearest if state.is_open(point, int(other))), None)


class SkeletonFirst(FarthestFirst):
    """The same on skeletons: the points nearest to the centres of many small clusters (Algorithm 2 of the paper).

    A skeleton has between sqrt(n) - 3 and sqrt(n) points. When its pairs are used up, another one follows, and its
    points are taken farthest from all that were visited.
    """

    n_skeletons = 0  #: number of skeletons so far

    def _points(self) -> Iterator[int]:
        fruitless = 0
        while fruitless < FRUITLESS:
            before = len(self.visited)
            yield from self._visit(self._skeleton())
            self.n_skeletons += 1
            fruitless = 0 if len(self.visited) > before else fruitless + 1
        yield from super()._points()

    def _skeleton(self) -> Indices:
        instance = self.instance
        n = instance.n_points
        least, most = max(math.ceil(math.sqrt(n) - 3.0), 1), math.isqrt(n)
        size = min(max(int(self.rng.integers(least, most + 1)), instance.n_clusters), n)
        parts = Instance(instance.points, size)
        solution, _ = multi_start(reduce_instance(parts), seed=int(self.rng.integers(2**31)), num_starts=1)
        if solution is None:  # never without cannot-links
            return np.arange(n)
        centres = cluster_means(parts, solution.labels)
        return np.unique([int(np.argmin(_distances(instance.points, centre))) for centre in centres])


def _distances(points: Floats, to: Floats | int) -> Floats:
    """Return the Euclidean distances of points to a place, or to one of them."""
    differences = points - (points[to] if isinstance(to, int) else to)
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", differences, differences)))
