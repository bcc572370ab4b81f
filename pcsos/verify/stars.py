"""Stars: super-points of which a cluster takes the centre or some of the leaves (docs/certificate.md, section 12).

With A what the centre earns and B what the leaves do, ``max(A, B) = A + max(B - A, 0)``, so for every t in [0, 1]

    max(A, B) <= (1 - t) A + t B + max(t X, (1 - t) Y)     with A - B <= X and B - A <= Y everywhere in the box.

A and B are bounded from above like any points of the box, and from below by those that certainly earn there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pcsos.reading.arrays import integers
from pcsos.reading.memory import Memory
from pcsos.verify.integers import PART_BITS, PARTS, Integers, Model, peaks
from pcsos.verify.reader import require
from pcsos.verify.state import State


class Stars(NamedTuple):
    """For each point that earns something the number of its star, -1 outside of stars, and whether it is the centre."""

    number: Integers
    is_centre: NDArray[np.bool_]

    @classmethod
    def none(cls, size: int) -> "Stars":
        """Return no stars for so many points."""
        return cls(np.full(size, -1, np.int64), np.zeros(size, np.bool_))


class Tied(NamedTuple):
    """Pairs of a box and a point of a star, in order: at most what each earns, and at least, or 0, over the box.

    ``middle`` is at least what it earns in the middle.
    """

    box: Integers
    point: Integers
    upper: Model
    lower: Model
    middle: Integers


def stars_in(blob: object, state: State, memory: Memory) -> list[list[int]]:
    """Return the stars of a closing, as numbers of super-points with the centre first; without any, there are none.

    Raises
    ------
    VerificationError
        If they are no stars: a super-point twice, or a leaf without a cannot-link to the centre.
    """
    if blob is None:
        return []
    names = state.names()
    listed = integers(blob, "stars", memory, ndim=1, most=2 * len(names)).tolist()
    stars, seen, at = [], set[int](), 0
    while at < len(listed):
        size = listed[at]
        star = listed[at + 1 : at + 1 + max(size, 0)]
        require(len(star) == size > 1, "stars: not a number of super-points and so many of them")
        require(all(0 <= i < len(names) for i in star), "stars: no super-point")
        require(len({*star}) == size and seen.isdisjoint(star), "stars: a super-point twice")
        apart = state.around(names[star[0]])
        require(all(names[leaf] in apart for leaf in star[1:]), "stars: a leaf without a cannot-link to its centre")
        seen.update(star)
        stars.append(star)
        at += 1 + size
    return stars


def earned_of_stars(stars: Stars, tied: Tied, size: int) -> tuple[Model, Integers]:
    """Return at most what stars earn over each of so many boxes, and in the middle of each."""
    number, centre = stars.number[tied.point], stars.is_centre[tied.point]
    starts = np.flatnonzero(np.append(True, (number[1:] != number[:-1]) | (tied.box[1:] != tied.box[:-1])))

    def total(values: Integers, which: NDArray[np.bool_]) -> Integers:
        return np.asarray(np.add.reduceat(np.where(which, values, 0), starts, axis=-1))

    def spread(values: Integers) -> Integers:
        result = np.zeros((*values.shape[:-1], size), np.int64)
        np.add.at(result.T, tied.box[starts], values.T)
        return result

    most_a, most_b = (Model(*(total(values, which) for values in tied.upper)) for which in (centre, ~centre))
    least_a, least_b = (Model(*(total(values, which) for values in tied.lower)) for which in (centre, ~centre))
    ahead, behind = _most_ahead(most_a, least_b), _most_ahead(most_b, least_a)
    share = PARTS * behind // np.maximum(ahead + behind, 1)
    level, slope, curve = ((PARTS - share) * a + share * b for a, b in zip(most_a, most_b, strict=True))
    lost = np.maximum(share * ahead, (PARTS - share) * behind) + PARTS - 1
    level = ((level + lost) >> PART_BITS) + len(slope)  # as rounding takes up to 1 from each slope
    earned = np.maximum(tied.middle, 0)
    middle = np.maximum(total(earned, centre), total(earned, ~centre))
    return Model(spread(level), spread(slope >> PART_BITS), spread(curve >> PART_BITS)), spread(middle)


def _most_ahead(one: Model, other: Model) -> Integers:
    """Return at least the most by which one is larger than another anywhere, and 0."""
    slope, curve = one.slope - other.slope, one.curve - other.curve
    return np.asarray(np.maximum(one.level - other.level + peaks(slope, curve).sum(axis=0), 0))
