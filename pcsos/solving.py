"""Solving: a problem to its optimum, labels to a certificate, and what was stopped to its end."""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from numpy.typing import ArrayLike

from pcsos import lazy
from pcsos.base.control.stop import asker
from pcsos.base.events import OnEvent, notices
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Pairs
from pcsos.evidence.result import Certification, Result
from pcsos.problem.conditions.role import Condition
from pcsos.problem.geometry import table_of
from pcsos.problem.instance import Instance, instance_of, refuse_outliers
from pcsos.problem.notes import notes
from pcsos.problem.options import Options, in_familiar_words, options_of
from pcsos.problem.partition import Partition, beginning, is_centres, violation
from pcsos.problem.validation.cluster_names import numbered_clusters, refuse_other_number
from pcsos.problem.validation.names import refuse_other_index

Found = TypeVar("Found", Result, Certification)


@in_familiar_words
def solve(
    points: Any,
    n_clusters: int | None = None,
    *,
    must_link: Pairs = (),
    cannot_link: Pairs = (),
    weights: ArrayLike | None = None,
    size_min: int | None = None,
    size_max: int | None = None,
    conditions: Iterable[Condition] = (),
    gap: float | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int | None = None,
    start: ArrayLike | None = None,
    run_file: str | os.PathLike[str] | None = None,
    verbose: bool = False,
    options: Options | None = None,
) -> Result:
    """Find the partition with the least sum of squares under the constraints, and prove it.

    Up to 500 points take seconds, and up to some thousands, or any number in a plane, do where clusters are clear. For
    more, :func:`pcsos.heuristics.run` finds a good partition, and :func:`certify` proves how good it is.

    Parameters
    ----------
    points : array_like, shape (n, d), or Gram, Distances, Kernel or Instance
        Finite coordinates, or what stands in their place (:class:`pcsos.Gram`, :class:`pcsos.Distances`,
        :class:`pcsos.Kernel`); or a whole instance, in which all that is asked of the partition is already.
    n_clusters : int
        Number of non-empty clusters k.
    must_link : array_like of int, shape (m, 2), or iterable of pairs, optional
        Pairs of point indices, from 0, that must share a cluster; with a pandas DataFrame, of labels of its index.
    cannot_link : array_like of int, shape (m, 2), or iterable of pairs, optional
        Pairs that cannot share a cluster, likewise.
    weights : array_like, shape (n,), optional
        Positive finite weights w_i of the objective ``sum_i w_i ||p_i - centre||^2``; 1 unless given.
    size_min, size_max : int, optional
        Least and greatest number of points of a cluster.
    conditions : list of conditions, optional
        What is asked besides: :class:`pcsos.Sizes`, :class:`pcsos.Weights`, :class:`pcsos.Groups`,
        :class:`pcsos.Diameter`, :class:`pcsos.Split` and :class:`pcsos.SoftPairs`.
    gap : float, optional
        Relative gap at which the search may stop, 1e-4 unless given.
    time_limit : float, optional
        Seconds of wall-clock time. What is found and proved by then is kept. Without it the search ends when the gap is
        reached, however long that takes; where nobody watches, :mod:`logging` says once that it is still at work.
    workers : int, optional
        Number of worker processes, by default one for each core, at most 16.
    seed : int, optional
        Seed of all random choices, 0 unless given.
    start : array_like, shape (n,) or (k, d), optional
        What to begin with. The cluster of each point, as a number or a name, such as k-means tells it: exactly k
        clusters that satisfy all constraints; the result is at most as expensive. Or centres, one per cluster, in the
        units of the points: IPC-k-means goes on from them. The search for partitions goes on as without it.
    run_file : path, optional
        Where to write the run: its journal, checkpoint and certificate (:func:`pcsos.verify.verify`).
    verbose : bool
        Show a :class:`pcsos.report.progress.ProgressTable` on standard error.
    options : Options, optional
        How the run is carried out besides; what is given as an argument, too, is as the argument says.

    Returns
    -------
    Result
        Labels, objective, a lower bound that holds despite rounding, status and reason. Ctrl-C ends the search
        early, a second one at once; the best partition and bound are still returned.

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
    >>> pcsos.solve([0.0, 1.0, 2.0, 9.0], 2, size_min=2, conditions=[pcsos.Diameter(8.0)]).labels.tolist()
    [0, 0, 1, 1]
    """
    own = options_of(options, gap=gap, time_limit=time_limit, workers=workers, seed=seed)
    _refuse_missing_engine(own)
    instance = instance_of(
        points, n_clusters, must_link=must_link, cannot_link=cannot_link, weights=weights, size_min=size_min,
        size_max=size_max, conditions=conditions,
    )  # fmt: skip
    on_event = _listener(own, verbose, instance, is_given=instance is points)
    if start is not None and not is_centres(start):
        refuse_other_index(table_of(points), start, "start")
    initial, centres = beginning(instance, start)
    begin = partial(lazy.run, instance, own.stored(), initial=initial, centres=centres)
    return _carried_out(begin, run_file, instance, own, on_event)


def resume(
    run_file: str | os.PathLike[str],
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    verbose: bool = False,
    options: Options | None = None,
) -> Result:
    """Go on with a run that was stopped or killed; no node is bounded twice, but where points may be left out.

    Parameters
    ----------
    run_file : path
        What :func:`solve` or :func:`certify` was asked to write. Instance, gap, seed and engine are those of the run;
        where that is an accelerator, the processor will do.
    time_limit : float, optional
        Seconds for this part of the run.
    workers : int, optional
        As for :func:`solve`.
    verbose : bool
        As for :func:`solve`.
    options : Options, optional
        How it goes on besides: limits, callbacks and the executor count. A limit of nodes includes those of the
        earlier parts.

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
    ...     at_once = pcsos.Options(node_limit=0)
    ...     stopped = pcsos.solve([0.0, 1.0, 5.0, 6.0], 2, run_file=f"{folder}/points.run", options=at_once)
    ...     result = pcsos.resume(f"{folder}/points.run")
    >>> str(stopped.reason), str(result.status), result.objective
    ('NODE_LIMIT', 'OPTIMAL', 1.0)
    """
    own = options_of(options, time_limit=time_limit, workers=workers)
    on_event = lazy.listener(own.on_event, verbose=verbose)
    wants_end = _asker(own, on_event)
    with lazy.RunFile.open(run_file) as file:
        engine = "auto" if file.options.engine == "gpu" else file.options.engine
        goes_on = replace(file.options, engine=engine, time_limit=own.time_limit)
        goes_on = replace(goes_on, node_limit=own.node_limit, workers=own.workers)
        claim, given = file.claim(), file.given()
        if claim is not None and claim.reason.is_final:
            file.refuse_unfounded(claim)
            if claim.conflict is not None:
                lazy.refuse_false_conflict(claim, run_file)
            return claim
        begin = lazy.run if given is None else partial(lazy.run_certification, given=given)
        return begin(
            file.instance, options=goes_on, run_file=file, executor=own.executor, on_event=on_event,
            should_stop=wants_end,
        )  # fmt: skip


@in_familiar_words
def certify(
    points: Any,
    labels: ArrayLike | None = None,
    *,
    must_link: Pairs = (),
    cannot_link: Pairs = (),
    weights: ArrayLike | None = None,
    size_min: int | None = None,
    size_max: int | None = None,
    conditions: Iterable[Condition] = (),
    gap: float | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    run_file: str | os.PathLike[str] | None = None,
    verbose: bool = False,
    options: Options | None = None,
) -> Certification:
    """Prove how far a partition is from the best one with as many clusters, on data of any size.

    Points are divided into blocks, each a small likeness of the whole; the least costs of the blocks, bounded one by
    one, add up to a lower bound of the whole. Blocks are as small as the gap asked for allows, and merged where they
    prove too little. Points that are no more than a block may hold are in the end bounded as a whole, as :func:`solve`
    does it.

    Limits of clusters and soft pairs count for the labels and for any better partition, but blocks leave them out: what
    they prove holds all the same, and lacks what limits and penalties cost (Mathematics 7). The whole counts them, and
    is not branched on then; :func:`solve` does that, and takes the labels as ``start``.

    Parameters
    ----------
    points : array_like, shape (n, d), or Gram, Distances, Kernel or Instance
        Finite coordinates, or what stands in their place, as for :func:`solve`.
    labels : array_like, shape (n,)
        The cluster of each point; numbers or names, as many different ones as there are clusters.
    must_link, cannot_link, weights, size_min, size_max, conditions
        What is asked of the partition, as for :func:`solve`; the labels satisfy it.
    gap : float, optional
        Relative gap at which to stop, 1e-3 unless it or ``options`` is given.
    time_limit, workers, run_file, verbose
        As for :func:`solve`.
    options : Options, optional
        How the run is carried out besides.

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
    own = options_of(options, Options(gap=1e-3), gap=gap, time_limit=time_limit, workers=workers)
    _refuse_missing_engine(own)
    table = table_of(points)
    refuse_other_index(table, labels, "labels")
    is_whole = isinstance(points, Instance)
    if is_whole:
        refuse_outliers(points.outliers, "certify")
    names = numbered_clusters(labels, "labels")  # type: ignore[arg-type]
    refuse_other_number(names, points.n_points if is_whole else _length(table, names.size))
    instance = instance_of(
        points, None if is_whole else int(names.max()) + 1, must_link=must_link, cannot_link=cannot_link,
        weights=weights, size_min=size_min, size_max=size_max, conditions=conditions,
    )  # fmt: skip
    refuse_outliers(instance.outliers, "certify")
    problem = violation(instance, names)
    if problem is not None:
        raise InputError(
            f"labels cannot be certified: {problem}; give labels that satisfy all constraints, or leave that pair out"
        )
    given = Partition.of(instance, names)
    on_event = _listener(own, verbose, instance, is_given=is_whole)
    begin = partial(lazy.run_certification, instance, given, own.stored())
    lazy.warm_up(notices(on_event), instance, own.stored().params)
    return _carried_out(begin, run_file, instance, own, on_event, given)


def _carried_out(
    begin: Callable[..., Found],
    run_file: str | os.PathLike[str] | None,
    instance: Instance,
    options: Options,
    on_event: OnEvent,
    given: Partition | None = None,
) -> Found:
    """Return the result of a run, written down where there is a place for that."""
    begin = partial(begin, executor=options.executor, on_event=on_event, should_stop=_asker(options, on_event))
    if run_file is None:
        return begin()
    with lazy.RunFile.create(run_file, instance, options.stored(), given) as file:
        return begin(run_file=file)


def _asker(options: Options, on_event: OnEvent) -> Callable[[], bool]:
    """Return what tells whether the user wants the run to end, and lets one that nobody watches say how far it is."""
    wants_end = asker(options.should_stop)
    if isinstance(on_event, lazy.Unwatched) and on_event is not options.on_event:
        return on_event.meanwhile(wants_end)
    return wants_end


def _refuse_missing_engine(options: Options) -> None:
    """Raise the error for an engine that is not installed, or has no device, before anything else is done."""
    if options.engine != "admm":
        lazy.engine_factory(options.engine, options.params)


def _listener(options: Options, verbose: bool, instance: Instance, *, is_given: bool) -> OnEvent:
    """Return who is told of events, once told what may not be meant; a maker of an instance looks at that before."""
    on_event = lazy.listener(options.on_event, verbose=verbose)
    for note in () if is_given else notes(instance):
        notices(on_event)(note)
    return on_event


def _length(points: Any, otherwise: int) -> int:
    """Return the number of points, or something else where they do not tell: what is wrong with them is said later."""
    try:
        return len(points)
    except TypeError:
        return otherwise
