"""Cover progress: what the pieces of a rung prove together, kept up to date as one after the other is bounded."""

import math
from fractions import Fraction

from pcsos.base import tolerances
from pcsos.search.blocks.piece import Piece


class CoverProgress:
    """Sums over the present pieces, for whoever watches.

    Attributes
    ----------
    num_pieces, num_done : int
        Pieces, and those that have been bounded.
    """

    def __init__(self, pieces: list[Piece]) -> None:
        self.num_pieces, self.num_done = len(pieces), 0
        self._bound = sum((Fraction(piece.lower_bound) for piece in pieces), Fraction())
        self._cost = self._cost_done = self._lost = 0.0
        for piece in pieces:
            self._cost += piece.objective
            self._count(piece)

    @property
    def lower_bound(self) -> float:
        """The sum of their bounds, rounded down."""
        return math.nextafter(float(self._bound), 0.0)

    def replace(self, old: Piece, new: Piece) -> None:
        """Take over what has been proved of a piece that had not been bounded."""
        self._bound += Fraction(new.lower_bound) - Fraction(old.lower_bound)
        self._count(new)

    def projected_gap(self, objective: float) -> float:
        """Return the gap if the pieces that are not bounded yet lack as much as the others."""
        lacking = self._lost / self._cost_done if self._cost_done > 0.0 else 0.0
        return tolerances.relative_gap(objective, self._cost * (1.0 - lacking))

    def _count(self, piece: Piece) -> None:
        if piece.is_bounded:
            self.num_done += 1
            self._cost_done += piece.objective
            self._lost += piece.loss
