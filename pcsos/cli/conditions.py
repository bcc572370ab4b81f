"""Options that are fields of conditions, as these spell them."""

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pcsos.cli.parser import Parser
from pcsos.cli.values import typed, written
from pcsos.io.source import PathLike
from pcsos.problem.conditions.conditions import FAMILIES
from pcsos.problem.conditions.role import Condition, Spelling
from pcsos.problem.conditions.soft_pairs import SoftPairs

Families = Iterable[type[Condition]]


def add_fields(parser: Parser, families: Families) -> None:
    """Add an option for each field of these families."""
    for own in _spellings(families):
        parser.add_argument(written(own.name), type=typed(own.read), metavar=own.metavar, help=own.purpose)


def given_fields(arguments: argparse.Namespace, families: Families) -> dict[str, Any]:
    """Return the fields that are given, by how their options are written."""
    values = {own.name: getattr(arguments, own.name, None) for own in _spellings(families)}
    return {written(name): value for name, value in values.items() if value is not None}


def label_files(arguments: argparse.Namespace) -> dict[str, PathLike]:
    """Return the files of labels of points that are given, likewise."""
    names = {written(own.name) for own in _spellings(FAMILIES) if own.labels_of}
    return {option: path for option, path in given_fields(arguments, FAMILIES).items() if option in names}


def read_conditions(arguments: argparse.Namespace, read_labels: Callable[..., Any]) -> list[Condition]:
    """Return the conditions that the arguments ask for, but for soft pairs, which a file has.

    Parameters
    ----------
    read_labels : callable
        Returns the labels of points, given a file and ``what`` they are labels of.
    """
    found = []
    for family in (own for own in FAMILIES if own is not SoftPairs):
        values = {field: getattr(arguments, own.name, None) for field, own in family.SPELLINGS.items()}
        for field, own in family.SPELLINGS.items():
            if own.labels_of and values[field] is not None:
                values[field] = read_labels(values[field], what=own.labels_of)
        found += [family(**values)] if any(value is not None for value in values.values()) else []
    return found


def _spellings(families: Families) -> Iterator[Spelling]:
    return (own for family in families for own in family.SPELLINGS.values())
