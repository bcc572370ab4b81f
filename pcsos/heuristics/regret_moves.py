"""Compiled assignment by regret of those super-points that have no cluster, while the others keep theirs."""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Flags, Floats, Indices
from pcsos.heuristics.moves import squared_distance
from pcsos.presolve.colouring.regret import outlook


@kernel
def give_away(
    points: Floats,
    weights: Floats,
    indptr: Indices,
    indices: Indices,
    labels: Indices,
    centres: Floats,
    touched: Flags,
) -> bool:
    """Give the super-points with label -1 to the nearest clusters that are free, by regret; tell whether all found one.

    Parameters
    ----------
    touched : ndarray of bool, shape (k,)
        Clusters that receive one are marked.
    """
    members = np.flatnonzero(labels < 0)
    k, count, place = centres.shape[0], members.size, np.full(labels.size, -1, np.intp)
    place[members] = np.arange(count)
    costs, closed = np.empty((count, k)), np.zeros((count, k), np.bool_)
    free, cheapest, regret = np.empty(count, np.intp), np.empty(count, np.intp), np.empty(count)
    for q in range(count):
        i = members[q]
        for h in range(k):
            costs[q, h] = weights[i] * squared_distance(points, i, centres, h)
        for t in range(indptr[i], indptr[i + 1]):
            if labels[indices[t]] >= 0:
                closed[q, labels[indices[t]]] = True
        free[q], cheapest[q], _, regret[q] = outlook(costs, closed, q)
    for _ in range(count):
        pick = -1
        for q in range(count):
            if labels[members[q]] < 0 and (pick < 0 or free[q] == 0 or regret[q] > regret[pick]):
                pick = q
        if free[pick] == 0:
            return False
        target = cheapest[pick]
        labels[members[pick]] = target
        touched[target] = True
        for t in range(indptr[members[pick]], indptr[members[pick] + 1]):
            q = place[indices[t]]
            if q >= 0 and not closed[q, target]:
                closed[q, target] = True
                free[q], cheapest[q], _, regret[q] = outlook(costs, closed, q)
                if free[q] == 0 and labels[members[q]] < 0:
                    return False
    return True
