"""Terms: what prices change by, few numbers for many super-points."""

from dataclasses import dataclass

import numpy as np

from pcsos.base.numerics.kernels import inner_kernel, integer, kernel
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.tree import PointTree

#: Cells of fewer super-points have no slopes, nor along axes on which they reach less far than this.
LEAST_SLOPED, LEAST_REACH = 8, 1e-9


@dataclass(frozen=True, eq=False)
class Terms:
    """What prices change by: a rate for each cell, and in large cells slopes beside it, all times weight."""

    ends: Indices  #: shape (g + 1,): where cells begin in the order of the tree, and where the last one ends
    #: shape (g, d): mean of each cell, and how far its super-points are from it along each axis
    mean: Floats
    unit: Floats
    #: shape (g, 1 + d): which term the rate of a cell is, and its slope along each axis; -1 if there is none
    number: Indices
    cell: Indices  #: shape (m,): the cell of each term
    #: shape (m,): what all super-points together have of each term, and how slow it is to move
    weights: Floats
    inertia: Floats
    until: Floats  #: shape (s + 1, 1 + d): weights, and weights times means, of all super-points before each

    @classmethod
    def of(cls, tree: PointTree, begins: Indices) -> "Terms":
        """Return the terms of cells that begin there."""
        products = np.column_stack([tree.weights, tree.weights[:, None] * tree.means])
        until = np.concatenate([np.zeros((1, products.shape[1])), np.cumsum(products, axis=0)])
        sums = np.add.reduceat(products, begins)
        weight, mean = sums[:, 0], sums[:, 1:] / sums[:, :1]
        ends = np.append(begins, tree.size)
        away = tree.means - np.repeat(mean, np.diff(ends), axis=0)
        unit = np.sqrt(np.add.reduceat(tree.weights[:, None] * away**2, begins) / weight[:, None])
        has_slope = (np.diff(ends) >= LEAST_SLOPED)[:, None] & (unit > LEAST_REACH * np.abs(tree.means).max())
        is_term = np.column_stack([np.ones(weight.size, np.bool_), has_slope])
        number = np.where(is_term, np.cumsum(is_term).reshape(is_term.shape) - 1, -1)
        cell = np.nonzero(is_term)[0]
        weights = np.zeros(cell.size)
        weights[number[:, 0]] = weight
        return cls(ends, mean, unit, number, cell, weights, weight[cell], until)

    def spread(self, tree: PointTree, values: Floats) -> tuple[Floats, Floats]:
        """Return what these values change rates of super-points by, in the order of the tree, and their slopes."""
        sizes, own = np.diff(self.ends), np.where(self.number >= 0, values[self.number], 0.0)
        slopes = own[:, 1:] / np.maximum(self.unit, np.finfo(float).tiny)
        level = own[:, 0] - (slopes * self.mean).sum(axis=1)
        own_slopes = np.repeat(slopes, sizes, axis=0)
        return np.repeat(level, sizes) + (own_slopes * tree.means).sum(axis=1), own_slopes


@kernel
def gathered(
    sizes: Indices, stretches: Indices, shares: Floats, until: Floats, begins: Indices, mean: Floats, unit: Floats,
    number: Indices,
) -> tuple[Indices, Indices, Floats]:  # fmt: skip
    """Return what each cluster has of each term; stretches increase, and a share of each is taken."""
    num, d, count = sizes.size - 1, mean.shape[1], 0
    cell_of = np.empty(until.shape[0], np.int32)  # of each super-point
    for g in range(begins.size - 1):
        cell_of[begins[g] : begins[g + 1]] = g
    for row in range(len(stretches)):
        count += cell_of[stretches[row, 1] - 1] - cell_of[stretches[row, 0]] + 1
    ends, term, value = np.zeros(num + 1, np.int64), np.empty(count * (1 + d), np.int64), np.empty(count * (1 + d))
    position, own = integer(0), np.zeros(1 + d)
    for j in range(num):
        before = integer(-1)
        for row in range(sizes[j], sizes[j + 1]):
            begin, end = stretches[row, 0], stretches[row, 1]
            for g in range(cell_of[begin], cell_of[end - 1] + 1):
                last, first = min(end, begins[g + 1]), max(begin, begins[g])
                if g != before:
                    if before >= 0:
                        position = _closed(own, before, unit, number, term, value, position)
                    own[:] = 0.0
                    before = g
                weight = until[last, 0] - until[first, 0]
                own[0] += shares[row] * weight
                if last - first == begins[g + 1] - begins[g]:
                    continue
                for c in range(d):
                    own[c + 1] += shares[row] * (until[last, c + 1] - until[first, c + 1] - weight * mean[g, c])
        if before >= 0:
            position = _closed(own, before, unit, number, term, value, position)
        ends[j + 1] = position
    return ends, term[:position].copy(), value[:position].copy()


@inner_kernel
def _closed(own: Floats, g: int, unit: Floats, number: Indices, term: Indices, value: Floats, position: int) -> int:
    """Write what a cluster has of the terms of a cell; return the end."""
    term[position], value[position] = number[g, 0], own[0]
    position += 1
    for c in range(own.size - 1):
        if number[g, c + 1] >= 0 and own[c + 1] != 0.0:
            term[position], value[position] = number[g, c + 1], own[c + 1] / unit[g, c]
            position += 1
    return position
