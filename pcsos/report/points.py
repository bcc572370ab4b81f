"""The picture of the points in the plane: by cluster, with their pairs, and with what is in doubt."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pcsos.base.typing import Floats
from pcsos.problem.conditions.penalised_pairs import BrokenPair
from pcsos.problem.instance import Instance
from pcsos.report.certain import BORDER, MOVES, Doubt
from pcsos.report.features import Features
from pcsos.report.markup import Figure, Figures, Markup, counted, drawing
from pcsos.report.plane import MOST_PAIRS, MOST_POINTS, Line, Scene, colour, symbol
from pcsos.report.plot import GREY, MANY, Trace, lines, plain_text, plot

#: Sizes of points, few and many.
LARGE, SMALL = 9, 5
#: How points in doubt are ringed: symbols, and sizes beside those of the points.
RINGS = {BORDER: ("circle-open", 1.9), MOVES: ("diamond-open", 2.4)}
#: Share of the wider one that the narrower range of two features has to have for one scale, in which distances are
#: what they look.
ALIKE = 0.2
#: Numbers that are written into a figure at most.
MOST_BADGES = 60
#: Clusters that a legend names at most.
MOST_NAMED = 20
#: Features that are shown of a point under the pointer.
MOST_FEATURES = 8


def points_figure(scene: Scene, features: Sequence[int] = (), doubts: Sequence[Doubt] = ()) -> Figure:
    """Return the points in the plane, by cluster, with the pairs; some features of a point under the pointer are shown.

    Pairs that cannot hold together are drawn bold, and their points have their numbers beside them. Soft pairs are
    drawn where they are broken. Points in doubt are ringed, in layers of their own.
    """
    instance, d = scene.instance, scene.instance.n_features
    traces = [
        *(_line(scene, line) for line in scene.lines()),
        *_marks(scene, features),
        *(_ring(scene, doubt) for doubt in doubts if doubt.points[scene.drawn].any()),
    ]
    across, up = (plain_text(name) for name in scene.plane.names)
    figure = plot(traces, across, up, min(300 + 20 * instance.n_clusters, 560) if d == 1 else 560)
    figure.update_layout(annotations=_badges(scene), showlegend=True)
    if d == 1:
        figure.update_yaxes(dtick=1, visible=scene.labels is not None)
    spread = np.ptp(scene.plane.coordinates, axis=0)
    if d > 2 or (d == 2 and spread.min() > ALIKE * spread.max() > 0.0):
        figure.update_yaxes(scaleanchor="x", scaleratio=1)
    return figure


def _line(scene: Scene, line: Line) -> Trace:
    ends = scene.ends(line)
    look = {"width": line.width, "dash": line.style, "color": colour(1) if line.is_coloured else GREY}
    return lines(ends[:, 0], ends[:, 1], look, line.name)


def _marks(scene: Scene, features: Sequence[int]) -> Iterator[Trace]:
    """Yield the marks of each cluster, which say what the points under the pointer are."""
    instance, places, is_many = scene.instance, scene.plane.coordinates, scene.drawn.size > MANY
    template = _template(instance, features)
    for cluster, title, members in scene.groups():
        yield {
            "type": "scattergl" if is_many else "scatter",
            "x": places[members, 0],
            "y": places[members, 1],
            "customdata": [_shown(instance, point, features) for point in members.tolist()],
            "mode": "markers",
            "name": title,
            "showlegend": scene.labels is None or instance.n_clusters <= MOST_NAMED,
            "marker": {
                "color": colour(cluster), "symbol": symbol(cluster), "size": SMALL if is_many else LARGE,
                "opacity": 0.85, "line": {"width": 0 if is_many else 0.5, "color": GREY},
            },
            "hovertemplate": f"{template}<extra>{title}</extra>",
        }  # fmt: skip


def _template(instance: Instance, features: Sequence[int]) -> str:
    """Return what is shown of a point under the pointer: its name, then a line a feature."""
    titles = [plain_text(instance.feature_titles[feature]) for feature in features]
    lines = [f"{title}: %{{customdata[{at}]}}" for at, title in enumerate(titles, 1)]
    more = ["..."] if features and len(features) < instance.n_features else []
    return "<br>".join([f"<b>{instance.names.title} %{{customdata[0]}}</b>", *lines, *more])


def _shown(instance: Instance, point: int, features: Sequence[int]) -> list[str]:
    return [plain_text(instance.names[point]), *(f"{instance.points[point, feature]:.6g}" for feature in features)]


def _ring(scene: Scene, doubt: Doubt) -> Trace:
    """Return rings around points in doubt."""
    ringed, (mark, scale) = scene.drawn[doubt.points[scene.drawn]], RINGS[doubt.name]
    size = scale * (SMALL if scene.drawn.size > MANY else LARGE)
    places = scene.plane.coordinates[ringed]
    return {
        "type": "scattergl" if ringed.size > MANY else "scatter",
        "x": places[:, 0],
        "y": places[:, 1],
        "mode": "markers",
        "name": doubt.name,
        "marker": {"symbol": mark, "size": size, "color": "#8250df", "line": {"width": 1.5}},
        "hoverinfo": "skip",
    }


def _badge(name: str, place: Floats) -> dict[str, Any]:
    """Return an annotation that can be read on any ground, above all marks."""
    return {
        "x": float(place[0]), "y": float(place[1]), "text": name, "showarrow": False, "borderpad": 2,
        "font": {"color": "#1b1f24", "size": 13}, "bgcolor": "rgba(255, 255, 255, 0.85)", "bordercolor": "#57606a",
    }  # fmt: skip


def _badges(scene: Scene) -> list[dict[str, Any]]:
    """Return the number of each cluster at its centre, or of each point of a contradiction beside it."""
    instance, labels, places = scene.instance, scene.labels, scene.plane.coordinates
    if scene.conflict is not None:
        points = scene.contradicting()[:MOST_BADGES]
        return [_badge(plain_text(instance.names[point]), places[point]) | {"yshift": 14} for point in points]
    if labels is None or instance.n_clusters > MOST_BADGES:
        return []
    kept = np.flatnonzero(labels >= 0)
    own, weights = labels[kept], instance.weights[kept]
    shares = weights / np.bincount(own, weights)[own]
    centres = [np.bincount(own, shares * places[kept, axis]) for axis in (0, 1)]
    return [_badge(str(number), place) for number, place in enumerate(np.column_stack(centres))]


def picture(scene: Scene, figures: Figures, features: Features | None = None, doubts: Sequence[Doubt] = ()) -> Markup:
    """Return the place of the picture, and put the picture into ``figures``."""
    instance = scene.instance
    figures["points-figure"] = points_figure(scene, _shown_features(instance, features), doubts)
    by_cluster = "" if scene.labels is None else ", by cluster"
    note = " ".join(_notes(instance, scene.broken, doubts))
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
