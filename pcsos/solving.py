"""Solving: a problem to its optimum, labels to a certificate, and what was stopped to its end."""

import os
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from pcsos import lazy
from pcsos.base.control.stop import asker
from pcsos.base.events import notices
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Certification, Result
from pcsos.problem.instance import Instance, instance_of
from pcsos.problem.keywords import ProblemKeywords
from pcsos.problem.notes import notes
from pcsos.problem.options import Options, ProofKeywords, RunKeywords
from pcsos.problem.params import Params
from pcsos.problem.partition import Partition, checked_centers, initial_partition, violation
from pcsos.problem.validation.cluster_names import numbered_clusters, refuse_other_number
from pcsos.problem.validation.names import refuse_other_index
from pcsos.problem.validation.signatures import full_signature, part_of


class SolveKeywords(ProblemKeywords, ProofKeywords, total=False):
    """What is asked of the partition, and how the run is carried out."""


@full_signature
def solve(
    points: ArrayLike | Instance | None = None,
    n_clusters: int | None = None,
    *,
    initial_labels: ArrayLike | None = None,
    initial_centers: ArrayLike | None = None,
    match_to: ArrayLike | None = None,
    gap: float = 1e-4,
    node_limit: int | None = None,
    engine: str = "admm",
    ilp: str = "auto",
    **keywords: Unpack[SolveKeywords],
) -> Result:
    """Find the partition with the least sum of squares under the constraints, and prove it.

    Parameters
    ----------
    points : array_like, shape (n, d), or Instance
        Finite coordinates; or a whole instance, in which all that is asked of the partition is already. With
        ``distances``, a matrix of shape (n, n); none with ``gram``.
    n_clusters : int
        Number of non-empty clusters k.
    **keywords
        What is asked of the partition, and how the run is carried out.
    initial_labels : array_like, shape (n,), optional
        An initial partition, such as that of k-means: the cluster of each point, as a number or a name. It has
        exactly k clusters and satisfies all constraints. The result is at most as expensive, and the search for
        partitions goes on as without it.
    initial_centers : array_like, shape (k, d), optional
        Initial centres, one per cluster, in the units of the points: IPC-k-means goes on from them, and the search
        for partitions goes on as without them.
    match_to : array_like, shape (m,) or (m, d), optional
        Labels or centres of an earlier clustering, after which clusters are numbered
        (:meth:`pcsos.evidence.result.Result.matched_to`).
    gap : float
        Relative gap at which the search may stop.
    node_limit : int, optional
        Most nodes to bound.
    engine : {"admm", "scs", "clarabel", "mosek"}
        What solves the relaxations.
    ilp : {"auto", "gurobi", "highs"}
        What solves assignments that need an integer program.

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
    limit, workers, seed = keywords["time_limit"], keywords["workers"], keywords["seed"]
    options = Options(gap, limit, node_limit, workers, seed, engine, ilp, keywords["params"] or Params())
    if engine != "admm":
        lazy.engine_factory(engine, options.params)  # refused here where its solver is not installed
    instance = instance_of(points, n_clusters, **part_of(keywords, ProblemKeywords))
    on_event = lazy.listener(keywords["on_event"], verbose=keywords["verbose"])
    if instance is not points:  # whoever makes an instance looks at its notes
        for note in notes(instance, with_scales=keywords["verbose"]):
            notices(on_event)(note)
    refuse_other_index(points if keywords["gram"] is None else keywords["gram"], initial_labels, "initial_labels")
    begin = partial(
        lazy.run,
        instance,
        options,
        initial=None if initial_labels is None else initial_partition(instance, initial_labels),
        centres=None if initial_centers is None else checked_centers(instance, initial_centers),
        executor=keywords["executor"],
        on_event=on_event,
        should_stop=asker(keywords["should_stop"]),
    )
    if keywords["run_file"] is None:
        result = begin()
    else:
        with lazy.RunFile.create(keywords["run_file"], instance, options) as file:
            result = begin(run_file=file)
    return result if match_to is None else result.matched_to(match_to)


@full_signature
def resume(
    run_file: str | os.PathLike[str],
    *,
    node_limit: int | None = None,
    executor: Executor | None = None,
    **keywords: Unpack[RunKeywords],
) -> Result:
    """Go on with a run that was stopped or killed; no node is bounded twice.

    Parameters
    ----------
    run_file : path
        What :func:`solve` or :func:`certify` was asked to write. Instance, gap, seed and engine are those of the run.
    time_limit : float, optional
        Seconds for this part of the run.
    node_limit : int, optional
        Most nodes, those of the earlier parts included.
    executor : concurrent.futures.Executor, optional
        As for :func:`solve`.
    **keywords
        How the run is carried out.

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
    on_event = lazy.listener(keywords["on_event"], verbose=keywords["verbose"])
    wants_end, limit = asker(keywords["should_stop"]), keywords["time_limit"]
    with lazy.RunFile.open(run_file) as file:
        options = replace(file.options, time_limit=limit, node_limit=node_limit, workers=keywords["workers"])
        claim, given = file.claim(), file.given()
        if claim is not None and claim.reason.is_final:
            file.refuse_unfounded(claim)
            if claim.conflict is not None:
                lazy.refuse_false_conflict(claim, run_file)
            return claim
        begin = lazy.run if given is None else partial(lazy.run_certification, given=given)
        return begin(
            file.instance, options=options, run_file=file, executor=executor, on_event=on_event, should_stop=wants_end
        )  # fmt: skip


class CertifyKeywords(ProblemKeywords, ProofKeywords, total=False):
    """What is asked of the partition, and how the run is carried out."""


@full_signature
def certify(
    points: ArrayLike | Instance | None = None,
    labels: ArrayLike | None = None,
    *,
    gap: float = 1e-3,
    block_size: int | None = None,
    **keywords: Unpack[CertifyKeywords],
) -> Certification:
    """Prove how far a partition is from the best one with as many clusters, on data of any size.

    Points are divided into blocks, each a small likeness of the whole; the least costs of the blocks, bounded one by
    one, add up to a lower bound of the whole. Blocks are as small as the gap asked for allows, and merged where they
    prove too little.

    Limits of clusters and soft pairs count for the labels and for any better partition, but blocks leave them out: they
    bound what points cost that nothing is asked of and that pay no penalties, which holds all the same, and lacks what
    limits and penalties cost (Mathematics 7). :func:`pcsos.solve` counts them from the root on, and takes the labels as
    ``initial_labels``.

    Parameters
    ----------
    points : array_like, shape (n, d), or Instance
        Finite coordinates; or a whole instance, in which all that is asked of the partition is already.
    labels : array_like, shape (n,)
        The cluster of each point; numbers or names, as many different ones as there are clusters.
    **keywords
        What is asked of the partition, which the labels satisfy, and how the run is carried out.
    gap : float
        Relative gap at which to stop.
    block_size : int, optional
        Points of a block, at least; by default chosen, and changed, as the gap asks for.

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
    params = _with_block_size(keywords["params"] or Params(), block_size)
    options = Options(gap, keywords["time_limit"], None, keywords["workers"], keywords["seed"], params=params)
    table = points if keywords["gram"] is None else keywords["gram"]
    refuse_other_index(table, labels, "labels")
    names = numbered_clusters(labels, "labels")  # type: ignore[arg-type]
    refuse_other_number(names, points.n_points if isinstance(points, Instance) else _length(table, names.size))
    n_clusters = None if isinstance(points, Instance) else int(names.max()) + 1
    instance = instance_of(points, n_clusters, **part_of(keywords, ProblemKeywords))
    problem = violation(instance, names)
    if problem is not None:
        raise InputError(
            f"labels cannot be certified: {problem}; give labels that satisfy all constraints, or leave that pair out"
        )
    given = Partition.of(instance, names)
    on_event = lazy.listener(keywords["on_event"], verbose=keywords["verbose"])
    if instance is not points:  # whoever makes an instance looks at its notes
        for note in notes(instance, with_scales=keywords["verbose"]):
            notices(on_event)(note)
    begin = partial(
        lazy.run_certification,
        instance,
        given,
        options,
        executor=keywords["executor"],
        on_event=on_event,
        should_stop=asker(keywords["should_stop"]),
    )
    lazy.warm_up(notices(on_event), instance, options.params)
    if keywords["run_file"] is None:
        return begin()
    with lazy.RunFile.create(keywords["run_file"], instance, options, given) as file:
        return begin(run_file=file)


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
