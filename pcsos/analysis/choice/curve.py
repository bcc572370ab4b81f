"""Path: what each number of clusters costs at least and at most, which of them is best for certain, and the page.

Where costs fall with the number of clusters, a bound for more of them bounds fewer, too (Mathematics 12).
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pcsos.analysis.choice.rows import Choices, Row, draw_intervals, index_interval, labels_of, plain, shown, table_of
from pcsos.base import tolerances
from pcsos.evidence.result import Result, Status
from pcsos.evidence.result.words import aligned
from pcsos.problem.instance import Instance
from pcsos.report.clusters import division_sections
from pcsos.report.contents import Source
from pcsos.report.markup import Figures, Markup, Section, drawing, element, join, long_table
from pcsos.report.page import Page
from pcsos.report.picture import axes_or_new
from pcsos.report.plot import Span, intervals_figure
from pcsos.report.summary import data_section

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


def costs_fall(instance: Instance) -> bool:
    """Return whether the least cost falls with the number of clusters, as long as there are groups for them.

    A group of points that leaves a cluster breaks no cannot-link, and both parts hold at most what the cluster did. But
    they may hold less than they must, and a soft must-link may be broken.

    Examples
    --------
    >>> from pcsos import Instance
    >>> from pcsos.analysis.choice.curve import costs_fall
    >>> points = [0.0, 1.0, 5.0, 6.0]
    >>> costs_fall(Instance(points, 2, size_max=3)), costs_fall(Instance(points, 2, size_min=2))
    (True, False)
    """
    keeps = instance.limits is None or not instance.limits.asks_for_least
    return keeps and not instance.soft.apart.any()


TITLE = "How many clusters, and what is proved of each number"
INDEX = "index of Calinski and Harabasz"
COSTS = (
    "The sum of squares of the best division known, with a bar down to the proved bound, which no division with so "
    "many clusters is below. Bars too short to be seen are short gaps."
)
INDICES = (
    "The index weighs how far clusters lie apart against how wide they are; the number of clusters with the greatest "
    "index is the best one by it. The bars hold the index of the best division with so many clusters."
)


def _listed(numbers: Sequence[int]) -> str:
    """Return numbers in words: those from one to another, or each of them."""
    first, last = numbers[0], numbers[-1]
    is_span = len(numbers) > 2 and len(numbers) == last - first + 1
    return f"{first} to {last}" if is_span else either(numbers)


def either(numbers: Sequence[int]) -> str:
    """Return numbers in words, of which it is one."""
    *others, last = numbers
    return f"{', '.join(map(str, others))} or {last}" if others else str(last)


def _picture(rows: Sequence[Row], figures: Figures) -> Markup:
    """Return the places of the two pictures, each of which shows numbers of clusters of which something is known."""
    costs = [Span(row.n_clusters, row.lower_bound, row.objective) for row in rows if row.lower_bound is not None]
    indices = [Span(row.n_clusters, row.index_least, row.index_most) for row in rows if row.index_least is not None]
    shown: list[tuple[str, list[Span], str, str]] = [
        ("index-figure", indices, INDEX, INDICES),
        ("cost-figure", costs, "sum of squares", COSTS),
    ]
    places = []
    for name, spans, what, note in shown:
        if spans:
            figures[name] = intervals_figure(spans, "number of clusters", what)
            figures[name].update_xaxes(dtick=max(1, len(rows) // 12))
            places.append(drawing(name, f"The {what} of each number of clusters", note))
    return join(places) if places else element("p", "Nothing is known of any of them yet.")


@dataclass(frozen=True, eq=False, repr=False)
class Path(Choices):
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
        """Return whether a number of clusters is on the path."""
        return any(result.n_clusters == n_clusters for result in self.results)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """What is known of each number of clusters, in ascending order."""
        found: list[Row] = []
        bound: float | None = None
        is_falling = all(costs_fall(result.instance) for result in self.results)
        for result in reversed(self.results):
            if result.lower_bound is not None:
                bound = max(bound or 0.0, result.lower_bound) if is_falling else result.lower_bound
            elif not is_falling:
                bound = None
            found.append(_row(result, self.total, bound))
        return tuple(reversed(found))

    @property
    def _has_penalties(self) -> bool:
        return any(len(result.instance.soft) > 0 for result in self.results)

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
        """Which number of clusters is best, in a sentence, and whether numbers beyond an end may be better."""
        if self._has_penalties:
            return f"costs with penalties have no {INDEX}"
        if not self.contenders:
            return f"none of these numbers has an {INDEX}"
        if not self._is_any_found:
            return f"no partition was found that has an {INDEX}"
        if self.best is None:
            return f"the greatest index may be that of k = {either(self.contenders)}{self._beyond}"
        return f"k = {self.best} has the greatest {INDEX} for certain{self._beyond}"

    @property
    def _beyond(self) -> str:
        """What else to try: numbers beyond those that may be the best at an end of the range, which have an index."""
        first, last = self.results[0], self.results[-1]
        fewer = ["fewer"] if first.n_clusters in self.contenders and first.n_clusters > 2 else []
        more = ["more"] if last.n_clusters in self.contenders and last.n_clusters < last.n_points - 1 else []
        return (
            f"; this is where the range ends, so try {' and '.join(fewer + more)} clusters, too" if fewer + more else ""
        )

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
        if index:
            axes.set_title(self.verdict, fontsize="medium")
        return axes

    def _page(self, data: str) -> Page:
        figures: Figures = {}
        header, *rows = self._table
        table = long_table("Costs and indices", header, [tuple(cells) for cells in rows])
        sections = [Section("numbers", "The numbers of clusters", table)]
        if self.best is not None:
            sections += division_sections(self[self.best], figures)
        sections.append(data_section(self.results[0].instance, Source(data)))
        kind, picture = "open" if self.best is None else "good", _picture(self.rows, figures)
        return Page(TITLE, self._sentence, kind, picture=picture, sections=tuple(sections), figures=figures)

    @property
    def _sentence(self) -> str:
        numbers = [result.n_clusters for result in self.results]
        return f"Of {_listed(numbers)} clusters: {self.verdict}."

    @property
    def _table(self) -> list[list[str]]:
        header = ["k", "status", "bound", "cost", "gap", "index from", "to", "time"]
        return [header, *(row.cells for row in self.rows)]

    def __str__(self) -> str:
        return aligned(self._table) + self.verdict

    def __repr__(self) -> str:
        figures = (f"{own.n_clusters}: {shown(own.objective)} ({own.status})" for own in self.results)
        return f"Path({', '.join(figures)})"


def _row(result: Result, total: float, bound: float | None) -> Row:
    """Return what is known of the number of clusters of a result, and of a bound that may be better than its own."""
    k, objective = result.n_clusters, result.objective
    if result.status is Status.INFEASIBLE:
        return Row(k, result.status, result.reason, None, None, None, None, None, result.seconds)
    gap: float | None = None
    if objective is not None and bound is not None:
        bound = min(bound, objective)
        gap = tolerances.relative_gap(objective, bound)
    has_penalties = len(result.instance.soft) > 0
    interval = None if has_penalties else index_interval(total, objective, bound, result.n_points, k)
    least, most = interval or (None, None)
    return Row(k, result.status, result.reason, objective, bound, gap, least, most, result.seconds)
