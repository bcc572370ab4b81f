"""The public face of the solver: :func:`solve` and :func:`resume`."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial

from numpy.typing import ArrayLike

from pcsos.constraints import Pairs
from pcsos.control.stop import asker
from pcsos.events import Event
from pcsos.instance import Instance, instance_of
from pcsos.names import refuse_other_index
from pcsos.options import Options
from pcsos.params import Params
from pcsos.partition import initial_partition
from pcsos.penalties import Penalty
from pcsos.result import Reason, Result
from pcsos.similarity import Kernel

#: Reasons after which there is nothing left to go on with.
FINISHED = (Reason.GAP_REACHED, Reason.INFEASIBLE, Reason.STALLED)


def solve(
    points: ArrayLike | Instance | None = None,
    n_clusters: int | None = None,
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
    max_diameter: float | None = None,
    min_split: float | None = None,
    gram: ArrayLike | None = None,
    kernel: Kernel | None = None,
    gamma: float | None = None,
    distances: str | None = None,
    initial_labels: ArrayLike | None = None,
    gap: float = 1e-4,
    time_limit: float | None = None,
    node_limit: int | None = None,
    workers: int | None = None,
    seed: int = 0,
    engine: str = "admm",
    ilp: str = "auto",
    params: Params | None = None,
    run_file: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    verbose: bool = False,
    on_event: Callable[[Event], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Result:
    """Find the partition with the least sum of squares under the constraints, and prove it.

    Parameters
    ----------
    points : array_like, shape (n, d), or Instance
        Finite coordinates; or a whole instance, which has all arguments before ``initial_labels`` already. With
        ``distances``, a matrix of shape (n, n); none with ``gram``.
    n_clusters : int
        Number of non-empty clusters k.
    must_link, cannot_link : array_like of int, shape (m, 2)
        Pairs of point indices, from 0.
    weights : array_like, shape (n,), optional
        Positive weights of the points.
    size_min, size_max : int, optional
        Least and greatest number of points of a cluster.
    weight_min, weight_max : float, optional
        Least and greatest weight of a cluster, to one part in 2^30.
    sizes : sequence of int, length k, optional
        The numbers of points of the clusters, in any order.
    soft_must_link, soft_cannot_link : array_like, shape (m, 2) or (m, 3), optional
        Pairs that may be broken at a penalty, which is added to the sum of squares: rows ``(i, j)`` or
        ``(i, j, value)``.
    penalty : float, "distance" or "confidence", optional
        The penalty of the soft pairs that have none of their own, or what values mean: factors of penalties that depend
        on the distance of the points, or probabilities that the pair is right (:class:`pcsos.Instance`).
    max_diameter : float, optional
        Greatest Euclidean distance within a cluster; with inner products, in their feature space.
    min_split : float, optional
        Least Euclidean distance between points of different clusters.
    gram : array_like, shape (n, n), optional
        Inner products of the points, instead of their coordinates.
    kernel : {"linear", "rbf"} or callable, optional
        What computes the inner products from the coordinates (:func:`pcsos.similarity.kernel_matrix`).
    gamma : float, optional
        Of the kernel ``rbf``; by default 1 / (d times the variance of all coordinates).
    distances : {"sqeuclidean"}, optional
        What ``points`` holds instead of coordinates: squared Euclidean distances, shape (n, n).
    initial_labels : array_like, shape (n,), optional
        A partition to begin with, such as that of k-means: the cluster of each point, as a number or a name. It has
        exactly k clusters and satisfies all constraints. The result is at most as expensive, and the search for
        partitions goes on as without it.
    gap : float
        Relative gap at which the search may stop.
    time_limit : float, optional
        Seconds that the run takes, about: it is asked to end one before, or a twentieth of less than 20.
    node_limit : int, optional
        Most nodes to bound.
    workers : int, optional
        Worker processes, by default one for each core this process may use, at most 16, and one in a daemonic process;
        -1 is one for each core, and more than there are cores are not started, which a notice says.
        The result is reproducible for a given seed and number on one kind of processor.
    seed : int
        Seed of all random choices.
    engine : {"admm", "scs", "clarabel", "mosek"}
        What solves the relaxations.
    ilp : {"auto", "gurobi", "highs"}
        What solves assignments that need an integer program.
    params : pcsos.params.Params, optional
        Parameters of the algorithms, for whoever studies them.
    run_file : path, optional
        Where to write the run: its journal, checkpoint and certificate.
    executor : concurrent.futures.Executor, optional
        Runs the nodes instead of a pool of processes, two in flight for each of ``workers``. What it runs ends with the
        time limit, but hears of no interrupt: two seconds later it is no longer waited for.
    verbose : bool
        Show a :class:`pcsos.progress.ProgressTable` on standard error.
    on_event : callable, optional
        Told every :mod:`pcsos.events` event. What it raises ends the run without a result.
    should_stop : callable, optional
        Asked many times a second whether the run is to end, in the calling thread; once it says so, the run ends as
        with Ctrl-C, and its result is returned. The ``is_set`` of a :class:`threading.Event` that another thread, or
        ``on_event``, sets will do.

    Returns
    -------
    Result
        Labels, objective, a lower bound that holds despite rounding, status and reason. Ctrl-C, SIGTERM and SIGHUP end
        the search early, a second one at once; the best partition and bound are still returned.

    Raises
    ------
    InputError
        If points, constraints, labels or options cannot be used.

    References
    ----------
    Piccialli, Russo Russo, Sudoso, An exact algorithm for semi-supervised minimum sum-of-squares clustering (2022),
    Algorithm 3.

    Examples
    --------
    >>> import pcsos
    >>> result = pcsos.solve([0.0, 2.0, 10.0, 12.0, 11.0], 2, must_link=[(2, 3)], cannot_link=[(0, 2)])
    >>> result.labels.tolist(), result.objective
    ([0, 0, 1, 1, 1], 4.0)
    >>> str(result.status), result.lower_bound > 3.999
    ('OPTIMAL', True)
    >>> squares = [[0.0, 1.0, 25.0], [1.0, 0.0, 16.0], [25.0, 16.0, 0.0]]
    >>> pcsos.solve(squares, 2, distances="sqeuclidean").objective
    0.5
    """
    from pcsos.progress import listener
    from pcsos.relaxation.engines import engine_factory
    from pcsos.run import run  # compiled kernels are loaded when they are needed
    from pcsos.run_file import RunFile

    options = Options(gap, time_limit, node_limit, workers, seed, engine, ilp, params or Params())
    if engine != "admm":
        engine_factory(engine, options.params)  # refused here where its solver is not installed
    conditions = {
        "size_min": size_min, "size_max": size_max, "weight_min": weight_min, "weight_max": weight_max, "sizes": sizes,
        "soft_must_link": soft_must_link, "soft_cannot_link": soft_cannot_link, "penalty": penalty,
        "max_diameter": max_diameter, "min_split": min_split,
        "gram": gram, "kernel": kernel, "gamma": gamma, "distances": distances,
    }  # fmt: skip
    instance = instance_of(points, n_clusters, must_link, cannot_link, weights, **conditions)
    refuse_other_index(points if gram is None else gram, initial_labels, "initial_labels")
    begin = partial(
        run,
        instance,
        options,
        initial=None if initial_labels is None else initial_partition(instance, initial_labels),
        executor=executor,
        on_event=listener(on_event, verbose=verbose),
        should_stop=asker(should_stop),
    )
    if run_file is None:
        return begin()
    with RunFile.create(run_file, instance, options) as file:
        return begin(run_file=file)


def resume(
    run_file: str | os.PathLike[str],
    *,
    time_limit: float | None = None,
    node_limit: int | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    verbose: bool = False,
    on_event: Callable[[Event], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Result:
    """Go on with a run that was stopped or killed; no node is bounded twice.

    Parameters
    ----------
    run_file : path
        What :func:`solve` or :func:`certify` was told to write. Instance, gap, seed and engine are those of the run.
    time_limit : float, optional
        Seconds for this part of the run.
    node_limit : int, optional
        Most nodes, those of the earlier parts included.
    workers, executor, verbose, on_event, should_stop
        As for :func:`solve`.

    Returns
    -------
    Result
        The result of the whole run; that of a finished run is returned as it stands, once its nodes are seen to lead
        to it (:func:`pcsos.verify.verify` proves that they do).

    Raises
    ------
    RunFileError
        If the file is foreign, damaged, of another version, or in use.

    Examples
    --------
    >>> import pcsos, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     stopped = pcsos.solve([0.0, 1.0, 5.0, 6.0], 2, node_limit=0, run_file=f"{folder}/points.run")
    ...     result = pcsos.resume(f"{folder}/points.run")
    >>> str(stopped.reason), str(result.status), result.objective
    ('NODE_LIMIT', 'OPTIMAL', 1.0)
    """
    from pcsos.decomposition.certification import go_on
    from pcsos.progress import listener
    from pcsos.run import run
    from pcsos.run_file import RunFile
    from pcsos.tree.replay import refuse_unfounded

    tell, wants_end = listener(on_event, verbose=verbose), asker(should_stop)
    with RunFile.open(run_file) as file:
        options = replace(file.options, time_limit=time_limit, node_limit=node_limit, workers=workers)
        claim, given = file.claim(), file.given()
        if given is not None:
            return go_on(file, given, claim, options, executor=executor, on_event=tell, should_stop=wants_end)
        if claim is not None and claim.reason in FINISHED:
            refuse_unfounded(claim, file)
            return claim
        return run(
            file.instance, options, run_file=file, executor=executor, on_event=tell, should_stop=wants_end
        )  # fmt: skip
