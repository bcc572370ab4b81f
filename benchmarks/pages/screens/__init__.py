"""The screens: one question each, its facts, its picture and the parts of the record that answer it.

A screen is a module with ``PARTS`` (parts of the plan), ``FACTS`` (functions of the record that return Markdown, by
name), ``ALT`` (what its picture shows, in words), ``DRAWN_FROM`` (the parts that the picture needs) and
``draw(record, figure)``. Every screen has the facts ``picture`` and ``provenance`` besides.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, cast

from benchmarks.pages import provenance
from benchmarks.pages.rows import NOT_MEASURED, NotMeasuredError, any_done
from benchmarks.pages.spans import PageError
from benchmarks.record.folder import Record

NAMES = (
    *("whole", "constrained", "unconstrained", "plane", "large", "sizes", "soft", "heuristics", "pairs"),
    *("rivals", "relaxation", "time", "trust", "memory", "choosing"),
)
#: Where pictures are, as the page that shows them sees it.
PICTURES = "pictures/record"

Fact = Callable[[Record], str]


class Screen(Protocol):
    """A module of this package."""

    PARTS: Sequence[str]
    FACTS: Mapping[str, Fact]
    ALT: str
    DRAWN_FROM: Sequence[str]
    draw: Callable[[Record, Path], None]


def screen_named(name: str) -> Screen:
    """Return the module of a screen."""
    return cast(Screen, importlib.import_module(f"benchmarks.pages.screens.{name}"))


def fact(record: Record, name: str) -> str:
    """Return the text of a fact ``SCREEN.FACT``; the sentence of one that has no rows yet.

    Raises
    ------
    PageError
        If there is no such fact.
    """
    screen, _, which = name.partition(".")
    if screen not in NAMES:
        raise PageError(f"no screen {screen!r} for {name!r}; there are {', '.join(NAMES)}")
    facts = facts_of(screen)
    if which not in facts:
        raise PageError(f"no fact {which!r} for {name!r}; there are {', '.join(facts)}")
    try:
        return facts[which](record)
    except NotMeasuredError:
        return NOT_MEASURED


def facts_of(name: str) -> dict[str, Fact]:
    """Return the facts of a screen, with those that every screen has."""
    screen = screen_named(name)

    def picture(record: Record) -> str:
        if not any_done(record, screen.DRAWN_FROM):
            raise NotMeasuredError(name)
        return f"![{screen.ALT}]({PICTURES}/{name}.svg)"

    def where_from(record: Record) -> str:
        return provenance.line(record, screen.PARTS)

    return {**screen.FACTS, "picture": picture, "provenance": where_from}


def is_pictured(record: Record, name: str) -> bool:
    """Return whether the record has what the picture of a screen needs."""
    return fact(record, f"{name}.picture") != NOT_MEASURED
