"""Registry: the strategies by name."""

from collections.abc import Callable

from pcsos.analysis.active.state import Strategy
from pcsos.analysis.active.strategies.certified import Certified
from pcsos.analysis.active.strategies.farthest_first import FarthestFirst, SkeletonFirst
from pcsos.analysis.active.strategies.hedged import Hedged
from pcsos.analysis.active.strategies.relaxed import LargestDrop, LargestScore
from pcsos.analysis.active.strategies.shared_neighbours import SharedNeighbours
from pcsos.analysis.active.strategies.uniform import Uniform
from pcsos.base.exceptions import InputError
from pcsos.problem.instance import Instance
from pcsos.problem.validation.choices import one_of

#: What makes a strategy for points and a number of clusters, with a seed.
STRATEGIES: dict[str, Callable[[Instance, int], Strategy]] = {
    "random": lambda instance, seed: Uniform(),
    "mmffqs": FarthestFirst,
    "kmmffqs": SkeletonFirst,
    "asc": lambda instance, seed: SharedNeighbours(instance),
    "sdp-branch": lambda instance, seed: Hedged(LargestScore(), SkeletonFirst(instance, seed)),
    "sdp-entropy": lambda instance, seed: Hedged(LargestDrop(), SkeletonFirst(instance, seed)),
    "certified": lambda instance, seed: Certified(FarthestFirst(instance, seed)),
}


def strategy_of(strategy: str | Strategy, instance: Instance, seed: int) -> Strategy:
    """Return a strategy, given its name or itself; refuse what is neither."""
    if isinstance(strategy, str):
        one_of("strategy", strategy, STRATEGIES)
        return STRATEGIES[strategy](instance, seed)
    if not callable(getattr(strategy, "next_pair", None)):
        raise InputError(
            f"strategy is {strategy!r}; give one of {', '.join(STRATEGIES)}, or an object with a method next_pair"
        )
    return strategy
