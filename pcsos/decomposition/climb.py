"""Climb: a ladder whose pieces are bounded by workers, written down, and shown."""

from collections.abc import Callable

from pcsos import tolerances
from pcsos.control.stop import Stop
from pcsos.decomposition.block import Bounded
from pcsos.decomposition.crew import Crew
from pcsos.decomposition.ladder import Ladder
from pcsos.decomposition.piece import Piece
from pcsos.decomposition.standing import Standing
from pcsos.events import BlockBounded, Event
from pcsos.instance import Instance
from pcsos.options import Options
from pcsos.partition import Partition
from pcsos.reduction import Reduced
from pcsos.tree.journal import Journal
from pcsos.tree.workers import Workers
from pcsos.typing import Indices


class Climb:
    """Bounds an instance by its blocks.

    Parameters
    ----------
    instance, reduced : Instance, Reduced
        What is bounded, and its super-points.
    partition : Partition
        The best partition known, of which blocks are likenesses.
    options : Options
        The gap asked for, and the parameters.
    workers : Workers
        Who bounds blocks.
    stop : Stop
        Whether the run has to end.
    journal : Journal
        Where parts and covers are stored, and where those of earlier parts of the run are.
    tell : callable
        Told an event a block.
    offer : callable
        Told labels of a better partition of the whole.
    """

    def __init__(
        self,
        instance: Instance,
        reduced: Reduced,
        partition: Partition,
        options: Options,
        workers: Workers,
        stop: Stop,
        journal: Journal,
        tell: Callable[[Event], None],
        offer: Callable[[Indices], None],
    ) -> None:
        self._instance, self._objective, self._stop = instance, partition.objective, stop
        self._journal, self._tell, self._offer = journal, tell, offer
        crew = Crew(instance, partition.labels, options, workers, stop, journal.keeps)
        known = list(journal.parts())
        self._written = {part.number for part in known}
        self._earlier = journal.cover_bound()
        labels, objective = partition.labels, partition.objective
        self._ladder = Ladder(
            instance, reduced, labels, objective, options, crew.bound_all, self._note, known,
            lambda: stop.seconds_left * workers.number,
        )  # fmt: skip

    @property
    def lower_bound(self) -> float:
        """No feasible partition costs less."""
        return max(self._ladder.lower_bound, self._earlier)

    @property
    def n_blocks(self) -> int:
        """Number of blocks whose bounds add up to that."""
        return sum(len(piece.proof) for piece in self._ladder.pieces)

    def run(self) -> None:
        """Climb until the gap is reached, nothing more can be merged, or the run has to end; write the cover."""
        self._ladder.climb()
        if self._ladder.lower_bound <= self._earlier:
            return  # an earlier part of the run got farther
        numbers = [number for piece in self._ladder.pieces for number in piece.proof]
        for number in numbers:
            self._write(number, None)
        self._journal.add_cover(numbers)

    def _note(self, standing: Standing, piece: Piece, found: Bounded) -> None:
        """Write down what is proved of a piece, and tell the outside."""
        if piece.number in piece.proof and found.records:
            self._write(piece.number, found)
        if piece.is_whole and found.labels is not None:
            self._offer(found.labels)
        self._tell(
            BlockBounded(
                found.size,
                tolerances.relative_gap(piece.objective, piece.lower_bound),
                standing.num_done,
                standing.num_pieces,
                standing.lower_bound,
                tolerances.relative_gap(self._objective, standing.lower_bound),
                standing.projected_gap(self._objective),
                self._stop.seconds,
            )
        )

    def _write(self, number: int, found: Bounded | None) -> None:
        if number not in self._written:
            self._written.add(number)
            part = self._ladder.parts[number]
            self._journal.add_part(number, part.points, part.weights_of(self._instance), found)
