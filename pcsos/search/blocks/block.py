"""Block: a part of an instance bounded like any other instance, in the calling process or a worker."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pcsos.base.control.pool import Pool
from pcsos.base.control.subprocess import Channel, Here
from pcsos.base.exceptions import InfeasibleError
from pcsos.base.typing import Indices
from pcsos.evidence.node import NodeRecord
from pcsos.heuristics.centres import summarise
from pcsos.presolve.presolve import Presolved, presolve_root
from pcsos.problem.instance import Instance
from pcsos.problem.options import Budget, Options
from pcsos.problem.reduction import Reduced
from pcsos.search.branch_and_cut import Search
from pcsos.search.first_incumbents import memetic_partition, nearby_partition
from pcsos.search.journal import NullJournal, Writer
from pcsos.search.line import ByIntervals
from pcsos.search.relaxation.bounder import ByRelaxation
from pcsos.search.role import Context
from pcsos.search.task import Found

#: A block is branched on where its root leaves no more than so many times the gap: a few nodes close no other one.
NEAR = 10.0


@dataclass(frozen=True, eq=False)
class Bounded:
    """What is proved of a block."""

    lower_bound: float  #: no partition of the block into at most k clusters costs less
    objective: float  #: what the best partition costs that was met
    labels: Indices | None  #: shape (m,): that partition, if it is better than the one that the block was given
    records: tuple[NodeRecord, ...]  #: the proof; empty where nothing is claimed
    size: int  #: number of super-points
    seconds: float  #: time that it took


class _Notebook(NullJournal):
    """A journal in memory; unless it keeps, what is known of a node that is left need not be written to count."""

    def __init__(self, keeps: bool) -> None:
        self.keeps = keeps
        self.nodes: list[NodeRecord] = []

    def add_node(self, record: NodeRecord) -> None:
        """Note a processed node."""
        self.nodes.append(record)

    def add_beside_tree(self, records: Sequence[NodeRecord]) -> None:
        """Note a finished tree."""
        self.nodes += records


def bound_block(
    channel: Channel,
    instance: Instance,
    labels: Indices,
    options: Options,
    slack: float = 0.0,
    keeps: bool = True,
    pool: Pool | None = None,
) -> Bounded:
    """Bound what partitions of an instance into at most k clusters cost.

    Parameters
    ----------
    channel : Channel
        Whether the run has to end; nothing is sent.
    instance : Instance
        The block.
    labels : ndarray of int, shape (n,)
        A partition of it into at most k clusters that satisfies its constraints.
    options : Options
        Gap and limits.
    slack : float
        Where a better partition than the one given is met, the gap may be this share of how much better that is: so
        much the bound lacks in any case.
    keeps : bool
        Whether the records have to prove the bound.
    pool : Pool, optional
        Who processes the nodes below the root; this process by default.

    Notes
    -----
    Splitting a cluster costs nothing and breaks no cannot-link, so wherever there are k super-points or more, at most k
    clusters and exactly k cost the same at best; where there are fewer, 0 is claimed.
    """
    stop, begun = channel.stop, channel.stop.seconds
    try:
        presolved = presolve_root(instance, Budget.of(stop, options), is_feasible=True)
    except InfeasibleError:  # fewer super-points than clusters: the labels show that there is a partition
        return Bounded(0.0, 0.0, None, (), 0, stop.seconds - begun)
    if presolved is None:
        return Bounded(0.0, math.inf, None, (), 0, stop.seconds - begun)
    notebook = _Notebook(keeps)
    context = Context.of(instance, options, stop, pool, Writer(notebook))
    primal, problem = context.primal, presolved.problem
    given = _split(problem, problem.project(labels))
    primal.offer(Found(problem.lift(given), math.inf, "G"))
    known = primal.objective
    if problem.n_clusters not in (1, problem.size) and not instance.is_line:
        if problem.size * problem.n_clusters <= options.params.blocks.memetic_up_to:
            primal.offer(memetic_partition(Here(stop), problem, options))
        else:
            primal.offer(nearby_partition(Here(stop), problem, given, options))
    loss = (known - primal.objective) / known if known > 0.0 else 0.0
    context = context.with_gap(max(options.gap, slack * loss))
    bound = _proved(presolved, context, options.gap)
    return Bounded(
        max(min(bound, primal.objective), 0.0),
        primal.objective,
        primal.partition.labels if primal.partition is not None and primal.objective < known else None,
        tuple(notebook.nodes),
        problem.size,
        stop.seconds - begun,
    )


def _proved(problem: Presolved, context: Context, gap: float) -> float:
    """Return what is proved of a block: on a line at once, otherwise by a small tree."""
    bounder = ByIntervals() if problem.instance.is_line else ByRelaxation(fits=True)
    search = Search(problem, (bounder,), context)
    if not search.is_done:
        search.step()  # there is always time for a bound without any multipliers to speak of
    if search.gap <= NEAR * gap:
        search.run()
    return search.lower_bound


def _split(problem: Reduced, labels: Indices) -> Indices:
    """Return labels that use every cluster: whatever is farthest from its centre becomes a cluster of its own."""
    labels = np.unique(labels, return_inverse=True)[1].astype(np.intp)
    points, k = problem.coordinates, problem.n_clusters
    while (used := int(labels.max()) + 1) < k:
        means, _ = summarise(points, problem.weights, labels, used)
        away = np.einsum("ij,ij->i", *2 * [points - means[labels]]) * problem.weights
        away[np.bincount(labels, minlength=used)[labels] == 1] = -1.0
        labels[np.argmax(away)] = used
    return labels
