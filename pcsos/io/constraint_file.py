"""A constraint file as it was read: pairs with their places, and what stands behind soft ones; and as it is written."""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from pcsos.base.exceptions import InputError, quoted
from pcsos.io.fields import as_number
from pcsos.io.source import PathLike
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.soft_pairs import CONFIDENCE, Penalty, value_of
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
    """Constraints and soft pairs, and where in their file they are.

    Parameters
    ----------
    constraints : Constraints
        The pairs that must hold.
    listed : dict
        For ``ML``, ``CL``, ``SML`` and ``SCL`` the pairs as they are listed.
    thresholds : dict
        For ``ML`` and ``CL`` where a distance stands that makes pairs, in words.
    path : str
        The file.
    has_confidences : bool
        Whether the file says that what stands behind its soft pairs are probabilities.
    title : str
        What a first line calls the column of probabilities, if it does.
    """

    constraints: Constraints
    listed: dict[str, list[ListedPair]] = field(default_factory=dict)
    thresholds: dict[str, str] = field(default_factory=dict)
    path: str = ""
    has_confidences: bool = False
    title: str = ""

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
        """Return what values of soft pairs mean, given what the user says; refuse those that cannot mean it.

        Raises
        ------
        InputError
            In one sentence with file, line or entry, value and remedy.
        """
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

    Raises
    ------
    InputError
        In one sentence that begins with where it stands, unless that is a pair of points of the instance.
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


def constraints_text(constraints: Constraints, names: PointNames) -> str:
    """Return lines ``ML i j`` and ``CL i j`` with the names of the points, or JSON where these have separators."""
    pairs = {"ml": constraints.must_link.tolist(), "cl": constraints.cannot_link.tolist()}
    called = {key: [[names[i], names[j]] for i, j in rows] for key, rows in pairs.items()}
    words = {name for rows in called.values() for pair in rows for name in pair}
    if not all(words) or any(letter in SEPARATORS or letter.isspace() for name in words for letter in name):
        return json.dumps(called, ensure_ascii=False) + "\n"
    text = "".join(f"{key.upper()} {i} {j}\n" for key, rows in called.items() for i, j in rows)
    return text or "# no pairs\n"


def _as_rows(rows: list[ListedPair]) -> SoftRows:
    return [(row.i, row.j) if row.value is None else (row.i, row.j, row.value) for row in rows]
