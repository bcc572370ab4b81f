"""Standing: what all partitions within epsilon of the best one agree on, and whether that is everything.

With the cost U of a partition and a bound on the cost of all partitions in which a pair is the other way round, the
pair is decided where that bound exceeds (1 + epsilon) U: the best partition costs at most U, so all partitions within
epsilon of it have the pair as this one does. What is decided is a constraint from then on, which strengthens the bounds
of the next pairs. A partition that differs from this one breaks some decided pair first, so it costs at least the least
of all bounds that were used: if all pairs are decided, that is a proof that no other partition lies within epsilon.
"""

from collections.abc import Callable

from pcsos.analysis.certainty.deciding import Deciding
from pcsos.analysis.certainty.gathering import gather
from pcsos.analysis.certainty.parting import part
from pcsos.analysis.certainty.relaxed import representatives
from pcsos.analysis.certainty.shared_relaxation import SharedRelaxation
from pcsos.base.control.stop import NEVER, Stop
from pcsos.bounds.relaxation.memory import shortage
from pcsos.evidence.result import Standing
from pcsos.problem.reduction import Reduced

#: Tells of two points whether they may be asked about.
MayAsk = Callable[[int, int], bool]


def standing_of(
    shared: SharedRelaxation,
    *,
    stop: Stop = NEVER,
    may_ask: MayAsk = lambda i, j: True,
    on_decided: Callable[[Reduced], object] = lambda problem: None,
) -> Standing | None:
    """Decide pairs until all are decided, or one is met that cannot be and may be asked about.

    Parameters
    ----------
    shared : SharedRelaxation
        What is known, and the epsilon.
    stop : Stop
        When to leave the rest undecided.
    may_ask : callable
        Called with two points; where it says no, the pair is left undecided and the next one follows.
    on_decided : callable
        Called with the problem with the pairs that are decided, each time that there are more.

    Returns
    -------
    Standing or None
        None where no partition is found in time.
    """
    partition = shared.partition(stop)
    if partition is None:
        return None
    deciding = Deciding(shared, partition, stop, on_decided)
    pair = _first_undecided(deciding, may_ask)
    return Standing(partition, shared.epsilon, deciding.lower_bound, deciding.problem, pair)


def _first_undecided(deciding: Deciding, may_ask: MayAsk) -> tuple[int, int] | None:
    """Decide what can be decided; return the first pair of points that cannot and may be asked about."""
    if deciding.is_trivial:
        return None
    cheap = (representatives(deciding.problem, own.pair) for own in deciding.flips() if own.cost < deciding.cutoff)
    pair = next((points for points in cheap if may_ask(*points)), None)
    if pair is not None:
        return pair
    can_bound = not shortage(deciding.problem.size)
    pair = _bounded(deciding, may_ask) if can_bound else None
    if pair is not None or deciding.is_trivial or (can_bound and not deciding.must_end):
        return pair
    left = (representatives(deciding.problem, own.pair) for own in deciding.flips())
    return next((points for points in left if may_ask(*points)), None)


def _bounded(deciding: Deciding, may_ask: MayAsk) -> tuple[int, int] | None:
    """Bound pairs the other way round; return the cheapest that is not decided and may be asked about."""
    if deciding.must_end:
        return None
    deciding.fix()
    pair = _cheapest(deciding, may_ask)
    if pair is not None and not deciding.put_together(pair):
        return representatives(deciding.problem, pair)
    gather(deciding)
    pair = _cheapest(deciding, may_ask)
    if pair is not None:
        return representatives(deciding.problem, pair)
    deciding.fix()  # super-points are heavier now: more of them are certainly apart
    part(deciding)
    return None


def _cheapest(deciding: Deciding, may_ask: MayAsk) -> tuple[int, int] | None:
    """Return a super-point and the core of its cluster, cheapest to part, that may be asked about."""
    if deciding.must_end:
        return None
    dear = (own.pair for own in deciding.flips() if own.cost >= deciding.cutoff)
    return next((pair for pair in dear if may_ask(*representatives(deciding.problem, pair))), None)
