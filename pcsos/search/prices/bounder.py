"""The bounder by prices: few features, bounded in a process of its own and written down beside the tree."""

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Self
from weakref import WeakKeyDictionary

import numpy as np

from pcsos.base import tolerances
from pcsos.base.control.stop import Stop
from pcsos.base.control.subprocess import Channel, try_job
from pcsos.base.control.threads import blas_threads, cores, use_threads
from pcsos.base.events import BoundImproved, PricesRaised
from pcsos.base.typing import Indices
from pcsos.bounds.prices.ascent import FEWER, Ascent, Prices
from pcsos.bounds.prices.axes import FEW, spreads_along_few
from pcsos.bounds.prices.knots import costs_inside
from pcsos.bounds.prices.time_budget import TimeBudget
from pcsos.bounds.relaxation.peng_wei import shortage
from pcsos.evidence import kinds
from pcsos.evidence.kinds import Branching
from pcsos.evidence.node import Decision, Evidence, FinishedTree, NodeRecord
from pcsos.presolve.presolve import Presolved
from pcsos.problem.conditions.pairs import connected_components, unique_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.params import PriceParams
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced, reduce_instance
from pcsos.search.first_incumbents import improved
from pcsos.search.journal import Writer
from pcsos.search.prices.nodes import PriceNode, rounded
from pcsos.search.prices.raising import FROM, Ground, begun, raise_prices
from pcsos.search.role import Bounder, Context
from pcsos.search.task import Found, Outcome, Task

#: Seconds between two events.
EVERY = 2.0


class RaisingProgress:
    """What is told while prices rise.

    Parameters
    ----------
    size : int
        Number of super-points.
    lower_bound : callable
        Returns what is proved so far.
    writer : Writer
        Where it is told.
    stop : Stop
        The clock of the run.
    """

    def __init__(self, size: int, lower_bound: Callable[[], float], writer: Writer, stop: Stop) -> None:
        self._size, self._round, self._lower_bound = size, 0, lower_bound
        self._writer, self._stop, self._told = writer, stop, 0.0

    def begin_round(self, size: int) -> None:
        """Take note that a round begins, on so many super-points or nodes that stand for them."""
        self._size, self._round = size, self._round + 1 if size == self._size else 1
        self.tell()

    def tell(self) -> None:
        """Tell how far prices are, if it is time to."""
        seconds = self._stop.seconds
        if seconds - self._told >= EVERY:
            self._told = seconds
            self._writer.notify(PricesRaised(self._size, self._round, self._lower_bound(), seconds))


def lower_bound_of(nodes: Mapping[int, PriceNode]) -> float:
    """Return what all leaves together prove."""
    return min(node.best.lower_bound for node in nodes.values() if node.pair is None)


def records_of(nodes: Mapping[int, PriceNode], reduced: Reduced, seconds: float) -> tuple[NodeRecord, ...]:
    """Return the records of a tree whose nodes share these seconds, each behind that of the node above."""
    below = {(node.parent, node.kind): node for node in nodes.values()}
    numbers, records, waiting = {0: 0}, list[NodeRecord](), deque([nodes[0]])
    while waiting:
        node = waiting.popleft()
        parent, decision = None, None
        if node.parent is not None and node.kind is not None:
            parent, decision = numbers[node.parent], _decision(node.kind, nodes[node.parent].pair, reduced)
        evidence: Evidence
        if node.pair is None:
            evidence = _prices(node, reduced)
        else:
            evidence = Branching(_decision("ML", node.pair, reduced))
            children = [below[node.number, "ML"], below[node.number, "CL"]]
            numbers |= {child.number: len(numbers) + at for at, child in enumerate(children)}
            waiting += children
        records.append(NodeRecord(numbers[node.number], parent, decision, (evidence,), seconds / len(nodes)))
    return tuple(records)


def _decision(kind: str, pair: tuple[int, int] | None, reduced: Reduced) -> Decision:
    """Return the decision about points that stand for two super-points."""
    assert pair is not None
    i, j = sorted(int(reduced.representative[one]) for one in pair)
    return Decision("ML" if kind == "ML" else "CL", i, j)


def _prices(node: PriceNode, reduced: Reduced) -> kinds.Prices:
    """Return the prices of groups of super-points: theirs together, less what they cost inside."""
    group = connected_components(reduced.size, node.must_link)
    prices = np.bincount(group, node.best.prices) - FEWER * costs_inside(reduced, group)
    knots = tuple(tuple(group[knot].tolist()) for knot in node.knots if len(knot) > 1)
    return kinds.Prices(prices, node.best.lower_bound, knots, node.best.axes)


#: The bound is announced again once what it lacks has fallen to this share.
TOLD_AGAIN = 0.8
#: Super-points up to which no process of their own is worth its start: a round takes milliseconds.
AT_ONCE = 500
#: What costs at most this share counts as less, whatever was rounded.
LESS = 1.0 - 1e-9
#: Whether the points of instances spread along few axes, as far as that was asked.
_SPREADS: WeakKeyDictionary[Instance, bool] = WeakKeyDictionary()


def suits(instance: Instance, params: PriceParams) -> bool:
    """Tell whether prices may be tried: points spread along few axes, more than one."""
    if instance.n_clusters == 1 or not params.points_from <= instance.n_points <= params.points_up_to:
        return False
    number = int(np.count_nonzero(np.ptp(instance.points, axis=0)))
    if number <= FEW or params.features_up_to <= FEW:
        return 1 < number <= params.features_up_to
    if instance not in _SPREADS:
        with blas_threads():
            _SPREADS[instance] = spreads_along_few(instance.points)
    return _SPREADS[instance]


class ByPrices(Bounder):
    """Bounds an instance with few features; blocks that are moved are not for prices.

    Soft pairs are left out, and so are limits beside them: with some, prices are tried where blocks are, which leave
    them out, too. Limits alone count by the greatest weight of a cluster, and are not branched on.
    """

    def is_worth_asking(self, task: Task, problem: Presolved, context: Context) -> bool:
        """Tell whether prices are worth trying."""
        options = context.options
        if not task.is_root or options.node_limit == 0 or problem.is_moved:
            return False
        is_tried = problem.instance.is_plain or problem.size > options.params.blocks.whole_up_to
        return is_tried and suits(problem.instance, options.params.prices)

    def bound(self, task: Task, problem: Presolved, context: Context) -> Iterator[Outcome]:
        """Raise prices in a process of its own; their centres may lead to better partitions."""
        early, ascent = context.primal.partition, None
        if early is not None and problem.instance.n_points < FROM:
            ascent = _Ascent.of(problem.instance, early, context)
            if not ascent.is_promising():
                return  # without a wait for the best partition
        context.primal.join()
        partition = context.primal.partition
        if partition is None or partition.objective <= 0.0 or context.stop.asked():
            return
        if ascent is None or partition is not early:
            ascent = _Ascent.of(problem.instance, partition, context)
        ascent.run()
        if not ascent.nodes:
            return
        records, bound = records_of(ascent.nodes, ascent.reduced, ascent.budget.seconds), ascent.lower_bound()
        is_all = not problem.instance.is_plain and bound >= ascent.cutoff
        num_nodes = len(records) if len(records) > 1 else 0
        yield Outcome(bound, FinishedTree(records), num_nodes=num_nodes, needs_conditions=is_all)


class _Ascent:
    """What is known of an instance while its prices rise."""

    def __init__(self, instance: Instance, partition: Partition, context: Context) -> None:
        self.instance, self.context = instance, context
        reduced = reduce_instance(instance.with_(cannot_link=()))
        if instance.is_plain:
            reduced = replace(reduced, cannot_link=unique_pairs(reduced.component[instance.cannot_link]))
        self.reduced = reduced
        self.labels = self.reduced.project(partition.labels)
        self.objective = partition.objective
        self.cutoff = tolerances.cutoff(partition.objective, context.options.gap)
        self.nodes: dict[int, PriceNode] = {}
        self.told = 0.0
        self.start: tuple[Ground, Ascent] | None = None
        share = context.options.params.prices.share_of_time
        self.budget = TimeBudget(reduced.size, context.stop.seconds_left, share)
        self.progress = RaisingProgress(reduced.size, self.lower_bound, context.writer, context.stop)

    @classmethod
    def of(cls, instance: Instance, partition: Partition, context: Context) -> Self:
        """Return it of an instance of which a partition is known, which is improved where conditions are left out.

        A share of what they cost, which is not proved in any case, is left to a tree, if one follows.
        """
        if not len(instance.soft):
            return cls(instance, partition, context)
        plain, options = instance.without_conditions(), context.options
        reduced = reduce_instance(plain)
        found = improved(reduced, reduced.project(partition.labels), context)
        own = Partition.of(plain, partition.labels if found is None else found.labels)
        slack = 0.0 if shortage(reduced.size) else options.params.blocks.own_slack
        loss = max(1.0 - own.objective / partition.objective, 0.0)
        return cls(plain, own, context.with_gap(max(options.gap, slack * loss)))

    def is_promising(self) -> bool:
        """Tell whether prices are worth trying."""
        options, stop = self.context.options, self.context.stop
        self.start = begun(self.reduced, self.labels, self.cutoff, options.params.prices, stop, options.seed)
        return self.start is not None

    def run(self) -> None:
        """Raise prices as far as it is worth it; what is known of them is heard of on the way."""
        options, stop, pool = self.context.options, self.context.stop, self.context.pool
        problem = (self.reduced, self.labels, self.cutoff, options.params.prices)
        limit = math.inf if options.node_limit is None else options.node_limit
        limit = limit if self.instance.is_plain else 1
        until = Stop(lambda: stop.asked() or self.budget.is_over(), urgent=stop.urgent, time_limit=stop.seconds_left)
        is_long, tell = self.reduced.size > AT_ONCE, self.progress.tell
        num_threads = min(pool.number, cores()) if is_long else 1
        start = None if is_long else self.start  # which another process would have to be sent
        arguments = (problem, options.seed, num_threads, stop.seconds_left, (limit, self.budget.alone_below, start))

        def on_message(message: list[PriceNode] | int) -> None:
            if isinstance(message, int):
                self.progress.begin_round(message)
            else:
                self.hear(message)

        # What it has announced is what is known.
        try_job(_raise, *arguments, stop=until, is_long=is_long, on_message=on_message, meanwhile=tell)

    def lower_bound(self) -> float:
        """Return what prices prove so far."""
        return max(0.0, min(lower_bound_of(self.nodes), self.objective)) if self.nodes else 0.0

    def hear(self, nodes: list[PriceNode]) -> None:
        """Take over what is known of nodes, and offer what local search makes of clusters that earn most there."""
        self.nodes |= {node.number: node for node in nodes}
        bound, missing = lower_bound_of(self.nodes), self.objective - self.told
        self.budget.hear((self.objective - bound) / self.objective)
        if self.objective - bound < TOLD_AGAIN * missing:
            self.told = bound
            self.context.writer.notify(BoundImproved(min(self.told, self.objective), self.context.stop.seconds))
            self.try_centres(nodes[-1].best)
        elif len(nodes) > 1:
            for node in nodes:
                self.try_centres(node.best)

    def try_centres(self, prices: Prices) -> None:
        """Offer what local search makes of clusters around the places that earn most."""
        found = rounded(self.reduced, prices.centres) if self.reduced.is_free else None
        if found is not None and found.objective < LESS * self.objective:
            self.objective = found.objective
            self.context.primal.offer(Found(self.reduced.lift(found.labels), math.inf, "P"))


def _raise(
    channel: Channel, problem: tuple[Reduced, Indices, float, PriceParams], seed: int, num_threads: int,
    seconds: float, own: tuple[float, float, tuple[Ground, Ascent] | None],
) -> None:  # fmt: skip
    """Raise prices, and send what nodes they bound, and on how many super-points rounds are."""
    with use_threads(num_threads):
        raise_prices(*problem, channel.stop.within(seconds), seed, channel.send, *own, on_round=channel.send)
