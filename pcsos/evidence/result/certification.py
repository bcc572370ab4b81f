"""Certification: what is proved about given labels."""

from dataclasses import dataclass
from typing import Any

from pcsos.base import tolerances
from pcsos.evidence.result.result import Result
from pcsos.evidence.result.words import above_optimum, shown
from pcsos.problem.partition import Partition


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Certification(Result):
    """What is proved about a partition that is given.

    Parameters
    ----------
    better : Partition or None
        A better partition, if one was met on the way.
    n_blocks : int
        Blocks whose bounds add up to the lower bound.

    Examples
    --------
    >>> import pcsos
    >>> result = pcsos.certify([0.0, 1.0, 5.0, 6.0], [1, 1, 1, 2])
    >>> str(result.status), result.objective, result.better.labels.tolist(), result.better.objective
    ('FEASIBLE', 14.0, [0, 0, 1, 1], 1.0)
    """

    better: Partition | None = None
    n_blocks: int = 0

    def _work(self) -> dict[str, str]:
        better = ""
        if self.better is not None:
            gap = tolerances.relative_gap(self.better.objective, self.lower_bound or 0.0)
            share = above_optimum(gap)
            above = "" if share is None else f", at most {share} above the optimum"
            better = f"{shown(self.better.objective)} (other labels{above})"
        return {"blocks": str(self.n_blocks), "better": better}

    def to_dict(self) -> dict[str, Any]:
        """Return the keys of a result, and those of a certificate."""
        better = self.better
        return super().to_dict() | {
            "n_blocks": self.n_blocks,
            "better_objective": None if better is None else better.objective,
            "better_labels": None if better is None else better.labels.tolist(),
        }
