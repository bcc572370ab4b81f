"""Standing: what is proved about all partitions within epsilon of the best one, and whether that is everything."""

import decimal
import math
from dataclasses import dataclass

from pcsos.evidence.result.words import whole_percent
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced
from pcsos.problem.relations import is_trivial, relation


@dataclass(frozen=True, eq=False)
class Standing:
    """What is proved about all partitions that satisfy the answers.

    Parameters
    ----------
    partition : Partition
        The best one known.
    epsilon : float
        Within which relative distance of the best cost partitions count.
    lower_bound : float
        Every partition that has a decided pair the other way round costs at least this, more than ``(1 + epsilon)``
        times the objective; infinity where nothing had to be proved.
    decided : Reduced
        The decided pairs: points of one super-point are together, cannot-links apart, in all partitions within epsilon.
    pair : (int, int) or None
        A pair of points that is not decided and may be asked about, if there is one.
    """

    partition: Partition
    epsilon: float
    lower_bound: float
    decided: Reduced
    pair: tuple[int, int] | None

    @property
    def is_settled(self) -> bool:
        """Whether all pairs are decided: no other partition lies within epsilon of this one."""
        return is_trivial(self.decided)

    def relation(self, i: int, j: int) -> bool | None:
        """Tell whether all partitions within epsilon have points i and j together (True) or apart (False)."""
        return relation(self.decided, i, j)

    def __str__(self) -> str:
        cost, share = f"{self.partition.objective:.10g}", whole_percent(self.epsilon)
        if not self.is_settled:
            return f"not settled: there may be other partitions within {share} of {cost}"
        if math.isinf(self.lower_bound):
            return f"settled: the answers leave one partition, which costs {cost}"
        return (
            f"settled: one partition costs {cost}, and every other one that agrees with the answers costs at least "
            f"{_rounded_down(self.lower_bound)}, over {share} more"
        )


def _rounded_down(bound: float) -> str:
    """Return ten digits of a bound, which are a bound, too."""
    with decimal.localcontext(decimal.Context(prec=10, rounding=decimal.ROUND_FLOOR)):
        return f"{float(+decimal.Decimal(bound)):.10g}"
