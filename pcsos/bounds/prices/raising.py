"""Raising: prices are raised for few nodes of the tree first, which lead close to what is good for all super-points."""

import contextlib
import math
from dataclasses import replace

import numpy as np
from numpy.linalg import LinAlgError

from pcsos.bounds.prices.ascent import NONE, OF_GAP, Ascent, OnPrices, Prices
from pcsos.bounds.prices.cells import cells
from pcsos.bounds.prices.tree import PointTree
from pcsos.control.stop import Interrupted, Stop
from pcsos.params import PriceParams
from pcsos.problem.reduction import Reduced
from pcsos.typing import Floats, Indices

#: So many nodes of the tree stand for super-points first, where a node holds so many of them on the average,
COARSE, SPARSE = (2_000, 16_000, 128_000), 4
#: with so many cells at most, until the bound lacks less than this share of what they cost within nodes.
COARSE_CELLS, ENOUGH = 256, 0.5


def raise_prices(
    reduced: Reduced, labels: Indices, cutoff: float, params: PriceParams, stop: Stop, seed: int, on_prices: OnPrices
) -> Prices:
    """Return prices that prove the cutoff, or the best that were met.

    Parameters
    ----------
    reduced : Reduced
        The super-points. Cannot-links play no part.
    labels : ndarray of int, shape (s,)
        A good partition of them.
    cutoff : float
        The bound that is asked for.
    params : PriceParams
        Numbers of cells.
    stop : Stop
        Whether to end with what is known.
    seed : int
        Seed of all choices.
    on_prices : callable
        Called with prices that prove more than those before.
    """
    length, weight = _power_of_two(np.abs(reduced.means).max()), _power_of_two(reduced.weights.max())
    unit = length * length * weight
    if not 0.0 < 1.0 / unit < math.inf or not math.isfinite(cutoff / unit):
        return NONE
    scaled = replace(
        reduced, means=reduced.means / length, weights=reduced.weights / weight, offset=reduced.offset / unit
    )
    rng, found = np.random.default_rng([seed, 9]), NONE
    try:
        tree = PointTree.of(scaled.means, scaled.weights, labels, stop)
    except Interrupted:
        return found
    labels = labels[tree.order]
    rates = rates_of_nodes(scaled, tree, labels, cutoff / unit, params, stop, rng)
    ascent = Ascent(scaled, tree, labels, cutoff / unit, params, stop, rng, rates)
    if ascent.objective <= ascent.hidden:
        return found
    with contextlib.suppress(LinAlgError):  # with numbers too far apart, what is known by then has to do
        while not ascent.is_done():
            ascent.round()
            if ascent.best.lower_bound * unit > found.lower_bound:
                best = ascent.best
                found = Prices(ascent.in_order(best.prices) * unit, best.lower_bound * unit, best.centres * length)
                on_prices(found)
    return found


def _power_of_two(value: float) -> float:
    """Return the power of two just above a value, by which numbers are divided exactly."""
    return math.ldexp(1.0, math.frexp(value)[1]) if value > 0.0 else 1.0


def rates_of_nodes(
    reduced: Reduced, tree: PointTree, labels: Indices, cutoff: float, params: PriceParams, stop: Stop,
    rng: np.random.Generator,
) -> Floats | None:  # fmt: skip
    """Return what super-points, in the order of the tree, pay for their weight beyond what they cost.

    It is raised for few nodes of the tree in place of them first, and for more of them the closer it gets.
    """
    rates = None
    for number in COARSE:
        if tree.size < SPARSE * number or stop.asked():
            break
        begins = cells(tree, number, rng)
        if np.unique(labels[begins]).size < reduced.n_clusters:  # there are too many for so few nodes
            continue
        sizes = np.diff(begins, append=tree.size)
        weights = np.add.reduceat(tree.weights, begins)
        means = np.add.reduceat(tree.weights[:, None] * tree.means, begins) / weights[:, None]
        within = float((tree.weights[:, None] * (tree.means - np.repeat(means, sizes, axis=0)) ** 2).sum())
        coarse = replace(
            reduced, means=means, weights=weights, offset=reduced.offset + within, component=np.arange(begins.size),
            cannot_link=np.empty((0, 2), np.intp),
        )  # fmt: skip
        own_tree = PointTree.of(means, weights, labels[begins])
        given = None if rates is None else rates[begins][own_tree.order]
        own_params = replace(params, last_cells=min(params.last_cells, COARSE_CELLS))
        ascent = Ascent(coarse, own_tree, labels[begins][own_tree.order], math.inf, own_params, stop, rng, given)
        ascent.cutoff = ascent.objective - max(ENOUGH * within, OF_GAP * (ascent.objective - cutoff))
        with contextlib.suppress(LinAlgError):
            while not ascent.is_done():
                ascent.round()
        rates = np.repeat(ascent.in_order(ascent.best_rates()), sizes)
    return rates
