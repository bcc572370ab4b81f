"""Exceptions: one base class and few leaves; every message is one sentence with a remedy."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pcsos.verify.errors import FormatError, InputError, PcsosError, RunFileError, is_interrupt, quoted

__all__ = ["FormatError", "InfeasibleError", "InputError", "PcsosError", "RunFileError", "is_interrupt", "quoted"]


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
    step : Forced, optional
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
        witness: dict[str, Any],
        step: Any = None,
        search: ArrayLike = (),
        conflict: Any = None,
    ) -> None:
        super().__init__(message)
        self.witness = witness
        self.step = step
        self.search = np.asarray(search, np.int64)
        self.conflict = conflict

    def __reduce__(self) -> tuple[type["InfeasibleError"], tuple[object, ...]]:
        """Return how to build the error again in another process."""
        return type(self), (str(self), self.witness, self.step, self.search, self.conflict)
