"""The page of a front, and the sentence that it begins with."""

from collections.abc import Sequence

from pcsos.analysis.choice.corner import Corner
from pcsos.evidence.result import Reason, listed_sizes
from pcsos.evidence.result.words import above_optimum
from pcsos.report.contents import Source
from pcsos.report.markup import Figures, Markup, Section, counted, drawing, element, long_table
from pcsos.report.page import Page
from pcsos.report.plot import Span, intervals_figure
from pcsos.report.summary import data_section
from pcsos.report.words import PROVED

#: What each criterion is, and which of its values are good.
MEANINGS = {
    "diameter": ("the greatest distance between two points of one cluster", "a diameter no larger"),
    "split": ("the least distance between points of different clusters", "a split no smaller"),
}
NOTE = (
    "Each mark is a division, with a bar from the proved bound to its sum of squares; bars too short to be seen are "
    "short gaps. The line shows what a limit in between costs. The {} is {}."
)


def front_sentence(criterion: str, corners: Sequence[Corner], reason: Reason, message: str) -> str:
    """Return in a sentence or two what is proved of the corners of a front."""
    if message:
        return f"There is no division: {message}. {PROVED}"
    if not corners:
        return f"No division was found: the search ended with {reason}."
    number = "this one" if len(corners) == 1 else f"one of these {len(corners)}"
    if reason is not Reason.INFEASIBLE:
        return f"The search ended with {reason}. Whether there are divisions beyond the last of these is not proved."
    lacking = max(1.0 if corner.gap is None else corner.gap for corner in corners)
    more = above_optimum(lacking)
    if more is None:
        return f"How much less than these {len(corners)} other divisions could cost is not proved."
    costs = "costs no more" if lacking == 0.0 else f"costs at most {more} more"
    clusters = counted(corners[0].result.n_clusters, "cluster")
    return f"Compared with any division into {clusters}, {number} has {MEANINGS[criterion][1]} and {costs}. {PROVED}"


def front_page(
    criterion: str, corners: Sequence[Corner], sentence: str, header: Sequence[str], cells: Sequence[Sequence[str]],
    kind: str, data: str,
) -> Page:  # fmt: skip
    """Return the page of a front.

    Parameters
    ----------
    criterion : {"diameter", "split"}
        What is weighed against the cost.
    corners : sequence of Corner
        The divisions.
    sentence : str
        What is said first.
    header, cells : sequence
        The figures of the corners as text.
    kind : str
        How the sentence is marked.
    data : str
        What the data are called.
    """
    figures: Figures = {}
    sizes = [listed_sizes(corner.result.sizes.tolist()) for corner in corners if corner.result.sizes is not None]
    rows = [(*own, size) for own, size in zip(cells, sizes, strict=True)]
    sections = [Section("divisions", "The divisions", long_table("Trade-offs", [*header, "clusters"], rows))]
    instance = corners[0].result.instance if corners else None
    if instance is not None:
        sections.append(data_section(instance, Source(data)))
    title = f"Sum of squares against {criterion}, and what is proved"
    picture = _picture(criterion, corners, figures)
    return Page(title, sentence, kind, picture=picture, sections=tuple(sections), figures=figures)


def _picture(criterion: str, corners: Sequence[Corner], figures: Figures) -> Markup:
    """Return the place of the picture, and put it into the figures."""
    if not corners:
        return element("p", "There is nothing to be drawn.")
    spans = [Span(corner.value, corner.lower_bound or 0.0, corner.objective) for corner in corners]
    steps = "hv" if criterion == "diameter" else "vh"
    figures["front-figure"] = intervals_figure(spans, criterion, "sum of squares", steps=steps)
    return drawing(
        "front-figure", f"Sum of squares against {criterion}", NOTE.format(criterion, MEANINGS[criterion][0])
    )
