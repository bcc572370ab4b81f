"""Team: workers that bound pieces, each with its own points only, taken as they come."""

import math
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from pcsos.base import tolerances
from pcsos.base.control.stop import GRACE
from pcsos.base.control.workers import done_among
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Indices
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.search.blocks.block import Bounded, bound_block, bound_in_worker
from pcsos.search.blocks.piece import Piece
from pcsos.search.role import Context

#: Tasks that are handed out beyond those that are at work, for each worker.
AHEAD = 3


#: What is proved of a part that is not bounded.
NOTHING = Bounded(0.0, math.inf, None, (), 0, 0.0)


class Team:
    """The workers of a run, as bounders of pieces of one instance.

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
        self.workers, self.stop, self._notify = context.workers, context.stop, context.writer.notice
        options, params = context.options, context.options.params.blocks
        self._whole = replace(options, time_limit=None, node_limit=None)
        self._slack, self._keeps = params.own_slack, context.writer.journal.keeps
        self._block = replace(
            options,
            gap=max(params.own_gap * options.gap, tolerances.MIN_GAP),
            time_limit=None,
            node_limit=params.nodes,
            workers=1,
        )

    @property
    def seconds_left(self) -> float:
        """Seconds that all workers together have left."""
        return self.stop.seconds_left * self.workers.number

    def bound_all(self, pieces: list[Piece], on_bounded: Callable[[Piece, Bounded], None]) -> bool:
        """Bound pieces, in any order; tell whether the run need not end.

        Once it has to, pieces of which nothing is known still get a crude bound, as long as the grace allows.
        """
        if self.workers.parallel and len(pieces) > 1:
            return self._bound_beside(pieces, on_bounded)
        for piece in pieces:
            if self._is_left(piece):
                continue
            task = self._task(piece)
            slack = 0.0 if piece.is_whole else self._slack
            on_bounded(
                piece, NOTHING if task is None else bound_block(*task, self.stop, self.workers, slack, self._keeps)
            )
        return not self.stop.asked()

    def _is_left(self, piece: Piece) -> bool:
        """Tell whether there is no time for a piece."""
        return self.stop.asked() and (piece.lower_bound > 0.0 or self.stop.overdue(GRACE))

    def _bound_beside(self, pieces: list[Piece], on_bounded: Callable[[Piece, Bounded], None]) -> bool:
        waiting = list(reversed(pieces))
        at_work: dict[Future[Bounded], Piece] = {}
        while waiting or at_work:
            while waiting and len(at_work) < (1 + AHEAD) * self.workers.number:
                piece = waiting.pop()
                if self._is_left(piece):
                    continue
                task = self._task(piece)
                if task is None:
                    on_bounded(piece, NOTHING)
                    continue
                until = time.time() + (0.0 if self.stop.asked() else self.stop.seconds_left)
                at_work[self.workers.submit(bound_in_worker, *task, until, self._slack, self._keeps)] = piece
            if self.stop.asked():
                self.workers.stop()
            if self.stop.overdue(GRACE):
                self.workers.kill()
                break
            done = done_among(at_work, 0.05)
            for future in sorted(done, key=lambda future: at_work[future].number):
                lost = self.workers.loss(future)
                if lost is not None:
                    self.workers.do_without(self._notify, lost)
                    return self.bound_all([*at_work.values(), *reversed(waiting)], on_bounded)
                on_bounded(at_work.pop(future), future.result())
        return not self.stop.asked()

    def _task(self, piece: Piece) -> tuple[Instance, Indices, Options] | None:
        """Return what there is to do; None for a part that is too small or light for double precision by itself.

        What is written down as a part has neither limits nor soft pairs, also where it is the whole.
        """
        if piece.is_whole:
            whole = self.instance
            return whole if whole.is_plain else whole.without_conditions(), self.labels, self._whole
        try:
            return piece.part.instance_of(self.instance), self.labels[piece.part.points], self._block
        except InputError:
            return None
