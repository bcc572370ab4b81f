"""A constraint file as it was read: pairs with their places, and what stands behind soft ones."""

from dataclasses import dataclass, field
from typing import NamedTuple

from pcsos.base.exceptions import InputError
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.penalties import CONFIDENCE, Penalty, value_of
from pcsos.problem.validation.names import PointNames

#: Soft pairs as rows for :func:`pcsos.solve`.
SoftRows = list[tuple[int, int] | tuple[int, int, float]]


class ListedPair(NamedTuple):
    """A pair as it is listed."""

    i: int
    j: int
    number: int  #: its line or entry
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
    words : str
        How the place of a listed pair is written, given ``key`` (``ml``, ``cl``, ``sml`` or ``scl``) and ``number``.
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
    words: str = ""
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
                    return self._named(kind, row)
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
                value_of(row.value, f"{self.path} {self._named(kind, row)}", meant)
        return meant

    def _named(self, kind: str, row: ListedPair) -> str:
        return self.words.format(key=kind.lower(), number=row.number)


def refuse_loop(keyword: str, i: int, j: int, where: str, names: PointNames) -> None:
    """Refuse a pair of a point with itself, except that a must-link of this kind says nothing."""
    if i != j or keyword == "ML":
        return
    says = "cannot be linked to itself" if keyword == "CL" else "is a soft pair with itself"
    raise InputError(f"{where} says that point {names[i]} {says}; remove that pair")


def _as_rows(rows: list[ListedPair]) -> SoftRows:
    return [(row.i, row.j) if row.value is None else (row.i, row.j, row.value) for row in rows]
