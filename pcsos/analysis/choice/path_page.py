"""The page of a path, and the sentence that it begins with."""

from collections.abc import Sequence

from pcsos.analysis.choice.row import HEADER, Row
from pcsos.evidence.result import Result
from pcsos.report.clusters import division_sections
from pcsos.report.contents import Source
from pcsos.report.markup import Figures, Markup, Section, drawing, element, join, long_table
from pcsos.report.page import Page
from pcsos.report.plot import Span, intervals_figure
from pcsos.report.summary import data_section
from pcsos.report.words import PROVED

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


def path_sentence(
    numbers: Sequence[int], contenders: Sequence[int], *, is_any_found: bool = True, has_penalties: bool = False
) -> str:
    """Return in a sentence or two which number of clusters is the best.

    Parameters
    ----------
    numbers, contenders : sequence of int
        The numbers of clusters, and those of which each may have the greatest index.
    is_any_found : bool
        Whether there is a division into one of these, so that one of them has the greatest index.
    has_penalties : bool
        Whether costs hold penalties, so that there is no index.
    """
    among = _listed(numbers)
    if has_penalties:
        return f"What {among} clusters cost; costs with penalties have no {INDEX}, so none of them is called the best."
    if not contenders:
        return f"What {among} clusters cost; none of these numbers has an {INDEX}."
    if not is_any_found:
        return f"No division into {among} clusters was found that has an {INDEX}, so none of them is called the best."
    if len(contenders) == 1:
        return f"Of {among} clusters, {contenders[0]} is the best number by the {INDEX}. {PROVED}"
    return (
        f"Of {among} clusters, {either(contenders)} is the best number by the {INDEX}. "
        f"{PROVED} Which of them it is, is not."
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


def path_page(rows: Sequence[Row], sentence: str, results: Sequence[Result], best: int | None, data: str) -> Page:
    """Return the page of a path.

    Parameters
    ----------
    rows : sequence of Row
        What is known of each number of clusters.
    sentence : str
        What is said first.
    results : sequence of Result
        What the rows are made of.
    best : int or None
        The best number of clusters, if it is known.
    data : str
        What the data are called.
    """
    figures: Figures = {}
    sections = [Section("numbers", "The numbers of clusters", _table(rows))]
    instance = next((result.instance for result in results if result.instance is not None), None)
    chosen = [result for result in results if result.n_clusters == best]
    sections += [part for result in chosen for part in division_sections(result, figures)]
    if instance is not None:
        sections.append(data_section(instance, Source(data)))
    kind = "open" if best is None else "good"
    return Page(TITLE, sentence, kind, picture=_picture(rows, figures), sections=tuple(sections), figures=figures)


def _table(rows: Sequence[Row]) -> Markup:
    return long_table("Costs and indices", HEADER, [tuple(row.cells) for row in rows])


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
