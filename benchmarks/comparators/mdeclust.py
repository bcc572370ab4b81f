"""MDEClust: memetic differential evolution without constraints (Mansueto and Schoen, 2021).

It is the engine of pcsos on an instance without its pairs: S-MDEClust then is the very same algorithm, with (SM-MDE) or
without (S-MDE) the relocation of a centre, as exact assignment is the assignment to the nearest centre. Only equal
points are joined first, which changes what the starts draw, but no cost.
"""

from benchmarks.comparators.clustering import Clustering
from pcsos.heuristics import run
from pcsos.problem.instance import Instance


def mdeclust(instance: Instance, *, seed: int, mutation: bool = False, time_limit: float | None = None) -> Clustering:
    """Return the best clustering of the points, whatever the pairs, and how many of those it violates.

    Parameters
    ----------
    instance : Instance
        The problem.
    seed : int
        Seed of all random choices.
    mutation : bool
        Whether offspring have one centre relocated.
    time_limit : float, optional
        Seconds after which the best so far is returned.

    Raises
    ------
    TimeoutError
        If there is none by then.

    Examples
    --------
    >>> from pcsos import Instance
    >>> found = mdeclust(Instance([0.0, 1.0, 8.0, 9.0], 2, cannot_link=[(0, 1)]), seed=0)
    >>> found.labels.tolist(), found.violated_cannot_links
    ([0, 0, 1, 1], 1)
    """
    free = Instance(instance.points, instance.n_clusters, weights=instance.weights)
    variant = "SM-MDE" if mutation else "S-MDE"
    partition, record = run(free, seed=seed, variant=variant, time_limit=time_limit)
    if partition is None:
        raise TimeoutError(f"no local search ended within {time_limit:g} seconds; give more time")
    return Clustering.of(instance, partition.labels, local_searches=record.local_search_calls)
