"""Pages as trees of elements, for tests that look at them without a browser."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from pcsos.report.contents import of_run_file
from pcsos.report.page import write_page
from pcsos.report.write import result_page

VOID = {"meta", "br"}


class Element(NamedTuple):
    """An element with its attributes and what is in it."""

    name: str
    attributes: dict[str, str | None]
    children: list["Element | str"]

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, name: str) -> list["Element"]:
        """Return every element of this name in it, itself included, in order."""
        own = [self] if self.name == name else []
        return own + [found for child in self.children if isinstance(child, Element) for found in child.all(name)]

    def by_id(self, wanted: str) -> "Element":
        (found,) = [each for each in self.walk() if each.attributes.get("id") == wanted]
        return found

    def walk(self) -> list["Element"]:
        return [self] + [each for child in self.children if isinstance(child, Element) for each in child.walk()]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.stack = [Element("", {}, [])]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), [])
        self.stack[-1].children.append(element)
        if tag not in VOID:
            self.stack.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop().name == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.stack[-1].children.append(data)


def read_page(text: str) -> Element:
    """Return a page as a tree; every element must be closed."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    (root,) = reader.stack
    return root


def page_at(folder: Path) -> Element:
    """Return the page in a folder."""
    return read_page((folder / "page.html").read_text())


def page_of(shown: Any, folder: Path, **known: Any) -> Element:
    """Return the page of what has one: a result, a path, a front."""
    shown.report(folder / "page.html", **known)
    return page_at(folder)


def page_of_run(run_file: Path, **options: Any) -> Element:
    """Return the page of a run file, which stands beside it."""
    write_page(run_file.parent / "page.html", result_page(of_run_file(run_file, **options)))
    return page_at(run_file.parent)


def figures(page: Element) -> dict[str, dict[str, Any]]:
    """Return what the figures of a page draw, by their names."""
    found: dict[str, dict[str, Any]] = json.loads(page.by_id("figures").text)
    return found
