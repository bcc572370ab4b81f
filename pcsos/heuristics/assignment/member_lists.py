"""The nodes of each cluster as linked lists, which a node leaves or enters at once."""

import numpy as np

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Indices


@kernel
def members_of(labels: Indices, k: int) -> tuple[Indices, Indices, Indices]:
    """Return the nodes of each cluster as doubly linked lists: the first ones (k,), those after and before (s,)."""
    first, after, before = np.full(k, -1, np.intp), np.empty(labels.size, np.intp), np.empty(labels.size, np.intp)
    for i in range(labels.size):
        enter(first, after, before, i, labels[i])
    return first, after, before


@kernel
def enter(first: Indices, after: Indices, before: Indices, i: int, h: int) -> None:
    """Put a node in front of the list of cluster h."""
    after[i], before[i] = first[h], -1
    if first[h] >= 0:
        before[first[h]] = i
    first[h] = i


@kernel
def leave(first: Indices, after: Indices, before: Indices, i: int, h: int) -> None:
    """Take a node out of the list of cluster h."""
    if before[i] >= 0:
        after[before[i]] = after[i]
    else:
        first[h] = after[i]
    if after[i] >= 0:
        before[after[i]] = before[i]
