"""Cells: super-points that lie together, whose prices are raised together."""

import heapq
from itertools import count

import numpy as np

from pcsos.typing import Floats, Indices

#: Points whose sum of squares is this share of that of all are at one place, but for rounding.
SAME_PLACE = 1e-24


def cells(means: Floats, weights: Floats, number: int, rng: np.random.Generator) -> tuple[Indices, int]:
    """Return the cell of each super-point, and how many there are.

    The cell with the greatest sum of squares is halved at its mean, across the longest of some random directions.
    """
    s, d = means.shape
    if number >= s:
        return np.arange(s), s
    turned = means @ np.linalg.qr(rng.normal(size=(d, d)))[0]
    order = count()

    def cell_of(members: Indices) -> tuple[float, int, int, float, Indices]:
        own, mass = turned[members], weights[members]
        mean = mass @ own / mass.sum()
        squares = mass @ (own - mean) ** 2
        side = int(np.argmax(squares))
        return -float(squares.sum()), next(order), side, float(mean[side]), members

    heap = [cell_of(np.arange(s))]
    least = SAME_PLACE * heap[0][0]
    while len(heap) < number and heap[0][0] < least:
        _, _, side, middle, members = heapq.heappop(heap)
        is_low = turned[members, side] <= middle
        if is_low.all():  # but for rounding the same place
            is_low[0] = False
        for part in (members[is_low], members[~is_low]):
            heapq.heappush(heap, cell_of(part))
    cell = np.empty(s, np.intp)
    for position, (*_, members) in enumerate(heap):
        cell[members] = position
    return cell, len(heap)
