"""Cover progress: what the pieces of a rung prove together, kept up to date as one after the other is bounded."""

from pcsos import tolerances
from pcsos.bounds.blocks.piece import Piece, sum_of_bounds


class CoverProgress:
    """Sums over the present pieces, for whoever watches; what is claimed is summed anew.

    Attributes
    ----------
    num_pieces, num_done : int
        Pieces, and those that have been bounded.
    lower_bound : float
        About the sum of their bounds.
    """

    def __init__(self, pieces: list[Piece]) -> None:
        self.num_pieces, self.num_done = len(pieces), 0
        self.lower_bound = sum_of_bounds(pieces)
        self._cost = self._cost_done = self._lost = 0.0
        for piece in pieces:
            self._cost += piece.objective
            self._count(piece)

    def replace(self, old: Piece, new: Piece) -> None:
        """Take over what has been proved of a piece that had not been bounded."""
        self.lower_bound += new.lower_bound - old.lower_bound
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
