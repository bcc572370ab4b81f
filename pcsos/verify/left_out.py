"""Left out: what some groups of points are worth, that count no more points than may be left out of all clusters."""

from collections.abc import Sequence
from itertools import accumulate
from typing import TypeVar

from flint import fmpq

Worth = TypeVar("Worth", float, fmpq)


def greatest_left_out(
    worths: Sequence[Worth], counts: Sequence[int], points: int, groups: int, *, exactly: bool = False
) -> Worth | int | None:
    """Return the greatest sum of the worths of groups that may be left out together.

    Parameters
    ----------
    worths : sequence
        What each group is worth.
    counts : sequence of int
        How many points it has.
    points, groups : int
        How many points, and how many groups, may be left out.
    exactly : bool
        Whether just so many groups have to be left out.

    Returns
    -------
    number or None
        The sum, 0 for no groups at all; None if so many groups have too many points.
    """
    worth_it = [(worth, count) for worth, count in zip(worths, counts, strict=True) if exactly or worth > 0]
    sums = [0, *accumulate(sorted((worth for worth, count in worth_it if count == 1), reverse=True))]
    best: dict[tuple[int, int], Worth | int] = {(0, 0): 0}  # larger groups: by how many they are, and their points
    for worth, count in worth_it:
        if 1 < count <= points:
            for (number, held), total in list(best.items()):
                if number < groups and held + count <= points:
                    own = number + 1, held + count
                    best[own] = max(best.get(own, total + worth), total + worth)
    found = list[Worth | int]()
    for (number, held), total in best.items():
        room = min(len(sums) - 1, points - held, groups - number)
        if not exactly or number + room == groups:
            found.append(total + sums[room])
    return max(found, default=None)


def most_steps(counts: Sequence[int], points: int) -> int:
    """Return how many sums are looked at, at most, to find it."""
    larger = sum(1 < count <= points for count in counts)
    return len(counts) + larger * min(2 ** min(larger, 60), (points // 2 + 1) * (points + 1))
