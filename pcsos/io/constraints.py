"""Must-links and cannot-links from a file, text or JSON; ``docs/formats.md`` describes both."""

import csv
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from pcsos.constraints import Constraints
from pcsos.exceptions import InputError, quoted
from pcsos.io.source import (
    PathLike,
    kind_of,
    name_of,
    read_bytes,
    refuse_other_than_text,
    text_lines,
)
from pcsos.names import PointNames
from pcsos.thresholds import pairs_closer, pairs_farther
from pcsos.typing import Floats, Indices

KEYWORDS = "ML, CL, GAMMA or DELTA"

SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")

#: Keywords by what they are called elsewhere, in capitals and without hyphens.
SPELLINGS = {"ML": "ML", "MUSTLINK": "ML", "CL": "CL", "CANNOTLINK": "CL", "GAMMA": "GAMMA", "DELTA": "DELTA"}

#: What other programs write behind a pair (i j 1) to say whether it must or cannot be linked.
MARKS = ("1", "+1", "-1", "0")

#: JSON keys of soft constraints, accepted only where they are empty.
SOFT_KEYS = ("sml", "scl", "sml_proba", "scl_proba")


@dataclass(frozen=True, eq=False)
class ConstraintFile:
    """Constraints, and where in their file they are.

    Parameters
    ----------
    constraints : Constraints
        The pairs.
    listed : dict
        For ``ML`` and ``CL`` the pairs as they are listed, shape (m, 3), each with its line or entry.
    thresholds : dict
        For ``ML`` and ``CL`` where a distance stands that makes pairs, in words.
    words : str
        How the place of a listed pair is written, given ``key`` (``ml`` or ``cl``) and ``number``.
    """

    constraints: Constraints
    listed: dict[str, Indices] = field(default_factory=dict)
    thresholds: dict[str, str] = field(default_factory=dict)
    words: str = ""

    def place(self, keyword: str, i: int, j: int) -> str:
        """Return where the file says that i and j must (``ML``) or cannot (``CL``) be linked."""
        rows = self.listed[keyword]
        here = rows[(np.sort(rows[:, :2], axis=1) == sorted((i, j))).all(axis=1)]
        if len(here):
            return self.words.format(key=keyword.lower(), number=here[0, 2])
        return self.thresholds[keyword]


def read_constraints(path: PathLike, points: Floats, names: PointNames | None = None) -> Constraints:
    """Return the constraints of a file, gzipped or not, or of standard input for ``-``.

    Parameters
    ----------
    path : path-like
        Text with a line ``ML i j``, ``CL i j``, ``GAMMA x`` (every pair of points farther apart than x
        cannot be linked) or ``DELTA x`` (every pair closer than x must be linked) each, Euclidean distances,
        in capitals or not, separated by blanks, a comma or a semicolon, with or without a line of column names; or JSON
        with the keys ``ml`` and ``cl``, lists of pairs. Text from ``#`` to the end of a line is a comment.
    points : ndarray, shape (n, d)
        The points that the indices and distances refer to.
    names : PointNames, optional
        What the file calls the points; their indices, from 0, unless given.

    Raises
    ------
    InputError
        In one sentence with file, line or entry, value and remedy.
    """
    return read_constraint_file(path, points, names).constraints


def read_constraint_file(path: PathLike, points: Floats, names: PointNames | None = None) -> ConstraintFile:
    """Return the constraints of a file with their places; see :func:`read_constraints`."""
    names = names or PointNames(len(points))
    data = read_bytes(path)
    path = name_of(path)
    if kind_of(data) != "text":
        raise InputError(f"{path} is a file of kind {kind_of(data)}, not constraints; give ML/CL lines or JSON")
    refuse_other_than_text(data, path)
    is_json = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in {b"{", b"["}
    return _read_json(data, path, names) if is_json else _read_lines(data, path, points, names)


def _read_lines(data: bytes, path: PathLike, points: Floats, names: PointNames) -> ConstraintFile:
    pairs: dict[str, list[tuple[int, int, int]]] = {"ML": [], "CL": []}
    thresholds: dict[str, list[tuple[float, int]]] = {"GAMMA": [], "DELTA": []}
    is_first, has_titles = True, False
    for number, line in enumerate(text_lines(data), 1):
        text = line.split("#", 1)[0].strip()
        if not text:
            continue
        fields, where = _fields(text, names), f"{path} line {number}"
        keyword = _keyword(fields[0])
        if not keyword and len(fields) == 3 and _keyword(fields[2]) in pairs:  # i, j, ML
            fields = [fields[2], *fields[:2]]
            keyword = _keyword(fields[0])
        if keyword in pairs:
            pairs[keyword].append((*_pair(keyword, fields, where, names), number))
        elif keyword in thresholds:
            thresholds[keyword].append((_threshold(keyword, fields, where), number))
        elif is_first and not has_titles and _are_titles(fields, names):
            has_titles = True
            continue
        else:
            _refuse_keyword(fields, where, is_first)
        is_first = False
    listed = {keyword: np.array(rows, np.intp).reshape(-1, 3) for keyword, rows in pairs.items()}
    must, cannot, places = [listed["ML"][:, :2]], [listed["CL"][:, :2]], {}
    if thresholds["DELTA"]:
        distance, number = max(thresholds["DELTA"])
        must.append(pairs_closer(points, distance, f"{path} has DELTA {distance:g}"))
        places["ML"] = f"line {number} (DELTA {distance:g})"
    if thresholds["GAMMA"]:
        distance, number = min(thresholds["GAMMA"])
        cannot.append(pairs_farther(points, distance, f"{path} has GAMMA {distance:g}"))
        places["CL"] = f"line {number} (GAMMA {distance:g})"
    constraints = Constraints(len(points), np.concatenate(must), np.concatenate(cannot))
    return ConstraintFile(constraints, listed, places, "line {number}")


def _fields(text: str, names: PointNames) -> list[str]:
    """Return the fields of a line; ids may hold blanks where something else separates them."""
    delimiter = next((own for own in ";,\t" if own in text), None)
    if names.ids is None or delimiter is None:
        return SEPARATOR.split(text)
    try:
        return [value.strip() for value in next(csv.reader([text], delimiter=delimiter, skipinitialspace=True))]
    except csv.Error:
        return text.split(delimiter)


def _keyword(word: str) -> str:
    """Return the keyword that a word stands for, empty if it is none."""
    return SPELLINGS.get(re.sub(r"[-_]", "", word.upper()), "")


def _are_titles(fields: Sequence[str], names: PointNames) -> bool:
    """Tell whether a first line names the columns: three words, none of them a keyword, a number or an id."""
    known = set(names.ids or ())
    return len(set(fields)) == 3 and not any(
        word in known or _keyword(word) or re.search(r"\d", word[:1]) for word in fields
    )


def _pair(keyword: str, fields: list[str], where: str, names: PointNames) -> tuple[int, int]:
    if len(fields) != 3:
        raise InputError(
            f"{where} has {len(fields) - 1} value{'s' * (len(fields) != 2)} after {keyword}; give two point indices"
        )
    i, j = (names.index(name, where) for name in fields[1:])
    _refuse_loop(keyword, i, j, where, names)
    return i, j


def _refuse_loop(keyword: str, i: int, j: int, where: str, names: PointNames) -> None:
    if keyword == "CL" and i == j:
        raise InputError(f"{where} says that point {names[i]} cannot be linked to itself; remove that pair")


def _threshold(keyword: str, fields: list[str], where: str) -> float:
    if len(fields) != 2:
        raise InputError(f"{where} has {len(fields) - 1} values after {keyword}; give one distance")
    try:
        distance = float(fields[1])
    except ValueError:
        distance = math.nan
    if not (math.isfinite(distance) and distance >= 0.0):
        raise InputError(f"{where} has {quoted(fields[1])} after {keyword}; give a distance of 0 or more")
    return distance


def _refuse_keyword(fields: list[str], where: str, is_first: bool) -> NoReturn:
    message = f"{where} begins with {quoted(fields[0])}, not with {KEYWORDS}"
    if len(fields) == 3 and fields[2] in MARKS and all(field.isdecimal() for field in fields[:2]):
        raise InputError(f"{message}; write a must-link as ML {fields[0]} {fields[1]}, a cannot-link with CL")
    if is_first:
        raise InputError(
            f"{message}; give one constraint a line, such as ML 0 5, and if this is the data file, give it as POINTS"
        )
    raise InputError(f"{message}; correct the keyword")


def _without_repeated_keys(items: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object as a dictionary; JSON itself would keep the last of equal keys without a word."""
    found = dict(items)
    if len(found) < len(items):
        repeated = next(key for position, (key, _) in enumerate(items) if key in dict(items[:position]))
        raise ValueError(f"the key {repeated!r} is there twice")
    return found


def _read_json(data: bytes, path: PathLike, names: PointNames) -> ConstraintFile:
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_without_repeated_keys)
    except json.JSONDecodeError as error:
        raise InputError(f"{path} line {error.lineno} is not valid JSON ({error.msg}); correct it") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path} is not JSON that can be read ({error}); correct it") from error
    if not isinstance(content, dict) or not {"ml", "cl"} & content.keys():
        raise InputError(f"{path} has neither of the keys 'ml' and 'cl'; give lists of pairs under them")
    for key, value in content.items():
        if key in SOFT_KEYS and value not in ([], None):
            raise InputError(f"{path} has entries under {key!r}, but soft constraints are not supported; remove them")
        if key not in {"ml", "cl", *SOFT_KEYS}:
            raise InputError(f"{path} has the unknown key {quoted(key)}; use 'ml' and 'cl'")
    listed = {key.upper(): _json_pairs(content.get(key, []), key, path, names) for key in ("ml", "cl")}
    constraints = Constraints(names.n_points, listed["ML"][:, :2], listed["CL"][:, :2])
    return ConstraintFile(constraints, listed, {}, "{key}[{number}]")


def _json_pairs(value: Any, key: str, path: PathLike, names: PointNames) -> Indices:
    if not isinstance(value, list):
        raise InputError(f"{path} has {quoted(json.dumps(value))} under {key!r}; give a list of pairs")
    kinds, what = ((int,), "whole numbers") if names.ids is None else ((int, str), "ids")
    rows = []
    for entry, pair in enumerate(value):
        where = f"{path} {key}[{entry}]"
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(name) in kinds for name in pair)):
            raise InputError(f"{where} is {quoted(json.dumps(pair))}; give a pair of {what}")
        i, j = (names.index(str(name), where) for name in pair)
        _refuse_loop(key.upper(), i, j, where, names)
        rows.append((i, j, entry))
    return np.array(rows, np.intp).reshape(-1, 3)
