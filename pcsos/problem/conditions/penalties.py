"""Penalties: what breaking a soft pair costs, from a number, from the distance of its points, or from a confidence."""

import math
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base import tolerances
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.problem.conditions.pairs import pairs_of_points
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.conditions.spread import largest_square, variance_within
from pcsos.problem.validation.arrays import spelled_out
from pcsos.problem.validation.labelled_pairs import positions
from pcsos.problem.validation.names import Labels
from pcsos.problem.validation.signatures import Default, Option, family
from pcsos.problem.validation.texts import penalty as read_penalty

#: What ``penalty`` may be besides a number.
DISTANCE, CONFIDENCE = "distance", "confidence"
#: What a column of confidences is called.
CONFIDENCES = frozenset({"confidence", "confidences", "probability", "probabilities", "prob", "proba"})
#: What a column is called that says what its pair counts, of whatever kind.
VALUES = CONFIDENCES | {"penalty", "penalties", "weight", "weights", "cost", "costs", "value", "values"}
#: Penalties that add up to more would overflow, or hide all digits of the sum of squares.
LARGEST_TOTAL = 1e280

Penalty = float | str | None


@family
class SoftPairKeywords(TypedDict, total=False):
    """Pairs that a partition may break.

    Parameters
    ----------
    soft_must_link : array_like, shape (m, 2) or (m, 3), optional
        Pairs that may be apart at a penalty, which is added to the sum of squares: rows ``(i, j)`` or with a value,
        ``(i, j, value)``.
    soft_cannot_link : array_like, shape (m, 2) or (m, 3), optional
        Pairs that may be together at a penalty, likewise.
    """

    soft_must_link: Annotated[ArrayLike, Default(())]
    soft_cannot_link: Annotated[ArrayLike, Default(())]


@family
class PenaltyKeywords(TypedDict, total=False):
    """What breaking a pair costs.

    Parameters
    ----------
    penalty : float, "distance" or "confidence", optional
        With a number or none, values of soft pairs are penalties, and the number is that of pairs without one. With
        "distance" a broken must-link costs the squared distance of its points and a broken cannot-link the largest
        squared distance of two points less that, each times its value, 1 unless given. With "confidence" values are
        probabilities from 0.5 to 1 that the pair is right, and breaking it costs their log odds times twice the
        variance within clusters of k-means. Pairs of an infinite penalty, and of probability 1, must hold; penalties of
        one pair add up.
    """

    penalty: Annotated[
        Penalty,
        Option(
            "penalty of soft pairs without one; or distance or confidence, which say what the values in the file mean",
            read_penalty,
            "P",
        ),
    ]


class Weighed(NamedTuple):
    """Pairs of one kind, shape (m, 2), and what each of them counts, shape (m,)."""

    pairs: Indices
    values: Floats

    @property
    def is_certain(self) -> Any:
        """Which pairs must hold, shape (m,)."""
        return np.isinf(self.values)


def soft_pairs_of(
    points: Floats,
    weights: Floats,
    n_clusters: int,
    must_link: ArrayLike,
    cannot_link: ArrayLike,
    penalty: Penalty,
    labels: Labels | None,
) -> tuple[SoftPairs, tuple[Indices, Indices]]:
    """Return the soft pairs that a user gives, and the must-links and cannot-links of an infinite penalty.

    Parameters
    ----------
    points, weights : ndarray, shapes (n, d) and (n,)
        The points and their weights.
    n_clusters : int
        Number of clusters k.
    must_link, cannot_link : array_like, shape (m, 2) or (m, 3)
        Rows ``(i, j)`` or ``(i, j, value)``.
    penalty : float, "distance", "confidence" or None
        The penalty of rows of two, or what values mean (:func:`value_of`).
    labels : Labels or None
        What the points are called in the rows, if not by their indices.

    Raises
    ------
    InputError
        If a row is no pair of different points, or its value is out of range.
    """
    refuse_unknown(penalty)
    if penalty is not None and not (_is_given(must_link) or _is_given(cannot_link)):
        raise InputError(
            f"penalty is {penalty!r}, but there are no soft pairs; give soft_must_link or soft_cannot_link, or leave "
            "it out"
        )
    n = len(points)
    must = _weighed(must_link, "soft_must_link", n, penalty, labels)
    cannot = _weighed(cannot_link, "soft_cannot_link", n, penalty, labels)
    must, cannot = _scaled(points, weights, n_clusters, must, cannot, penalty)
    (first, apart), (second, together) = (Weighed(*(own[~kind.is_certain] for own in kind)) for kind in (must, cannot))
    with np.errstate(over="ignore"):
        total = float(apart.sum() + together.sum())
    if not total <= LARGEST_TOTAL:
        raise InputError(f"penalties of soft pairs add up to {total:g}, too much to be exact; give smaller ones")
    soft = SoftPairs.joined(
        np.vstack([first, second]),
        np.concatenate([apart, np.zeros(len(together))]),
        np.concatenate([np.zeros(len(apart)), together]),
        n,
    )
    return soft, (must.pairs[must.is_certain], cannot.pairs[cannot.is_certain])


def _is_given(pairs: object) -> bool:
    """Tell whether pairs are given, be it none; an empty tuple is what stands where they are not."""
    return pairs is not None and not (isinstance(pairs, tuple) and not pairs)


def rows_of(given: ArrayLike, name: str) -> list[tuple[Any, Any, Any]]:
    """Return soft pairs as rows of three, whose last entry is None where nothing stands behind the points.

    Raises
    ------
    InputError
        If there is something else than rows of two or three.
    """
    empty = () if given is None else given
    listed: Any = spelled_out(empty, name, "give rows (i, j) or (i, j, penalty)", ordered=False)
    if not isinstance(listed, Iterable):
        raise InputError(f"{name} is {given!r}; give rows (i, j) or (i, j, penalty)")
    titles, rows = getattr(listed, "columns", ()), []
    for number, row in enumerate(listed.to_numpy() if hasattr(listed, "to_numpy") else listed):
        if isinstance(row, str | bytes) or not hasattr(row, "__len__") or len(row) not in {2, 3}:
            raise InputError(f"{name}[{number}] is {row!r}; give (i, j) or (i, j, penalty)")
        i, j, *value = value_last(list(row), titles)
        rows.append((i, j, value[0] if value else None))
    return rows


def value_last(row: list[Any], titles: Iterable[object]) -> list[Any]:
    """Return a row with what the pair counts at its end, if the titles of its columns say where that is."""
    named = [isinstance(title, str) and title.strip().lower() in VALUES for title in titles]
    if len(named) != len(row) or sum(named) != 1:
        return row
    at = named.index(True)
    return [*row[:at], *row[at + 1 :], row[at]]


def confidence_title(titles: Iterable[object]) -> str:
    """Return the title of the first column that holds confidences by its name, or an empty text."""
    return next((title for title in titles if isinstance(title, str) and title.strip().lower() in CONFIDENCES), "")


def refuse_unknown(penalty: object) -> None:
    """Refuse what is neither a number of at least 0 nor one of the two words."""
    if penalty is None or (isinstance(penalty, str) and penalty in {DISTANCE, CONFIDENCE}):
        return
    if not _number(penalty) >= 0.0:
        raise InputError(f"penalty is {penalty!r}; give a number of at least 0, {DISTANCE!r} or {CONFIDENCE!r}")


def value_of(given: object, where: str, penalty: Penalty) -> float:
    """Return what a pair counts: its penalty, the factor of its distance, or the log odds of its confidence.

    Parameters
    ----------
    given : object
        What stands behind the two points; None where nothing does.
    where : str
        What the pair is called where it cannot be used.
    penalty : float, "distance", "confidence" or None
        What the value means.

    Raises
    ------
    InputError
        If it is missing, no number, or out of range.
    """
    if given is None and penalty == DISTANCE:
        return 1.0
    value = penalty if given is None and penalty != CONFIDENCE else given
    what = "confidence" if penalty == CONFIDENCE else "penalty"
    if value is None:
        raise InputError(f"{where} has no {what}; give it behind the two points" + (
            "" if penalty == CONFIDENCE else ", or one for all as penalty"
        ))  # fmt: skip
    number = _number(value)
    if penalty == CONFIDENCE:
        return _log_odds(number, value, where)
    if not number >= 0.0:
        raise InputError(f"{where} has the {what} {value!r}; give a number of at least 0, or infinity")
    if 0.0 < number < tolerances.SMALLEST_PENALTY and penalty != DISTANCE:
        raise InputError(
            f"{where} has the {what} {value!r}, too little for double precision; give 0 or at least "
            f"{tolerances.SMALLEST_PENALTY:g}"
        )
    return number


def _log_odds(confidence: float, given: object, where: str) -> float:
    """Return ``log(p / (1 - p))``, infinity for a pair that is certain."""
    if 0.0 <= confidence < 0.5:
        raise InputError(
            f"{where} has the confidence {given!r}: it is less likely right than wrong; give a pair of the other kind "
            f"with confidence {1.0 - confidence:g}"
        )
    if not 0.5 <= confidence <= 1.0:
        raise InputError(f"{where} has the confidence {given!r}; give a number from 0.5 to 1")
    return math.inf if confidence == 1.0 else _rounded_log_odds(confidence)


@cache
def _rounded_log_odds(confidence: float) -> float:
    """Return log odds, rounded once, so that they are the same with every library of mathematics."""
    from decimal import Decimal, localcontext  # for confidences only

    with localcontext() as context:
        context.prec = 50
        right = Decimal(confidence)
        return float((right / (1 - right)).ln())


def _weighed(given: ArrayLike, name: str, n: int, penalty: Penalty, labels: Labels | None) -> Weighed:
    """Return the pairs of one kind with what they count."""
    title = confidence_title(getattr(given, "columns", ()))
    if title and penalty != CONFIDENCE:
        raise InputError(
            f"{name} has the column {title!r}, but its values are penalties; say penalty='confidence', or call it "
            "'penalty'"
        )
    rows = rows_of(given, name)
    values = [value_of(own, f"{name}[{number}]", penalty) for number, (*_, own) in enumerate(rows)]
    pairs: Pairs = [row[:2] for row in rows]
    if labels is not None:
        pairs = positions(pairs, labels, name)
    ends = pairs_of_points(pairs, n, name)
    for number, (i, j) in enumerate(ends.tolist()):
        if i == j:
            raise InputError(f"{name}[{number}] links point {i} to itself; remove that pair")
    return Weighed(ends, np.array(values, np.float64))


def _scaled(
    points: Floats, weights: Floats, n_clusters: int, must: Weighed, cannot: Weighed, penalty: Penalty
) -> tuple[Weighed, Weighed]:
    """Return the pairs with penalties for values.

    By distance, a broken must-link costs the squared distance d^2 of its points and a broken cannot-link ``D^2 - d^2``
    with D the largest distance of two points, each times its value (Vouros and Vasilaki 2021, equation 8).

    By confidence, somebody says of a pair that its points are together, or apart, and is right with probability p. Of
    points in round Gaussian clusters of variance s^2 a feature, the negative log likelihood is then the sum of squares
    by ``2 s^2`` plus ``log(p / (1 - p))`` for each pair that is broken, up to a constant. So in the units of the sum of
    squares a broken pair costs ``2 s^2`` times its log odds. The variance is what k-means without pairs leaves.
    """
    if penalty not in {DISTANCE, CONFIDENCE} or len(must.pairs) + len(cannot.pairs) == 0:
        return must, cannot
    if penalty == CONFIDENCE:
        own = other = np.array(2.0 * variance_within(points, weights, n_clusters))
        if own == 0.0:
            raise InputError(
                "penalty is 'confidence', but k-means leaves no variance within the clusters to weigh pairs against; "
                "give penalties as numbers"
            )
    else:
        own = _square_lengths(points, must.pairs)
        other = np.maximum(largest_square(points) - _square_lengths(points, cannot.pairs), 0.0)
    return _times(must, own), _times(cannot, other)


def _times(kind: Weighed, factors: Floats) -> Weighed:
    """Return the pairs with values times factors; pairs that must hold remain so."""
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.where(kind.is_certain, np.inf, kind.values * factors)
    too_large = np.isinf(values) & ~kind.is_certain
    if too_large.any():
        i, j = kind.pairs[np.argmax(too_large)].tolist()
        raise InputError(f"the penalty of points {i} and {j} is too large for double precision; give a smaller value")
    return Weighed(kind.pairs, values)


def _square_lengths(points: Floats, pairs: Indices) -> Floats:
    """Return the squared distance of the points of each pair."""
    squares: Floats = ((points[pairs[:, 0]] - points[pairs[:, 1]]) ** 2).sum(axis=1)
    return squares


def _number(value: object) -> float:
    """Return a number as a float, and NaN for what is none."""
    if isinstance(value, bool | np.bool_ | str | bytes):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan
