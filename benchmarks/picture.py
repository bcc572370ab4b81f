"""A picture of dots on a logarithmic axis, a line a name, as SVG: the same, byte for byte, for the same figures."""

import math
from collections.abc import Mapping
from html import escape

WIDTH, LEFT, RIGHT, TOP, STEP = 720, 130, 40, 40, 20
COLOURS = {"printed": "#c44e52", "pcsos": "#4c72b0"}
GREY = "#808080"
Values = Mapping[str, Mapping[str, float | None]]


def dots(values: Values, label: str) -> str:
    """Return a line for each name from its least value to its greatest, with a dot for each method.

    Parameters
    ----------
    values : mapping
        For each name, in order, the value of each method of :data:`COLOURS`, or None.
    label : str
        What the axis shows.
    """
    there = [value for found in values.values() for value in found.values() if value is not None]
    low, high = math.floor(math.log10(min(there, default=1.0))), math.ceil(math.log10(max(there, default=10.0)))
    bottom = TOP + STEP * len(values)

    def place(value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(value) - low) / max(high - low, 1), 1)

    parts = [_legend(number, method) for number, method in enumerate(COLOURS)]
    for power in range(low, high + 1):
        x = place(10.0**power)
        parts.append(f'<line x1="{x}" y1="{TOP - 5}" x2="{x}" y2="{bottom}" stroke="{GREY}" stroke-opacity="0.25"/>')
        parts.append(_text(x, bottom + 15, f"{10.0**power:,g}", "middle"))
    for number, (name, found) in enumerate(values.items()):
        y = TOP + STEP * number + STEP // 2
        parts.append(_text(LEFT - 10, y + 4, name, "end"))
        places = {method: place(value) for method, value in found.items() if value is not None}
        ends = (min(places.values()), max(places.values()))
        parts.append(f'<line x1="{ends[0]}" y1="{y}" x2="{ends[1]}" y2="{y}" stroke="{GREY}"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="5" fill="{COLOURS[method]}"/>' for method, x in places.items()]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, bottom + 33, label, "middle"))
    size = f'viewBox="0 0 {WIDTH} {bottom + 42}" font-family="sans-serif" font-size="12"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *parts, "</svg>", ""])


def _legend(number: int, method: str) -> str:
    x = LEFT + 120 * number
    return f'<circle cx="{x}" cy="16" r="5" fill="{COLOURS[method]}"/>{_text(x + 10, 20, method, "start")}'


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{GREY}">{escape(words)}</text>'
