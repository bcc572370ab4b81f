"""What is proved of an instance, why a run stopped, and constraints that cannot hold together."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pcsos.base.control.stop import OUT_OF_TIME


class Status(StrEnum):
    """What is proved."""

    OPTIMAL = "OPTIMAL"  #: the objective is within the gap of the lower bound
    FEASIBLE = "FEASIBLE"  #: a partition is known, optimality is not proved
    INFEASIBLE = "INFEASIBLE"  #: no partition satisfies the constraints
    UNKNOWN = "UNKNOWN"  #: neither a partition nor a proof that there is none


class Reason(StrEnum):
    """Why a run stopped."""

    GAP_REACHED = "GAP_REACHED"
    INFEASIBLE = "INFEASIBLE"
    TIME_LIMIT = "TIME_LIMIT"
    NODE_LIMIT = "NODE_LIMIT"
    INTERRUPTED = "INTERRUPTED"
    HEURISTIC_FINISHED = "HEURISTIC_FINISHED"
    RUN_FILE_FAILED = "RUN_FILE_FAILED"  #: the run file could not be written any more
    STALLED = "STALLED"  #: every node is closed, but rounding leaves a gap above the one asked for

    @property
    def is_final(self) -> bool:
        """Whether all is proved that was asked for; what has stalled may go further elsewhere, as with more memory."""
        return self in {Reason.GAP_REACHED, Reason.INFEASIBLE}

    @classmethod
    def of_heuristic(cls, message: str, *, was_interrupted: bool) -> "Reason":
        """Return why a heuristic ended, by the message of its record: anything but a limit cut it short."""
        if was_interrupted or message not in ("", OUT_OF_TIME):
            return cls.INTERRUPTED
        return cls.TIME_LIMIT if message else cls.HEURISTIC_FINISHED


#: A pair of points of the instance.
Pair = tuple[int, int]

#: Constraints that a sentence names at most.
MOST_NAMED = 20


@dataclass(frozen=True)
class Conflict:
    """Constraints, pairs of points of the instance, that no partition into k clusters satisfies.

    Parameters
    ----------
    must_link, cannot_link : tuple of (int, int)
        The pairs, i < j, as the user gave them.
    is_irreducible : bool
        Whether each of them is needed: without any one of them, the others can be satisfied. False where that could
        not be settled in time, so that perhaps not all of them are.

    Examples
    --------
    >>> import pcsos
    >>> result = pcsos.solve([0.0, 1.0, 5.0, 9.0], 2, must_link=[(0, 1), (1, 2), (2, 3)], cannot_link=[(0, 2)])
    >>> result.conflict.must_link, result.conflict.cannot_link
    (((0, 1), (1, 2)), ((0, 2),))
    >>> str(result.conflict)
    'one of these has to go: ML 0 1, ML 1 2, CL 0 2'
    """

    must_link: tuple[Pair, ...]
    cannot_link: tuple[Pair, ...]
    is_irreducible: bool = True

    def __len__(self) -> int:
        """Return the number of constraints."""
        return len(self.must_link) + len(self.cannot_link)

    def __str__(self) -> str:
        """Return a sentence that names the constraints, up to twenty of them."""
        return self.in_names(str)

    def in_names(self, name: Callable[[int], str]) -> str:
        """Return the same sentence with names for the points, given what tells the name of one."""
        named = [f"ML {name(i)} {name(j)}" for i, j in self.must_link]
        named += [f"CL {name(i)} {name(j)}" for i, j in self.cannot_link]
        rest = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        return f"{self.headline}: {', '.join(named[:MOST_NAMED])}{rest}"

    @property
    def headline(self) -> str:
        """What is to be done about the constraints, in words."""
        return (
            "one of these has to go"
            if self.is_irreducible
            else "at least one of these has to go (not all of them may be needed for the contradiction)"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return {
            "must_link": [list(pair) for pair in self.must_link],
            "cannot_link": [list(pair) for pair in self.cannot_link],
            "is_irreducible": self.is_irreducible,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Conflict":
        """Return what :meth:`to_dict` has made plain."""
        must_link, cannot_link = (
            tuple((int(i), int(j)) for i, j in values[name]) for name in ("must_link", "cannot_link")
        )
        return cls(must_link, cannot_link, bool(values["is_irreducible"]))
