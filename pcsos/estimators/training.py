"""Training: the samples that count, as an instance, and what they are called in messages."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.base.typing import Floats, Indices
from pcsos.estimators.samples import UNKNOWN, left_out, one_a_sample, pairs_of_classes
from pcsos.evidence.status import Conflict
from pcsos.problem.conditions.pairs import Constraints, pairs_of_points
from pcsos.problem.conditions.penalised_pairs import BrokenPair
from pcsos.problem.conditions.role import Condition
from pcsos.problem.instance import Instance
from pcsos.problem.similarity import Gram, Kernel
from pcsos.problem.validation.arrays import whole_number
from pcsos.problem.validation.names import PointNames, column_names, located, refuse_other_index, row_labels

#: What else a random state may be.
SEEDS = ", a numpy.random.RandomState, or None"

#: The kernel of those who give inner products themselves.
PRECOMPUTED = "precomputed"


@dataclass(eq=False)
class Training:
    """The rows of X that are fitted: see :class:`pcsos.problem.conditions.role.Rows`."""

    X: Any  #: the samples as they were given
    rows: Indices  #: shape (m,): the rows of positive weight
    n_samples: int  #: number of rows of X
    remarks: list[str] = field(default_factory=list)  #: what was left out
    has_classes: bool = False  #: whether some of the pairs come from partial labels

    @cached_property
    def place(self) -> Indices:
        """Where each row of X is among those that are fitted, shape (n,); -1 where it is not."""
        place = np.full(self.n_samples, -1)
        place[self.rows] = np.arange(len(self.rows))
        return place

    def pairs(self, rows: Sequence[tuple[Any, ...]], name: str) -> list[tuple[Any, ...]]:
        """Return those that begin with two rows that are fitted; labels that are not in the index are remarked."""
        ends, names = [row[:2] for row in rows], row_labels(self.X)
        if names is not None:
            found = located(ends, names, name)
            ends, absent = found.found, {number for number, _ in found.missing}
            rows = [row for number, row in enumerate(rows) if number not in absent]
            self.remarks.extend([left_out(found, name)] if absent else [])
        placed = self.place[pairs_of_points(ends, self.n_samples, name)].tolist()
        return [(i, j, *row[2:]) for (i, j), row in zip(placed, rows, strict=True) if min(i, j) >= 0]

    def among(self, values: ArrayLike, name: str, read: Callable[[Any, int], Any]) -> list[Any]:
        """Return what is read for the rows that are fitted; what has an index may be about further rows, too."""
        given: Any = values
        if hasattr(self.X, "iloc") and hasattr(given, "iloc") and given.index.is_unique:
            given = given.loc[self.X.index] if self.X.index.isin(given.index).all() else given
        refuse_other_index(self.X, given, name)
        every = read(given, self.n_samples)
        return [every[row] for row in self.rows.tolist()]

    def instance(
        self,
        points: Floats,
        n_clusters: Any,
        constraints: Constraints,
        classes: Indices,
        weights: Floats,
        conditions: Iterable[Condition],
        kernel: Any = None,
        gamma: float | None = None,
    ) -> Instance:
        """Return the rows of positive weight with the pairs and known classes among them, and further conditions."""
        rows, place, labels = self.rows, self.place, row_labels(self.X)
        k = checked_n_clusters(n_clusters, len(rows))
        together, apart = pairs_of_classes(np.where(weights > 0.0, classes, UNKNOWN), k)
        self.has_classes = len(together) + len(apart) > 0
        names = None
        if labels is not None or len(rows) < len(points):
            called = range(len(points)) if labels is None else labels
            names = PointNames(len(rows), ids=[called[row] for row in rows.tolist()])
        return Instance(
            _place_of(points, rows, kernel, gamma),
            k,
            _among(place[np.vstack([constraints.must_link, together])]),
            _among(place[np.vstack([constraints.cannot_link, apart])]),
            weights[rows],
            conditions=[own.of_rows(self) for own in conditions],
            names=names,
            feature_names=column_names(self.X),
        )

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


def _place_of(points: Floats, rows: Indices, kernel: Any, gamma: float | None) -> Any:
    """Return what stands for the points that are fitted."""
    if gamma is not None and kernel != "rbf":
        raise InputError(f"gamma is {gamma!r}, but only kernel='rbf' has one; leave it out")
    if kernel != PRECOMPUTED:
        return points[rows] if kernel is None else Kernel(points[rows], kernel, gamma)
    if points.shape[0] != points.shape[1]:
        raise InputError(f"X has the shape {points.shape}; with kernel='precomputed', give a square matrix")
    return Gram(points[np.ix_(rows, rows)])


def _among(pairs: Indices) -> Indices:
    """Return the pairs of which neither end is left out."""
    return pairs[(pairs >= 0).all(axis=1)]


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
