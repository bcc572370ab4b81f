"""The picture on the page of a question: all points in the plane, with two of them marked."""

import numpy as np

from pcsos.base.typing import Indices
from pcsos.problem.instance import Instance
from pcsos.report.markup import Markup, element, join
from pcsos.report.plane import Plane, drawn_points

#: Width and height, and the margin.
WIDTH, HEIGHT, MARGIN = 720.0, 480.0, 36.0
#: Letters of a name at most.
LONGEST = 24
#: The classes of the two points, which have a colour each.
CLASSES = ("first", "second")


class PairPicture:
    """Draws the points of an instance, the same ones each time.

    Parameters
    ----------
    instance : Instance
        The points.
    """

    def __init__(self, instance: Instance) -> None:
        self._names, self._plane = instance.names, Plane.of(instance)
        low, high = self._plane.coordinates.min(axis=0), self._plane.coordinates.max(axis=0)
        shares = (self._plane.coordinates - low) / np.where(high > low, high - low, 1.0)
        self._places = MARGIN + shares * [WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN]
        self._places[:, 1] = HEIGHT - self._places[:, 1]
        self._drawn = drawn_points(len(shares))
        self._cloud = element("g", *(self._dot(point, 3.0) for point in self._drawn.tolist()), class_="all")

    def of(self, pair: tuple[int, int], component: Indices) -> Markup:
        """Return the picture of a pair, where points with the same ``component`` are known to be together."""
        companions = [self._drawn[component[self._drawn] == component[point]] for point in pair]
        known = [
            element("g", *(self._dot(other, 5.0) for other in others.tolist() if other not in pair), class_=own)
            for own, others in zip(CLASSES, companions, strict=True)
        ]
        names = [self._names[point] for point in pair]
        drawing = element(
            "svg",
            self._cloud, *known, *self._marks(pair),
            viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
            role="img",
            aria_label=f"all points, with {names[0]} and {names[1]} marked",
        )  # fmt: skip
        has_companions = any(len(others) > 1 for others in companions)
        return element("figure", drawing, element("figcaption", self._caption(has_companions)))

    def _marks(self, pair: tuple[int, int]) -> list[Markup]:
        """Return the two points, large, with their names: that of the upper one above it, the other one below."""
        upper = min(pair, key=lambda point: float(self._places[point][1]))
        marks = []
        for own, point in zip(CLASSES, pair, strict=True):
            x, y = self._places[point].tolist()
            name = self._names[point]
            text = element(
                "text",
                name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…",
                x=f"{x:.1f}",
                y=f"{y + (-16.0 if point == upper else 18.0):.1f}",
                dominant_baseline="auto" if point == upper else "hanging",
                text_anchor="start" if x < WIDTH / 3.0 else "end" if x > WIDTH * 2.0 / 3.0 else "middle",
            )
            marks.append(element("g", self._dot(point, 9.0), text, class_=f"{own} mark"))
        return marks

    def _dot(self, point: int, radius: float) -> Markup:
        x, y = self._places[point].tolist()
        return element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=f"{radius:g}")

    def _caption(self, has_companions: bool) -> Markup:
        number, (across, up) = len(self._drawn), self._plane.names
        which = "All points" if number == len(self._places) else f"{number:,} of the points"
        axes = f"{across} across" + (f", {up} up" if up else "")
        known = " Small dots in the colour of a point are known to be together with it." if has_companions else ""
        return join([f"{which}: {axes}.{known}"])
