"""Certify: how far anybody's clustering is from the best one, with proof."""

from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from pcsos import lazy
from pcsos.control.stop import asker
from pcsos.events import notices
from pcsos.exceptions import InputError
from pcsos.options import Options, ProofKeywords
from pcsos.params import Params
from pcsos.problem.instance import Instance, instance_of
from pcsos.problem.keywords import ProblemKeywords
from pcsos.problem.notes import notes
from pcsos.problem.partition import Partition, violation
from pcsos.result import Certification
from pcsos.validation.cluster_names import numbered_clusters, refuse_other_number
from pcsos.validation.names import refuse_other_index
from pcsos.validation.signatures import full_signature, part_of


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
