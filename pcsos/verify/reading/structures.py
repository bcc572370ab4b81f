"""Structures: JSON in text columns, of the shape that is expected."""

import json
import math
from itertools import chain
from typing import Any

from pcsos.verify.errors import FormatError

#: What the members of a JSON object may be, by their names.
Shape = dict[str, tuple[type, ...]]
NULL = type(None)
#: Levels that JSON may have within the outermost one.
MOST_LEVELS = 16


def structure(text: object, name: str) -> Any:
    """Return what JSON text says."""
    if not isinstance(text, str):
        raise FormatError(f"{name}: missing")
    try:
        said = json.loads(text, object_pairs_hook=_members, parse_constant=_refuse)
        level, depth = [said], 0
        while level:
            if depth > MOST_LEVELS:
                raise ValueError("it is nested too deeply")
            children = (own.values() if isinstance(own, dict) else own for own in level if isinstance(own, dict | list))
            level, depth = [*chain.from_iterable(children)], depth + 1
        return said
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{name}: no JSON, or nested too deeply, or with a name twice") from error


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of an object, none of which is there twice: readers would not agree which one counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a member is there twice")
    return found


def _refuse(constant: str) -> None:
    """Refuse NaN and Infinity, which Python reads although they are no JSON."""
    raise ValueError(f"{constant} is no JSON")


def members(value: object, name: str, shape: Shape) -> dict[str, Any]:
    """Return a JSON object if its members have known names and kinds; whole numbers count as ``float`` as well."""
    if not isinstance(value, dict):
        raise FormatError(f"{name}: not a JSON object")
    for key, member in value.items():
        if key not in shape:
            raise FormatError(f"{name}: {key!r:.40} is not known")
        if not _fits(member, shape[key]):
            raise FormatError(f"{name}: {key} is of another kind than expected")
    return value


def items(value: object, name: str, kinds: tuple[type, ...]) -> list[Any]:
    """Return a JSON list if all of its items are of these kinds."""
    if not isinstance(value, list) or not all(_fits(item, kinds) for item in value):
        raise FormatError(f"{name}: not a list, or of other items than expected")
    return value


def _fits(value: object, kinds: tuple[type, ...]) -> bool:
    if type(value) is int and float in kinds:
        return abs(value) < 1 << 1023
    if type(value) is float and math.isnan(value):
        return False
    return type(value) in kinds
