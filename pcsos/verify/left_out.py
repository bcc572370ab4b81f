"""Left out: what groups of points are worth of which some may be in no cluster (docs/certificate.md, section 15)."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from flint import fmpq

from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.effort import OF_A_STEP, spend
from pcsos.verify.state import Groups

Worth = TypeVar("Worth", float, fmpq)


class LeftOut(NamedTuple):
    """How many points may be left out, the size of the group of each that must-links of the instance make, and k."""

    points: int
    whole: Sequence[int]
    k: int

    def greatest(self, data: Data, groups: Groups, prices: Doubles | None, *, exactly: bool) -> fmpq | None:
        """Return the most that super-points cost inside, and pay if there are prices, which may be left out."""
        sizes, rows = groups.sizes.tolist(), list[tuple[int, fmpq]]()
        for at, first in enumerate(groups.firsts.tolist()):
            if sizes[at] == self.whole[first]:
                inside = data.cost([groups[at]]) if sizes[at] > 1 else fmpq(0)
                rows.append((sizes[at], inside if prices is None else inside + prices[at]))
        return greatest_left_out(rows, self.points, max(len(groups) - self.k, 0), fmpq(0), exactly=exactly)


def greatest_left_out(
    rows: Sequence[tuple[int, Worth]], points: int, groups: int, nothing: Worth, *, exactly: bool
) -> Worth | None:
    """Return the greatest sum of worths of some groups, which have so many points together at most.

    There are so many groups at most, or ``exactly``: None if those have too many points. ``rows`` has the number of
    points of each group and its worth, ``nothing`` is the worth of none.
    """
    ones: list[Worth] = sorted(
        (worth for size, worth in rows if size == 1 and (exactly or worth > nothing)), reverse=True
    )
    sums = [nothing]
    for worth in ones:
        sums.append(sums[-1] + worth)
    best = {(0, 0): nothing}  # of larger groups, by their number and their points
    for size, worth in rows:
        if 1 < size <= points and (exactly or worth > nothing):
            spend(OF_A_STEP * len(best))
            for (number, held), total in list(best.items()):
                own, more = (number + 1, held + size), total + worth
                if number < groups and held + size <= points:
                    best[own] = max(best.get(own, more), more)
    found, least = list[Worth](), groups if exactly else 0
    for (number, held), total in best.items():
        room = min(len(ones), points - held, groups - number)
        found += [total + sums[room]] if number + room >= least else []
    return max(found, default=None)
