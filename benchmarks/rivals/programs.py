"""Programs of others, called beside ours where they are installed; none of them is needed for anything else.

``scikit-learn`` has KMeans, which knows nothing of pairs; so does the KMeansConstrained of ``k-means-constrained``,
which bounds sizes: where the instance does not, every cluster must have a point. PCKMeans and MPCKMeans of
``active-semi-supervised-clustering`` penalise violated pairs. Its COPKMeans gives up where its greedy assignment fails
a thousand times, and overlooks must-links with points of its cluster 0.
"""

import importlib
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from benchmarks.rivals.clustering import Clustering, refuse_weights
from pcsos.base.exceptions import InputError
from pcsos.problem.instance import Instance


class ProgramFailedError(Exception):
    """A program of others ended without a clustering, as PCKMeans does where a cluster becomes empty."""


class Program(NamedTuple):
    """How a program is called.

    Parameters
    ----------
    module : str
        Where its class is.
    fit : callable
        Returns the fitted object, given the class, the instance, a seed and a number of starts.
    """

    module: str
    fit: Callable[[Any, Instance, int, int], Any]

    @property
    def is_installed(self) -> bool:
        """Whether it can be called here."""
        return find_spec(self.module.partition(".")[0]) is not None


def _with_starts(kind: Any, instance: Instance, seed: int, num_starts: int) -> Any:
    return kind(instance.n_clusters, n_init=num_starts, random_state=seed).fit(instance.points)


def _with_sizes(kind: Any, instance: Instance, seed: int, num_starts: int) -> Any:
    limits = {"size_min": 1} | ({} if instance.limits is None else instance.limits.to_dict())
    return kind(instance.n_clusters, **limits, n_init=num_starts, random_state=seed, n_jobs=1).fit(instance.points)


def _with_pairs(kind: Any, instance: Instance, seed: int, num_starts: int) -> Any:
    """Fit a class that has no parameter for starts: it has one."""
    state = np.random.get_state()  # noqa: NPY002 - the program draws from nothing else
    np.random.seed(seed)  # noqa: NPY002
    try:
        found = kind(n_clusters=instance.n_clusters)
        return found.fit(instance.points, ml=instance.must_link.tolist(), cl=instance.cannot_link.tolist())
    finally:
        np.random.set_state(state)  # noqa: NPY002


PAIRWISE = "active_semi_clustering.semi_supervised.pairwise_constraints"
PROGRAMS = {
    "KMeans": Program("sklearn.cluster", _with_starts),
    "KMeansConstrained": Program("k_means_constrained", _with_sizes),
    "PCKMeans": Program(PAIRWISE, _with_pairs),
    "MPCKMeans": Program(PAIRWISE, _with_pairs),
    "COPKMeans": Program(PAIRWISE, _with_pairs),
}


def run_program(name: str, instance: Instance, *, seed: int, num_starts: int) -> Clustering:
    """Return the clustering of a program, the best of so many starts if it has several; it may violate pairs.

    Raises
    ------
    InputError
        If the program is unknown or not installed, or the weights differ.
    ProgramFailedError
        If the program raises anything.

    Examples
    --------
    >>> from pcsos import Instance
    >>> run_program("KMeans", Instance([0.0, 1.0, 8.0, 9.0], 2), seed=0, num_starts=1).labels.tolist()
    [0, 0, 1, 1]
    """
    installed = [one for one, program in PROGRAMS.items() if program.is_installed]
    if name not in installed:
        raise InputError(f"program is {name!r}, which is not here; installed are {', '.join(installed) or 'none'}")
    refuse_weights(instance, name)
    program = PROGRAMS[name]
    kind = getattr(importlib.import_module(program.module), name)
    try:
        fitted = program.fit(kind, instance, seed, num_starts)
    except Exception as error:  # whatever a program of others makes of the instance
        raise ProgramFailedError(f"{name} raised {type(error).__name__}: {error}") from error
    return Clustering.of(instance, fitted.labels_)
