"""Cells: super-points that lie together, whose prices are raised together."""

import heapq

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.tree import PointTree

#: A node whose sum of squares is this share of that of all is at one place, but for rounding.
SAME_PLACE = 1e-24
#: The size of a node counts for a share of it, at least this one, which is drawn: so drawings differ.
LEAST_SHARE = 0.25
#: Share of the sum of squares in the size of a node where it is known what is missed.
OF_COST = 0.1


def cells(tree: PointTree, number: int, rng: np.random.Generator, missed: Floats | None = None) -> Indices:
    """Return where cells begin, in the order of the tree: nodes of it, of which the largest are halved first.

    Parameters
    ----------
    tree : PointTree
        The super-points.
    number : int
        How many cells, at most.
    rng : Generator
        What makes drawings differ.
    missed : ndarray, shape (s,), optional
        How far each is from being taken once, which is what its price should be changed for. Without it, a node is as
        large as its sum of squares, otherwise as what is missed in it, and a little of the former.
    """
    costs, halves = tree.cost, tree.halves
    sizes = costs / costs[0] if costs[0] > 0.0 else costs
    if missed is not None and missed.any():
        until = np.concatenate([[0.0], np.cumsum(tree.weights * missed)])
        sizes = (until[tree.last] - until[tree.first]) / until[-1] + OF_COST * sizes
    sizes = sizes * rng.uniform(LEAST_SHARE, 1.0, costs.size)
    heap, least = [(-float(sizes[0]), 0)], SAME_PLACE * float(costs[0])
    whole: list[int] = []
    while heap and len(heap) + len(whole) < number:
        _, node = heapq.heappop(heap)
        if halves[node, 0] == 0 or costs[node] <= least:
            whole.append(node)
            continue
        for half in halves[node].tolist():
            heapq.heappush(heap, (-float(sizes[half]), half))
    return np.sort(tree.first[whole + [node for _, node in heap]])
