"""The bounder by blocks: a ladder whose pieces are bounded by workers, written down, and shown (Mathematics 7)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pcsos.base import tolerances
from pcsos.base.events import BlockBounded
from pcsos.bounds.relaxation.peng_wei import shortage
from pcsos.evidence.node import NodeRecord
from pcsos.presolve.presolve import Presolved
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced
from pcsos.search.blocks.block import Bounded
from pcsos.search.blocks.ladder import CoverProgress, Ladder, first_number
from pcsos.search.blocks.piece import Piece, Pieces
from pcsos.search.role import Context, Proved
from pcsos.search.tree.task import Found


@dataclass(frozen=True)
class ByBlocks:
    """Bounds an instance of any size by its parts, each a likeness of the whole.

    Parameters
    ----------
    is_before_tree : bool
        Whether a tree comes afterwards: what is small or has too many clusters for blocks is left to it, and what is
        bounded as a whole. Otherwise even a run without time ends with a crude bound, if nothing is proved yet.
    """

    is_before_tree: bool = False

    def suits(self, problem: Presolved, proved: Proved, context: Context) -> bool:
        """Tell whether a tree would have too much to do, or there is none; what blocks leave out is left to it."""
        if not self.is_before_tree:
            return True
        is_large = problem.size > context.options.params.blocks.whole_up_to
        return is_large and not (problem.is_moved or proved.needs_conditions)

    def bound(self, problem: Presolved, proved: Proved, context: Context) -> Proved:
        """Bound ever larger blocks until the gap is reached, nothing more can be merged, or the run has to end."""
        context.primal.join()
        partition = context.primal.partition
        if partition is None or context.is_done(proved):
            return proved
        if (self.is_before_tree or proved.lower_bound > 0.0) and context.stop.asked():
            return proved
        if self.is_before_tree:
            if first_number(problem.reduced, context.options.params.blocks) == 1:
                return proved
            context = _with_halves_at_most(problem.reduced, context)
        bound, n_blocks = 0.0, 1
        with context.writer.guarded():
            whole_follows = self.is_before_tree and not shortage(problem.reduced.size)
            ladder_run = _LadderRun(problem, partition, context, proved, whole_follows=whole_follows)
            ladder_run.run()
            bound, n_blocks = ladder_run.lower_bound, ladder_run.n_blocks
        return proved.raised(bound, n_blocks)


def _with_halves_at_most(reduced: Reduced, context: Context) -> Context:
    """Return the surroundings in which blocks are no larger than half of the super-points, uneven by one a cluster."""
    params, half = context.options.params, reduced.size // 2 + reduced.n_clusters
    blocks = replace(params.blocks, largest_size=max(2, min(params.blocks.largest_size, half)))
    return replace(context, options=replace(context.options, params=replace(params, blocks=blocks)))


class _LadderRun:
    """A ladder, and what is written down and shown of it."""

    def __init__(
        self, problem: Presolved, partition: Partition, context: Context, proved: Proved, *, whole_follows: bool
    ) -> None:
        self._instance, self._objective, self._context = problem.instance, partition.objective, context
        self._journal = context.writer.journal
        known = list(self._journal.parts())
        self._written = {part.number: part.number for part in known}
        self._earlier = self._journal.stated_bound(counts_tree=False)
        self._best = max(self._earlier, proved.lower_bound)
        pieces, is_spare = Pieces(problem.instance, partition.labels, context), proved.lower_bound > 0.0
        self._ladder = Ladder(
            problem, partition, pieces, self._note, known, is_spare=is_spare, whole_follows=whole_follows
        )

    @property
    def lower_bound(self) -> float:
        """No feasible partition costs less."""
        return max(self._ladder.lower_bound, self._earlier)

    @property
    def n_blocks(self) -> int:
        """Number of blocks whose bounds add up to that."""
        return sum(len(piece.proof) for piece in self._ladder.pieces)

    def run(self) -> None:
        """Bound the blocks, and write the cover."""
        self._ladder.run()
        if self._ladder.lower_bound <= self._earlier:
            return  # an earlier part of the run got farther
        numbers = [number for piece in self._ladder.pieces for number in piece.proof]
        self._journal.add_cover([self._write(number) for number in numbers])

    def _note(self, progress: CoverProgress, piece: Piece, found: Bounded) -> None:
        """Write down what is proved of a piece, and hand on the event."""
        if piece.number in piece.proof and found.records:
            self._write(piece.number, found.records)
        if piece.is_whole and found.labels is not None:
            self._context.primal.offer(Found(found.labels, found.objective, "S"))
        self._best = max(self._best, progress.lower_bound)
        self._context.writer.notify(
            BlockBounded(
                found.size,
                tolerances.relative_gap(piece.objective, piece.lower_bound),
                progress.num_done,
                progress.num_pieces,
                self._best,
                tolerances.relative_gap(self._objective, self._best),
                progress.projected_gap(self._objective),
                self._context.stop.seconds,
            )
        )

    def _write(self, number: int, records: Sequence[NodeRecord] = ()) -> int:
        """Write a part, unless it is written; return its number in the journal."""
        if number not in self._written:
            part = self._ladder.parts[number]
            written = self._journal.add_part(part.points, part.weights_of(self._instance), records)
            self._written[number] = written
        return self._written[number]
