"""A row: what is known of one number of clusters."""

from dataclasses import dataclass

from pcsos.analysis.choice.rows import percent, shown
from pcsos.evidence.result import Reason, Status


@dataclass(frozen=True)
class Row:
    """What is known of one number of clusters.

    Parameters
    ----------
    n_clusters : int
        Number of clusters k.
    status, reason : Status, Reason
        What the run with k clusters has proved and why it stopped.
    objective, lower_bound, gap : float or None
        The least cost of k clusters is between the bound and the objective; None where that is not known.
    index_least, index_most : float or None
        The greatest index of Calinski and Harabasz of k clusters is between them; None where it is not defined, and
        where costs have penalties in them.
    seconds : float
        What it took.
    """

    n_clusters: int
    status: Status
    reason: Reason
    objective: float | None
    lower_bound: float | None
    gap: float | None
    index_least: float | None
    index_most: float | None
    seconds: float

    @property
    def cells(self) -> list[str]:
        """The figures as text, in the order of :data:`HEADER`."""
        return [
            *(
                str(self.n_clusters),
                str(self.status),
                shown(self.lower_bound),
                shown(self.objective),
                percent(self.gap),
            ),
            *(shown(self.index_least), shown(self.index_most), f"{self.seconds:.1f}s"),
        ]


#: Titles of the columns of a path as text.
HEADER = ["k", "status", "bound", "cost", "gap", "index from", "to", "time"]
