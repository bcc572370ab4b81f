"""Front: the partitions of which none is both cheaper and tighter, or cheaper and better separated."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pcsos.analysis.choice.corner import Corner
from pcsos.analysis.choice.front_page import front_page, front_sentence
from pcsos.analysis.choice.picture import draw_intervals
from pcsos.analysis.choice.rows import labels_of, percent, plain, shown, table_of
from pcsos.base.numerics.aligned import aligned
from pcsos.evidence.result import Reason, Status
from pcsos.report.page import write_page
from pcsos.report.picture import axes_or_new
from pcsos.report.words import small_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

#: How the end of a complete front is said.
COMPLETE = {"diameter": "no partition has a smaller diameter", "split": "no partition has a larger split"}


@dataclass(frozen=True, eq=False, repr=False)
class Front:
    """Cost against diameter, or cost against split: all choices that no other one beats in both.

    Parameters
    ----------
    criterion : {"diameter", "split"}
        What is weighed against the cost.
    corners : tuple of Corner
        The partitions, in the order of rising cost, with falling diameters or rising splits.
    reason : Reason
        ``INFEASIBLE`` where it is proved that there is nothing beyond the last corner; otherwise why the search ended
        before.
    message : str
        Why there is no partition at all; empty where there is one.

    Notes
    -----
    Every partition into k clusters that satisfies the constraints is at least as bad as some corner in both: its
    value is no better, and its cost is at least the lower bound of that corner (Mathematics 12). Beyond the last
    corner that is known only where the front is complete. Two values that differ by less than 1e-9 of themselves count
    as the same.

    Examples
    --------
    >>> import pcsos
    >>> front = pcsos.front([0.0, 4.0, 5.0, 11.0, 12.0, 16.0], 2, "diameter")
    >>> [(corner.value, round(corner.objective, 6)) for corner in front.corners], front.is_complete
    ([(5.0, 28.0)], True)
    """

    criterion: str
    corners: tuple[Corner, ...]
    reason: Reason
    message: str = ""

    def __len__(self) -> int:
        """Return the number of corners."""
        return len(self.corners)

    def __iter__(self) -> Iterator[Corner]:
        """Go through the corners, in the order of rising cost."""
        return iter(self.corners)

    def __getitem__(self, number: int) -> Corner:
        """Return a corner by its place, from 0."""
        return self.corners[number]

    @property
    def is_complete(self) -> bool:
        """Whether it is proved that there is nothing beyond the last corner."""
        return self.reason is Reason.INFEASIBLE

    @property
    def is_certified(self) -> bool:
        """Whether the front is complete, and each of its corners proved within the gap asked for."""
        return self.is_complete and all(corner.result.status is Status.OPTIMAL for corner in self.corners)

    @cached_property
    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                self.criterion: corner.value,
                "objective": corner.objective,
                "lower_bound": corner.lower_bound,
                "gap": corner.gap,
                "status": corner.result.status,
                "seconds": corner.result.seconds,
            }
            for corner in self.corners
        ]

    def to_frame(self) -> "pandas.DataFrame":
        """Return a table with a row for each corner, which needs pandas.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        return table_of(self._rows)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON: the corners with their labels."""
        rows = [plain(row) | labels_of(corner.result) for row, corner in zip(self._rows, self.corners, strict=True)]
        return {"criterion": self.criterion, "reason": str(self.reason), "message": self.message, "corners": rows}

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw cost, as an interval from bound to cost, over diameter or split with Matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default new axes.

        Raises
        ------
        InputError
            If Matplotlib is not installed.
        """
        axes = axes_or_new(ax)
        rising = sorted((corner.value, corner.objective) for corner in self.corners)
        draw_intervals(axes, [(one.value, one.lower_bound or 0.0, one.objective) for one in self.corners])
        # what a limit in between costs
        where: Literal["pre", "post"] = "post" if self.criterion == "diameter" else "pre"
        axes.step(*np.array(rising).reshape(-1, 2).T, where=where, color="0.6", linewidth=1.0, zorder=1)
        axes.set_xlabel(self.criterion)
        axes.set_ylabel("sum of squares")
        return axes

    def report(self, path: str | PathLike[str], *, data: str = "") -> None:
        """Write a page for a colleague: one HTML file that needs no network (``pip install "pcsos[report]"``).

        Parameters
        ----------
        path : path
            The file, which is replaced.
        data : str
            What the data are called, such as the name of their file: the page says it.

        Raises
        ------
        InputError
            If plotly is not installed.
        OSError
            If the page cannot be written.
        """
        kind = "good" if self.is_certified else "open"
        page = front_page(self.criterion, self.corners, self._sentence, self._header, self._cells, kind, data)
        write_page(path, page)

    def _repr_html_(self) -> str:
        return small_table(self._sentence, self._header, self._cells)

    @property
    def _sentence(self) -> str:
        return front_sentence(self.criterion, self.corners, self.reason, self.message)

    @property
    def _header(self) -> list[str]:
        return [self.criterion, "status", "bound", "cost", "gap", "time"]

    @property
    def _cells(self) -> list[list[str]]:
        return [
            [
                *(shown(row[self.criterion]), str(row["status"]), shown(row["lower_bound"]), shown(row["objective"])),
                *(percent(row["gap"]), f"{row['seconds']:.1f}s"),
            ]
            for row in self._rows
        ]

    def __str__(self) -> str:
        end = COMPLETE[self.criterion] if self.is_complete else f"the search ended with {self.reason}"
        return aligned([self._header, *self._cells]) + (self.message or end)

    def __repr__(self) -> str:
        end = "complete" if self.is_complete else str(self.reason)
        return f"Front({self.criterion}, {len(self.corners)} corners, {end})"
