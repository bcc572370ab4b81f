"""Front: the partitions of which none is both cheaper and tighter, or cheaper and better separated; and their page."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pcsos.analysis.choice.rows import Choices, draw_intervals, labels_of, plain, shown, table_of
from pcsos.base import tolerances
from pcsos.evidence.result import Reason, Result, Status
from pcsos.evidence.result.words import above_optimum, aligned, listed_sizes
from pcsos.report.contents import Source
from pcsos.report.markup import Figures, Markup, Section, counted, drawing, element, long_table
from pcsos.report.page import Page
from pcsos.report.picture import axes_or_new
from pcsos.report.plot import Span, intervals_figure
from pcsos.report.progress import percent
from pcsos.report.summary import data_section
from pcsos.report.words import PROVED

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Corner:
    """A partition on the front.

    Parameters
    ----------
    value : float
        Its diameter, or its split.
    result : Result
        The search that has found it, among the partitions whose value is better than that of the corner before.
    lower_bound : float or None
        No partition whose value is better than that of the corner before costs less.
    """

    value: float
    result: Result
    lower_bound: float | None

    @property
    def objective(self) -> float:
        """What it costs."""
        assert self.result.objective is not None
        return self.result.objective

    @property
    def gap(self) -> float | None:
        """``(objective - lower_bound) / objective``."""
        return None if self.lower_bound is None else tolerances.relative_gap(self.objective, self.lower_bound)


#: What each criterion is, and which of its values are good.
MEANINGS = {
    "diameter": ("the greatest distance between two points of one cluster", "a diameter no larger"),
    "split": ("the least distance between points of different clusters", "a split no smaller"),
}
NOTE = (
    "Each mark is a division, with a bar from the proved bound to its sum of squares; bars too short to be seen are "
    "short gaps. The line shows what a limit in between costs. The {} is {}."
)


#: How the end of a complete front is said.
COMPLETE = {"diameter": "no partition has a smaller diameter", "split": "no partition has a larger split"}


@dataclass(frozen=True, eq=False, repr=False)
class Front(Choices):
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

    def _page(self, data: str) -> Page:
        figures: Figures = {}
        found = [corner.result.sizes for corner in self.corners if corner.result.sizes is not None]
        header, *cells = self._table
        rows = [(*own, listed_sizes(sizes.tolist())) for own, sizes in zip(cells, found, strict=True)]
        table = long_table("Trade-offs", [*header, "clusters"], rows)
        sections = [Section("divisions", "The divisions", table)]
        if self.corners:
            sections.append(data_section(self.corners[0].result.instance, Source(data)))
        title = f"Sum of squares against {self.criterion}, and what is proved"
        kind = "good" if self.is_certified else "open"
        picture = self._picture(figures)
        return Page(title, self._sentence, kind, picture=picture, sections=tuple(sections), figures=figures)

    def _picture(self, figures: Figures) -> Markup:
        """Return the place of the picture, and put it into the figures."""
        if not self.corners:
            return element("p", "There is nothing to be drawn.")
        spans = [Span(corner.value, corner.lower_bound or 0.0, corner.objective) for corner in self.corners]
        steps = "hv" if self.criterion == "diameter" else "vh"
        figures["front-figure"] = intervals_figure(spans, self.criterion, "sum of squares", steps=steps)
        note = NOTE.format(self.criterion, MEANINGS[self.criterion][0])
        return drawing("front-figure", f"Sum of squares against {self.criterion}", note)

    @property
    def _sentence(self) -> str:
        """What is proved of the corners, in a sentence or two."""
        if self.message:
            return f"There is no division: {self.message}. {PROVED}"
        if not self.corners:
            return f"No division was found: the search ended with {self.reason}."
        number = "this one" if len(self) == 1 else f"one of these {len(self)}"
        if not self.is_complete:
            end = "Whether there are divisions beyond the last of these is not proved."
            return f"The search ended with {self.reason}. {end}"
        lacking = max(1.0 if corner.gap is None else corner.gap for corner in self.corners)
        more = above_optimum(lacking)
        if more is None:
            return f"How much less than these {len(self)} other divisions could cost is not proved."
        costs = "costs no more" if lacking == 0.0 else f"costs at most {more} more"
        clusters = counted(self.corners[0].result.n_clusters, "cluster")
        good = f"{MEANINGS[self.criterion][1]} and {costs}"
        return f"Compared with any division into {clusters}, {number} has {good}. {PROVED}"

    @property
    def _table(self) -> list[list[str]]:
        rows = [
            [shown(own[self.criterion]), str(own["status"]), *map(shown, (own["lower_bound"], own["objective"])),
             percent(own["gap"]), f"{own['seconds']:.1f}s"]
            for own in self._rows
        ]  # fmt: skip
        return [[self.criterion, "status", "bound", "cost", "gap", "time"], *rows]

    def __str__(self) -> str:
        end = COMPLETE[self.criterion] if self.is_complete else f"the search ended with {self.reason}"
        return aligned(self._table) + (self.message or end)

    def __repr__(self) -> str:
        end = "complete" if self.is_complete else str(self.reason)
        return f"Front({self.criterion}, {len(self.corners)} corners, {end})"
