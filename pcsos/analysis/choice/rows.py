"""Rows: what is known of several choices, as a table, as plain values and as intervals in a picture."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from pcsos.base.tolerances import OBJECTIVE_ERROR
from pcsos.evidence.result import Reason, Result, Status
from pcsos.evidence.result.certain_pairs import Reported
from pcsos.evidence.result.partition import require_pandas
from pcsos.report.page import Page, write_page
from pcsos.report.progress import percent
from pcsos.report.words import small_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


def table_of(rows: list[dict[str, Any]]) -> "pandas.DataFrame":
    """Return rows as a table, which needs pandas; what is missing is NaN, and words are strings."""
    return require_pandas().DataFrame([{name: _cell(value) for name, value in row.items()} for row in rows])


def _cell(value: Any) -> Any:
    if value is None:
        return math.nan
    return str(value) if isinstance(value, StrEnum) else value


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with values that JSON has: words as strings, numbers that are not finite as None."""
    lacking = {name: None for name, value in row.items() if isinstance(value, float) and not math.isfinite(value)}
    return {name: str(value) if isinstance(value, StrEnum) else value for name, value in (row | lacking).items()}


def labels_of(result: Result) -> dict[str, Any]:
    """Return the labels of a result as plain values, and its message, which says why there are none."""
    return {"message": result.message, "labels": None if result.labels is None else result.labels.tolist()}


def shown(value: float | None) -> str:
    """Return a figure as text, a dash where it is not known."""
    return "-" if value is None or not math.isfinite(value) else f"{value:.8g}"


def index_interval(
    total: float, objective: float | None, lower_bound: float | None, n_points: int, n_clusters: int
) -> tuple[float, float] | None:
    """Return bounds of the greatest index of all partitions into k clusters; None where it is not defined.

    The index is that of Calinski and Harabasz (1974).

    Parameters
    ----------
    total : float
        Sum of squares T of all points about their mean.
    objective : float or None
        What a partition into k clusters costs; None where none is known.
    lower_bound : float or None
        No partition into k clusters costs less; None where nothing is known.
    n_points, n_clusters : int
        Number of points n, whatever they weigh, and of clusters k. The index needs ``1 < k < n``.

    Notes
    -----
    ``((T - W) / (k - 1)) / (W / (n - k))`` falls as W rises, so bounds of the least W are bounds of the greatest index.
    T and W are moved by what they may be rounded by, to the side where the interval stays true.

    Examples
    --------
    >>> from pcsos.analysis.choice.rows import index_interval
    >>> least, most = index_interval(100.0, 20.0, 10.0, n_points=12, n_clusters=2)
    >>> round(least, 6), round(most, 6)
    (40.0, 90.0)
    """
    if not 1 < n_clusters < n_points:
        return None
    up, down = 1.0 + OBJECTIVE_ERROR, 1.0 - OBJECTIVE_ERROR
    least = 0.0 if objective is None else _index(total * down, objective * up, n_points, n_clusters)
    return least, max(least, _index(total * up, (lower_bound or 0.0) * down, n_points, n_clusters))


def _index(total: float, cost: float, n_points: int, n_clusters: int) -> float:
    """Return the index of a partition, infinite where it costs nothing."""
    if cost <= 0.0:
        return math.inf
    return max(total - cost, 0.0) / (n_clusters - 1) / (cost / (n_points - n_clusters))


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
        """The figures as text."""
        figures = [*map(shown, (self.lower_bound, self.objective)), percent(self.gap)]
        indices = map(shown, (self.index_least, self.index_most))
        return [str(self.n_clusters), str(self.status), *figures, *indices, f"{self.seconds:.1f}s"]


def draw_intervals(axes: "Axes", intervals: Sequence[tuple[float, float | None, float | None]]) -> None:
    """Draw an interval from low to high over each place; an end that is not known, or infinite, is an arrow."""
    if not intervals:
        return
    places, low, high = np.array(intervals, np.float64).T
    is_open = ~np.isfinite(high)
    high = np.where(is_open, low, high)
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    axes.errorbar(places, middle, half, fmt="o", markersize=3, capsize=5, zorder=2)
    axes.scatter(places[is_open], low[is_open], marker="^", zorder=3)


class Choices(Reported):
    """Several choices with what is known of each, as a table, as a page and in a notebook."""

    @property
    @abstractmethod
    def _sentence(self) -> str:
        """What is said first."""

    @property
    @abstractmethod
    def _table(self) -> list[list[str]]:
        """The table as text: the titles of its columns, then row by row."""

    @abstractmethod
    def _page(self, data: str) -> Page:
        """Return the page, given what the data are called."""

    def _write_page(self, path: str | PathLike[str], data: str) -> None:
        write_page(path, self._page(data))

    def _repr_html_(self) -> str:
        header, *rows = self._table
        return small_table(self._sentence, header, rows)
