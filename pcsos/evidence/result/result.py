"""Result of a run: what was found and proved, and its figures."""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from pcsos._version import __version__
from pcsos.base.control.stop import Stop
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.base.typing import Floats, Indices, MaybeNone
from pcsos.evidence.result.certain_pairs import CertainPairs
from pcsos.evidence.result.partition import frame_of, matched_labels, nearest_clusters
from pcsos.evidence.result.words import VIEWS, listed_sizes, shown, summary_of
from pcsos.evidence.status import Conflict, Reason, Status
from pcsos.problem.conditions.penalised_pairs import BrokenPair
from pcsos.problem.instance import Instance
from pcsos.problem.options import CERTAIN_SECONDS, Options
from pcsos.problem.partition import Partition, cluster_means
from pcsos.verify.reading.text import number_of

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What a run found and proved. Objectives and bounds are weighted sums of squared distances, penalties included.

    Parameters
    ----------
    instance : Instance
        What was solved.
    status, reason : Status, Reason
        What is proved and why the run stopped.
    partition : Partition or None
        The best partition known.
    lower_bound : float or None
        No feasible partition costs less than this; valid despite rounding. None where nothing was bounded.
    message : str
        For an infeasible instance the proof in one sentence, for a heuristic what failed; otherwise empty.
    conflict : Conflict or None
        For an infeasible instance constraints that cannot hold together; None where only the search proves it.
    root_lower_bound, root_seconds : float or None, float
        Bound of the root node and the time until it was closed or branched on.
    nodes : int
        Nodes whose bound was computed.

    Examples
    --------
    >>> import pcsos
    >>> result = pcsos.solve([0.0, 1.0, 5.0], 1, cannot_link=[(0, 1)])
    >>> str(result.status), result.labels
    ('INFEASIBLE', None)
    >>> result.message
    'points 0 and 1 cannot be linked, but there is only one cluster; one of these has to go: CL 0 1'
    >>> result.conflict.cannot_link
    ((0, 1),)

    A partition that breaks a soft pair pays for it:

    >>> soft = pcsos.SoftPairs(must_link=[(1, 2, 3.0)])
    >>> result = pcsos.solve([0.0, 1.0, 5.0], 2, conditions=[soft], start=[0, 0, 1])
    >>> result.objective, result.penalty, result.violated
    (3.5, 3.0, [BrokenPair(i=1, j=2, kind='must_link', penalty=3.0)])
    """

    instance: Instance
    status: Status
    reason: Reason
    partition: Partition | None = None
    _: KW_ONLY
    seconds: float
    seed: int
    lower_bound: float | None = None
    n_super_points: int | None = None
    nodes: int = 0
    root_lower_bound: float | None = None
    root_seconds: float = 0.0
    message: str = ""
    conflict: Conflict | None = None

    @classmethod
    def refuted(cls, instance: Instance, error: InfeasibleError, *, seconds: float, seed: int) -> Self:
        """Return the result of an instance that an error proves to have no partition."""
        return cls(
            instance, Status.INFEASIBLE, Reason.INFEASIBLE, seconds=seconds, seed=seed, message=str(error),
            conflict=error.conflict,
        )  # fmt: skip

    @property
    def n_points(self) -> int:
        """Number of points."""
        return self.instance.n_points

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.instance.n_features

    @property
    def n_clusters(self) -> int:
        """Number of clusters that were asked for."""
        return self.instance.n_clusters

    @property
    def n_must_link(self) -> int:
        """Number of must-links."""
        return len(self.instance.must_link)

    @property
    def n_cannot_link(self) -> int:
        """Number of cannot-links."""
        return len(self.instance.cannot_link)

    @property
    def labels(self) -> Indices | MaybeNone:
        """Cluster of each point, shape (n,), numbered by first appearance or after earlier ones; -1 if left out.

        None without a partition, which type checkers let pass: most runs have one.
        """
        return None if self.partition is None else self.partition.labels

    def matched_to(self, earlier: ArrayLike) -> Self:
        """Return the result with its clusters numbered after earlier ones, as far as they agree.

        Parameters
        ----------
        earlier : array_like, shape (m,) or (m, d)
            The cluster of each of the first m points, as a whole number, or -1 where it had none; a pandas Series names
            the points by its index where the points have one. Or earlier centres, of which row c is that of cluster c.

        Returns
        -------
        Result
            With labels from 0 to k - 1 still. As many points as possible are in the cluster of the number that they
            had, or centres move by the least sum of squares; clusters that are new have the numbers that are left.

        Raises
        ------
        InputError
            If ``earlier`` is neither labels nor centres, or of other points.

        Examples
        --------
        >>> import pcsos
        >>> result = pcsos.solve([0.0, 1.0, 8.0, 9.0, 4.0, 4.5], 3)
        >>> result.labels.tolist(), result.matched_to([2, 2, 0, 0]).labels.tolist()
        ([0, 0, 1, 1, 2, 2], [2, 2, 0, 0, 1, 1])
        """
        if self.partition is None:
            return self
        labels = matched_labels(self.instance, self.partition.labels, earlier)
        labels.setflags(write=False)
        return replace(self, partition=replace(self.partition, labels=labels))

    @property
    def objective(self) -> float | None:
        """Sum of squares of the labels and penalties of what they break, from the points; None without a partition."""
        return None if self.partition is None else self.partition.objective

    @property
    def centers(self) -> Floats | None:
        """Weighted mean of each cluster in the units of the points, shape (k, d); None without a partition.

        None also with inner products: the means are then points of the feature space, which no coordinates of the user
        describe. :meth:`to_frame` has the distance of each point to its mean.
        """
        if self.partition is None or self.instance.gram is not None:
            return None
        return cluster_means(self.instance, self.partition.labels)

    @property
    def sizes(self) -> Indices | None:
        """Number of points of each cluster, shape (k,); None without a partition."""
        labels = self.labels
        return None if labels is None else np.bincount(labels[labels >= 0])

    @property
    def violated(self) -> list[BrokenPair] | None:
        """The soft pairs that the labels break, the dearest first, with ``i``, ``j``, ``kind`` and ``penalty``.

        None without a partition. Points are called by their indices.
        """
        return None if self.partition is None else self.instance.soft.broken(self.partition.labels)

    @property
    def penalty(self) -> float | None:
        """What the objective pays for broken soft pairs; None without a partition."""
        return None if self.partition is None else self.instance.soft.cost(self.partition.labels)

    @property
    def gap(self) -> float | None:
        """``(objective - lower_bound) / objective``; None if either is missing.

        0 if the objective is 0; with a Gram matrix None, unless 0 is known to be the least.
        """
        return self._gap_to(self.lower_bound)

    @property
    def root_gap(self) -> float | None:
        """The gap between the objective and the bound of the root node."""
        return self._gap_to(self.root_lower_bound)

    def _gap_to(self, bound: float | None) -> float | None:
        if self.partition is None or bound is None:
            return None
        gap = self.instance.gap(self.partition.objective, bound)
        return gap if math.isfinite(gap) else None

    def to_frame(self, index: ArrayLike | None = None) -> "pandas.DataFrame":
        """Return a table with one row per point, which needs pandas.

        Parameters
        ----------
        index : array_like, shape (n,), optional
            Names of the points; by default those of the instance: the index of the table, or their numbers.

        Returns
        -------
        pandas.DataFrame
            ``label``, the cluster of the point, and ``distance``, its Euclidean distance to the centre of that; with
            inner products, in the feature space. A point that is left out has -1, and no distance (NaN).

        Raises
        ------
        InputError
            If there is no partition, the index does not fit, or pandas is not installed.

        Examples
        --------
        >>> import pcsos
        >>> result = pcsos.solve([0.0, 1.0, 5.0, 6.0], 2)
        >>> result.centers.tolist(), result.sizes.tolist()
        ([[0.5], [5.5]], [2, 2])
        >>> print(result.to_frame(index=["a", "b", "c", "d"]))
           label  distance
        a      0       0.5
        b      0       0.5
        c      1       0.5
        d      1       0.5
        """
        return frame_of(*self._known("to make a table of"), index)

    def predict(self, points: ArrayLike) -> Indices:
        """Return the cluster whose centre is nearest, for each of some other points.

        Constraints and sizes do not apply to them, and none of them is left out.

        Parameters
        ----------
        points : array_like, shape (m, d)
            Points with the features of those that were clustered, in the same units.

        Returns
        -------
        ndarray of int, shape (m,)
            Numbers as in ``labels``; the least one where two centres are equally near.

        Raises
        ------
        InputError
            If there is no partition, there are inner products in place of coordinates, or the points do not fit.

        Examples
        --------
        >>> import pcsos
        >>> pcsos.solve([0.0, 1.0, 5.0, 6.0], 2).predict([-1.0, 4.0]).tolist()
        [0, 1]
        """
        return nearest_clusters(*self._known("to predict from"), points)

    def certain_pairs(
        self,
        epsilon: float = 0.01,
        *,
        time_limit: float | None = CERTAIN_SECONDS,
        on_progress: Callable[[CertainPairs], object] | None = None,
    ) -> CertainPairs:
        """Return the pairs that are together, or apart, in every partition within ``1 + epsilon`` times the best cost.

        The relaxation is solved once more for it, which takes about as long as the root of the run, and longer the more
        pairs have to be looked at one by one.

        Parameters
        ----------
        epsilon : float
            Relative distance from the best cost.
        time_limit : float or None
            Seconds, None for no limit; what is not decided then is left undecided, as ``status`` and ``reason`` say.
        on_progress : callable, optional
            Called with what is proved so far, each time that it is more.

        Raises
        ------
        InputError
            If there is no partition, or an argument is out of its range.

        Examples
        --------
        >>> import pcsos
        >>> certain = pcsos.solve([0.0, 1.0, 5.0, 9.0, 10.0], 2).certain_pairs(0.1)
        >>> print(certain)
        6 of 10 pairs are the same in every partition within 10 % of the best one, the other 4 are not
        """
        Options(time_limit=time_limit)  # raises where it is out of its range
        stop, progress = Stop(time_limit=time_limit), on_progress or (lambda certain: None)
        found: CertainPairs = VIEWS.certain_pairs(
            *self._known(), epsilon, lower_bound=self.lower_bound, stop=stop, on_progress=progress
        )
        return found

    def membership(self, *, time_limit: float | None = None) -> Floats:
        """Return how far each pair is together in the relaxation, shape (n, n): 1 together, 0 apart, doubt between.

        Raises
        ------
        InputError
            If there is no partition, the time limit is none, or the relaxation does not fit into memory.

        Examples
        --------
        >>> import pcsos
        >>> pcsos.solve([0.0, 1.0, 9.0, 10.0], 2).membership().round(3).tolist()[0]
        [1.0, 1.0, 0.0, 0.0]
        """
        Options(time_limit=time_limit)  # raises where it is out of its range
        return VIEWS.membership(*self._known(), stop=Stop(time_limit=time_limit))

    def _known(self, purpose: str = "to compare others with") -> tuple[Instance, Partition]:
        """Return what is known of the instance and its best partition."""
        if self.partition is None:
            raise InputError(f"there is no partition {purpose}: the status is {self.status}")
        return self.instance, self.partition

    def report(self, path: str | PathLike[str], *, run_file: str | PathLike[str] | None = None, data: str = "") -> None:
        """Write a page for a colleague: one HTML file that needs no network (``pip install "pcsos[report]"``).

        Parameters
        ----------
        path : path
            The file, which is replaced.
        run_file : path, optional
            The file of the run that led to this result: the page then also shows how the run went, its tree, and what
            the checker says of its proof.
        data : str
            What the data are called, such as the name of their file: the page says it.

        Raises
        ------
        InputError
            If plotly is not installed.
        RunFileError
            If the run file cannot be read.
        OSError
            If the page cannot be written.
        """
        VIEWS.write_report(path, self, run_file=run_file, data=data)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw points, clusters and pairs in two dimensions with Matplotlib.

        Marks are as large as the weights of their points; soft pairs are drawn where they are broken, and constraints
        that contradict each other bold, with the names of their points.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default new axes.

        Returns
        -------
        matplotlib.axes.Axes
            The axes: those of the features where there are one or two, otherwise the first two principal components.

        Raises
        ------
        InputError
            If Matplotlib is not installed.
        """
        return VIEWS.draw(self, ax)

    def figures(self) -> dict[str, str]:
        """Return the figures of the result for people, by their names; what is not known is left out."""
        figures = {
            "status": f"{self.status} ({self.reason})" if str(self.status) != str(self.reason) else str(self.status),
            "objective": shown(self.objective),
            "penalties": self._paid(),
            "lower bound": shown(self.lower_bound),
            "gap": "" if self.gap is None else f"{100.0 * self.gap:.6f} %",
            "clusters": "" if self.sizes is None else listed_sizes(self.sizes.tolist()),
            "loads": self._loads(),
            "left out": self._left_out(),
            **self._work(),
            "time": f"{self.seconds:.2f} s",
        }
        return {name: value for name, value in figures.items() if value}

    def _loads(self) -> str:
        """Return what the clusters weigh and carry, in words, where that is limited; nothing elsewhere."""
        if self.labels is None or self.instance.limits is None:
            return ""
        held = self.instance.limits.capacities(np.arange(self.labels.size), self.instance.weights)
        loads = [np.bincount(self.labels, own.amounts).tolist() for own in held if own.is_rounded]
        return "; ".join(", ".join(f"{load:.10g}" for load in own) for own in loads)

    def _left_out(self) -> str:
        """Return how many points are left out, in words; nothing where none may be."""
        if self.labels is None or not self.instance.outliers:
            return ""
        return f"{np.count_nonzero(self.labels < 0)} of at most {number_of(self.instance.outliers, 'point')}"

    def _paid(self) -> str:
        """Return what is paid for broken soft pairs, in words; nothing where there are none."""
        if self.violated is None or len(self.instance.soft) == 0:
            return ""
        number = self.instance.soft.num_links
        return f"{self.penalty:.10g} for {len(self.violated)} of {number} soft pair{'s' * (number > 1)}"

    def _work(self) -> dict[str, str]:
        return {"nodes": str(self.nodes) if self.nodes else ""}

    def __str__(self) -> str:
        return summary_of(self.figures() | {"why": self.message})

    def __repr__(self) -> str:
        figures = [f"{name}={getattr(self, name)!r}" for name in ("objective", "lower_bound", "gap")]
        return f"{type(self).__name__}({self.status}, {self.reason}, {', '.join(figures)})"

    def _repr_html_(self) -> str:
        return VIEWS.result_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the fixed keys of the JSON output, with plain Python values."""
        return {
            "status": str(self.status),
            "reason": str(self.reason),
            "objective": self.objective,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "n_points": self.n_points,
            "n_features": self.n_features,
            "n_clusters": self.n_clusters,
            "n_super_points": self.n_super_points,
            "n_must_link": self.n_must_link,
            "n_cannot_link": self.n_cannot_link,
            "n_soft_pairs": self.instance.soft.num_links,
            "limits": {} if self.instance.limits is None else self.instance.limits.to_dict(),
            "penalty": self.penalty,
            "violated": None if self.violated is None else [pair._asdict() for pair in self.violated],
            "nodes": self.nodes,
            "root_lower_bound": self.root_lower_bound,
            "root_gap": self.root_gap,
            "root_seconds": None if self.root_lower_bound is None else self.root_seconds,
            "seconds": self.seconds,
            "seed": self.seed,
            "version": __version__,
            "gram_error": None if self.instance.gram is None else self.instance.gram_error,
            "message": self.message,
            "conflict": None if self.conflict is None else self.conflict.to_dict(),
            "labels": None if self.labels is None else self.labels.tolist(),
        }
