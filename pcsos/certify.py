"""Certify: how far anybody's clustering is from the best one, with proof."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.cluster_names import numbered_clusters, refuse_other_number
from pcsos.constraints import Pairs
from pcsos.control.stop import asker
from pcsos.events import Event
from pcsos.exceptions import InputError
from pcsos.instance import Instance, instance_of
from pcsos.names import refuse_other_index
from pcsos.options import Options
from pcsos.params import Params
from pcsos.partition import Partition, violation
from pcsos.penalties import Penalty
from pcsos.result import Certification
from pcsos.similarity import Kernel


def certify(
    points: ArrayLike | Instance | None = None,
    labels: ArrayLike | None = None,
    *,
    must_link: Pairs = (),
    cannot_link: Pairs = (),
    weights: ArrayLike | None = None,
    size_min: int | None = None,
    size_max: int | None = None,
    weight_min: float | None = None,
    weight_max: float | None = None,
    sizes: Sequence[int] | None = None,
    soft_must_link: ArrayLike = (),
    soft_cannot_link: ArrayLike = (),
    penalty: Penalty = None,
    gram: ArrayLike | None = None,
    kernel: Kernel | None = None,
    gamma: float | None = None,
    distances: str | None = None,
    max_diameter: float | None = None,
    min_split: float | None = None,
    gap: float = 1e-3,
    time_limit: float | None = None,
    block_size: int | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    seed: int = 0,
    params: Params | None = None,
    run_file: str | os.PathLike[str] | None = None,
    verbose: bool = False,
    on_event: Callable[[Event], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Certification:
    """Prove how far a partition is from the best one with as many clusters, on data of any size.

    The points are dealt into blocks, each a small likeness of the whole; the least costs of the blocks, bounded one by
    one, add up to a lower bound of the whole. Blocks are as small as the gap asked for allows, and merged where they
    prove too little.

    Limits of clusters and soft pairs count for the labels and for any better partition, but blocks leave them out: they
    bound what points cost that nothing is asked of and that pay no penalties, which holds all the same, and lacks what
    limits and penalties cost (Mathematics 7). :func:`pcsos.solve` counts them from the root on, and takes the labels as
    ``initial_labels``.

    Parameters
    ----------
    points : array_like, shape (n, d), or Instance
        Finite coordinates; or a whole instance, which has all arguments from ``must_link`` to ``penalty`` already.
    labels : array_like, shape (n,)
        The cluster of each point; numbers or names, as many different ones as there are clusters.
    must_link, cannot_link : array_like of int, shape (m, 2)
        Pairs of point indices, from 0, that the labels satisfy.
    weights : array_like, shape (n,), optional
        Positive weights of the points.
    size_min, size_max, weight_min, weight_max, sizes : optional
        Limits of clusters, which the labels keep to, as for :func:`pcsos.solve`.
    soft_must_link, soft_cannot_link, penalty : optional
        Soft pairs, likewise; the cost of the labels has the penalties of those that they break.
    max_diameter : float, optional
        Greatest Euclidean distance within a cluster; with inner products, in their feature space.
    min_split : float, optional
        Least Euclidean distance between points of different clusters.
    gram, kernel, gamma, distances : optional
        Inner products or squared distances in place of coordinates, as for :func:`pcsos.solve`.
    gap : float
        Relative gap at which to stop.
    time_limit : float, optional
        Seconds; what is proved until then is kept.
    block_size : int, optional
        Points of a block, at least; by default chosen, and changed, as the gap asks for.
    workers : int, optional
        Worker processes, by default one for each core this process may use, at most 16; -1 is one for each core.
    executor : concurrent.futures.Executor, optional
        Bounds the blocks instead of a pool of processes, for example one of Dask.
    seed : int
        Seed of all random choices.
    params : pcsos.params.Params, optional
        Parameters of the algorithms, for whoever studies them.
    run_file : path, optional
        Where to write blocks and bounds, for :func:`pcsos.verify.verify`.
    verbose : bool
        Show a :class:`pcsos.progress.ProgressTable` on standard error.
    on_event : callable, optional
        Told every :mod:`pcsos.events` event. What it raises ends the run without a result.
    should_stop : callable, optional
        Asked many times a second whether the run is to end, as for :func:`pcsos.solve`; what is proved until then is
        kept.

    Returns
    -------
    Certification
        Cost of the labels, a lower bound that holds despite rounding, and the gap between them; a better partition, if
        one was met on the way. The status is OPTIMAL where the gap asked for is reached.

    Raises
    ------
    InputError
        If points, labels or options cannot be used, or the labels break a constraint or a limit.

    Examples
    --------
    >>> import numpy as np, pcsos
    >>> points = np.random.default_rng(0).normal(size=(60, 2)) + 20.0 * np.repeat([[0, 0], [1, 0], [0, 1]], 20, axis=0)
    >>> result = pcsos.certify(points, ["a"] * 20 + ["b"] * 20 + ["c"] * 20)
    >>> str(result.status), result.gap <= 1e-3, result.better is None
    ('OPTIMAL', True, True)
    """
    from pcsos.decomposition.certification import run_certification
    from pcsos.events import Notice
    from pcsos.progress import listener
    from pcsos.run import warm_up
    from pcsos.run_file import RunFile

    options = Options(gap, time_limit, None, workers, seed, params=_with_block_size(params or Params(), block_size))
    table = points if gram is None else gram
    refuse_other_index(table, labels, "labels")
    names = numbered_clusters(labels, "labels")  # type: ignore[arg-type]
    refuse_other_number(names, points.n_points if isinstance(points, Instance) else _length(table, names.size))
    n_clusters = None if isinstance(points, Instance) else int(names.max()) + 1
    conditions = {
        "size_min": size_min, "size_max": size_max, "weight_min": weight_min, "weight_max": weight_max, "sizes": sizes,
        "soft_must_link": soft_must_link, "soft_cannot_link": soft_cannot_link, "penalty": penalty,
        "max_diameter": max_diameter, "min_split": min_split,
        "gram": gram, "kernel": kernel, "gamma": gamma, "distances": distances,
    }  # fmt: skip
    instance = instance_of(points, n_clusters, must_link, cannot_link, weights, **conditions)
    problem = violation(instance, names)
    if problem is not None:
        raise InputError(
            f"labels cannot be certified: {problem}; give labels that satisfy all constraints, or leave that pair out"
        )
    given = Partition.of(instance, names)
    tell = listener(on_event, verbose=verbose)
    begin = partial(
        run_certification, instance, given, options, executor=executor, on_event=tell, should_stop=asker(should_stop)
    )
    warm_up(lambda sentence: tell(Notice(sentence)), instance, options.params)
    if run_file is None:
        return begin()
    with RunFile.create(run_file, instance, options, given) as file:
        return begin(journal=file)


def _length(points: Any, otherwise: int) -> int:
    """Return the number of points, or something else where they do not tell: what is wrong with them is said later."""
    try:
        return len(points)
    except TypeError:
        return otherwise


def _with_block_size(params: Params, block_size: int | None) -> Params:
    """Return the parameters for blocks that are to keep this size."""
    if block_size is None:
        return params
    if isinstance(block_size, bool) or not isinstance(block_size, int | np.integer) or block_size < 2:
        raise InputError(f"block_size is {block_size!r}; give a whole number of at least 2, or None")
    return replace(params, blocks=replace(params.blocks, least_size=int(block_size), least_members=1, largest_size=2))
