"""Must-links and cannot-links from a file, text or JSON; ``docs/formats.md`` describes both."""

import json
import math
import re
from typing import Any, NoReturn

import numpy as np

from pcsos.constraints import Constraints
from pcsos.exceptions import InputError
from pcsos.io.source import PathLike, kind_of, quoted, read_bytes, refuse_other_than_text, text_lines
from pcsos.io.thresholds import pairs_closer, pairs_farther
from pcsos.typing import Floats, Indices

KEYWORDS = "ML, CL, GAMMA or DELTA"

SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")

#: What other programs write behind a pair (i j 1) to say whether it must or cannot be linked.
MARKS = ("1", "+1", "-1", "0")

#: JSON keys of soft constraints, accepted only where they are empty.
SOFT_KEYS = ("sml", "scl", "sml_proba", "scl_proba")


def read_constraints(path: PathLike, points: Floats) -> Constraints:
    """Return the constraints of a file, gzipped or not.

    Parameters
    ----------
    path : path-like
        Text with a line ``ML i j``, ``CL i j``, ``GAMMA x`` (every pair of points farther apart than x
        cannot be linked) or ``DELTA x`` (every pair closer than x must be linked) each, Euclidean distances,
        in capitals or not, separated by blanks, a comma or a semicolon; or JSON with the keys ``ml`` and ``cl``,
        lists of pairs. Text from ``#`` to the end of a line is a comment.
    points : ndarray, shape (n, d)
        The points that the indices and distances refer to.

    Raises
    ------
    InputError
        In one sentence with file, line or entry, value and remedy.
    """
    data = read_bytes(path)
    if kind_of(data) != "text":
        raise InputError(f"{path} is a file of kind {kind_of(data)}, not constraints; give ML/CL lines or JSON")
    refuse_other_than_text(data, path)
    is_json = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in {b"{", b"["}
    return _read_json(data, path, len(points)) if is_json else _read_lines(data, path, points)


def _read_lines(data: bytes, path: PathLike, points: Floats) -> Constraints:
    pairs: dict[str, list[tuple[int, int]]] = {"ML": [], "CL": []}
    thresholds: dict[str, list[float]] = {"GAMMA": [], "DELTA": []}
    is_first = True
    for number, line in enumerate(text_lines(data), 1):
        text = line.split("#", 1)[0].strip()
        if not text:
            continue
        fields = SEPARATOR.split(text)
        keyword, where = fields[0].upper(), f"{path} line {number}"
        if keyword in pairs:
            pairs[keyword].append(_pair(keyword, fields, where, len(points)))
        elif keyword in thresholds:
            thresholds[keyword].append(_threshold(keyword, fields, where))
        else:
            _refuse_keyword(fields, where, is_first)
        is_first = False
    must, cannot = [_as_array(pairs["ML"])], [_as_array(pairs["CL"])]
    if thresholds["DELTA"]:
        must.append(pairs_closer(points, max(thresholds["DELTA"]), path))
    if thresholds["GAMMA"]:
        cannot.append(pairs_farther(points, min(thresholds["GAMMA"]), path))
    return Constraints(len(points), np.concatenate(must), np.concatenate(cannot))


def _pair(keyword: str, fields: list[str], where: str, n: int) -> tuple[int, int]:
    if len(fields) != 3:
        raise InputError(
            f"{where} has {len(fields) - 1} value{'s' * (len(fields) != 2)} after {keyword}; give two point indices"
        )
    for field in fields[1:]:
        if not field.removeprefix("-").isdecimal() or len(field) > 18:
            raise InputError(f"{where} has {quoted(field)} where a point index is expected; give a whole number")
    i, j = int(fields[1]), int(fields[2])
    _refuse_pair(keyword, i, j, where, n)
    return i, j


def _refuse_pair(keyword: str, i: int, j: int, where: str, n: int) -> None:
    for index in (i, j):
        if not 0 <= index < n:
            raise InputError(f"{where} names point {index}, but point indices go from 0 to {n - 1}; correct the index")
    if keyword == "CL" and i == j:
        raise InputError(f"{where} says that point {i} cannot be linked to itself; remove that pair")


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


def _read_json(data: bytes, path: PathLike, n: int) -> Constraints:
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
    must, cannot = (_json_pairs(content.get(key, []), key, path, n) for key in ("ml", "cl"))
    return Constraints(n, must, cannot)


def _json_pairs(value: Any, key: str, path: PathLike, n: int) -> Indices:
    if not isinstance(value, list):
        raise InputError(f"{path} has {quoted(json.dumps(value))} under {key!r}; give a list of pairs")
    for entry, pair in enumerate(value):
        where = f"{path} {key}[{entry}]"
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(index) is int for index in pair)):
            raise InputError(f"{where} is {quoted(json.dumps(pair))}; give a pair of whole numbers")
        _refuse_pair(key.upper(), pair[0], pair[1], where, n)
    return _as_array(value)


def _as_array(pairs: list[Any]) -> Indices:
    return np.array(pairs, np.intp).reshape(-1, 2)
