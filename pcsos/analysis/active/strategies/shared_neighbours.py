"""The strategy ``asc``: weak edges of the graph of shared neighbours, after active constraint selection (ASC).

Dang, Vu, Do and Le (2021) give the graph (section 3.1, equation (1)) and name ASC, a method of Vu, Labroche and
Bouchon-Meunier (*Improving constrained clustering with active query selection*, Pattern Recognition 45, 2012), without
its formulas; that source was not at hand. The candidates (edges below a threshold), the densities and the utility are
what is recalled of it. The number of neighbours, the threshold of half of them, and the other edges, which follow when
the candidates are used up, are a choice made here.
"""

import numpy as np

from pcsos.analysis.active.state import SessionState
from pcsos.heuristics.neighbours.shared import SharedNeighbourGraph
from pcsos.problem.instance import Instance

#: Neighbours of a point, and the share of them from which on an edge is strong.
NEIGHBOURS, STRONG = 10, 0.5


class SharedNeighbours:
    """Questions about edges with few shared neighbours, between points in dense places first.

    The utility of an edge between u and v that share w of K neighbours is ``K - w + 1 + min(D(u), D(v))``, where the
    density D of a point is the sum of the weights of its edges, divided by K.

    Parameters
    ----------
    instance : Instance
        The points.
    """

    def __init__(self, instance: Instance) -> None:
        number = min(NEIGHBOURS, instance.n_points - 1)
        self.edges = np.empty((0, 2), np.intp)
        if number > 0:
            graph = SharedNeighbourGraph.of(instance.points, number)
            edges, weights = graph.edges, graph.weights
            density = np.bincount(edges.ravel(), np.repeat(weights, 2), instance.n_points) / number
            utility = (number - weights) + 1.0 + density[edges].min(axis=1)
            is_strong = weights >= STRONG * number
            self.edges = edges[np.lexsort((edges[:, 1], edges[:, 0], -utility, is_strong))]

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return the open edge of largest utility."""
        return next(((i, j) for i, j in self.edges.tolist() if state.is_open(i, j)), None)
