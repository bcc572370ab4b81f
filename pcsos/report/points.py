"""The picture of the points in the plane: by cluster, with their pairs, and with what is in doubt."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.evidence.status import Conflict
from pcsos.problem.conditions.penalised_pairs import BrokenPair
from pcsos.problem.instance import Instance
from pcsos.report.certain import BORDER, MOVES, Doubt
from pcsos.report.features import Features
from pcsos.report.markup import Figures, Markup, counted, drawing
from pcsos.report.plane import MOST_PAIRS, MOST_POINTS, Plane, colour, drawn_pairs, drawn_points, ends_by_kind, symbol
from pcsos.report.plot import GREY, MANY, plain_text, plot

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


#: How broken soft pairs are drawn.
BROKEN = {"must-link": "dot", "cannot-link": "dashdot"}
#: Sizes of points, few and many.
LARGE, SMALL = 9, 5
#: How points in doubt are ringed: symbols, and sizes beside those of the points.
RINGS = {BORDER: ("circle-open", 1.9), MOVES: ("diamond-open", 2.4)}
#: Numbers that are written into a figure at most.
MOST_BADGES = 60
#: Clusters that a legend names at most.
MOST_NAMED = 20
#: Features that are shown of a point under the pointer.
MOST_FEATURES = 8


def points_figure(
    plane: Plane,
    instance: Instance,
    labels: Indices | None,
    *,
    features: Sequence[int] = (),
    conflict: Conflict | None = None,
    broken: Sequence[BrokenPair] = (),
    doubts: Sequence[Doubt] = (),
) -> "Figure":
    """Return the points in the plane, by cluster, with the pairs; a point under the pointer is named.

    Pairs that cannot hold together are drawn bold, and their points have their numbers beside them. Soft pairs are
    drawn where they are broken.

    Parameters
    ----------
    plane : Plane
        Where the points are.
    instance : Instance
        What they are.
    labels : ndarray of int, shape (n,), or None
        Their clusters.
    features : sequence of int
        The features that are shown of a point under the pointer.
    conflict : Conflict, optional
        What cannot hold together.
    broken : sequence of BrokenPair
        Broken soft pairs.
    doubts : sequence of Doubt
        Points that are ringed, in layers of their own.
    """
    drawn = drawn_points(instance.n_points)
    own = np.zeros(instance.n_points, np.intp) if labels is None else labels
    places = plane.coordinates
    if instance.n_features == 1:
        places = np.column_stack([places[:, 0], own])
    traces = [
        _links(places, instance.must_link, "must-link", "solid"),
        _links(places, instance.cannot_link, "cannot-link", "dash"),
        *_broken(places, broken),
        *_marks(places, instance, labels, drawn, features),
        *(_ring(places, drawn, doubt) for doubt in doubts),
        *([] if conflict is None else _contradiction(places, conflict)),
    ]
    across, up = (plain_text(name) for name in plane.names)
    height = min(300 + 20 * instance.n_clusters, 560) if instance.n_features == 1 else 560
    figure = plot([trace for trace in traces if trace is not None], across, up or "cluster", height)
    figure.update_layout(annotations=_badges(places, instance, labels, conflict), showlegend=True)
    if instance.n_features == 1:
        figure.update_yaxes(dtick=1, visible=labels is not None)
    if instance.n_features > 2 or _is_alike(plane.coordinates):
        figure.update_yaxes(scaleanchor="x", scaleratio=1)
    return figure


def _is_alike(coordinates: Floats) -> bool:
    """Return whether the ranges of both axes are close enough for one scale, in which distances are what they look."""
    spread = np.ptp(coordinates, axis=0)
    return bool(spread.min() > 0.2 * spread.max() > 0.0)


def _marks(
    places: Floats, instance: Instance, labels: Indices | None, drawn: Indices, features: Sequence[int]
) -> list[Any]:
    """Return the marks of each cluster, which say what the points under the pointer are."""
    from plotly.graph_objects import Scatter, Scattergl

    is_many, is_short = drawn.size > MANY, labels is None or instance.n_clusters <= MOST_NAMED
    own, template = (np.zeros_like(drawn) if labels is None else labels[drawn]), _template(instance, features)
    traces = []
    for cluster in np.unique(own).tolist():
        members, title = drawn[own == cluster], "points" if labels is None else f"cluster {cluster}"
        line = {"width": 0 if is_many else 0.5, "color": GREY}
        traces.append(
            (Scattergl if is_many else Scatter)(
                x=places[members, 0],
                y=places[members, 1],
                customdata=[_shown(instance, point, features) for point in members.tolist()],
                mode="markers",
                name=title,
                showlegend=is_short,
                marker={
                    "color": colour(cluster), "symbol": symbol(cluster), "size": SMALL if is_many else LARGE,
                    "opacity": 0.85, "line": line,
                },
                hovertemplate=f"{template}<extra>{title}</extra>",
            )
        )  # fmt: skip
    return traces


def _template(instance: Instance, features: Sequence[int]) -> str:
    """Return what is shown of a point under the pointer: its name, then a line a feature."""
    titles = [plain_text(instance.feature_titles[feature]) for feature in features]
    lines = [f"{title}: %{{customdata[{at}]}}" for at, title in enumerate(titles, 1)]
    more = ["..."] if features and len(features) < instance.n_features else []
    return "<br>".join([f"<b>{instance.names.title} %{{customdata[0]}}</b>", *lines, *more])


def _shown(instance: Instance, point: int, features: Sequence[int]) -> list[str]:
    return [plain_text(instance.names[point]), *(f"{instance.points[point, feature]:.6g}" for feature in features)]


def _ring(places: Floats, drawn: Indices, doubt: Doubt) -> Any:
    """Return rings around points in doubt."""
    from plotly.graph_objects import Scatter, Scattergl

    ringed, (mark, scale) = drawn[doubt.points[drawn]], RINGS[doubt.name]
    size = scale * (SMALL if drawn.size > MANY else LARGE)
    if not ringed.size:
        return None
    return (Scattergl if ringed.size > MANY else Scatter)(
        x=places[ringed, 0],
        y=places[ringed, 1],
        mode="markers",
        name=doubt.name,
        marker={"symbol": mark, "size": size, "color": "#8250df", "line": {"width": 1.5}},
        hoverinfo="skip",
    )


def _links(
    places: Floats, pairs: Indices, name: str, dash: str, *, width: float = 1.2, color: str = GREY
) -> Any:  # fmt: skip
    from plotly.graph_objects import Scatter

    if len(pairs) == 0:
        return None
    pairs = drawn_pairs(pairs)
    ends = np.full((len(pairs), 3, 2), np.nan)
    ends[:, :2] = places[pairs]
    flat = ends.reshape(-1, 2)
    line = {"width": width, "dash": dash, "color": color}
    return Scatter(x=flat[:, 0], y=flat[:, 1], mode="lines", name=name, line=line, hoverinfo="skip")


def _badge(name: str, place: Floats) -> dict[str, Any]:
    """Return an annotation that can be read on any ground, above all marks."""
    return {
        "x": float(place[0]), "y": float(place[1]), "text": name, "showarrow": False, "borderpad": 2,
        "font": {"color": "#1b1f24", "size": 13}, "bgcolor": "rgba(255, 255, 255, 0.85)", "bordercolor": "#57606a",
    }  # fmt: skip


def _badges(
    places: Floats, instance: Instance, labels: Indices | None, conflict: Conflict | None
) -> list[dict[str, Any]]:
    """Return the number of each cluster at its centre, or of each point of a contradiction beside it."""
    if conflict is not None:
        points = {point for pair in (*conflict.must_link, *conflict.cannot_link) for point in pair}
        return [
            _badge(plain_text(instance.names[point]), places[point]) | {"yshift": 14}
            for point in sorted(points)[:MOST_BADGES]
        ]
    if labels is None or instance.n_clusters > MOST_BADGES:
        return []
    masses = np.bincount(labels, instance.weights)
    centres = [np.bincount(labels, instance.weights / masses[labels] * places[:, axis]) for axis in (0, 1)]
    return [_badge(str(number), place) for number, place in enumerate(np.column_stack(centres))]


def _broken(places: Floats, broken: Sequence[BrokenPair]) -> list[Any]:
    """Return lines between the points of broken soft pairs."""
    return [
        _links(places, ends, f"broken soft {kind}", dash, width=2.0, color=colour(1))
        for (kind, dash), ends in zip(BROKEN.items(), ends_by_kind(broken), strict=True)
    ]


def _contradiction(places: Floats, conflict: Conflict) -> list[Any]:
    must, cannot = (np.array(pairs, np.intp).reshape(-1, 2) for pairs in (conflict.must_link, conflict.cannot_link))
    return [
        _links(places, must, "must-link of the contradiction", "solid", width=3.0, color=colour(1)),
        _links(places, cannot, "cannot-link of the contradiction", "dash", width=3.0, color=colour(1)),
    ]


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
        Plane.of(instance),
        instance,
        labels,
        features=_shown_features(instance, features),
        conflict=conflict,
        broken=broken,
        doubts=doubts,
    )
    by_cluster = "" if labels is None else ", by cluster"
    note = " ".join(_notes(instance, broken, doubts))
    return drawing("points-figure", f"The {counted(instance.n_points, 'point')}{by_cluster}", note)


def _shown_features(instance: Instance, features: Features | None) -> list[int]:
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
