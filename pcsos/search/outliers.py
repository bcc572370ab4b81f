"""The bounder of instances of which points may be left out: prices, and branching on pairs of groups."""

from collections import deque
from collections.abc import Iterator

import numpy as np

from pcsos.base.events import BoundImproved
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.bounds.prices.axes import FEW, Axes, principal_axes
from pcsos.bounds.prices.outliers import Groups, OutlierNode, OutlierTree
from pcsos.evidence import kinds
from pcsos.evidence.kinds import Branching
from pcsos.evidence.node import Decision, Evidence, FinishedTree, NodeRecord
from pcsos.heuristics.centres import located_centres
from pcsos.heuristics.outliers import LeavingOut, k_means_minus_minus
from pcsos.presolve.presolve import Presolved
from pcsos.problem.reduction import Reduced
from pcsos.search.prices.raising import Scale
from pcsos.search.role import Bounder, Context
from pcsos.search.task import Found, Outcome, Task

#: Groups of points up to which proofs are tried.
MOST_GROUPS = 2_000


def offer_leaving_out(problem: Presolved, centres: Floats | None, context: Context) -> None:
    """Offer what k-means-- finds from many starts, the first of them near centres that are given, shape (k, d)."""
    reduced = problem.reduced
    own = None if centres is None else located_centres(problem.instance, reduced, centres)
    best, _ = k_means_minus_minus(
        problem.instance, reduced, seed=context.options.seed, centres=own, budget=context.budget
    )
    if best is not None:
        context.primal.offer(Found(reduced.lift(best.labels), best.objective, "K"))


def refuse_too_many(size: int) -> None:
    """Refuse more groups of points than linear programs are quick for."""
    if size > MOST_GROUPS:
        raise InputError(
            f"{size} groups of points are too many to prove which are left out, more than {MOST_GROUPS}; take a sample "
            f"of them, or the heuristic k-means--"
        )


class ByOutliers(Bounder):
    """Bounds an instance of which points may be left out; whatever else bounds, does not know that."""

    def suits(self, task: Task, problem: Presolved, context: Context) -> bool:
        """Tell whether it is the whole instance."""
        return task.is_root and problem.instance.outliers > 0 and context.options.node_limit != 0

    def bound(self, task: Task, problem: Presolved, context: Context) -> Iterator[Outcome]:
        """Branch until the gap is reached, or the run has to end."""
        begun, reduced, primal = context.stop.seconds, problem.reduced, context.primal
        leaving_out = LeavingOut.of(problem.instance, reduced)
        scale = Scale.of(reduced)
        scaled = scale.applied(reduced)
        labels = None if primal.partition is None else reduced.project(primal.partition.labels)
        axes = None
        if np.count_nonzero(np.ptp(scaled.means, axis=0)) > FEW:
            axes = principal_axes(scaled, 0.0)
        misplaced = 0.0 if axes is None else axes.error(scaled)
        groups = Groups(scaled, leaving_out.inner / scale.unit, axes, misplaced)
        limit = context.options.node_limit

        def wanted() -> tuple[float, float]:
            return min(context.cutoff, reduced.most) / scale.unit, min(primal.objective, reduced.most) / scale.unit

        tree = OutlierTree(groups, labels, context.stop, np.random.default_rng([context.options.seed, 9]), *wanted())
        told = 0.0
        while tree.lower_bound < wanted()[0] and not context.stop.asked():
            bound = tree.lower_bound * scale.unit
            if told < bound < primal.objective:
                told = bound
                context.writer.notify(BoundImproved(bound, context.stop.seconds))
            if limit is not None and tree.num_nodes >= limit:
                break
            is_further = tree.branch(*wanted())
            self._offer(tree, leaving_out, context)
            if not is_further:
                break
        bound = tree.lower_bound * scale.unit
        bound = np.inf if bound >= reduced.most else bound
        seconds = context.stop.seconds - begun
        records = records_of(tree.root, reduced, scale.unit, axes, seconds)
        yield Outcome(bound, FinishedTree(records), num_nodes=len(records), is_closed=bound >= context.cutoff)

    def _offer(self, tree: OutlierTree, leaving_out: LeavingOut, context: Context) -> None:
        """Offer partitions that were met."""
        for labels in tree.found:
            own = leaving_out.improved(labels)
            context.primal.offer(Found(leaving_out.reduced.lift(own), leaving_out.cost(own), "P"))
        tree.found.clear()


def records_of(
    root: OutlierNode, reduced: Reduced, unit: float, axes: Axes | None, seconds: float
) -> tuple[NodeRecord, ...]:  # fmt: skip
    """Return the records of a tree that took so long, each behind that of the node above."""
    records, number = list[NodeRecord](), 0
    waiting = deque[tuple[OutlierNode, int, int | None, Decision | None]]([(root, 0, None, None)])
    while waiting:
        node, own, parent, decision = waiting.popleft()
        evidence: Evidence
        if node.children:
            pair = _decision(node.pair, reduced)
            evidence = Branching(pair)
            for child, kind in zip(node.children, (pair, pair.opposite), strict=True):
                number += 1
                waiting.append((child, number, own, kind))
        elif np.isinf(node.lower_bound):
            evidence = kinds.Infeasible(np.empty(0, np.int64))
        elif node.prices is None:
            evidence = kinds.Single(node.lower_bound * unit)
        else:
            units = None if axes is None else axes.units
            evidence = kinds.Prices(node.prices * unit, node.lower_bound * unit, node.knots, units)
        records.append(NodeRecord(own, parent, decision, (evidence,), 0.0 if own else seconds))
    return tuple(records)


def _decision(pair: tuple[int, int] | None, reduced: Reduced) -> Decision:
    """Return the decision that points which stand for two groups are together."""
    assert pair is not None
    i, j = sorted(int(reduced.representative[one]) for one in pair)
    return Decision("ML", i, j)
