"""Bounds for colourings by dual block-coordinate ascent, and colourings read off them.

Costs are moved between the nodes and the edges of the graph without changing the cost of any proper colouring: the edge
e = uv holds ``-m_eu(c) - m_ev(c')`` for c != c' (infinity otherwise), the node v ``b_v(c) = a_vc + sum_e m_ev(c)``. As
long as no edge entry is negative, ``sum_v min_c b_v(c)`` is a lower bound, and a colouring that takes c at v costs at
least ``b_v(c) - min b_v`` more. One step takes everything at the ends of an edge into the edge and hands back half of
what can be spared to one end, the rest to the other, and what is left to the first (the handshake of MPLP++: Tourani,
Shekhovtsov, Rother and Savchynskyy, 2018). An edge entry depends on c' only through c' != c, so a step costs O(k).
"""

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, kernel
from pcsos.base.typing import Floats, Indices
from pcsos.presolve.colouring.local_search import cheapest_free, improve_colouring, outlook, total_cost

#: The ascent stops when five rounds close less than this share of the gap (without a colouring: of the rise so far).
STALLED = 1e-3


@kernel
def ascend(
    costs: Floats,
    edges: Indices,
    indptr: Indices,
    indices: Indices,
    rounds: int,
    tolerance: float,
    labels: Indices,
) -> tuple[float, float, Floats]:
    """Raise the bound round after round and keep the best colouring seen.

    Parameters
    ----------
    costs : ndarray, shape (m, k)
        Cost of each colour at each node; infinity forbids a colour.
    edges : ndarray of int, shape (c, 2)
        The edges; ``indptr`` and ``indices`` are the same graph in compressed form.
    rounds : int
        Most rounds.
    tolerance : float
        A difference of costs that means nothing.
    labels : ndarray of int, shape (m,)
        A proper colouring to start from, or -1 everywhere; receives the best one found.

    Returns
    -------
    lower, upper : float
        Bounds of the cheapest colouring; ``upper`` is the cost of the labels (infinity: none was found).
    potential : ndarray, shape (m, k)
        The costs b_v(c) left at the nodes: ``lower`` is the sum of the least of each node (infinity: there is no
        colouring), also for each connected component by itself.
    """
    m = costs.shape[0]
    potential = costs.copy()
    messages = np.zeros((edges.shape[0], 2, costs.shape[1]))
    trial = np.empty(m, np.intp)
    if labels[0] >= 0:
        improve_colouring(costs, indptr, indices, labels)
    upper = total_cost(costs, labels) if labels[0] >= 0 else np.inf
    start = 0.0
    for v in range(m):
        start += costs[v].min()
    lower, before = start, -np.inf
    for number in range(rounds):
        for at in range(edges.shape[0]):
            e, first = (at, 0) if number % 2 == 0 else (edges.shape[0] - 1 - at, 1)
            u, v = edges[e, first], edges[e, 1 - first]
            _handshake(potential[u], potential[v], messages[e, first], messages[e, 1 - first])
        lower = 0.0
        for v in range(m):
            lower += potential[v].min()
        if lower == np.inf:
            return lower, upper, potential
        if number % 5 == 4:
            if _decode(costs, potential, indptr, indices, trial):
                value = total_cost(costs, trial)
                if value < upper:
                    upper = value
                    for v in range(m):
                        labels[v] = trial[v]
            left = upper - lower if upper < np.inf else lower - start
            if left <= tolerance or lower - before <= STALLED * left:
                break
            before = lower
    return lower, upper, potential


@inner_kernel
def _handshake(potential_u: Floats, potential_v: Floats, message_u: Floats, message_v: Floats) -> None:
    """Redistribute the costs at an edge and its two ends; a forbidden colour keeps its infinite cost."""
    k = potential_u.size
    a = np.full(k, np.inf)
    b = np.full(k, np.inf)
    for c in range(k):
        if potential_u[c] < np.inf:
            a[c] = potential_u[c] - message_u[c]
        if potential_v[c] < np.inf:
            b[c] = potential_v[c] - message_v[c]
    least_b = np.empty(k)
    _least_other(b, least_b)
    rest = np.full(k, np.inf)
    for c in range(k):
        if a[c] < np.inf and least_b[c] < np.inf:
            rest[c] = 0.5 * (a[c] - least_b[c])  # u was handed half of a + least_b
    _least_other(rest, message_v)
    for c in range(k):
        potential_v[c] = b[c] + message_v[c]
        rest[c] = -message_v[c] if potential_v[c] < np.inf else np.inf
    _least_other(rest, message_u)
    for c in range(k):
        potential_u[c] = a[c] + message_u[c]


@inner_kernel
def _least_other(values: Floats, out: Floats) -> None:
    """Write for each entry the least of the others."""
    least, second, at = np.inf, np.inf, -1
    for c in range(values.size):
        if values[c] < least:
            least, second, at = values[c], least, c
        elif values[c] < second:
            second = values[c]
    for c in range(values.size):
        out[c] = second if c == at else least


@inner_kernel
def _decode(costs: Floats, potential: Floats, indptr: Indices, indices: Indices, labels: Indices) -> bool:
    """Colour node after node by potentials, then improve that; return whether all got a colour that they may have."""
    m = costs.shape[0]
    margin, closed = np.empty(m), np.zeros(potential.shape, np.bool_)
    for v in range(m):
        margin[v] = -outlook(potential, closed, v)[3]
        labels[v] = -1
    for v in np.argsort(margin):
        labels[v] = cheapest_free(v, potential, indptr, indices, labels)
        if labels[v] < 0:
            return False
    for v in range(m):
        if costs[v, labels[v]] == np.inf:
            return False
    improve_colouring(costs, indptr, indices, labels)
    return True
