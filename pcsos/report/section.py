"""Section: a part of a page under a heading of its own, and what its tables, figures and folds look like."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pcsos.base.typing import Indices
from pcsos.problem.validation.names import PointNames
from pcsos.report.markup import Markup, element, table

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

#: Rows up to which a table is not folded.
SHORT = 12
#: Rows of long tables.
MOST_ROWS = 200

#: Figures by the name of the place that is theirs.
Figures = dict[str, "Figure"]


class Section(NamedTuple):
    """A part of the page under a heading of its own."""

    name: str
    title: str
    content: Markup


def drawing(name: str, label: str, note: str) -> Markup:
    """Return the place of a figure, with what it shows in words."""
    place = element("div", id=name, role="img", aria_label=label)
    return element("figure", place, element("figcaption", note))


def folded(summary: str, content: Markup) -> Markup:
    """Return something that is shown when it is asked for."""
    return element("details", element("summary", summary), content)


def cut_table(caption: str, header: Iterable[str], rows: Sequence[tuple[str, ...]]) -> Markup:
    """Return a table, cut where it is very long."""
    if len(rows) > MOST_ROWS:
        caption = f"{caption} (the first {MOST_ROWS} of {len(rows):,})"
    return table(caption, header, rows[:MOST_ROWS])


def long_table(caption: str, header: Iterable[str], rows: Sequence[tuple[str, ...]]) -> Markup:
    """Return a table, folded where it is long, and cut where it is very long."""
    content = cut_table(caption, header, rows)
    return content if len(rows) <= SHORT else folded(f"{caption}: {len(rows):,} rows", content)


def listed(points: Indices, names: PointNames) -> str:
    """Return the names of points, numbers with runs of neighbours as ranges, cut where there are many."""
    if names.ids is not None:
        text = ", ".join(names[point] for point in points[:MOST_ROWS].tolist())
        return text if points.size <= MOST_ROWS else f"{text}, and more"
    points = points + names.first
    starts = np.flatnonzero(np.diff(points, prepend=-2) > 1)
    ends = np.append(starts[1:], points.size) - 1
    runs = [(int(points[a]), int(points[b])) for a, b in zip(starts[:MOST_ROWS], ends[:MOST_ROWS], strict=True)]
    text = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
    return text if starts.size <= MOST_ROWS else f"{text}, and more"


def counted(count: int, noun: str) -> str:
    """Return a number, its thousands apart, with its noun, which takes an s where there is not one of them."""
    return f"{count:,} {noun if count == 1 else noun + 's'}"
