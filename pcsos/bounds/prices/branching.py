"""Branching on prices: where no prices prove enough, two super-points are together in one child and apart in the other.

Ryan and Foster (1981); du Merle, Hansen, Jaumard and Mladenovic (2000); Aloise, Hansen and Liberti (2012).
"""

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pcsos.bounds.prices.ascent import NO_PAIRS, Ascent
from pcsos.typing import Floats, Indices

#: Pairs that are as much together as apart, to within this, are branched on.
LEAST_SPLIT = 0.02


@dataclass(frozen=True, eq=False)
class PriceNode:
    """A node, as far as it is known.

    Parameters
    ----------
    number, parent : int, int or None
        Of the node and the one above; the root is 0.
    kind : str or None
        Whether the pair above is together (``ML``) or apart (``CL``) here.
    pair : (int, int) or None
        The super-points that it is branched on, in the order of the tree; None for a leaf.
    prices : ndarray, shape (s,)
        In the order of the tree.
    lower_bound : float
        What they prove.
    """

    number: int
    parent: int | None
    kind: str | None
    pair: tuple[int, int] | None
    prices: Floats
    lower_bound: float


OnNodes = Callable[[list[PriceNode]], object]


@dataclass(frozen=True, eq=False)
class _Open:
    number: int
    parent: int | None
    kind: str | None
    must_link: Indices
    cannot_link: Indices
    known: Ascent


class PriceTree:
    """Best-first search over nodes whose bounds are by prices."""

    def __init__(self, root: Ascent, on_nodes: OnNodes) -> None:
        self.stop, self.cutoff, self.on_nodes = root.stop, root.cutoff, on_nodes
        self._waiting = [(root.best.lower_bound, 0, _Open(0, None, None, NO_PAIRS, NO_PAIRS, root))]
        self._num_named, self.closed_bound, self.num_done = 1, math.inf, 0

    @property
    def lower_bound(self) -> float:
        return min(self.closed_bound, self._waiting[0][0] if self._waiting else math.inf)

    def run(self) -> None:
        while self._waiting and not self.stop.asked() and self.lower_bound < self.cutoff:
            _, _, node = heapq.heappop(self._waiting)
            self._process(node)

    def _process(self, node: _Open) -> None:
        self.num_done += 1
        known = node.known if node.parent is None else node.known.under(node.must_link, node.cannot_link)
        while not known.is_done():
            known.round()
        best, pair = known.best, None
        if best.lower_bound < self.cutoff and not self.stop.asked():
            pair = branching_pair(known)
        told = [PriceNode(node.number, node.parent, node.kind, pair, best.prices, best.lower_bound)]
        if pair is None:
            self.closed_bound = min(self.closed_bound, best.lower_bound)
        else:
            for kind in ("ML", "CL"):
                links = {"ML": node.must_link, "CL": node.cannot_link}
                links[kind] = np.concatenate([[pair], links[kind]]).astype(np.intp)
                child = _Open(self._num_named, node.number, kind, links["ML"], links["CL"], known)
                heapq.heappush(self._waiting, (best.lower_bound, child.number, child))
                told.append(PriceNode(child.number, node.number, kind, None, best.prices, best.lower_bound))
                self._num_named += 1
        self.on_nodes(told)


def branching_pair(known: Ascent) -> tuple[int, int] | None:
    """Return a pair of super-points that the fractional partition puts together by half, if there is one."""
    members = np.zeros((len(known.fractional), known.tree.size), np.bool_)
    shares = np.array([share for _, share in known.fractional])
    for row, (stretches, _) in zip(members, known.fractional, strict=True):
        for first, last in stretches.tolist():
            row[first:last] = True
    _, first, which = np.unique(np.packbits(members, axis=0), axis=1, return_index=True, return_inverse=True)
    kinds, weights = members[:, first].astype(float), np.bincount(which.ravel(), known.weights)
    together = (kinds * shares[:, None]).T @ kinds
    split = np.minimum(together, 1.0 - together)
    np.fill_diagonal(split, 0.0)
    if split.max(initial=0.0) < LEAST_SPLIT:
        return None
    score = split * np.minimum.outer(weights, weights) ** 0.25
    i, j = np.unravel_index(int(np.argmax(score)), score.shape)
    return int(first[min(i, j)]), int(first[max(i, j)])
