"""The points in doubt, in figures."""

from collections.abc import Sequence

import numpy as np

from pcsos.base.typing import Indices
from pcsos.problem.instance import Instance
from pcsos.report.doubt import Doubt
from pcsos.report.markup import element, join
from pcsos.report.section import Section, counted, folded, listed


def doubts_section(instance: Instance, labels: Indices, doubts: Sequence[Doubt]) -> Section:
    """Return which points are in doubt, and why."""
    parts = []
    for doubt in doubts:
        number = int(doubt.points.sum())
        parts.append(element("p", element("b", f"{counted(number, 'point')} {doubt.name}:"), f" {doubt.note}"))
        by_cluster = [
            element("li", f"cluster {cluster}: {listed(members, instance.names)}")
            for cluster in range(instance.n_clusters)
            if (members := np.flatnonzero(doubt.points & (labels == cluster))).size
        ]
        parts.append(folded("Which they are", element("ul", *by_cluster)))
    return Section("doubt", "Points in doubt", join(parts))
