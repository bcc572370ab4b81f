"""Figures of the page, drawn by Plotly."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pcsos.exceptions import InputError
from pcsos.problem.conditions.soft_pairs import BrokenPair
from pcsos.problem.instance import Instance
from pcsos.proofs.closings import CLOSINGS
from pcsos.proofs.conflict import Conflict
from pcsos.report.course import Course, Milestone
from pcsos.report.plane import Plane, drawn_pairs, drawn_points, ends_by_kind
from pcsos.report.style import colour, symbol
from pcsos.report.tree import Node, placed
from pcsos.typing import Flags, Floats, Indices

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

#: How broken soft pairs are drawn.
BROKEN = {"must-link": "dot", "cannot-link": "dashdot"}
#: Numbers that are written into a figure at most.
MOST_BADGES = 60
#: Clusters that a legend names at most.
MOST_NAMED = 20
#: Characters of a name that are shown at most.
LONGEST_NAME = 60
#: Marks from which on they are drawn by WebGL.
MANY = 2_000


def require_plotly() -> None:
    """Refuse to go on where Plotly is missing."""
    try:
        import plotly  # noqa: F401
    except ImportError as error:
        raise InputError('a report needs plotly, which is not installed; pip install "pcsos[report]"') from error


def plain_text(text: str) -> str:
    """Return text that Plotly, which knows some tags, shows as it is; cut where it is long."""
    return escape(text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 3]}...", quote=False)


def _figure(traces: Sequence[Any], across: str, up: str, height: int) -> "Figure":
    from plotly.graph_objects import Figure

    figure = Figure(list(traces))
    figure.update_layout(
        template="none",
        height=height,
        margin={"l": 64, "r": 16, "t": 32, "b": 48},
        hovermode="closest",
        legend={"orientation": "h", "yref": "container", "y": 0.0, "yanchor": "bottom", "x": 0.0},
    )
    figure.update_xaxes(title=across, automargin=True, zeroline=False)
    figure.update_yaxes(title=up, automargin=True, zeroline=False)
    return figure


def points_figure(
    plane: Plane,
    instance: Instance,
    labels: Indices | None,
    conflict: Conflict | None,
    broken: Sequence[BrokenPair] = (),
) -> "Figure":
    """Return the points in the plane, by cluster, with the pairs; hovering over a point names it.

    Pairs that cannot hold together are drawn bold, and their points have their numbers beside them. Soft pairs are
    drawn where they are broken.
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
    ]
    for cluster in np.unique(own[drawn]).tolist():
        members = drawn[own[drawn] == cluster]
        name = "points" if labels is None else f"cluster {cluster}"
        called = [plain_text(instance.names[member]) for member in members.tolist()]
        traces.append(_points(places[members], called, name, cluster, is_many=drawn.size > MANY))
    if conflict is not None:
        traces += _contradiction(places, conflict)
    across, up = (plain_text(name) for name in plane.names)
    height = 300 + 20 * instance.n_clusters if instance.n_features == 1 else 560
    figure = _figure([trace for trace in traces if trace is not None], across, up or "cluster", min(height, 560))
    is_short = labels is None or instance.n_clusters <= MOST_NAMED
    figure.update_layout(annotations=_badges(places, instance, labels, conflict), showlegend=is_short)
    if instance.n_features == 1:
        figure.update_yaxes(dtick=1, visible=labels is not None)
    if instance.n_features > 2 or _is_alike(plane.coordinates):
        figure.update_yaxes(scaleanchor="x", scaleratio=1)
    return figure


def _is_alike(coordinates: Floats) -> bool:
    """Tell whether the ranges of both axes are close enough for one scale, in which distances are what they look."""
    spread = np.ptp(coordinates, axis=0)
    return bool(spread.min() > 0.2 * spread.max() > 0.0)


def _points(places: Floats, called: list[str], name: str, cluster: int, *, is_many: bool) -> Any:
    from plotly.graph_objects import Scatter, Scattergl

    size = 9 if not is_many else 5
    return (Scattergl if is_many else Scatter)(
        x=places[:, 0],
        y=places[:, 1],
        customdata=called,
        mode="markers",
        name=name,
        marker={
            "color": colour(cluster), "symbol": symbol(cluster), "size": size, "opacity": 0.85,
            "line": {"width": 0 if is_many else 0.5, "color": "rgba(127, 127, 127, 0.9)"},
        },
        hovertemplate=f"point %{{customdata}}<br>(%{{x:.6~g}}, %{{y:.6~g}})<extra>{name}</extra>",
    )  # fmt: skip


def _links(
    places: Floats, pairs: Indices, name: str, dash: str, *, width: float = 1.2, color: str = "rgba(127, 127, 127, 0.8)"
) -> Any:
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


#: What a pair may be in the square of certain pairs, in the order of their shades.
PAIRS = ("apart", "undecided", "uncertain", "together")


def certain_figure(matrix: NDArray[np.int8], doubts: Flags, names: Sequence[str]) -> "Figure":
    """Return the pairs of points in a square: certainly together, certainly apart, uncertain or undecided.

    Parameters
    ----------
    matrix : ndarray, shape (m, m)
        1, -1 or 0 for each pair.
    doubts : ndarray of bool, shape (m, m)
        Which of the pairs with a 0 are uncertain.
    names : sequence of str
        What the points are called.
    """
    from plotly.graph_objects import Heatmap

    kinds = np.where(matrix == 0, 1 + doubts, np.where(matrix > 0, 3, 0))
    shades = [colour(1), "#f2f2f2", "#b5b5b5", colour(0)]
    called = [plain_text(name) for name in names]
    square = Heatmap(
        z=kinds,
        zmin=-0.5,
        zmax=3.5,
        colorscale=[[at / 4, shade] for kind, shade in enumerate(shades) for at in (kind, kind + 1)],
        colorbar={"tickvals": list(range(4)), "ticktext": list(PAIRS), "title": {"text": "pair"}},
        text=np.array(PAIRS)[kinds],
        customdata=np.array([[f"{one} and {other}" for other in called] for one in called]),
        hovertemplate="%{customdata}: %{text}<extra></extra>",
    )
    figure = _figure([square], "points, by cluster", "points, by cluster", 560)
    figure.update_xaxes(showticklabels=False, showgrid=False, constrain="domain")
    return figure.update_yaxes(showticklabels=False, showgrid=False, autorange="reversed", scaleanchor="x")


def course_figure(course: Course) -> "Figure":
    """Return how the bound rose and the incumbent fell."""
    last = max(step.seconds for step in (*course.bounds, *course.incumbents))
    traces = [
        _steps(course.incumbents, "best division so far", "solid", "circle", 0, last),
        _steps(course.bounds, "proved lower bound", "dash", "triangle-up", 1, last),
    ]
    return _figure(
        [trace for trace in traces if trace is not None], "seconds since the run began", "sum of squares", 380
    ).update_yaxes(tickformat=",.10~g")


def _steps(steps: Sequence[Milestone], name: str, dash: str, mark: str, number: int, last: float) -> Any:
    from plotly.graph_objects import Scatter

    if not steps:
        return None
    *_, final = steps
    return Scatter(
        x=[*(step.seconds for step in steps), last],
        y=[*(step.value for step in steps), final.value],
        text=[*(f"<br>{step.source}" if step.source else "" for step in steps), ""],
        mode="lines+markers",
        name=name,
        line={"shape": "hv", "dash": dash, "width": 2, "color": colour(number)},
        marker={"symbol": mark, "size": 7},
        hovertemplate="%{y:.10g} after %{x:.1f} s%{text}<extra>" + name + "</extra>",
    )


def tree_figure(nodes: Sequence[Node]) -> "Figure":
    """Return the tree: the root above, its leaves side by side."""
    from plotly.graph_objects import Scatter, Scattergl

    places = placed(nodes)
    shown = [node for node in nodes if node.number in places]
    across: list[float | None] = []
    down: list[float | None] = []
    for node in shown:
        if node.parent in places:
            own, above = places[node.number], places[node.parent]
            across += [above.across, own.across, None]
            down += [above.depth, own.depth, None]
    line = {"width": 1, "color": "rgba(127, 127, 127, 0.7)"}
    traces = [Scatter(x=across, y=down, mode="lines", line=line, hoverinfo="skip", showlegend=False)]
    kind = Scattergl if len(shown) > MANY else Scatter
    for number, closing in enumerate(kind.words for kind in CLOSINGS):
        own_nodes = [node for node in shown if node.closing == closing]
        if own_nodes:
            traces.append(
                kind(
                    x=[places[node.number].across for node in own_nodes],
                    y=[places[node.number].depth for node in own_nodes],
                    text=[_described(node) for node in own_nodes],
                    mode="markers",
                    name=closing,
                    marker={"size": 9, "color": colour(number), "symbol": symbol(number)},
                    hovertemplate="%{text}<extra>" + closing + "</extra>",
                )
            )
    figure = _figure(traces, "", "depth", 380)
    figure.update_yaxes(autorange="reversed", dtick=max(1, max(place.depth for place in places.values()) // 8))
    figure.update_xaxes(visible=False)
    return figure


def _described(node: Node) -> str:
    bound = "" if node.lower_bound is None else f"<br>bound {node.lower_bound:.10g}"
    return f"node {node.number}: {node.decision}{bound}"
