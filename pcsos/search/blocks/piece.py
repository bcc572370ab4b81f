"""Piece: a part of the instance on the ladder, with the best bound known of it and the parts that prove it.

Pieces are bounded here or by the workers of the run, which get just the points of their piece.
"""

import math
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from pcsos.base import tolerances
from pcsos.base.control.stop import GRACE
from pcsos.base.control.subprocess import Here
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.engines import below_root
from pcsos.problem.cost import clusters_of, partition_cost
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.search.blocks.block import Bounded, bound_block
from pcsos.search.role import Context


@dataclass(frozen=True, eq=False)
class Part:
    """A part of an instance."""

    points: Indices  #: shape (m,): points of the instance, increasing
    shares: Floats  #: shape (m,): the share of its weight that each brings, in (0, 1]

    @classmethod
    def union(cls, parts: list["Part"]) -> "Part":
        """Return the part that brings what several parts bring."""
        points, position = np.unique(np.concatenate([part.points for part in parts]), return_inverse=True)
        shares = np.zeros(points.size)
        np.add.at(shares, position, np.concatenate([part.shares for part in parts]))
        return cls(points, shares)

    @cached_property
    def size(self) -> int:
        """Number of points."""
        return self.points.size

    def weights_of(self, whole: Instance) -> Floats:
        """Return the weights of the points in this part, rounded down: shared out, they are no more than the whole."""
        given = whole.weights[self.points]
        weights = given * self.shares
        is_exact = np.frexp(self.shares)[0] == 0.5
        return np.where(is_exact, weights, np.nextafter(weights, 0.0))

    def instance_of(self, whole: Instance) -> Instance:
        """Return the part as an instance; pairs with points outside are dropped, and what clusters must hold and pay.

        Whatever is dropped only makes the part cheaper, so that its bound counts for the whole.
        """
        must_link, cannot_link = (self._inside(pairs) for pairs in (whole.must_link, whole.cannot_link))
        return whole.with_(
            points=whole.points[self.points], n_clusters=min(whole.n_clusters, self.size), must_link=must_link,
            cannot_link=cannot_link, weights=self.weights_of(whole), names=None, conditions=(),
        )  # fmt: skip

    def _inside(self, pairs: Indices) -> Indices:
        """Return the pairs of which both points are in this part, by their positions."""
        inside = np.isin(pairs, self.points).all(axis=1)
        return np.searchsorted(self.points, pairs[inside])

    def cost_of(self, whole: Instance, labels: Indices) -> float:
        """Return what a partition of the whole, labels of shape (n,), costs within this part."""
        return partition_cost(whole.points[self.points], self.weights_of(whole), clusters_of(labels[self.points]))


#: Pieces that are handed out beyond those that are at work, for each worker.
AHEAD = 3
#: What is proved of a part that is not bounded.
NOTHING = Bounded(0.0, math.inf, None, (), 0, 0.0)


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of the instance that is bounded at once."""

    number: int  #: number of the part in this run, from 1
    part: Part  #: points and shares
    objective: float  #: what the partition to be certified costs within the part
    lower_bound: float  #: the best bound known, 0 at first
    proof: tuple[int, ...]  #: numbers of the parts, together just this one, whose bounds add up to it
    is_bounded: bool = False  #: whether the part itself has been bounded

    @classmethod
    def of(cls, number: int, part: Part, instance: Instance, labels: Indices) -> "Piece":
        """Return a piece of which nothing is known."""
        return cls(number, part, part.cost_of(instance, labels), 0.0, (number,))

    @classmethod
    def merged(cls, number: int, pieces: list["Piece"], instance: Instance, labels: Indices) -> "Piece":
        """Return the union of several pieces, of which the sum of their bounds is known."""
        union = cls.of(number, Part.union([piece.part for piece in pieces]), instance, labels)
        known = sum_of_bounds(pieces)
        proof = tuple(own for piece in pieces for own in piece.proof)
        return replace(union, lower_bound=known, proof=proof) if known > 0.0 else union

    @property
    def loss(self) -> float:
        """What the bound lacks."""
        return max(self.objective - self.lower_bound, 0.0)

    def bounded(self, found: Bounded) -> "Piece":
        """Return the piece with what has been proved of it, if that is better."""
        if found.lower_bound <= self.lower_bound:
            return replace(self, is_bounded=True)
        return replace(self, lower_bound=found.lower_bound, proof=(self.number,), is_bounded=True)


def sum_of_bounds(pieces: list[Piece]) -> float:
    """Return the sum of the bounds, rounded down."""
    total = math.fsum(piece.lower_bound for piece in pieces)
    return math.nextafter(total, 0.0) if total > 0.0 else 0.0


class Pieces:
    """Bounds pieces of one instance.

    Parameters
    ----------
    instance : Instance
        What they are pieces of.
    labels : ndarray of int, shape (n,)
        The partition that is certified.
    context : Context
        The gap asked for, who does it, and whether records have to prove the bounds.
    """

    def __init__(self, instance: Instance, labels: Indices, context: Context) -> None:
        self.instance, self.labels, self.options = instance, labels, context.options
        self.pool, self.stop, self._writer = context.pool, context.stop, context.writer
        options, params = context.options, context.options.params.blocks
        self._slack, self._keeps = params.own_slack, context.writer.journal.keeps
        self._block = replace(
            options,
            engine=below_root(options.engine),
            gap=max(params.own_gap * options.gap, tolerances.MIN_GAP),
            time_limit=None,
            node_limit=params.nodes,
            workers=1,
        )

    @property
    def seconds_left(self) -> float:
        """Seconds that all workers together have left."""
        return self.stop.seconds_left * self.pool.number

    def bound_all(self, pieces: list[Piece]) -> Iterator[tuple[Piece, Bounded]]:
        """Yield what is proved of pieces, in any order.

        Once it has to, pieces of which nothing is known still get a crude bound, as long as the grace allows.
        """
        waiting = deque(pieces)
        if self.pool.parallel and len(pieces) > 1:
            on_loss = partial(self.pool.do_without, self._writer.notice)
            yield from self.pool.each(waiting, self._begin, self.stop, on_loss, ahead=AHEAD)
        for piece in waiting:
            if not self._is_left(piece):
                yield piece, self._bounded_here(piece)

    def _is_left(self, piece: Piece) -> bool:
        """Tell whether there is no time for a piece."""
        return self.stop.asked() and (piece.lower_bound > 0.0 or self.stop.overdue(GRACE))

    def _bounded_here(self, piece: Piece) -> Bounded:
        task = self._task(piece)
        if task is None:
            return NOTHING
        return bound_block(Here(self.stop), *task, self._slack, self._keeps, self.pool)

    def _begin(self, piece: Piece) -> Future[Bounded] | None:
        """Hand a piece to a worker, unless there is no time for it."""
        if self._is_left(piece):
            return None
        task = self._task(piece)
        if task is None:
            future: Future[Bounded] = Future()
            future.set_result(NOTHING)
            return future
        until = time.time() + (0.0 if self.stop.asked() else self.stop.seconds_left)
        return self.pool.begin(bound_block, *task, self._slack, self._keeps, until=until)

    def _task(self, piece: Piece) -> tuple[Instance, Indices, Options] | None:
        """Return what there is to do; None for a part that is too small or light for double precision by itself."""
        try:
            return piece.part.instance_of(self.instance), self.labels[piece.part.points], self._block
        except InputError:
            return None
