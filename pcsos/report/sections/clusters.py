"""The clusters in figures, and their members."""

import numpy as np

from pcsos.base.typing import Indices
from pcsos.problem.instance import Instance
from pcsos.report.clusters import MOST_SILHOUETTES, clusters_of
from pcsos.report.markup import element, join
from pcsos.report.section import Section, cut_table, folded, listed, long_table


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
    content = [
        long_table("Sizes", header, rows),
        element("p", " ".join(notes), class_="note"),
        folded("Which points are in which cluster", cut_table("Members", ("cluster", "points"), members)),
    ]
    return Section("clusters", "Clusters", join(content))
