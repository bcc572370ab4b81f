"""Training: the samples that count, as an instance, and how to speak of them to whoever gave them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.base.typing import Floats, Indices
from pcsos.estimators.kernel_clusters import PRECOMPUTED
from pcsos.estimators.side_information import UNKNOWN, one_a_sample, pairs_of_classes
from pcsos.evidence.conflict import Conflict
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.soft_pairs import BrokenPair
from pcsos.problem.instance import Instance
from pcsos.problem.validation.arrays import whole_number
from pcsos.problem.validation.cluster_names import labels_of_points, refuse_other_number
from pcsos.problem.validation.names import Labels, PointNames

#: What else a random state may be.
SEEDS = ", a numpy.random.RandomState, or None"
#: Soft pairs of positions with what stands behind them.
SoftRows = Sequence[tuple[Any, ...]]


@dataclass(frozen=True, eq=False)
class Training:
    """The rows of X that are fitted.

    Parameters
    ----------
    instance : Instance
        The rows of positive weight.
    rows : ndarray of int, shape (m,)
        Their positions in X.
    n_samples : int
        Number of rows of X.
    has_classes : bool
        Whether some of the pairs come from partial labels.
    """

    instance: Instance
    rows: Indices
    n_samples: int
    has_classes: bool

    @classmethod
    def of(
        cls,
        points: Floats,
        n_clusters: Any,
        constraints: Constraints,
        classes: Indices,
        weights: Floats,
        labels: Labels | None,
        feature_names: tuple[str, ...] | None = None,
        *,
        soft: Mapping[str, SoftRows] | None = None,
        known: Mapping[str, ArrayLike | None] | None = None,
        kernel: Any = None,
        gamma: float | None = None,
        **conditions: Any,
    ) -> "Training":
        """Return the rows of positive weight with the pairs and known classes among them.

        Soft pairs are rows of positions with what they count, and what is known of samples is a label a sample; other
        conditions are those of an instance.
        """
        rows = np.flatnonzero(weights)
        place = np.full(len(points), -1)
        place[rows] = np.arange(len(rows))
        k = checked_n_clusters(n_clusters, len(rows))
        together, apart = pairs_of_classes(np.where(weights > 0.0, classes, UNKNOWN), k)
        must_link = _among(place[np.vstack([constraints.must_link, together])])
        cannot_link = _among(place[np.vstack([constraints.cannot_link, apart])])
        names = None
        if labels is not None or len(rows) < len(points):
            called = range(len(points)) if labels is None else labels
            names = PointNames(len(rows), ids=[called[row] for row in rows.tolist()])
        table: dict[str, Any] = {"points": points[rows], "kernel": kernel, "gamma": gamma}
        if kernel == PRECOMPUTED:
            table = {"gram": _among_themselves(points, rows), "gamma": gamma}
        given: dict[str, Any] = {name: _soft_among(place.tolist(), own) for name, own in (soft or {}).items()}
        given |= {name: _labels_among(rows, name, own, len(points)) for name, own in (known or {}).items()}
        instance = Instance(
            n_clusters=k, must_link=must_link, cannot_link=cannot_link, weights=weights[rows], names=names,
            feature_names=feature_names, **table, **given, **conditions,
        )  # fmt: skip
        return cls(instance, rows, len(points), has_classes=len(together) + len(apart) > 0)

    def part_of(self, clusters: Indices) -> Indices:
        """Return the clusters of the rows, given those of all samples, shape (n,)."""
        refuse_other_number(clusters, self.n_samples)
        return clusters[self.rows]

    def in_words_of_the_user(self, error: InfeasibleError) -> InfeasibleError:
        """Return the error with rows of X for points; its message calls them as X does already."""
        witness = {key: self._rows_of(value) for key, value in error.witness.items()}
        message, conflict = str(error), error.conflict
        if conflict is not None:
            must_link, cannot_link = self._rows_of(conflict.must_link), self._rows_of(conflict.cannot_link)
            conflict = Conflict(must_link, cannot_link, conflict.is_irreducible)
        if self.has_classes:
            message += "; partial_labels link samples of one class and keep those of different classes apart"
        return InfeasibleError(message, witness, conflict=conflict)

    def in_rows(self, broken: list[BrokenPair] | None) -> list[BrokenPair]:
        """Return broken soft pairs with rows of X for points."""
        return [pair._replace(i=self._rows_of(pair.i), j=self._rows_of(pair.j)) for pair in broken or []]

    def _rows_of(self, value: Any) -> Any:
        """Return the same with rows for points, wherever there are lists of them."""
        if isinstance(value, list | tuple):
            return type(value)(self._rows_of(item) for item in value)
        return int(self.rows[value]) if isinstance(value, int) else value


def _among_themselves(matrix: Floats, rows: Indices) -> Floats:
    """Return the inner products of these rows."""
    if matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"X has the shape {matrix.shape}; with kernel='precomputed', give a square matrix")
    return matrix[np.ix_(rows, rows)]


def _among(pairs: Indices) -> Indices:
    """Return the pairs of which neither end is left out."""
    return pairs[(pairs >= 0).all(axis=1)]


def _soft_among(place: list[int], rows: SoftRows) -> SoftRows:
    """Return soft pairs with places for rows, those of which neither end is left out."""
    placed = [(place[i], place[j], value) for i, j, value in rows]
    return [row if row[2] is not None else row[:2] for row in placed if min(row[:2]) >= 0]


def _labels_among(rows: Indices, name: str, labels: ArrayLike | None, n_samples: int) -> list[Any] | None:
    """Return the labels of these rows, None where there are none."""
    if labels is None:
        return None
    every = labels_of_points(labels, name, n_samples, "group")
    return [every[row] for row in rows.tolist()]


def checked_n_clusters(n_clusters: Any, n_samples: int) -> int:
    """Return the number of clusters, from 1 to that of the samples."""
    is_whole = isinstance(n_clusters, Integral) and not isinstance(n_clusters, bool)
    if not (is_whole and 1 <= n_clusters <= n_samples):
        raise InputError(
            f"n_clusters is {n_clusters!r}; give a whole number from 1 to that of the samples with a positive weight "
            f"(n_samples={n_samples})"
        )
    return int(n_clusters)


def drawn_seed(random_state: Any) -> int:
    """Return a seed that is drawn from a random state, which a number begins; None is the global state of NumPy."""
    if random_state is not None and not isinstance(random_state, np.random.RandomState):
        whole_number("random_state", random_state, 0, SEEDS)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def checked_weights(sample_weight: ArrayLike | None, n_samples: int) -> Floats:
    """Return the weights of the samples, shape (n,): finite, none negative, not all of them zero."""
    if sample_weight is None:
        return np.ones(n_samples)
    remedy = "give one number of at least 0 a sample"
    weights = one_a_sample(sample_weight, n_samples, "sample_weight", remedy)
    is_good = np.isfinite(weights) & (weights >= 0.0)
    if not is_good.all():
        row = int(np.argmin(is_good))
        raise InputError(f"sample_weight[{row}] is {weights[row]}; {remedy}")
    if not weights.any():
        raise InputError("sample_weight is zero for all samples; give those to be clustered a positive one")
    return weights
