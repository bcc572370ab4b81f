"""Piece: a part of the instance on the ladder, with the best bound known of it and the parts that prove it."""

import math
from dataclasses import dataclass, replace

from pcsos.base.typing import Indices
from pcsos.problem.instance import Instance
from pcsos.search.blocks.block import Bounded
from pcsos.search.blocks.part import Part


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of the instance that is bounded at once.

    Parameters
    ----------
    number : int
        Number of the part in this run, from 1.
    part : Part
        Points and shares.
    objective : float
        What the partition to be certified costs within the part.
    lower_bound : float
        The best bound known, 0 at first.
    proof : tuple of int
        Numbers of the parts, together just this one, whose bounds add up to it.
    is_bounded : bool
        Whether the part itself has been bounded.
    is_whole : bool
        Whether the part is all of the instance.
    """

    number: int
    part: Part
    objective: float
    lower_bound: float
    proof: tuple[int, ...]
    is_bounded: bool = False
    is_whole: bool = False

    @classmethod
    def of(cls, number: int, part: Part, instance: Instance, labels: Indices) -> "Piece":
        """Return a piece of which nothing is known."""
        return cls(number, part, part.cost_of(instance, labels), 0.0, (number,), is_whole=part.is_all_of(instance))

    @classmethod
    def merged(cls, number: int, pieces: list["Piece"], instance: Instance, labels: Indices) -> "Piece":
        """Return the union of several pieces, of which the sum of their bounds is known."""
        part = Part.union([piece.part for piece in pieces])
        known = sum_of_bounds(pieces)
        proof = tuple(own for piece in pieces for own in piece.proof) if known > 0.0 else (number,)
        whole = part.is_all_of(instance)
        return cls(number, part, part.cost_of(instance, labels), known, proof, is_whole=whole)

    @property
    def loss(self) -> float:
        """What the bound lacks."""
        return max(self.objective - self.lower_bound, 0.0)

    def bounded(self, found: Bounded) -> "Piece":
        """Return the piece with what has been proved of it, if that is better."""
        if found.lower_bound <= self.lower_bound:
            return replace(self, is_bounded=True)
        return replace(self, lower_bound=found.lower_bound, proof=(self.number,), is_bounded=True)


def sum_of_bounds(pieces: list[Piece]) -> float:
    """Return the sum of the bounds, rounded down."""
    total = math.fsum(piece.lower_bound for piece in pieces)
    return math.nextafter(total, 0.0) if total > 0.0 else 0.0
