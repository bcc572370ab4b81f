"""Registry: the strategies by name."""

from collections.abc import Callable

from pcsos.active.state import Strategy
from pcsos.active.strategies.certified import Certified
from pcsos.active.strategies.farthest_first import FarthestFirst, SkeletonFirst
from pcsos.active.strategies.relaxed import Hedged, LargestDrop, LargestScore
from pcsos.active.strategies.shared_neighbours import SharedNeighbours
from pcsos.active.strategies.uniform import Uniform
from pcsos.choices import one_of
from pcsos.instance import Instance

#: What makes a strategy for points and a number of clusters, with a seed and an epsilon.
STRATEGIES: dict[str, Callable[[Instance, int, float], Strategy]] = {
    "random": lambda instance, seed, epsilon: Uniform(),
    "mmffqs": lambda instance, seed, epsilon: FarthestFirst(instance, seed),
    "kmmffqs": lambda instance, seed, epsilon: SkeletonFirst(instance, seed),
    "asc": lambda instance, seed, epsilon: SharedNeighbours(instance),
    "sdp-branch": lambda instance, seed, epsilon: Hedged(LargestScore(), SkeletonFirst(instance, seed)),
    "sdp-entropy": lambda instance, seed, epsilon: Hedged(LargestDrop(), SkeletonFirst(instance, seed)),
    "certified": lambda instance, seed, epsilon: Certified(epsilon, SkeletonFirst(instance, seed)),
}


def strategy_named(name: str, instance: Instance, seed: int, epsilon: float) -> Strategy:
    """Return a strategy; refuse a name that is none."""
    one_of("strategy", name, STRATEGIES)
    return STRATEGIES[name](instance, seed, epsilon)
