"""Clusters in figures: size, sum of squares, and how clearly each stands apart; the sections about a partition."""

from typing import NamedTuple

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.evidence.result import Result
from pcsos.problem.cost import cluster_cost
from pcsos.problem.instance import Instance
from pcsos.report.features import differences_section, features_of
from pcsos.report.markup import Figures, Section, counted, cut_table, element, folded, join, listed, long_table
from pcsos.report.plane import Scene
from pcsos.report.points import picture

#: Points of which silhouettes are computed; of more, that many are taken at random.
MOST_SILHOUETTES = 4_000
#: Rows of the table of distances that are held at a time.
ROWS = 500


class Cluster(NamedTuple):
    """A cluster in figures."""

    number: int
    size: int
    weight: float
    within: float  #: its sum of squares
    silhouette: float | None  #: the mean of its points; None where none of them is in the sample, or k is 1


def clusters_of(instance: Instance, labels: Indices) -> list[Cluster]:
    """Return the clusters of a partition."""
    silhouettes = _mean_silhouettes(instance.points, labels, instance.n_clusters)
    found = []
    for number in range(instance.n_clusters):
        own = np.flatnonzero(labels == number)
        points, weights = instance.points[own], instance.weights[own]
        cost = cluster_cost(points, weights)
        found.append(Cluster(number, own.size, float(weights.sum()), cost, silhouettes[number]))
    return found


def _mean_silhouettes(points: Floats, labels: Indices, k: int) -> list[float | None]:
    points, labels = points[labels >= 0], labels[labels >= 0]
    n = len(points)
    if n > MOST_SILHOUETTES:
        sample = np.random.default_rng(0).choice(n, MOST_SILHOUETTES, replace=False)
        points, labels = points[sample], labels[sample]
    values = silhouettes(points, labels, k)
    return [float(values[labels == c].mean()) if k > 1 and (labels == c).any() else None for c in range(k)]


def silhouettes(points: Floats, labels: Indices, k: int) -> Floats:
    """Return the silhouette of each point (Rousseeuw 1987), 0 for a point that is alone in its cluster.

    Points have the shape (n, d), and labels from 0 to k - 1; clusters without points are left out.
    """
    from scipy.spatial.distance import cdist

    n = len(points)
    members = np.zeros((n, k))
    members[np.arange(n), labels] = 1.0
    sizes = members.sum(axis=0)
    values = np.zeros(n)
    for start in range(0, n, ROWS):
        rows = np.arange(start, min(start + ROWS, n))
        own = labels[rows]
        sums = cdist(points[rows], points) @ members
        inside = sums[np.arange(rows.size), own] / np.maximum(sizes[own] - 1.0, 1.0)
        means = np.where(sizes > 0.0, sums / np.maximum(sizes, 1.0), np.inf)
        means[np.arange(rows.size), own] = np.inf
        outside = means.min(axis=1)
        largest = np.maximum(inside, outside)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = (outside - inside) / largest
        values[rows] = np.where((sizes[own] > 1) & np.isfinite(largest) & (largest > 0.0), share, 0.0)
    return values


def clusters_section(instance: Instance, labels: Indices) -> Section:
    """Return sizes and sums of squares, how clearly clusters stand apart, and their members."""
    found = clusters_of(instance, labels)
    is_weighted = bool((instance.weights != 1.0).any())
    header = ["cluster", "points", *(["weight"] if is_weighted else []), "sum of squares", "silhouette"]
    rows = [
        (
            str(cluster.number),
            f"{cluster.size:,}",
            *([f"{cluster.weight:.6g}"] if is_weighted else []),
            f"{cluster.within:.6g}",
            "-" if cluster.silhouette is None else f"{cluster.silhouette:.3f}",
        )
        for cluster in found
    ]
    notes = ["A silhouette tells how clearly the points of a cluster belong to it: 1 is clear, 0 is on the border."]
    if instance.n_points > MOST_SILHOUETTES:
        notes.append(f"It is estimated from {MOST_SILHOUETTES:,} points.")
    members = [(str(c.number), listed(np.flatnonzero(labels == c.number), instance.names)) for c in found]
    if (labels < 0).any():
        members.append(("left out", listed(np.flatnonzero(labels < 0), instance.names)))
    content = [
        long_table("Sizes", header, rows),
        element("p", " ".join(notes), class_="note"),
        folded("Which points are in which cluster", cut_table("Members", ("cluster", "points"), members)),
    ]
    return Section("clusters", "Clusters", join(content))


def division_sections(result: Result, figures: Figures) -> list[Section]:
    """Return the points and the clusters of a result, nothing without a partition."""
    instance, labels = result.instance, result.labels
    if labels is None:
        return []
    features = features_of(instance, labels)
    points = picture(Scene(instance, labels, result.violated or ()), figures, features)
    title = f"The division into {counted(result.n_clusters, 'cluster')}"
    sections = [Section("points", title, points)]
    sections += [differences_section(instance, labels, features)] if features is not None else []
    return [*sections, clusters_section(instance, labels)]
