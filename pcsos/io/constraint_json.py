"""Constraints and soft pairs from JSON."""

import json
import math
from typing import Any

import numpy as np

from pcsos.base.exceptions import InputError, quoted
from pcsos.io.constraint_file import ConstraintFile, ListedPair, refuse_loop
from pcsos.io.source import PathLike
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.validation.names import PointNames

#: Keys of pairs, and of the probabilities that soft ones are right.
KEYS, PROBABILITIES = ("ml", "cl", "sml", "scl"), ("sml_proba", "scl_proba")


def read_json(data: bytes, path: PathLike, names: PointNames) -> ConstraintFile:
    """Return what a JSON file holds; see :func:`pcsos.io.constraints.read_constraint_file`."""
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_without_repeated_keys)
    except json.JSONDecodeError as error:
        raise InputError(f"{path} line {error.lineno} is not valid JSON ({error.msg}); correct it") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path} is not JSON that can be read ({error}); correct it") from error
    if not isinstance(content, dict) or not set(KEYS) & content.keys():
        raise InputError(f"{path} has none of the keys 'ml' and 'cl', 'sml' and 'scl'; give lists of pairs under them")
    for key in content:
        if key not in {*KEYS, *PROBABILITIES}:
            raise InputError(f"{path} has the unknown key {quoted(key)}; use 'ml', 'cl', 'sml' and 'scl'")
    listed = {key.upper(): _pairs(content.get(key, []), key, path, names) for key in KEYS}
    has_confidences = False
    for key in PROBABILITIES:
        if content.get(key):
            kind = key.removesuffix("_proba").upper()
            listed[kind] = _with_probabilities(listed[kind], content[key], key, path)
            has_confidences = True
    must, cannot = (np.array([row[:2] for row in listed[kind]], np.intp).reshape(-1, 2) for kind in ("ML", "CL"))
    constraints = Constraints(names.n_points, must, cannot)
    return ConstraintFile(constraints, listed, {}, "{key}[{number}]", str(path), has_confidences)


def _without_repeated_keys(items: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object as a dictionary; JSON itself would keep the last of equal keys without a word."""
    found = dict(items)
    if len(found) < len(items):
        repeated = next(key for position, (key, _) in enumerate(items) if key in dict(items[:position]))
        raise ValueError(f"the key {repeated!r} is there twice")
    return found


def _pairs(value: Any, key: str, path: PathLike, names: PointNames) -> list[ListedPair]:
    if value is None and key in {"sml", "scl"}:
        return []
    if not isinstance(value, list):
        raise InputError(f"{path} has {quoted(json.dumps(value))} under {key!r}; give a list of pairs")
    kinds, what = ((int,), "whole numbers") if names.ids is None else ((int, str), "ids")
    lengths = {2} if key in {"ml", "cl"} else {2, 3}
    rows = []
    for entry, given in enumerate(value):
        where = f"{path} {key}[{entry}]"
        if not (isinstance(given, list) and len(given) in lengths and all(type(name) in kinds for name in given[:2])):
            more = "" if len(lengths) == 1 else ", and a penalty where it has its own"
            raise InputError(f"{where} is {quoted(json.dumps(given))}; give a pair of {what}{more}")
        i, j = (names.index(str(name), where) for name in given[:2])
        refuse_loop(key.upper(), i, j, where, names)
        rows.append(ListedPair(i, j, entry, _amount(given[2], where) if len(given) == 3 else None))
    return rows


def _with_probabilities(rows: list[ListedPair], value: Any, key: str, path: PathLike) -> list[ListedPair]:
    """Return the rows with the probabilities that are listed apart from them."""
    if not isinstance(value, list) or len(value) != len(rows):
        count = f"{len(value)} entries" if isinstance(value, list) else quoted(json.dumps(value))
        raise InputError(f"{path} has {count} under {key!r} for {len(rows)} pairs; give one probability a pair")
    if any(row.value is not None for row in rows):
        raise InputError(f"{path} has penalties in the pairs and {key!r} besides; remove one of them")
    return [
        row._replace(value=_amount(own, f"{path} {key}[{row.number}]")) for row, own in zip(rows, value, strict=True)
    ]


def _amount(value: Any, where: str) -> float:
    if type(value) not in {int, float} or not value >= 0.0:
        raise InputError(f"{where} has {quoted(json.dumps(value))}; give a number of at least 0")
    try:
        return float(value)
    except OverflowError:
        return math.inf
