"""Path: what each number of clusters costs at least and at most, and which of them is the best choice for certain."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

from pcsos.analysis.choice.falling import costs_fall
from pcsos.analysis.choice.index import index_interval
from pcsos.analysis.choice.path_page import either, path_page, path_sentence
from pcsos.analysis.choice.picture import draw_intervals
from pcsos.analysis.choice.row import HEADER, Row
from pcsos.analysis.choice.rows import labels_of, plain, shown, table_of
from pcsos.base import tolerances
from pcsos.base.numerics.aligned import aligned
from pcsos.evidence.result import Result, Status
from pcsos.report.page import write_page
from pcsos.report.picture import axes_or_new
from pcsos.report.words import small_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Path:
    """The certified costs of several numbers of clusters, for one to be chosen.

    Parameters
    ----------
    results : tuple of Result
        What each number of clusters led to, in ascending order.
    total : float
        Sum of squares of all points about their mean.

    Examples
    --------
    >>> import pcsos
    >>> path = pcsos.path([0.0, 1.0, 5.0, 6.0, 20.0, 21.0], range(1, 5))
    >>> [round(row.objective, 6) for row in path.rows]
    [434.833333, 26.5, 1.5, 1.0]
    >>> path.best, path[3].labels.tolist()
    (3, [0, 0, 1, 1, 2, 2])
    """

    results: tuple[Result, ...]
    total: float

    def __getitem__(self, n_clusters: int) -> Result:
        """Return the result with so many clusters; raises KeyError where that is not on the path."""
        found = {result.n_clusters: result for result in self.results}
        return found[n_clusters]

    def __len__(self) -> int:
        """Return how many numbers of clusters there are."""
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        """Go through the results, in ascending order of their numbers of clusters."""
        return iter(self.results)

    def __contains__(self, n_clusters: object) -> bool:
        """Tell whether a number of clusters is on the path."""
        return any(result.n_clusters == n_clusters for result in self.results)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """What is known of each number of clusters, in ascending order."""
        found: list[Row] = []
        bound: float | None = None
        is_falling = all(result.instance is None or costs_fall(result.instance) for result in self.results)
        for result in reversed(self.results):
            if result.lower_bound is not None:
                bound = max(bound or 0.0, result.lower_bound) if is_falling else result.lower_bound
            elif not is_falling:
                bound = None
            found.append(_row(result, self.total, bound))
        return tuple(reversed(found))

    @property
    def _has_penalties(self) -> bool:
        return any(result.instance is not None and len(result.instance.soft) > 0 for result in self.results)

    @property
    def _is_any_found(self) -> bool:
        """Whether there is a partition with an index, so that one of the contenders has the greatest."""
        return any(row.objective is not None and row.index_most is not None for row in self.rows)

    @property
    def contenders(self) -> tuple[int, ...]:
        """Numbers of clusters of which each may have the greatest index of Calinski and Harabasz, by what is proved."""
        possible = [row for row in self.rows if row.index_most is not None]
        least = max((row.index_least for row in possible if row.index_least is not None), default=0.0)
        return tuple(row.n_clusters for row in possible if row.index_most is not None and row.index_most >= least)

    @property
    def best(self) -> int | None:
        """The number of clusters with the greatest index for certain; None where intervals overlap."""
        contenders = self.contenders
        return contenders[0] if len(contenders) == 1 and self._is_any_found else None

    @property
    def verdict(self) -> str:
        """Which number of clusters is best, in a sentence; empty where the index is defined for none."""
        if self._has_penalties:
            return "costs with penalties have no index of Calinski and Harabasz"
        if self.best is not None:
            return f"k = {self.best} has the greatest index of Calinski and Harabasz for certain"
        if not self.contenders:
            return ""
        if not self._is_any_found:
            return "no partition was found that has an index of Calinski and Harabasz"
        return f"the greatest index may be that of k = {either(self.contenders)}"

    def to_frame(self) -> "pandas.DataFrame":
        """Return a table with a row for each number of clusters, which needs pandas; missing figures are NaN.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        return table_of([asdict(row) for row in self.rows]).set_index("n_clusters")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON: the rows with their labels, and the choice."""
        rows = [plain(asdict(row)) | labels_of(self[row.n_clusters]) for row in self.rows]
        return {"total": self.total, "best": self.best, "contenders": list(self.contenders), "path": rows}

    def plot(self, ax: "Axes | None" = None, *, index: bool = False) -> "Axes":
        """Draw the interval from bound to cost for each number of clusters with Matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default new axes.
        index : bool
            Whether to draw the intervals of the index of Calinski and Harabasz instead.

        Raises
        ------
        InputError
            If Matplotlib is not installed.
        """
        axes = axes_or_new(ax)
        ends = [(row.index_least, row.index_most) if index else (row.lower_bound, row.objective) for row in self.rows]
        numbers = [row.n_clusters for row in self.rows]
        draw_intervals(axes, [(k, low, high) for k, (low, high) in zip(numbers, ends, strict=True) if low is not None])
        axes.set_xlabel("number of clusters k")
        axes.set_ylabel("index of Calinski and Harabasz" if index else "sum of squares")
        axes.set_xticks(numbers)
        if index and self.verdict:
            axes.set_title(self.verdict, fontsize="medium")
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
        write_page(path, path_page(self.rows, self._sentence, self.results, self.best, data))

    def _repr_html_(self) -> str:
        return small_table(self._sentence, HEADER, [row.cells for row in self.rows])

    @property
    def _sentence(self) -> str:
        numbers = [result.n_clusters for result in self.results]
        return path_sentence(
            numbers, self.contenders, is_any_found=self._is_any_found, has_penalties=self._has_penalties
        )

    def __str__(self) -> str:
        return aligned([HEADER, *(row.cells for row in self.rows)]) + self.verdict

    def __repr__(self) -> str:
        return f"Path({', '.join(_named(self.results))})"


def _named(results: tuple[Result, ...]) -> Iterator[str]:
    for result in results:
        yield f"{result.n_clusters}: {shown(result.objective)} ({result.status})"


def _row(result: Result, total: float, bound: float | None) -> Row:
    """Return what is known of the number of clusters of a result, and of a bound that may be better than its own."""
    k, objective = result.n_clusters, result.objective
    if result.status is Status.INFEASIBLE:
        return Row(k, result.status, result.reason, None, None, None, None, None, result.seconds)
    gap: float | None = None
    if objective is not None and bound is not None:
        bound = min(bound, objective)
        gap = tolerances.relative_gap(objective, bound)
    has_index = result.instance is None or len(result.instance.soft) == 0
    interval = index_interval(total, objective, bound, result.n_points, k) if has_index else None
    least, most = interval or (None, None)
    return Row(k, result.status, result.reason, objective, bound, gap, least, most, result.seconds)
