"""What can go wrong, in one base class and few leaves; every message is one sentence with a remedy."""

from pcsos.proof import ForcedStep


class PcsosError(Exception):
    """Base of every error that pcsos raises on purpose."""


class InputError(PcsosError, ValueError):
    """Points, constraints or options that cannot be used; the message says what, where and how to mend it."""


class RunFileError(PcsosError):
    """A run file that is foreign, damaged, of another version, or in use by another process."""


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
        ``{"kind": "too_few_points"}`` or ``{"kind": "colouring"}``; indices are those of the instance's
        points.
    step : ForcedStep, optional
        Pairs that the cannot-links force, from which the witness follows.
    """

    def __init__(self, message: str, witness: dict[str, object], step: ForcedStep | None = None) -> None:
        super().__init__(message)
        self.witness = witness
        self.step = step

    def __reduce__(self) -> tuple[type["InfeasibleError"], tuple[str, dict[str, object], ForcedStep | None]]:
        """Return how to build the error again in another process."""
        return type(self), (str(self), self.witness, self.step)
