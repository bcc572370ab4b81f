"""Markup: HTML in which no text can become a tag, and the sections of pages with their tables, figures and folds."""

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np

from pcsos.base.typing import Indices
from pcsos.problem.validation.names import PointNames


class Markup(str):
    """Text that is HTML already; every other string is text, and is escaped where it enters an element."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: str) -> Markup:
    """Return an element; a trailing underscore of an attribute is dropped, other underscores become hyphens.

    Examples
    --------
    >>> element("p", "1 < 2 ", element("b", "so"), class_="note")
    '<p class="note">1 &lt; 2 <b>so</b></p>'
    """
    opening = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items()
    )  # fmt: skip
    return Markup(f"<{name}{opening}>{join(children)}</{name}>")


def join(children: Iterable[str]) -> Markup:
    """Return pieces one after the other, as HTML."""
    return Markup("".join(child if isinstance(child, Markup) else escape(child) for child in children))


def table(caption: str, header: Iterable[str], rows: Iterable[Iterable[str]]) -> Markup:
    """Return a table whose first column names its rows, in a box that scrolls by keyboard where it is too wide.

    A cell that is HTML already is an element of its own, with its attributes.
    """
    names = [element("th", name, scope="col") for name in header]
    head = [element("thead", element("tr", *names))] if names else []
    body = [element("tr", element("th", first, scope="row"), *map(_cell, rest)) for first, *rest in rows]
    content = element("table", element("caption", caption), *head, element("tbody", *body))
    return element("div", content, class_="wide", tabindex="0", role="region", aria_label=caption)


def _cell(content: str) -> Markup:
    return content if isinstance(content, Markup) else element("td", content)


def script_data(values: object) -> Markup:
    """Return JSON that can stand inside a script element: nothing in it can end the element."""
    text = json.dumps(values, allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def document(title: str, style: Markup, body: Markup, scripts: Iterable[Markup], meta: Markup) -> str:
    """Return a whole document, given what stands in its body above the scripts, and further metadata."""
    charset = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head = element("head", Markup(charset), meta, element("title", title), element("style", style))
    content = element("body", body, *(element("script", script) for script in scripts))
    return f"<!DOCTYPE html>\n{element('html', head, content, lang='en')}\n"


def hash_of(text: str) -> str:
    """Return by what a browser knows the only scripts and styles that it may apply."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


#: Rows up to which a table is not folded.
SHORT = 12
#: Rows of long tables.
MOST_ROWS = 200

#: A figure of Plotly, which has no types, and figures by the name of the place that is theirs.
Figure = Any
Figures = dict[str, Figure]


class Section(NamedTuple):
    """A part of the page under a heading of its own."""

    name: str
    title: str
    content: Markup


def drawing(name: str, label: str, note: str) -> Markup:
    """Return the place of a figure, with what it shows in words."""
    place = element("div", id=name, role="img", aria_label=label)
    return element("figure", place, element("figcaption", note))


def folded(summary: str, content: Markup) -> Markup:
    """Return something that is shown when it is asked for."""
    return element("details", element("summary", summary), content)


def cut_table(caption: str, header: Iterable[str], rows: Sequence[tuple[str, ...]]) -> Markup:
    """Return a table, cut where it is very long."""
    if len(rows) > MOST_ROWS:
        caption = f"{caption} (the first {MOST_ROWS} of {len(rows):,})"
    return table(caption, header, rows[:MOST_ROWS])


def long_table(caption: str, header: Iterable[str], rows: Sequence[tuple[str, ...]]) -> Markup:
    """Return a table, folded where it is long, and cut where it is very long."""
    content = cut_table(caption, header, rows)
    return content if len(rows) <= SHORT else folded(f"{caption}: {len(rows):,} rows", content)


def listed(points: Indices, names: PointNames) -> str:
    """Return the names of points, numbers with runs of neighbours as ranges, cut where there are many."""
    if names.ids is not None:
        text = ", ".join(names[point] for point in points[:MOST_ROWS].tolist())
        return text if points.size <= MOST_ROWS else f"{text}, and more"
    points = points + names.first
    starts = np.flatnonzero(np.diff(points, prepend=-2) > 1)
    ends = np.append(starts[1:], points.size) - 1
    runs = [(int(points[a]), int(points[b])) for a, b in zip(starts[:MOST_ROWS], ends[:MOST_ROWS], strict=True)]
    text = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
    return text if starts.size <= MOST_ROWS else f"{text}, and more"


def counted(count: int, noun: str) -> str:
    """Return a number, its thousands apart, with its noun, which takes an s where there is not one of them."""
    return f"{count:,} {noun if count == 1 else noun + 's'}"
