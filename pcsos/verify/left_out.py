"""Left out: what groups of points are worth of which some may be in no cluster (docs/certificate.md, section 15)."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeVar

from flint import fmpq

from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.effort import OF_A_STEP, spend
from pcsos.verify.state import Groups

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


class LeftOut(NamedTuple):
    """What may be left out: so many points, in whole groups that the must-links of the instance make.

    ``whole`` has the size of the group of each point.
    """

    points: int
    whole: Sequence[int]
    k: int

    def greatest(self, data: Data, groups: Groups, prices: Doubles | None = None, *, exactly: bool = False) -> fmpq | None:
        """Return the most that super-points cost inside, and pay, which may be left out together.

        With ``exactly``, as many have to be left out as there are beyond k: None if there are no such ones.
        """
        sizes = groups.sizes.tolist()
        own = [at for at, first in enumerate(groups.firsts.tolist()) if sizes[at] == self.whole[first]]
        counts = [sizes[at] for at in own]
        spend(OF_A_STEP * most_steps(counts, self.points))
        worths = list(self._worths(data, groups, prices, own))
        found = greatest_left_out(worths, counts, self.points, len(groups) - self.k, exactly=exactly)
        return None if found is None else fmpq(found)

    def _worths(self, data: Data, groups: Groups, prices: Doubles | None, own: Sequence[int]) -> Iterator[fmpq]:
        for at in own:
            inside = data.cost([groups[at]]) if len(groups[at]) > 1 else fmpq(0)
            yield inside if prices is None else inside + prices[at]


def most_steps(counts: Sequence[int], points: int) -> int:
    """Return how many sums are looked at, at most, to find it."""
    larger = sum(1 < count <= points for count in counts)
    return len(counts) + larger * min(2 ** min(larger, 60), (points // 2 + 1) * (points + 1))
