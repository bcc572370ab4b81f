"""What is certain: the pairs on which all divisions nearly as good agree."""

import numpy as np

from pcsos.base.typing import Indices
from pcsos.evidence.result import CertainPairs
from pcsos.evidence.result.words import whole_percent
from pcsos.problem.validation.names import PointNames
from pcsos.report.figures.pairs import certain_figure
from pcsos.report.markup import Markup, join, table
from pcsos.report.section import Figures, Section, cut_table, drawing, folded, listed

#: Points of which pairs are drawn in a square.
MOST_IN_SQUARE = 300


def certain_section(certain: CertainPairs, labels: Indices, names: PointNames, figures: Figures) -> Section:
    """Return what is certain in figures, as a square of the points by cluster and group, and the groups."""
    share = whole_percent(certain.epsilon)
    least, most, why = ("at least ", "at most ", f": {certain.why}") if certain.num_undecided else ("", "", "")
    rows = [
        ("divisions compared", f"all that cost at most {share} more than the best one"),
        ("pairs that are certain", f"{least}{certain.num_certain:,} of {certain.num_pairs:,}"),
        ("pairs on which two of these divisions differ", f"{least}{certain.num_uncertain:,}"),
        ("pairs that are undecided", f"{most}{certain.num_undecided:,}{why}"),
        ("groups that are never parted", f"{most}{np.unique(certain.groups).size:,}"),
    ]
    order = np.lexsort((np.arange(labels.size), certain.groups, labels))
    note = _draw(certain, order, names, figures)
    return Section(
        "certain",
        "What is certain",
        join(
            [
                table("Pairs of points", (), rows),
                drawing("certain-figure", "What each pair is in every division compared", note),
                folded("Groups that are never parted", _groups(certain, labels, names)),
            ]
        ),
    )


def _draw(certain: CertainPairs, order: Indices, names: PointNames, figures: Figures) -> str:
    """Put the square of the points in this order into the figures, and return a note about it."""
    n = order.size
    drawn = order if n <= MOST_IN_SQUARE else order[np.linspace(0, n - 1, MOST_IN_SQUARE).astype(np.intp)]
    square = np.ix_(drawn, drawn)
    called = [names[point] for point in drawn.tolist()]
    figures["certain-figure"] = certain_figure(certain.matrix()[square], certain.doubts.matrix()[square], called)
    note = "Uncertain pairs are together in one of these divisions and apart in another; undecided ones may be either."
    return note if drawn.size == n else f"{note} {drawn.size:,} of the {n:,} points are drawn."


def _groups(certain: CertainPairs, labels: Indices, names: PointNames) -> Markup:
    """Return the groups, the largest first."""
    groups = [np.flatnonzero(certain.groups == group) for group in np.unique(certain.groups).tolist()]
    groups.sort(key=lambda group: -group.size)
    rows = [
        (str(number), str(labels[group[0]]), f"{group.size:,}", listed(group, names))
        for number, group in enumerate(groups, 1)
    ]
    return cut_table("Groups, the largest first", ("group", "cluster", "points", "which"), rows)
