"""What distinguishes each cluster: in a sentence, in standard deviations, and in the units of the run."""

import numpy as np

from pcsos.base.typing import Indices
from pcsos.problem.instance import Instance
from pcsos.report.features import Features, signed
from pcsos.report.markup import Markup, element, join, table
from pcsos.report.section import SHORT, Section, counted, folded

#: Features, and clusters, that a table shows at once.
MOST_FEATURES, MOST_CLUSTERS = 12, 20
#: Features of a table that is folded, and clusters of which there is a sentence.
MOST_FOLDED = 200
#: Standard deviations from which on a cell has its full colour, and how many per cent of that it has then.
FULL, STRONGEST = 2.0, 55.0
#: Standard deviations from which on a number is bold.
CLEAR = 1.0


NOTE = (
    "How far the average of a cluster lies from that of all points, in standard deviations of the column: +1 is "
    "clearly above it, \N{MINUS SIGN}1 clearly below, 0 is average. Columns in which clusters differ most come first."
)


def differences_section(instance: Instance, labels: Indices, features: Features) -> Section:
    """Return in what the clusters differ, and their averages; a single cluster differs in nothing."""
    parts: list[Markup] = []
    title = "The cluster in figures"
    if instance.n_clusters > 1:
        title = "What distinguishes each cluster"
        parts += [*_sentences(instance, labels, features), *_heat_maps(instance, features)]
        parts.append(element("p", NOTE, class_="note"))
    if instance.n_clusters > MOST_CLUSTERS:
        shown = f"The tables show the first {MOST_CLUSTERS} of the {instance.n_clusters:,} clusters."
        parts.append(element("p", shown, class_="note"))
    return Section("differences", title, join([*parts, *_averages(instance, features)]))


def _sentences(instance: Instance, labels: Indices, features: Features) -> list[Markup]:
    """Return a sentence a cluster, those of further clusters folded."""
    sizes = np.bincount(labels).tolist()
    listed = [
        element(
            "li",
            element("b", f"Cluster {cluster}"),
            f" ({counted(sizes[cluster], 'point')}): {features.sentence(cluster, instance.feature_titles)}",
        )
        for cluster in range(min(instance.n_clusters, MOST_FOLDED))
    ]
    shown, further = listed[:SHORT], listed[SHORT:]
    more = [folded(counted(len(further), "further cluster"), element("ul", *further))] if further else []
    return [element("ul", *shown), *more]


def _heat_maps(instance: Instance, features: Features) -> list[Markup]:
    """Return the differences as tables whose cells are coloured; the numbers have signs, and clear ones are bold."""
    rows = [
        (instance.feature_titles[feature], *map(_heat, features.differences[:MOST_CLUSTERS, feature].tolist()))
        for feature in features.distinguishing[:MOST_FOLDED].tolist()
    ]
    return _split("Differences from the average, in standard deviations", _header(instance), rows)


def _heat(value: float) -> Markup:
    """Return a cell, the more coloured the more a cluster differs."""
    share = STRONGEST * min(abs(value) / FULL, 1.0)
    text = signed(value)
    content = element("b", text) if abs(value) >= CLEAR else text
    return element("td", content, class_="up" if value > 0.0 else "down", style=f"--share: {share:.0f}%")


def _averages(instance: Instance, features: Features) -> list[Markup]:
    """Return the average of each feature in each cluster, in the units of the run."""
    rows = [
        (
            instance.feature_titles[feature],
            _short(float(features.overall[feature])),
            *map(_short, features.means[:MOST_CLUSTERS, feature].tolist()),
        )
        for feature in features.order[:MOST_FOLDED].tolist()
    ]
    header = _header(instance)
    return _split("Averages, in the units of the run", (header[0], "all points", *header[1:]), rows)


def _short(value: float) -> str:
    """Return a number with four digits, and without a power of ten where it is not huge or tiny."""
    return f"{value:,.0f}" if 1e3 <= abs(value) < 1e9 else f"{value:.4g}"


def _header(instance: Instance) -> tuple[str, ...]:
    return "column", *(f"cluster {cluster}" for cluster in range(min(instance.n_clusters, MOST_CLUSTERS)))


def _split(caption: str, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[Markup]:
    """Return a table, and a folded one of the rows that are too many for it."""
    if len(rows) <= MOST_FEATURES:
        return [table(caption, header, rows)] if rows else []
    more = table(f"{caption}: further columns", header, rows[MOST_FEATURES:])
    first = table(f"{caption}: the first {MOST_FEATURES} columns", header, rows[:MOST_FEATURES])
    return [first, folded(counted(len(rows) - MOST_FEATURES, "further column"), more)]
