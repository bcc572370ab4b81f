"""Exceptions: one base class and few leaves; every message is one sentence with a remedy."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:  # the checker raises errors, too, and loads nothing of the solver
    from pcsos.proofs.conflict import Conflict
    from pcsos.proofs.steps import ForcedStep


class PcsosError(Exception):
    """Base of every error that pcsos raises on purpose."""


class InputError(PcsosError, ValueError):
    """Points, constraints or options that cannot be used; the message says what, where and how to mend it."""


class RunFileError(PcsosError):
    """A run file that is foreign, damaged, of another version, or in use by another process."""


class FormatError(PcsosError):
    """What a run file holds is not as its format says; whoever opened the file says which one."""


class InfeasibleError(PcsosError):
    """No partition satisfies the constraints; the message is the proof in words.

    Parameters
    ----------
    message : str
        One sentence a person can check against the input.
    witness : dict
        The same proof for programs:
        ``{"kind": "contradiction", "cannot_link": [i, j], "must_link_path": [...]}``,
        ``{"kind": "clique", "points": [...]}``, ``{"kind": "odd_cycle", "points": [...]}``,
        ``{"kind": "too_few_points"}`` or ``{"kind": "colouring"}``; ``{"kind": "solved"}`` where a solve has proved it;
        indices are those of the instance's points.
    step : ForcedStep, optional
        Pairs that the cannot-links force, from which the witness follows.
    search : array_like of int
        The points in the order in which an exhaustive search for a colouring took them, which proves that there is none
        (docs/certificate.md, section 4). For a clique or an odd cycle it is a list of its points.
    conflict : Conflict, optional
        Constraints of the instance that cannot hold together, each of them needed for that where this could be settled.
    """

    def __init__(
        self,
        message: str,
        witness: dict[str, object],
        step: "ForcedStep | None" = None,
        search: ArrayLike = (),
        conflict: "Conflict | None" = None,
    ) -> None:
        super().__init__(message)
        self.witness = witness
        self.step = step
        self.search = np.asarray(search, np.int64)
        self.conflict = conflict

    def __reduce__(self) -> tuple[type["InfeasibleError"], tuple[object, ...]]:
        """Return how to build the error again in another process."""
        return type(self), (str(self), self.witness, self.step, self.search, self.conflict)


def is_interrupt(error: BaseException) -> bool:
    """Tell whether an error is a Ctrl-C in other words, as Python 3.11 has for one in the midst of defining a class."""
    cause = error.__cause__
    return isinstance(cause, KeyboardInterrupt) or (cause is not None and is_interrupt(cause))


def quoted(text: str) -> str:
    """Return a value of the user as it is shown in a message: quoted, and cut where it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
