"""Verdict: what has been proved from a run file, with numbers rounded to the safe side."""

from typing import NamedTuple, Self

from flint import arb, fmpq

from pcsos.verify.exact import rounded_down, rounded_up

Counts = tuple[int, int, int, int]  # problems, open ones, points, clusters


class Verdict(NamedTuple):
    """What has been proved from a run file."""

    status: str  #: as claimed, and justified
    lower_bound: float  #: no partition that satisfies the constraints costs less; infinity if there is none
    objective: float | None  #: cost of the partition in the file, rounded upwards; None without one
    gap: float | None  #: (objective - lower_bound) / objective, 0 if the objective is 0; rounded upwards
    num_nodes: int  #: problems that were come to
    num_open: int  #: those of which there is no evidence, or that were left open
    n_points: int
    n_clusters: int
    gap_asked: float  #: what the run was asked for
    digest: str  #: of the instance, to compare with that of somebody else

    @classmethod
    def of(
        cls, status: str, proved: arb, cost: fmpq | None, gap: arb | None, counts: Counts, asked: fmpq, digest: str
    ) -> Self:
        """Round what was proved: bounds down, costs and gaps up."""
        return cls(
            status,
            rounded_down(proved),
            None if cost is None else rounded_up(cost),
            None if gap is None else rounded_up(gap),
            *counts,
            rounded_up(asked),
            digest,
        )
