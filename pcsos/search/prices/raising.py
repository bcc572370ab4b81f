"""Raising: prices are raised for few nodes of the tree first, which lead close to what is good for all super-points."""

import contextlib
import math
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.linalg import LinAlgError

from pcsos.base.control.stop import Stop
from pcsos.base.control.subprocess import Channel, ignore, try_job
from pcsos.base.typing import Indices
from pcsos.bounds.prices.ascent import NO_BEGINS, OF_GAP, Ascent, Prices
from pcsos.bounds.prices.axes import Axes, principal_axes
from pcsos.bounds.prices.cells import cells
from pcsos.bounds.prices.tree import PointTree
from pcsos.problem.params import PriceParams
from pcsos.problem.reduction import Reduced
from pcsos.search.prices.nodes import OnNodes, OnRound, PriceNode, PriceTree
from pcsos.verify.reading.payloads import MOST_AXES

#: So many nodes of the tree stand for super-points first, where a node holds so many of them on the average,
COARSE, SPARSE = (2_000, 16_000, 128_000), 4
#: with so many cells at most, until the bound lacks less than this share of what they cost within nodes.
COARSE_CELLS, ENOUGH = 256, 0.5
#: From so many super-points on nodes stand for them first.
FROM = SPARSE * COARSE[0]
#: Share of the time left that each number of nodes may take, where there is a limit: all super-points come last.
OF_TIME = 0.25


class Scale(NamedTuple):
    """Powers of two by which numbers are divided exactly, so that none is larger than 1."""

    length: float
    weight: float

    @classmethod
    def of(cls, reduced: Reduced) -> Self:
        """Return those of an instance."""
        return cls(_power_of_two(np.abs(reduced.means).max()), _power_of_two(reduced.weights.max()))

    @property
    def unit(self) -> float:
        """Of costs."""
        return self.length * self.length * self.weight

    def applied(self, reduced: Reduced) -> Reduced:
        """Return the instance in these units."""
        means, weights = reduced.means / self.length, reduced.weights / self.weight
        least, most = reduced.weight_range
        weight_range = least / self.weight, most / self.weight
        return replace(
            reduced, means=means, weights=weights, offset=reduced.offset / self.unit, weight_range=weight_range
        )


@dataclass(frozen=True, eq=False)
class Ground:
    """What prices are raised on: super-points in other units, along their axes, in the order of a tree."""

    scale: Scale  #: the units
    axes: Axes | None  #: the axes, None for the features
    misplaced: float  #: what means are off by along axes, as :class:`Ascent` takes it
    scaled: Reduced  #: the super-points
    tree: PointTree  #: their tree
    labels: Indices  #: shape (s,): a good partition of them, in the order of the tree
    cutoff: float  #: the bound that is asked for, in these units

    @classmethod
    def of(cls, channel: Channel, reduced: Reduced, labels: Indices, cutoff: float, params: PriceParams) -> Self | None:
        """Return it, None where numbers are too far apart or axes too many; parameters are as below.

        Raises
        ------
        Interrupted
            If the run has to end before.
        """
        scale = Scale.of(reduced)
        if not 0.0 < 1.0 / scale.unit < math.inf or not math.isfinite(cutoff / scale.unit):
            return None
        scaled, misplaced = scale.applied(reduced), 0.0
        axes = principal_axes(scaled, max(_cost(scaled, labels) - cutoff / scale.unit, 0.0))
        if axes is not None:
            scaled, misplaced = axes.turned(scaled), axes.error(scaled)
        if int(np.count_nonzero(np.ptp(scaled.means, axis=0))) > min(params.features_up_to, MOST_AXES):
            return None
        tree = PointTree.of(scaled.means, scaled.weights, labels, channel.stop)
        return cls(scale, axes, misplaced, scaled, tree, labels[tree.order], cutoff / scale.unit)


def begun(
    reduced: Reduced, labels: Indices, cutoff: float, params: PriceParams, stop: Stop, seed: int,
    on_round: OnRound = ignore,
) -> tuple[Ground, Ascent] | None:  # fmt: skip
    """Return where prices begin, None where they are not worth trying; parameters are as below."""
    rng = np.random.default_rng([seed, 9])
    ground = try_job(Ground.of, reduced, labels, cutoff, params, stop=stop, is_long=False)
    if ground is None:
        return None
    known = raised_for_nodes(ground, params, stop, rng, on_round)
    if known is None:
        return None
    tree = ground.tree
    root = Ascent(ground.scaled, tree, ground.labels, ground.cutoff, params, stop, rng, ground.misplaced, *known)
    is_worth_it = root.objective > root.hidden and (known[0] is not None or root.is_promising(tree.size))
    return (ground, root) if is_worth_it else None


def raise_prices(
    reduced: Reduced, labels: Indices, cutoff: float, params: PriceParams, stop: Stop, seed: int, on_nodes: OnNodes,
    node_limit: float = math.inf, alone_below: float = 0.0, start: tuple[Ground, Ascent] | None = None,
    on_round: OnRound = ignore,
) -> None:  # fmt: skip
    """Raise prices, and branch where that is not enough, until they prove the cutoff or the run has to end.

    Parameters
    ----------
    reduced : Reduced
        The super-points.
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
    on_nodes : callable
        Called with nodes that are new, or known better than before; their super-points are those of ``reduced``.
    node_limit : float
        Nodes after which no other is branched on.
    alone_below : float
        With less than this share of the cost missing, there is no other way to wait for.
    start : tuple of Ground and Ascent, optional
        Where they begin, if it is known.
    on_round : callable
        Called when a round begins.
    """
    start = start or begun(reduced, labels, cutoff, params, stop, seed, on_round)
    if start is None:
        return
    ground, root = start
    root.stop, tree = stop, ground.tree
    place = np.argsort(tree.order)

    def tell(nodes: list[PriceNode]) -> None:
        on_nodes([_given(node, tree, ground.scale, ground.axes) for node in nodes])

    with contextlib.suppress(LinAlgError):  # with numbers too far apart, what is known by then has to do
        PriceTree(root, place[reduced.cannot_link], tell, node_limit, alone_below, on_round).run()


def _given(node: PriceNode, tree: PointTree, scale: Scale, axes: Axes | None) -> PriceNode:
    """Return a node in the order, the units and along the features in which super-points were given."""
    best, order = node.best, tree.order
    centres = best.centres if axes is None else axes.turned_back(best.centres)
    prices = tree.given(best.prices * scale.unit)
    return replace(
        node,
        pair=None if node.pair is None else (int(order[node.pair[0]]), int(order[node.pair[1]])),
        must_link=order[node.must_link],
        knots=[order[knot].tolist() for knot in node.knots],
        best=Prices(prices, best.lower_bound * scale.unit, centres * scale.length, axes.units if axes else None),
    )


def _cost(reduced: Reduced, labels: Indices) -> float:
    """Return what a partition costs, nearly."""
    weights = np.maximum(np.bincount(labels, reduced.weights), np.finfo(float).tiny)
    sums = [np.bincount(labels, reduced.weights * column) for column in reduced.means.T]
    return float(reduced.total - sum((own * own / weights).sum() for own in sums))


def _power_of_two(value: float) -> float:
    """Return the power of two just above a value, by which numbers are divided exactly."""
    return math.ldexp(1.0, math.frexp(value)[1]) if value > 0.0 else 1.0


def raised_for_nodes(
    ground: Ground, params: PriceParams, stop: Stop, rng: np.random.Generator, on_round: OnRound = ignore
) -> tuple[Ascent | None, Indices] | None:
    """Return what is known of nodes of the tree in place of super-points, and where these begin, if there are so many.

    Prices are raised for few nodes first, and for more of them the closer it gets; None where it takes too many boxes.
    """
    reduced, tree, labels = ground.scaled, ground.tree, ground.labels
    levels: list[tuple[PointTree, Indices, Indices]] = []
    for number in reversed(COARSE):
        if ground.tree.size >= SPARSE * number:
            begins = cells(tree, number, rng)
            if np.unique(labels[begins]).size < reduced.n_clusters:  # there are too many for so few nodes
                break
            tree, labels = tree.joined(begins), labels[begins]
            levels.append((tree, labels, begins))
    known, begins = None, NO_BEGINS
    own_params = replace(params, last_cells=min(params.last_cells, COARSE_CELLS))
    for tree, labels, own_begins in reversed(levels):
        within = float(ground.tree.cost[0] - tree.cost[0])
        coarse = replace(
            reduced, means=tree.means, weights=tree.weights, offset=reduced.offset + within,
            component=np.arange(tree.size), cannot_link=np.empty((0, 2), np.intp),
            weight_range=(0.0, reduced.weight_range[1] + 0.5 * float(tree.weights.mean())),
        )  # fmt: skip
        soon = stop.within(OF_TIME * stop.seconds_left)
        known = Ascent(coarse, tree, labels, math.inf, own_params, soon, rng, 0.0, known, begins)
        if not known.is_promising(ground.tree.size):
            return None
        known.cutoff = known.objective - max(ENOUGH * within, OF_GAP * (known.objective - ground.cutoff))
        begins = own_begins
        with contextlib.suppress(LinAlgError):
            while not known.is_done():
                on_round(tree.size)
                known.round()
    return known, begins
