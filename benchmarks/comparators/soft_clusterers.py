"""The soft clusterers of pcsos with their defaults, called as the programs of others are."""

import warnings

from benchmarks.comparators.clustering import Clustering, refuse_weights
from pcsos import clusterers as semisupervised
from pcsos.problem.instance import Instance

#: Names in tables, where others have programs of the same names, and the classes.
OWN = {f"pcsos {name}": name for name in ("PCKMeans", "MPCKMeans", "PCSKMeans")}


def run_own(name: str, instance: Instance, *, seed: int) -> Clustering:
    """Return the clustering of one of our soft clusterers; it may violate pairs.

    Parameters
    ----------
    name : str
        A key of :data:`OWN`.
    instance : Instance
        The problem; all weights must be equal.
    seed : int
        Seed of all random choices.

    Raises
    ------
    InputError
        If the weights differ.

    Examples
    --------
    >>> from pcsos import Instance
    >>> found = run_own("pcsos PCKMeans", Instance([0.0, 1.0, 8.0, 9.0], 2, must_link=[(1, 2)]), seed=0)
    >>> found.labels.tolist(), found.violated_must_links
    ([0, 0, 1, 1], 1)
    """
    refuse_weights(instance, name)
    model = getattr(semisupervised, OWN[name])(instance.n_clusters, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that not all pairs can be kept
        model.fit(instance.points, must_link=instance.must_link, cannot_link=instance.cannot_link)
    return Clustering.of(
        instance,
        model.labels_,
        criterion=model.objective_,
        local_searches=model.n_init,
        num_repairs=model.n_empty_,
    )
