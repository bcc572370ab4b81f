"""Must-links, cannot-links and soft pairs from a file, text or JSON; ``docs/formats.md`` describes both."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np

from pcsos.base.exceptions import InputError, quoted
from pcsos.base.typing import Floats
from pcsos.io.columns import INDEX_NAMES
from pcsos.io.constraint_file import ConstraintFile, ListedPair, refuse_loop
from pcsos.io.constraint_json import read_json
from pcsos.io.fields import LACKING, as_number, commented_lines, content_lines, outside_quotes, split, told_delimiter
from pcsos.io.source import PathLike, kind_of, name_of, read_bytes, refuse_other_than_text
from pcsos.problem.conditions.distances import pairs_closer, pairs_farther
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.penalties import VALUES, confidence_title, value_last
from pcsos.problem.spacing import Spacing
from pcsos.problem.validation.names import PointNames

KEYWORDS = "ML, CL, SML, SCL, GAMMA or DELTA"

#: Keywords with two points behind them.
PAIRS = ("ML", "CL", "SML", "SCL")

#: What begins like a number, and so is no title of a column.
LIKE_NUMBER = re.compile(r"[+-]?[.,]?\d")

SEPARATOR = re.compile(r"[ \t]*[,;][ \t]*|[ \t]+")

#: Titles of the column with the keyword.
KINDS = ("kind", "type", "constraint", "relation", "link")

#: Keywords by what they are called elsewhere, in capitals and without hyphens.
SPELLINGS = {
    "ML": "ML", "MUSTLINK": "ML", "MUST": "ML", "SAME": "ML",
    "CL": "CL", "CANNOTLINK": "CL", "CANNOT": "CL", "DIFFERENT": "CL",
    "SML": "SML", "SOFTMUSTLINK": "SML", "SCL": "SCL", "SOFTCANNOTLINK": "SCL",
    "GAMMA": "GAMMA", "DELTA": "DELTA",
}  # fmt: skip

#: What other programs write behind a pair (i j 1) to say whether it must or cannot be linked.
MARKS = ("1", "+1", "-1", "0")


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
        In one sentence with file, line or entry, value and remedy; also where there are soft pairs, which
        :func:`read_constraint_file` reads.
    """
    file = read_constraint_file(path, points, names)
    if file.has_soft_pairs:
        raise InputError(f"{file.path} has soft pairs, which are no constraints; read it with read_constraint_file")
    return file.constraints


def read_constraint_file(path: PathLike, points: Floats | Spacing, names: PointNames | None = None) -> ConstraintFile:
    """Return the constraints and soft pairs of a file with their places.

    Parameters
    ----------
    path, points, names
        As for :func:`read_constraints`; text may also have lines ``SML i j`` and ``SCL i j``, with a penalty behind the
        points or without, and JSON the keys ``sml`` and ``scl``.

    Raises
    ------
    InputError
        In one sentence with file, line or entry, value and remedy.
    """
    spacing = Spacing.of(points)
    names = names or PointNames(spacing.n_points)
    data = read_bytes(path)
    path = name_of(path)
    if kind_of(data) != "text":
        raise InputError(f"{path} is a file of kind {kind_of(data)}, not constraints; give ML/CL lines or JSON")
    refuse_other_than_text(data, path)
    is_json = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in {b"{", b"["}
    return read_json(data, path, names) if is_json else _read_lines(data, path, spacing, names)


def _read_lines(data: bytes, path: PathLike, spacing: Spacing, names: PointNames) -> ConstraintFile:
    pairs: dict[str, list[ListedPair]] = {kind: [] for kind in PAIRS}
    thresholds: dict[str, list[tuple[float, int]]] = {"GAMMA": [], "DELTA": []}
    titles: list[str] = []
    is_first = True
    if names.ids is not None:
        _refuse_comments_within_ids(data, path)
    for number, line in content_lines(data):
        where = f"{path} line {number}"
        if is_first and not titles and told_delimiter(line) is not None:
            continue
        fields = _fields(line.strip(" ") if titles or is_first else line.strip(), names)
        fields = (_below(titles, fields, names) if titles else _keyword_first(fields, names)) or [""]
        keyword = _keyword(fields[0])
        if keyword in pairs:
            pairs[keyword].append(_pair(keyword, fields, where, names, number))
        elif keyword in thresholds:
            thresholds[keyword].append((_threshold(keyword, fields, where), number))
        elif is_first and not titles and _are_titles(fields, names):
            titles = fields
            _refuse_unknown_value(titles, where)
            continue
        else:
            _refuse_keyword(fields, where, is_first)
        is_first = False
    return replace(_with_thresholds(pairs, thresholds, path, spacing), title=confidence_title(titles))


def _refuse_comments_within_ids(data: bytes, path: PathLike) -> None:
    """Refuse a ``#`` behind anything but a blank, which may be a part of an id."""
    for number, line, before in commented_lines(data):
        if before and not before[-1].isspace():
            raise InputError(
                f"{path} line {number} ({quoted(line.strip())}) has a # that may begin a comment or belong to an id; "
                "put a blank before the comment, or quotation marks around the id"
            )


def _with_thresholds(
    rows: dict[str, list[ListedPair]], thresholds: dict[str, list[tuple[float, int]]], path: PathLike, spacing: Spacing
) -> ConstraintFile:
    """Return the pairs that are listed, and those that the distances make."""
    must, cannot = (np.array([row[:2] for row in rows[kind]], np.intp).reshape(-1, 2) for kind in ("ML", "CL"))
    places = {}
    if thresholds["DELTA"]:
        distance, number = max(thresholds["DELTA"])
        must = np.vstack([must, pairs_closer(spacing, distance, f"{path} has DELTA {distance:g}")])
        places["ML"] = f"line {number} (DELTA {distance:g})"
    if thresholds["GAMMA"]:
        distance, number = min(thresholds["GAMMA"])
        cannot = np.vstack([cannot, pairs_farther(spacing, distance, f"{path} has GAMMA {distance:g}")])
        places["CL"] = f"line {number} (GAMMA {distance:g})"
    return ConstraintFile(Constraints(spacing.n_points, must, cannot), rows, places, "line {number}", str(path))


def _fields(text: str, names: PointNames) -> list[str]:
    """Return the fields of a line; ids may hold blanks where something else separates them, or in quotation marks."""
    marks = [mark for mark in ";,\t" if mark in outside_quotes(text)]
    if '"' not in text and (names.ids is None or not marks):
        return SEPARATOR.split(text)
    ways = [split(text, mark) for mark in marks or (None,)]
    for fields in ways:
        if any(map(_keyword, fields)):
            return fields
    return ways[0] if '"' in text or len(ways[0]) > 2 else SEPARATOR.split(text)


def _below(titles: Sequence[str], fields: list[str], names: PointNames) -> list[str]:
    """Return the fields below titles in order: the keyword, the points, and what the pair counts."""
    kinds = [at for at, title in enumerate(titles) if title.strip().lower() in KINDS]
    if len(fields) == len(titles) + 1 and any(_keyword(fields[at + 1]) and not _keyword(fields[at]) for at in kinds):
        fields = fields[1:]  # the name of the row, as R writes it
    if len(fields) != len(titles):
        given = [field for field in fields if field]
        at = next((at for at in kinds if at < len(given) and _keyword(given[at])), None)
        return _keyword_first(given, names) if at is None else [given[at], *given[:at], *given[at + 1 :]]
    start = int(titles[0] in INDEX_NAMES)  # the number of the row
    own, called = fields[start:], [title.strip().lower() for title in titles[start:]]
    keywords = [at for at, field in enumerate(own) if _keyword(field)]
    at = next((at for at in keywords if called[at] in KINDS), keywords[0] if keywords else 0)
    first, rest = own[at], value_last([*own[:at], *own[at + 1 :]], [*called[:at], *called[at + 1 :]])
    if len(rest) == 3 and rest[-1].lower() in LACKING:
        rest.pop()
    while rest and not rest[-1]:
        rest.pop()
    return [first, *rest]


def _refuse_unknown_value(titles: Sequence[str], where: str) -> None:
    """Refuse titles of four columns of which none says that it holds what a pair counts."""
    own = titles[int(titles[0] in INDEX_NAMES) :]
    if len(own) == 4 and sum(title.strip().lower() in VALUES for title in own) != 1:
        raise InputError(
            f"{where} names four columns ({quoted(', '.join(own))}), none of them penalty or confidence; call the "
            "column so that holds what a pair counts, or leave out the one that holds something else"
        )


def _keyword_first(fields: list[str], names: PointNames) -> list[str]:
    """Return the fields of a pair with the keyword in front, which may stand behind the points."""
    if len(fields) not in {3, 4} or _keyword(fields[-1]) not in PAIRS:
        return fields
    is_id = names.ids is not None and fields[0] in names
    is_last = not _keyword(fields[0]) or (is_id and fields[-1] not in names)
    return [fields[-1], *fields[:-1]] if is_last else fields


def _keyword(word: str) -> str:
    """Return the keyword that a word stands for, empty if it is none."""
    return SPELLINGS.get(re.sub(r"[-_]", "", word.upper()), "")


def _are_titles(fields: Sequence[str], names: PointNames) -> bool:
    """Tell whether a first line names the columns: words, none of them a keyword, a number or an id."""
    known = set(names.ids or ())
    num_columns = len(fields) - (fields[0] in INDEX_NAMES)
    return (
        len(set(fields)) == len(fields)
        and num_columns in {3, 4}
        and not any(word in known or _keyword(word) or LIKE_NUMBER.match(word) for word in fields)
    )


def _pair(keyword: str, fields: list[str], where: str, names: PointNames, number: int) -> ListedPair:
    """Return the pair of a line, the number of that, and its value if it has one."""
    is_soft = keyword in {"SML", "SCL"}
    if len(fields) not in ({3, 4} if is_soft else {3}):
        more = ", and a penalty where they have their own" if is_soft else ""
        raise InputError(
            f"{where} has {len(fields) - 1} value{'s' * (len(fields) != 2)} after {keyword}; give two point "
            f"indices{more}"
        )
    i, j = (names.index(name, where) for name in fields[1:3])
    refuse_loop(keyword, i, j, where, names)
    return ListedPair(i, j, number, _penalty(keyword, fields[3], where) if len(fields) == 4 else None)


def _threshold(keyword: str, fields: list[str], where: str) -> float:
    if len(fields) != 2:
        raise InputError(f"{where} has {len(fields) - 1} values after {keyword}; give one distance")
    distance = _amount(fields[1])
    if not 0.0 <= distance < math.inf:
        raise InputError(f"{where} has {quoted(fields[1])} after {keyword}; give a distance of 0 or more")
    return distance


def _penalty(keyword: str, text: str, where: str) -> float:
    penalty = _amount(text)
    if not penalty >= 0.0:
        raise InputError(
            f"{where} has {quoted(text)} after the points of {keyword}; give a penalty of 0 or more, or inf"
        )
    return penalty


def _amount(text: str) -> float:
    """Return the number that a text is, or NaN."""
    number = as_number(text)
    return math.nan if number is None else number


def _refuse_keyword(fields: list[str], where: str, is_first: bool) -> NoReturn:
    message = f"{where} begins with {quoted(fields[0])}, not with {KEYWORDS}"
    if len(fields) == 3 and fields[2] in MARKS and all(field.isdecimal() for field in fields[:2]):
        raise InputError(f"{message}; write a must-link as ML {fields[0]} {fields[1]}, a cannot-link with CL")
    if is_first:
        raise InputError(
            f"{message}; give one constraint a line, such as ML 0 5, and if this is the data file, give it as POINTS"
        )
    raise InputError(f"{message}; correct the keyword")
