"""The bounder by blocks: a ladder whose pieces are bounded by workers, written down, and shown (Mathematics 7)."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pcsos.base import tolerances
from pcsos.base.events import BlockBounded
from pcsos.bounds.relaxation.engines import of_root
from pcsos.bounds.relaxation.gpu import device
from pcsos.bounds.relaxation.peng_wei import shortage
from pcsos.evidence.node import CoverProof, NodeRecord, PartProof
from pcsos.presolve.presolve import Presolved
from pcsos.problem.partition import Partition
from pcsos.search.blocks.ladder import Ladder, first_number
from pcsos.search.blocks.piece import Pieces
from pcsos.search.role import Bounder, Context
from pcsos.search.task import Found, Outcome, Task


@dataclass(frozen=True)
class ByBlocks(Bounder):
    """Bounds an instance of any size by its parts, each a likeness of the whole.

    Parameters
    ----------
    is_before_tree : bool
        Whether a tree comes afterwards: what is small or has too many clusters for blocks is left to it, and what is
        bounded as a whole. Otherwise even a run without time ends with a crude bound, if nothing is proved yet.
    """

    is_before_tree: bool = False

    def suits(self, task: Task, problem: Presolved, context: Context) -> bool:
        """Tell whether a tree would have too much to do, or there is none; what blocks leave out is left to it."""
        if not task.is_root or not self.is_before_tree:
            return task.is_root
        is_large = problem.size > context.options.params.blocks.whole_up_to
        is_left = problem.is_moved or task.needs_conditions or of_root(context.options.engine, problem.reduced) == "gpu"
        return is_large and not is_left

    def bound(self, task: Task, problem: Presolved, context: Context) -> Iterator[Outcome]:
        """Bound ever larger blocks until the gap is reached, nothing more can be merged, or the run has to end."""
        context.primal.join()
        partition = context.primal.partition
        if partition is None or task.lower_bound >= context.cutoff:
            return
        if (self.is_before_tree or task.lower_bound > 0.0) and context.stop.asked():
            return
        if self.is_before_tree:
            if first_number(problem.reduced, context.options.params.blocks) == 1:
                return
            context = _with_sizes(context, largest_size=problem.size // 2 + problem.reduced.n_clusters)
        elif of_root(context.options.engine, problem.reduced) == "gpu":
            context.writer.notice(device.announcement(problem.size))
            context = _with_sizes(context, least_size=problem.size)
        whole_follows = self.is_before_tree and not shortage(problem.reduced.size)
        yield from _outcomes(task, problem, partition, context, whole_follows)


def _with_sizes(context: Context, least_size: int = 0, largest_size: int = sys.maxsize) -> Context:
    """Return the surroundings in which blocks are between these sizes, too."""
    params = context.options.params
    least, largest = max(params.blocks.least_size, least_size), max(2, min(params.blocks.largest_size, largest_size))
    blocks = replace(params.blocks, least_size=least, largest_size=largest)
    return replace(context, options=replace(context.options, params=replace(params, blocks=blocks)))


def _outcomes(
    task: Task, problem: Presolved, partition: Partition, context: Context, whole_follows: bool
) -> Iterator[Outcome]:
    """Yield each part with what is proved of it, and in the end how parts cover the instance."""
    known = list(context.writer.journal.parts())
    ladder = Ladder(
        problem, partition, Pieces(problem.instance, partition.labels, context), known,
        is_spare=task.lower_bound > 0.0, whole_follows=whole_follows,
    )  # fmt: skip
    written, best = {part.number for part in known}, task.lower_bound

    def part(number: int, records: tuple[NodeRecord, ...] = ()) -> Iterator[Outcome]:
        if number not in written:
            written.add(number)
            own = ladder.parts[number]
            yield Outcome(0.0, PartProof(number, own.points, own.weights_of(problem.instance), records))

    for progress, piece, found in ladder.run():
        if piece.number in piece.proof and found.records:
            yield from part(piece.number, found.records)
        if piece.is_whole and found.labels is not None:
            context.primal.offer(Found(found.labels, found.objective, "S"))
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
