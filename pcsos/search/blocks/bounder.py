"""The bounder by blocks: a ladder whose pieces are bounded by workers, written down, and shown (Mathematics 7)."""

from collections.abc import Iterator
from dataclasses import dataclass

from pcsos.base import tolerances
from pcsos.base.events import BlockBounded
from pcsos.bounds.relaxation.engines import of_root
from pcsos.evidence.node import CoverProof, NodeRecord, PartProof
from pcsos.presolve.presolve import Presolved
from pcsos.problem.partition import Partition
from pcsos.search.blocks.ladder import Ladder, first_number
from pcsos.search.blocks.piece import Pieces
from pcsos.search.role import Bounder, Context
from pcsos.search.task import Outcome, Task


@dataclass(frozen=True)
class ByBlocks(Bounder):
    """Bounds an instance of any size by its parts, each a likeness of the whole.

    What is on a line, has too many clusters for blocks, or is bounded on a device, is left to others.
    """

    ends_crudely: bool = False  #: whether even a run without time ends with a crude bound, if nothing is proved yet

    def is_worth_asking(self, task: Task, problem: Presolved, context: Context) -> bool:
        """Tell whether a tree would have too much to do, and blocks leave out nothing that counts."""
        is_large = problem.size > context.options.params.blocks.whole_up_to
        if not task.is_root or not is_large or problem.instance.is_line:
            return False
        is_left = problem.is_moved or task.needs_conditions or of_root(context.options.engine, problem.reduced) == "gpu"
        return not is_left

    def bound(self, task: Task, problem: Presolved, context: Context) -> Iterator[Outcome]:
        """Bound ever larger blocks until the gap is reached, nothing more can be merged, or the run has to end."""
        context.primal.join()
        partition = context.primal.partition
        if partition is None or task.lower_bound >= context.cutoff:
            return
        is_late, is_crude = context.stop.asked(), self.ends_crudely and task.lower_bound <= 0.0
        if is_late and not is_crude:
            return
        if is_late or first_number(problem.reduced, context.options.params.blocks) > 1:
            yield from _outcomes(task, problem, partition, context)


def _outcomes(task: Task, problem: Presolved, partition: Partition, context: Context) -> Iterator[Outcome]:
    """Yield each part with what is proved of it, and in the end how parts cover the instance."""
    known = list(context.writer.journal.parts())
    ladder = Ladder(
        problem, partition, Pieces(problem.instance, partition.labels, context), known, is_spare=task.lower_bound > 0.0
    )
    written, best = {part.number for part in known}, task.lower_bound

    def part(number: int, records: tuple[NodeRecord, ...] = ()) -> Iterator[Outcome]:
        if number not in written:
            written.add(number)
            own = ladder.parts[number]
            yield Outcome(0.0, PartProof(number, own.points, own.weights_of(problem.instance), records))

    for progress, piece, found in ladder.run():
        if piece.number in piece.proof and found.records:
            yield from part(piece.number, found.records)
        best = max(best, progress.lower_bound)
        context.writer.notify(
            BlockBounded(
                found.size,
                tolerances.relative_gap(piece.objective, piece.lower_bound),
                progress.num_done,
                progress.num_pieces,
                best,
                tolerances.relative_gap(partition.objective, best),
                progress.projected_gap(partition.objective),
                context.stop.seconds,
            )
        )
    if ladder.lower_bound <= task.lower_bound:
        return  # an earlier part of the run got farther
    numbers = tuple(number for piece in ladder.pieces for number in piece.proof)
    for number in numbers:
        yield from part(number)
    yield Outcome(ladder.lower_bound, CoverProof(numbers), num_parts=len(numbers))
