"""Markup: HTML in which no text can become a tag, wherever the text comes from."""

import json
from collections.abc import Iterable
from html import escape


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
