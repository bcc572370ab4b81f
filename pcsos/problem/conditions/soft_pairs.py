"""Soft pairs: pairs that may be broken at a penalty: a number, or one from their distance or from a confidence."""

import math
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base import tolerances
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.conditions.pairs import Constraints, pairs_of_points, refuse_loops
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs
from pcsos.problem.conditions.role import Condition, Place, Rows, Spelling
from pcsos.problem.conditions.spread import largest_square, variance_within
from pcsos.problem.validation.arrays import spelled_out
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
#: Two points, and what stands behind them or None.
Row = tuple[Any, Any, Any]


class Weighed(NamedTuple):
    """Pairs of one kind, shape (m, 2), and what each of them counts, shape (m,)."""

    pairs: Indices
    values: Floats

    @property
    def is_certain(self) -> Any:
        """Which pairs must hold, shape (m,)."""
        return np.isinf(self.values)

    @property
    def uncertain(self) -> "Weighed":
        """The others."""
        return Weighed(*(own[~self.is_certain] for own in self))


@dataclass(frozen=True, eq=False)
class SoftPairs(Condition):
    """Pairs that may be broken at a penalty, which is added to the sum of squares.

    Parameters
    ----------
    must_link : array_like, shape (m, 2) or (m, 3), optional
        Pairs that may be apart at a penalty: rows ``(i, j)`` or with a value, ``(i, j, value)``.
    cannot_link : array_like, shape (m, 2) or (m, 3), optional
        Pairs that may be together at a penalty, likewise.
    penalty : float, "distance" or "confidence", optional
        With a number or none, values of soft pairs are penalties, and the number is that of pairs without one. With
        "distance" a broken must-link costs the squared distance of its points and a broken cannot-link the largest
        squared distance of two points less that, each times its value, 1 unless given. With "confidence" values are
        probabilities from 0.5 to 1 that the pair is right, and breaking it costs their log odds times twice the
        variance within clusters of k-means. Pairs of an infinite penalty, and of probability 1, must hold; penalties of
        one pair add up.

    Raises
    ------
    InputError
        If a row is no pair, or its value is missing or out of range.

    References
    ----------
    Vouros and Vasilaki, A semi-supervised sparse K-Means algorithm, Pattern Recognition Letters 142 (2021), equation 8.

    Examples
    --------
    >>> import pcsos
    >>> soft = pcsos.SoftPairs(must_link=[(1, 2, 3.0)])
    >>> result = pcsos.solve([0.0, 1.0, 5.0], 2, conditions=[soft])
    >>> result.labels.tolist(), result.objective, result.penalty
    ([0, 0, 1], 3.5, 3.0)
    """

    SPELLINGS: ClassVar[Mapping[str, Spelling]] = {
        "penalty": Spelling(
            "penalty",
            "penalty of soft pairs without one; or distance or confidence, which say what the values in the file mean",
            read_penalty,
            "P",
        )
    }

    must_link: ArrayLike | None = None
    cannot_link: ArrayLike | None = None
    penalty: Penalty = None

    def __post_init__(self) -> None:
        refuse_unknown(self.penalty)
        if self.penalty is not None and self.must_link is None and self.cannot_link is None:
            raise InputError(
                f"penalty is {self.penalty!r}, but there are no soft pairs; give must_link or cannot_link, or leave it "
                "out"
            )
        for name in ("must_link", "cannot_link"):
            object.__setattr__(self, name, _rows_of(getattr(self, name), f"soft_{name}", self.penalty))

    def asks(self, place: Place) -> Iterator[Condition]:
        """Yield pairs of an infinite penalty as such that must hold, and the others."""
        n = place.n_points
        kinds = ("must_link", "cannot_link")
        must, cannot = (_weighed(getattr(self, name), f"soft_{name}", self.penalty, place) for name in kinds)
        must, cannot = _scaled(must, cannot, self.penalty, place)
        yield Constraints(n, must.pairs[must.is_certain], cannot.pairs[cannot.is_certain])
        (first, apart), (second, together) = must.uncertain, cannot.uncertain
        with np.errstate(over="ignore"):
            total = float(apart.sum() + together.sum())
        if not total <= LARGEST_TOTAL:
            raise InputError(f"penalties of soft pairs add up to {total:g}, too much to be exact; give smaller ones")
        yield PenalisedPairs.joined(first, apart, np.zeros(len(apart)), n)
        yield PenalisedPairs.joined(second, np.zeros(len(together)), together, n)

    def of_rows(self, rows: Rows) -> Self:
        """Return the pairs of which both points are among some rows."""
        must, cannot = (rows.pairs(getattr(self, name), f"soft_{name}") for name in ("must_link", "cannot_link"))
        return replace(self, must_link=must, cannot_link=cannot)


def _rows_of(given: ArrayLike | None, name: str, penalty: Penalty) -> tuple[Row, ...]:
    """Return soft pairs as rows of three, whose last entry is None where nothing stands behind the points."""
    title = confidence_title(getattr(given, "columns", ()))
    if title and penalty != CONFIDENCE:
        raise InputError(
            f"{name} has the column {title!r}, but its values are penalties; say penalty='confidence', or call it "
            "'penalty'"
        )
    empty = () if given is None else given
    listed: Any = spelled_out(empty, name, "give rows (i, j) or (i, j, penalty)", ordered=False)
    if not isinstance(listed, Iterable):
        raise InputError(f"{name} is {given!r}; give rows (i, j) or (i, j, penalty)")
    titles, rows = getattr(listed, "columns", ()), []
    for number, row in enumerate(listed.to_numpy() if hasattr(listed, "to_numpy") else listed):
        if isinstance(row, str | bytes | Set | Mapping) or not hasattr(row, "__len__") or len(row) not in {2, 3}:
            raise InputError(f"{name}[{number}] is {row!r}; give (i, j) or (i, j, penalty)")
        i, j, *value = value_last(list(row), titles)
        rows.append((i, j, value[0] if value else None))
        value_of(rows[-1][2], f"{name}[{number}]", penalty)
    return tuple(rows)


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

    What stands behind the two points is ``given``, None where nothing does; ``penalty`` says what that means, as in
    :class:`SoftPairs`, and ``where`` what the pair is called where it cannot be used.

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
        other = "" if penalty == CONFIDENCE else ", or one for all as penalty"
        raise InputError(f"{where} has no {what}; give it behind the two points{other}")
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


def _weighed(rows: Any, name: str, penalty: Penalty, place: Place) -> Weighed:
    """Return the pairs of one kind by positions, with what they count."""
    values = [value_of(value, f"{name}[{number}]", penalty) for number, (*_, value) in enumerate(rows)]
    ends = pairs_of_points(place.positions([row[:2] for row in rows], name), place.n_points, name)
    refuse_loops(ends, name)
    return Weighed(ends, np.array(values, np.float64))


def _scaled(must: Weighed, cannot: Weighed, penalty: Penalty, place: Place) -> tuple[Weighed, Weighed]:
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
    points = place.geometry.points
    if penalty == CONFIDENCE:
        own = other = np.array(2.0 * variance_within(points, place.geometry.weights, place.n_clusters))
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
    """Return a number as a float, and NaN for what is none, or is finite and beyond doubles."""
    if isinstance(value, bool | np.bool_ | str | bytes):
        return math.nan
    try:
        number = float(value)  # type: ignore[arg-type]
        return number if math.isfinite(number) or value == number else math.nan
    except (TypeError, ValueError, OverflowError):
        return math.nan
