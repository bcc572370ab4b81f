"""The bounder of instances of which points may be left out: prices at any node, and a pair of groups to branch on."""

import math
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.prices.ascent import FEWER
from pcsos.bounds.prices.outliers import KnownClusters, OutlierNode
from pcsos.evidence import kinds
from pcsos.evidence.kinds import Branching
from pcsos.evidence.node import Decision, Evidence, NodeRecord
from pcsos.heuristics.centres import located_centres
from pcsos.heuristics.outliers import LeavingOut, inner_costs, k_means_minus_minus
from pcsos.presolve.presolve import Presolved
from pcsos.search.prices.raising import Scale
from pcsos.search.role import Bounder, Context
from pcsos.search.task import Found, InheritedPrices, Outcome, Task

#: Groups of points up to which proofs are tried.
MOST_GROUPS = 2_000
#: Clusters are measured anew where a partition costs less than this share of the one that they were measured by.
MUCH_LESS = 0.5


def offer_leaving_out(problem: Presolved, centres: Floats | None, context: Context) -> None:
    """Offer what k-means-- finds from many starts, the first of them near centres that are given, shape (k, d)."""
    reduced = problem.reduced
    own = None if centres is None else located_centres(problem.instance, reduced, centres)
    best, _ = k_means_minus_minus(
        problem.instance, reduced, seed=context.options.seed, centres=own, budget=context.budget
    )
    if best is not None:
        context.primal.offer(Found(reduced.lift(best.labels), best.objective, "O"))


def refuse_too_many(size: int) -> None:
    """Refuse more groups of points than linear programs are quick for."""
    if size > MOST_GROUPS:
        raise InputError(
            f"{size} groups of points are too many to prove which are left out, more than {MOST_GROUPS}; take a sample "
            f"of them, or the heuristic k-means--"
        )


class ByOutliers(Bounder):
    """Bounds any node where points may be left out, in this process, as all nodes share the clusters that are known.

    These are not written down: a run that is resumed begins without.
    """

    is_asked_once: ClassVar[bool] = False
    leaves_out: ClassVar[bool] = True

    def __init__(self) -> None:
        self._known: KnownClusters | None = None
        self._objective = math.inf  # by which these were measured

    def is_worth_asking(self, task: Task, problem: Presolved, context: Context) -> bool:
        """Tell that it is."""
        return True

    def bound(self, task: Task, problem: Presolved, context: Context) -> Iterator[Outcome]:
        """Raise the prices of a node; where they do not prove enough, branch on it.

        One that is interrupted is branched on, too, by what is known by then, or left open if that is nothing.
        """
        begun, reduced, unit = context.stop.seconds, problem.reduced, Scale.of(problem.reduced).unit
        if self._known is None or context.primal.objective < MUCH_LESS * self._objective:
            self._known, self._objective = _known_clusters(problem, context, self._known), context.primal.objective
        known = self._known
        must_link, cannot_link = (
            reduced.component[pairs[::-1]] for pairs in (task.state.must_link, task.state.cannot_link)
        )
        node, found = OutlierNode(known, must_link, np.vstack([cannot_link, reduced.cannot_link])), None
        evidence: tuple[Evidence, ...]
        if node.is_settled:
            labels = node.settle()
            if labels is None:
                evidence = (kinds.Infeasible(np.empty(0, np.int64)),)
            else:
                evidence, found = (kinds.Single(node.lower_bound * unit),), _improved(labels, problem)
        else:
            if isinstance(task.inheritance, InheritedPrices):
                above = task.inheritance
                node.begin_with(above.prices / unit, above.component[reduced.representative], above.radius)
            cutoff = min(context.cutoff, reduced.most) / unit
            node.raise_prices(cutoff, min(context.primal.objective, reduced.most) / unit)
            evidence = (_prices(node, unit),) if node.lower_bound > 0.0 else ()
            if node.lower_bound < cutoff and context.end.asked() and not node.is_fractional:
                yield Outcome(node.lower_bound * unit)
                return
            if node.lower_bound < cutoff:
                pair = sorted(reduced.representative[list(node.pair)].tolist())
                evidence += (Branching(Decision("ML", *pair), node.radius),)
        bound = node.lower_bound * unit
        bound = math.inf if bound >= reduced.most else bound
        record = NodeRecord(task.node, task.parent, task.decision, evidence, context.stop.seconds - begun)
        yield Outcome(bound, record, found=found, size=node.size)


def _known_clusters(problem: Presolved, context: Context, before: KnownClusters | None) -> KnownClusters:
    """Return what is known of an instance: the clusters of a good partition, and those that were known before."""
    reduced, best, scale = problem.reduced, context.primal.partition, Scale.of(problem.reduced)
    labels = None if best is None else reduced.project(best.labels)
    inner = inner_costs(problem.instance, reduced) / scale.unit
    objective, rng = context.primal.objective / scale.unit, np.random.default_rng([context.options.seed, 9])
    known = KnownClusters(scale.applied(reduced), inner, labels, objective, context.end, rng)
    for members in () if before is None else before.members:
        known.add(members)
    return known


def _improved(labels: Indices, problem: Presolved) -> Found:
    """Return the partition that a local search reaches from labels of groups."""
    leaving_out = LeavingOut.of(problem.instance, problem.reduced)
    own = leaving_out.improved(labels)
    return Found(problem.reduced.lift(own), leaving_out.cost(own), "P")


def _prices(node: OutlierNode, unit: float) -> kinds.Prices:
    """Return what is written down of a node whose prices were raised."""
    axes = node.of.axes
    prices = (node.prices - FEWER * node.costs) * unit
    return kinds.Prices(prices, node.lower_bound * unit, node.counted_knots, None if axes is None else axes.units)
