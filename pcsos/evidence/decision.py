"""Decision: two points together or apart, as a branching decides it and steps of a proof do."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["ML", "CL"]


@dataclass(frozen=True)
class Decision:
    """Points i and j together (``ML``) or apart (``CL``)."""

    kind: Kind
    i: int
    j: int

    @property
    def opposite(self) -> "Decision":
        """The decision of the sibling."""
        return Decision("CL" if self.kind == "ML" else "ML", self.i, self.j)
