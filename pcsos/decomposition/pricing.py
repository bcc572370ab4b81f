"""Pricing: an instance with few features bounded by prices, aside, written down as a cover of one part."""

import contextlib
import time
from collections.abc import Callable

import numpy as np

from pcsos import tolerances
from pcsos.control.aside import Line, talk_aside
from pcsos.control.stop import GRACE, Interrupted, ProgramLostError, Stop
from pcsos.control.threads import use_threads
from pcsos.decomposition.block import Bounded
from pcsos.events import BoundImproved, Event
from pcsos.heuristics.centres import Costs
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.record import Solution
from pcsos.instance import Instance
from pcsos.options import Options
from pcsos.params import PriceParams
from pcsos.partition import Partition
from pcsos.prices.ascent import NONE, Prices, raise_prices
from pcsos.proof import NodeRecord, PriceClosing
from pcsos.reduction import Reduced, reduce_instance
from pcsos.tree.journal import Journal
from pcsos.typing import Floats, Indices

#: The bound is told again once what it lacks has fallen to this share.
TOLD_AGAIN = 0.8
#: What costs at most this share counts as less, whatever was rounded.
LESS = 1.0 - 1e-9


def suits(instance: Instance, params: PriceParams) -> bool:
    """Tell whether prices are worth trying: few features vary, but more than one, and k is the only condition."""
    if (
        not instance.is_plain
        or instance.n_clusters == 1
        or not params.points_from <= instance.n_points <= params.points_up_to
    ):
        return False
    return 1 < int(np.count_nonzero(np.ptp(instance.points, axis=0))) <= params.features_up_to


def bound_by_prices(
    instance: Instance,
    partition: Partition,
    options: Options,
    stop: Stop,
    journal: Journal,
    tell: Callable[[Event], None],
    offer: Callable[[Indices], None],
    num_threads: int = 1,
    *,
    only_enough: bool = False,
) -> float:
    """Return what prices prove of an instance, having written it down; 0 where they are not worth trying.

    Parameters
    ----------
    instance : Instance
        What is bounded. Its cannot-links play no part.
    partition : Partition
        A good partition of it.
    options : Options
        The gap asked for, and the parameters.
    stop : Stop
        Whether the run has to end.
    journal : Journal
        Where the proof is stored.
    tell : callable
        Told when the bound has risen.
    offer : callable
        Told labels of a better partition.
    num_threads : int
        Threads that may be used.
    only_enough : bool
        Whether not to try where cannot-links cost more than the gap asked for, because prices know nothing of them.
    """
    params = options.params.prices
    if not suits(instance, params) or stop.asked() or partition.objective <= 0.0:
        return 0.0
    begun = time.perf_counter()
    reduced = reduce_instance(instance.with_(cannot_link=()))
    cutoff = tolerances.cutoff(partition.objective, options.gap)
    labels = reduced.project(partition.labels)
    if only_enough and len(instance.cannot_link):
        without, _ = improve(reduced, labels, swaps=False)
        if without.objective < cutoff:
            return 0.0
    best, told, objective = NONE, 0.0, partition.objective

    def hear(prices: Prices) -> None:
        nonlocal best, told
        best = prices
        if objective - prices.lower_bound < TOLD_AGAIN * (objective - told):
            told = prices.lower_bound
            tell(BoundImproved(min(told, objective), stop.seconds))
            try_centres(prices)

    def try_centres(prices: Prices) -> None:
        nonlocal objective
        found = None if len(instance.cannot_link) else _rounded(reduced, prices.centres)
        if found is not None and found.objective < LESS * objective:
            objective = found.objective
            offer(reduced.lift(found.labels))

    seconds = params.share_of_time * stop.seconds_left
    arguments = (reduced, labels, cutoff, params, options.seed, num_threads, seconds)
    with contextlib.suppress(Interrupted, ProgramLostError):  # what it has told is what is known
        talk_aside(_raise, *arguments, stop=stop.within(seconds), grace=GRACE, hear=hear)
    try_centres(best)
    bound, earlier = min(best.lower_bound, objective), journal.cover_bound()
    if bound <= earlier:
        return earlier  # an earlier part of the run got farther, or there is nothing
    record = NodeRecord(0, None, None, (), PriceClosing(best.prices, bound), bound, time.perf_counter() - begun)
    number = 1 + max((part.number for part in journal.parts()), default=0)
    bounded = Bounded(bound, objective, None, (record,), reduced.size, record.seconds)
    journal.add_part(number, np.arange(instance.n_points), instance.weights, bounded)
    journal.add_cover([number])
    return journal.cover_bound() if journal.keeps else bound


def _rounded(reduced: Reduced, centres: Floats) -> Solution | None:
    """Return what local search makes of clusters around these centres, if there are k."""
    if len(centres) < reduced.n_clusters:
        return None
    labels = np.argmin(Costs.of(reduced)(centres), axis=1).astype(np.intp)
    if np.unique(labels).size < reduced.n_clusters:
        return None
    return improve(reduced, labels, swaps=False)[0]


def _raise(
    line: Line,
    reduced: Reduced,
    labels: Indices,
    cutoff: float,
    params: PriceParams,
    seed: int,
    num_threads: int,
    seconds: float,
) -> None:
    """Raise prices in a process of its own, and tell the best."""
    with use_threads(num_threads):
        raise_prices(reduced, labels, cutoff, params, line.stop.within(seconds), seed, line.tell)
