"""The picture of the points, right below the sentence that it shows."""

from collections.abc import Sequence

import numpy as np

from pcsos.base.typing import Indices
from pcsos.evidence.conflict import Conflict
from pcsos.problem.conditions.penalised_pairs import BrokenPair
from pcsos.problem.instance import Instance
from pcsos.report.doubt import Doubt
from pcsos.report.features import Features
from pcsos.report.figures.points import MOST_FEATURES, points_figure
from pcsos.report.markup import Markup
from pcsos.report.plane import MOST_PAIRS, MOST_POINTS, Plane
from pcsos.report.section import Figures, counted, drawing


def picture(
    instance: Instance,
    labels: Indices | None,
    figures: Figures,
    *,
    features: Features | None = None,
    conflict: Conflict | None = None,
    broken: Sequence[BrokenPair] = (),
    doubts: Sequence[Doubt] = (),
) -> Markup:
    """Return the place of the picture, and put the picture into ``figures``."""
    figures["points-figure"] = points_figure(
        Plane.of(instance), instance, labels, features=_shown(instance, features), conflict=conflict, broken=broken,
        doubts=doubts,
    )  # fmt: skip
    by_cluster = "" if labels is None else ", by cluster"
    note = " ".join(_notes(instance, broken, doubts))
    return drawing("points-figure", f"The {counted(instance.n_points, 'point')}{by_cluster}", note)


def _shown(instance: Instance, features: Features | None) -> list[int]:
    """Return the features that are shown of a point under the pointer: those that tell clusters apart best."""
    if instance.gram is not None:
        return []
    order = np.arange(instance.n_features) if features is None else features.order
    return sorted(order[:MOST_FEATURES].tolist())


def _notes(instance: Instance, broken: Sequence[BrokenPair], doubts: Sequence[Doubt]) -> list[str]:
    """Return what is drawn, in sentences."""
    what = "its name" if instance.gram is not None else "its name and its values"
    notes = [f"Each symbol is a point; {what} appear{'s' * (instance.gram is not None)} under the pointer."]
    if instance.n_features > 2:
        notes.append("The picture shows two directions of many: clusters that overlap in it can be apart in others.")
    if instance.n_points > MOST_POINTS:
        notes.append(f"{MOST_POINTS:,} of the {instance.n_points:,} points are drawn, chosen at random.")
    if len(instance.must_link) + len(instance.cannot_link):
        notes.append("Solid lines are must-links, dashed lines cannot-links.")
    if broken:
        notes.append("Coloured lines are soft pairs that are broken: must-links dotted, cannot-links dots and dashes.")
    if max(len(instance.must_link), len(instance.cannot_link), len(broken)) > MOST_PAIRS:
        notes.append(f"At most {MOST_PAIRS:,} of each are drawn, chosen at random.")
    if doubts:
        notes.append("Points in doubt are ringed; a click on their name in the legend hides the rings.")
    return notes
