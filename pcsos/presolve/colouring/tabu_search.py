"""Colouring by tabu search (Hertz and de Werra, 1987): finds colourings that DSATUR misses, proves nothing."""

import numpy as np

from pcsos.base.numerics.kernels import integer, kernel
from pcsos.base.typing import Flags, Indices


@kernel
def tabu_colouring(
    indptr: Indices,
    indices: Indices,
    allowed: Flags,
    steps: int,
    rng: np.random.Generator,
    labels: Indices,
) -> bool:
    """Recolour one node in conflict after another until no conflict is left or the steps are used up.

    Each step makes the best move of a node in conflict to another colour; the node may not go back for a while (0.6
    times the number of nodes in conflict, plus up to 10 steps) unless that beats the fewest conflicts so far.

    Parameters
    ----------
    allowed : ndarray of bool, shape (m, k)
        Colours that each node may take.
    labels : ndarray of int, shape (m,)
        Start from these labels, all allowed; they receive the last ones.

    Returns
    -------
    bool
        Whether the labels are now a proper colouring.
    """
    m, k = allowed.shape
    # Number of neighbours with each colour; a forbidden colour counts as more conflicts than there can be.
    around = np.zeros((m, k), np.intp)
    for v in range(m):
        for c in range(k):
            if not allowed[v, c]:
                around[v, c] = 2 * indices.size + 1
        for w in indices[indptr[v] : indptr[v + 1]]:
            around[v, labels[w]] += 1
    until = np.zeros((m, k), np.intp)
    conflicts = integer(0)
    for v in range(m):
        conflicts += around[v, labels[v]]
    fewest = conflicts
    for step in range(1, steps + 1):
        if conflicts == 0:
            return True
        node, colour, disputed = _best_move(labels, around, until, step, conflicts, fewest, rng)
        if node < 0:
            continue
        old = labels[node]
        conflicts += 2 * (around[node, colour] - around[node, old])
        fewest = min(fewest, conflicts)
        labels[node] = colour
        until[node, old] = step + int(0.6 * disputed) + rng.integers(0, 10)
        for w in indices[indptr[node] : indptr[node + 1]]:
            around[w, old] -= 1
            around[w, colour] += 1
    return conflicts == 0


@kernel
def _best_move(
    labels: Indices,
    around: Indices,
    until: Indices,
    step: int,
    conflicts: int,
    fewest: int,
    rng: np.random.Generator,
) -> tuple[int, int, int]:
    """Return a node in conflict and the colour that helps most, ties at random, and the number of such nodes."""
    node, colour, disputed, ties = -1, -1, 0, 0
    best = labels.size
    for v in range(labels.size):
        own = around[v, labels[v]]
        if own == 0:
            continue
        disputed += 1
        for c in range(around.shape[1]):
            change = around[v, c] - own
            if c == labels[v] or change > best or (until[v, c] > step and conflicts + 2 * change >= fewest):
                continue
            ties = ties + 1 if change == best else 1
            if change < best or rng.integers(0, ties) == 0:
                node, colour, best = v, c, change
    return node, colour, disputed
