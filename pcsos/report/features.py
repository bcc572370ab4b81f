"""Features of clusters: by how much each differs from the average, and the section about what tells clusters apart."""

from typing import NamedTuple

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.problem.instance import Instance
from pcsos.problem.partition import cluster_means
from pcsos.report.markup import SHORT, Markup, Section, counted, element, folded, join, table

#: Standard deviations from which on a difference is worth a word.
NOTABLE = 0.5
#: Features that a sentence names at most.
MOST_NAMED = 3


class Features(NamedTuple):
    """The features of the clusters of a partition."""

    means: Floats  #: shape (k, d): average of each feature in each cluster, in the units of the points
    overall: Floats  #: shape (d,): average over all points
    #: shape (k, d): ``means`` less ``overall``, over the standard deviation of the feature over all points; 0 where it
    #: is constant
    differences: Floats
    order: Indices  #: shape (d,): the features, those that differ most between clusters first
    num_varying: int  #: how many are not constant; the constant ones are the last

    @classmethod
    def of(cls, instance: Instance, labels: Indices) -> "Features":
        """Return the features of the clusters of these labels, of shape (n,); points count by their weights."""
        overall, deviations = averages(instance)
        varies = np.ptp(instance.points, axis=0) > 0.0
        means = cluster_means(instance, labels)
        differences = np.where(varies, (means - overall) / np.where(varies, deviations, 1.0), 0.0)
        kept = labels >= 0
        explained = np.bincount(labels[kept], instance.weights[kept] / instance.weights.sum()) @ differences**2
        return cls(means, overall, differences, np.argsort(-explained, kind="stable"), int(varies.sum()))

    def sentence(self, cluster: int, titles: tuple[str, ...]) -> str:
        """Return what distinguishes a cluster, such as "petal length high (+1.2), petal width high (+1.1)"."""
        own = self.differences[cluster]
        notable = [feature for feature in np.argsort(-np.abs(own), kind="stable") if abs(own[feature]) >= NOTABLE]
        if not notable:
            return "close to the average in every feature"
        return ", ".join(
            f"{titles[feature]} {'high' if own[feature] > 0.0 else 'low'} ({signed(own[feature])})"
            for feature in notable[:MOST_NAMED]
        )


def averages(instance: Instance) -> tuple[Floats, Floats]:
    """Return average and standard deviation of each feature over all points, by their weights, each of shape (d,)."""
    shares = instance.weights / instance.weights.sum()
    average = shares @ instance.points
    return average, np.sqrt(shares @ (instance.points - average) ** 2)


def features_of(instance: Instance, labels: Indices | None) -> Features | None:
    """Return the features of clusters; None without clusters, and with inner products, which have no features."""
    return None if labels is None or instance.gram is not None else Features.of(instance, labels)


def signed(value: float) -> str:
    """Return a difference with one digit and its sign; 0 has none."""
    text = f"{value:+.1f}"
    return "0.0" if float(text) == 0.0 else text.replace("-", "\N{MINUS SIGN}")


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
    sizes = np.bincount(labels[labels >= 0]).tolist()
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
        for feature in features.order[: min(features.num_varying, MOST_FOLDED)].tolist()
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
