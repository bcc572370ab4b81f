"""Must-links, cannot-links and soft pairs from a file, text or JSON, and as they are written: ``docs/formats.md``."""

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

import numpy as np

from pcsos.base.exceptions import InputError, quoted
from pcsos.base.typing import Floats, Indices
from pcsos.io.columns import INDEX_NAMES
from pcsos.io.fields import DELIMITERS, MISSING, as_number, content_lines, outside_quotes, split, told_delimiter
from pcsos.io.foreign import refuse_binary
from pcsos.io.source import BOM, PathLike, kind_of, name_of, read_bytes, refuse_other_than_text
from pcsos.problem.conditions.distances import pairs_closer, pairs_farther
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.soft_pairs import CONFIDENCE, VALUES, Penalty, confidence_title, value_of
from pcsos.problem.geometry import Spacing
from pcsos.problem.validation.names import PointNames
from pcsos.verify.reading.text import number_of

#: Keywords with two points behind them, and all.
PAIRS = ("ML", "CL", "SML", "SCL")
KEYWORDS = (*PAIRS, "GAMMA", "DELTA")

#: Keywords by what they are called elsewhere, in capitals and without hyphens.
SPELLINGS = {keyword: keyword for keyword in KEYWORDS} | {
    "MUSTLINK": "ML", "MUST": "ML", "SAME": "ML", "CANNOTLINK": "CL", "CANNOT": "CL", "DIFFERENT": "CL",
    "SOFTMUSTLINK": "SML", "SOFTCANNOTLINK": "SCL",
}  # fmt: skip

#: What separates the values of a line, or ends it, besides white space; ids with one of these are written as JSON.
SEPARATORS = set(",;#\"'")

#: Soft pairs as rows for :func:`pcsos.solve`.
SoftRows = list[tuple[int, int] | tuple[int, int, float]]


class ListedPair(NamedTuple):
    """A pair as it is listed."""

    i: int
    j: int
    place: str  #: its line or entry
    value: float | None = None  #: what stands behind a soft pair; None where nothing does


@dataclass(frozen=True, eq=False)
class ConstraintFile:
    """Constraints and soft pairs, and where in their file they are."""

    constraints: Constraints  #: the pairs that must hold
    #: for ``ML``, ``CL``, ``SML`` and ``SCL`` the pairs as they are listed
    listed: dict[str, list[ListedPair]] = field(default_factory=dict)
    #: for ``ML`` and ``CL`` where a distance stands that makes pairs, in words
    thresholds: dict[str, str] = field(default_factory=dict)
    path: str = ""  #: the file
    has_confidences: bool = False  #: whether the file says that what stands behind its soft pairs are probabilities
    title: str = ""  #: what a first line calls the column of probabilities, if it does

    @property
    def soft_must_link(self) -> SoftRows:
        """The soft must-links as rows for :func:`pcsos.solve`."""
        return _as_rows(self.listed.get("SML", []))

    @property
    def soft_cannot_link(self) -> SoftRows:
        """The soft cannot-links, likewise."""
        return _as_rows(self.listed.get("SCL", []))

    @property
    def has_soft_pairs(self) -> bool:
        """Whether there are any."""
        return bool(self.listed.get("SML") or self.listed.get("SCL"))

    def place(self, keyword: str, i: int, j: int) -> str:
        """Return where the file says that i and j must (``ML``) or cannot (``CL``) be linked.

        A soft pair says so, too, where it is certain.
        """
        for kind in (keyword, f"S{keyword}"):
            for row in self.listed.get(kind, []):
                if {row.i, row.j} == {i, j}:
                    return row.place
        return self.thresholds[keyword]

    def checked_penalty(self, penalty: Penalty) -> Penalty:
        """Return what values of soft pairs mean, given what the user says; refuse those that cannot mean it."""
        if self.has_confidences and penalty not in {None, CONFIDENCE}:
            raise InputError(f"penalty is {penalty!r}, but {self.path} has probabilities of soft pairs; leave it out")
        if self.title and self.has_soft_pairs and penalty != CONFIDENCE:
            raise InputError(
                f"{self.path} has a column {self.title!r}, but values of soft pairs are read as penalties; give "
                "--penalty confidence (in Python penalty='confidence'), or name the column penalty"
            )
        meant = CONFIDENCE if self.has_confidences else penalty
        for kind in ("SML", "SCL"):
            for row in self.listed.get(kind, []):
                value_of(row.value, f"{self.path} {row.place}", meant)
        return meant


@lru_cache
def keyword_of(word: str) -> str:
    """Return the keyword that a word stands for, empty if it is none."""
    return SPELLINGS.get(re.sub(r"[-_]", "", word.upper()), "")


def listed_pair(keyword: str, values: Sequence[str], path: PathLike, place: str, names: PointNames) -> ListedPair:
    """Return the pair that stands behind a keyword: the names of two points, and what the pair counts if it is soft.

    What is no pair of points of the instance is refused in a sentence that begins with where it stands.
    """
    where = f"{path} {place}"
    is_soft = keyword.startswith("S")
    if len(values) not in ({2, 3} if is_soft else {2}):
        remedy = "give two point indices" if names.ids is None else "give two ids"
        if any(value.startswith("#") for value in values):
            remedy = "write comments on lines of their own"
        elif is_soft:
            remedy += ", and a penalty where the pair has its own"
        elif len(values) == 3:
            remedy += f", or S{keyword} for a soft pair with a penalty"
        raise InputError(f"{where} has {number_of(len(values), 'value')} after {keyword}; {remedy}")
    i, j = (names.index(name, where) for name in values[:2])
    if i == j and keyword != "ML":
        says = "is a soft pair with itself" if is_soft else "cannot be linked to itself"
        raise InputError(f"{where} says that point {names[i]} {says}; remove that pair")
    if len(values) == 2:
        return ListedPair(i, j, place)
    penalty = as_number(values[2])
    is_beyond = penalty == math.inf and any(own.isdigit() for own in values[2])
    if penalty is None or not penalty >= 0.0 or is_beyond:
        raise InputError(
            f"{where} has {quoted(values[2])} after the points of {keyword}; give a penalty of 0 or more, or inf"
        )
    return ListedPair(i, j, place, penalty)


def _as_rows(rows: list[ListedPair]) -> SoftRows:
    return [(row.i, row.j) if row.value is None else (row.i, row.j, row.value) for row in rows]


#: Titles of the column with the keyword.
KINDS = ("kind", "type", "constraint", "relation", "link")

#: Keys of the probabilities that soft pairs are right, which may be listed apart from the pairs.
PROBABILITIES = {"SML": "sml_proba", "SCL": "scl_proba"}

#: A pair as other programs mark it, and a line of a matrix of such marks.
MARKED = re.compile(r"(\d+)[\s,;]+(\d+)[\s,;]+(\+?1|-1|0)")
MATRIX = re.compile(r"([+-]?[01](\.0*)?[\s,;]+){3,}[+-]?[01](\.0*)?")


def read_constraints(path: PathLike, points: Floats, names: PointNames | None = None) -> Constraints:
    """Return the constraints of a file, gzipped or not, or of standard input for ``-``.

    Parameters
    ----------
    path : path-like
        Text with a line ``ML i j``, ``CL i j``, ``GAMMA x`` (every pair of points farther apart than x
        cannot be linked) or ``DELTA x`` (every pair closer than x must be linked) each, Euclidean distances,
        in capitals or not, separated by blanks, a comma or a semicolon, with or without a line of column names; or JSON
        with the keys ``ml`` and ``cl``, lists of pairs. Lines that begin with ``#`` are comments.
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
    """
    spacing = Spacing.of(points)
    names = names or PointNames(spacing.n_points)
    data = read_bytes(path)
    path = name_of(path)
    refuse_binary(data, path)
    if kind_of(data) != "text":
        raise InputError(f"{path} is a file of kind {kind_of(data)}, not constraints; give ML/CL lines or JSON")
    refuse_other_than_text(data, path)
    is_json = data.removeprefix(BOM).lstrip()[:1] in {b"{", b"["}
    return _read_json(data, path, names) if is_json else _read_lines(data, path, spacing, names)


def _double(text: str) -> float:
    """Return a number of JSON, which must not be finite and beyond doubles."""
    if math.isinf(float(text)):
        raise ValueError(f"{text} is too large for double precision")
    return float(text)


def _read_json(data: bytes, path: PathLike, names: PointNames) -> ConstraintFile:
    """Return what JSON holds: lists of pairs under the names of keywords."""
    try:
        content = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_without_repeated_keys, parse_float=_double)
    except json.JSONDecodeError as error:
        raise InputError(f"{path} line {error.lineno} is not valid JSON ({error.msg}); correct it") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path} is not JSON that can be read ({error}); correct it") from error
    known = {keyword_of(key): key for key in content if keyword_of(key) in PAIRS} if isinstance(content, dict) else {}
    if not known:
        raise InputError(f"{path} has none of the keys 'ml' and 'cl', 'sml' and 'scl'; give lists of pairs under them")
    unknown = next((key for key in content if key not in {*known.values(), *PROBABILITIES.values()}), None)
    if unknown is not None:
        raise InputError(
            f"{path} has the key {quoted(unknown)}, unknown or a second name of another; leave only 'ml', 'cl', 'sml', "
            "'scl'"
        )
    pairs = {kind: _listed(content, known.get(kind, ""), kind, path, names) for kind in PAIRS}
    has_confidences = any(content.get(key) for key in PROBABILITIES.values())
    constraints = Constraints(names.n_points, *_hard(pairs))
    return ConstraintFile(constraints, pairs, {}, str(path), has_confidences)


def _without_repeated_keys(items: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object as a dictionary; JSON itself would keep the last of equal keys without a word."""
    (repeated, count), *_ = Counter(key for key, _ in items).most_common(1) or [("", 0)]
    if count > 1:
        raise ValueError(f"the key {repeated!r} is there twice")
    return dict(items)


def _listed(content: dict[str, Any], key: str, kind: str, path: PathLike, names: PointNames) -> list[ListedPair]:
    """Return the pairs under a key, with the probabilities that are listed apart from them."""
    entries = content.get(key)
    entries = [] if entries is None else entries
    if not isinstance(entries, list):
        raise InputError(f"{path} has {quoted(json.dumps(entries))} under {key!r}; give a list of pairs")
    apart = PROBABILITIES.get(kind, "")
    shares = content.get(apart) or [None] * len(entries)
    if not isinstance(shares, list) or len(shares) != len(entries):
        raise InputError(f"{path} has other numbers than {len(entries)} pairs under {apart!r}; give one a pair")
    named, what = ((int,), "whole numbers") if names.ids is None else ((int, str), "ids")
    pairs = []
    for number, (entry, share) in enumerate(zip(entries, shares, strict=True)):
        where = f"{path} {key}[{number}]"
        if not isinstance(entry, list) or not all(type(name) in named for name in entry[:2]):
            raise InputError(f"{where} is {quoted(json.dumps(entry))}; give a pair of {what}")
        values = entry[2:] if share is None else [*entry[2:], share]
        if not all(type(value) in {int, float} for value in values):
            raise InputError(f"{where} counts {quoted(json.dumps(values))}; give a number of at least 0")
        pairs.append(listed_pair(kind, [*map(str, entry[:2]), *map(str, values)], path, f"{key}[{number}]", names))
    return pairs


def _hard(pairs: dict[str, list[ListedPair]]) -> list[Indices]:
    """Return the must-links and the cannot-links, of shape (m, 2) each."""
    return [np.array([row[:2] for row in pairs[kind]], np.intp).reshape(-1, 2) for kind in ("ML", "CL")]


def _read_lines(data: bytes, path: PathLike, spacing: Spacing, names: PointNames) -> ConstraintFile:
    """Return what lines hold that begin with a keyword, or stand below the names of their columns."""
    pairs: dict[str, list[ListedPair]] = {kind: [] for kind in PAIRS}
    thresholds: dict[str, list[tuple[float, int]]] = {"GAMMA": [], "DELTA": []}
    titles: list[str] = []
    lines = [(number, line) for number, line in content_lines(data) if told_delimiter(line) is None]
    for at, (number, line) in enumerate(lines):
        where = f"{path} line {number}"
        fields = _fields(line)
        if at == 0 and any(field.lower() in KINDS for field in fields) and not any(map(keyword_of, fields)):
            titles = fields
            order = _order(titles, where)
            continue
        fields = _below(titles, order, fields) if titles else fields
        keyword = keyword_of(fields[0])
        if keyword in pairs:
            pairs[keyword].append(listed_pair(keyword, fields[1:], path, f"line {number}", names))
        elif keyword in thresholds:
            thresholds[keyword].append((_threshold(keyword, fields[1:], where), number))
        else:
            _refuse_keyword(line.strip(), fields[0], where, path, is_first=at == bool(titles))
    return replace(_with_thresholds(pairs, thresholds, path, spacing), title=confidence_title(titles))


def _fields(line: str) -> list[str]:
    """Return the fields of a line, one of them a keyword, without empty ones at its end, as spreadsheets write."""
    outside = outside_quotes(line)
    ways = [split(line, mark) for mark in DELIMITERS if mark in outside] or [split(line, None)]
    return _without_empty(next((fields for fields in ways[:-1] if any(map(keyword_of, fields))), ways[-1]))


def _without_empty(fields: list[str]) -> list[str]:
    while len(fields) > 1 and not fields[-1]:
        fields.pop()
    return fields


def _order(titles: Sequence[str], where: str) -> list[int]:
    """Return the columns in order: the keyword, the points, and what the pair counts, if any; no row numbers."""
    lower = [title.lower() for title in titles]
    kind = next(at for at, title in enumerate(lower) if title in KINDS)
    values = [at for at, title in enumerate(lower) if title in VALUES]
    points = [at for at in range(len(titles)) if at not in {kind, *values} and titles[at] not in INDEX_NAMES]
    if len(points) != 2 or len(values) > 1:
        raise InputError(
            f"{where} names columns ({quoted(', '.join(titles))}) that are not {titles[kind]!r}, two points and "
            "perhaps a penalty or confidence; name one so if it says what a pair counts, and leave out any other"
        )
    return [kind, *points, *values]


def _below(titles: Sequence[str], order: Sequence[int], fields: list[str]) -> list[str]:
    """Return the fields below titles in their order; the names of rows, as R writes them, have no title."""
    if len(fields) == len(titles) + 1 and keyword_of(fields[order[0] + 1]) and not keyword_of(fields[order[0]]):
        fields = fields[1:]
    if len(fields) > len(titles):
        return fields
    filled = fields + [""] * (len(titles) - len(fields))
    ordered = [filled[at] for at in order]
    if len(ordered) == 4 and ordered[-1].lower() in MISSING:
        ordered.pop()
    return _without_empty(ordered)


def _threshold(keyword: str, fields: Sequence[str], where: str) -> float:
    """Return the distance behind GAMMA or DELTA."""
    if len(fields) != 1:
        raise InputError(f"{where} has {len(fields)} values after {keyword}; give one distance")
    distance = as_number(fields[0])
    if distance is None or not 0.0 <= distance < math.inf:
        raise InputError(f"{where} has {quoted(fields[0])} after {keyword}; give a distance of 0 or more")
    return distance


def _with_thresholds(
    rows: dict[str, list[ListedPair]], thresholds: dict[str, list[tuple[float, int]]], path: PathLike, spacing: Spacing
) -> ConstraintFile:
    """Return the pairs that are listed, and those that the distances make."""
    pairs, places = _hard(rows), {}
    makers = (("ML", "DELTA", max, pairs_closer), ("CL", "GAMMA", min, pairs_farther))
    for at, (kind, keyword, strictest, made) in enumerate(makers):
        if thresholds[keyword]:
            distance, number = strictest(thresholds[keyword])
            pairs[at] = np.vstack([pairs[at], made(spacing, distance, f"{path} has {keyword} {distance:g}")])
            places[kind] = f"line {number} ({keyword} {distance:g})"
    return ConstraintFile(Constraints(spacing.n_points, *pairs), rows, places, str(path))


def _refuse_keyword(line: str, word: str, where: str, path: PathLike, *, is_first: bool) -> NoReturn:
    message = f"{where} begins with {quoted(word)}, not with {', '.join(KEYWORDS)}"
    if is_first and MATRIX.fullmatch(line):
        raise InputError(
            f"{path} is a matrix of 1, -1 and 0, which is not read here; in Python, with M for the matrix, give "
            "must_link=numpy.argwhere(numpy.triu(M == 1, 1)), cannot_link=numpy.argwhere(numpy.triu(M == -1, 1))"
        )
    if marked := MARKED.fullmatch(line):
        raise InputError(f"{message}; write a must-link as ML {marked[1]} {marked[2]}, a cannot-link with CL")
    if is_first:
        raise InputError(
            f"{message}; give one constraint a line, such as ML 0 5, and if this is the data file, give it as POINTS"
        )
    raise InputError(f"{message}; correct the keyword")


def constraints_text(constraints: Constraints, names: PointNames) -> str:
    """Return lines ``ML i j`` and ``CL i j`` with the names of the points, or JSON where these have separators."""
    pairs = {"ml": constraints.must_link.tolist(), "cl": constraints.cannot_link.tolist()}
    called = {key: [[names[i], names[j]] for i, j in rows] for key, rows in pairs.items()}
    words = {name for rows in called.values() for pair in rows for name in pair}
    if not all(words) or any(letter in SEPARATORS or letter.isspace() for name in words for letter in name):
        return json.dumps(called, ensure_ascii=False) + "\n"
    text = "".join(f"{key.upper()} {i} {j}\n" for key, rows in called.items() for i, j in rows)
    return text or "# no pairs\n"
