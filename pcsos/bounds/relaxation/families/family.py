"""Family: the role of inequalities of one kind, which differ in what stands in the place of a centre.

With Z_ij = Y_ij / sqrt(e_i e_j), an inequality is a centre or the code of its family, and a set S of members.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pcsos.base.numerics.kernels import WarmUp, kernel
from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.families.pairs import codes_of
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.params import CutParams


@dataclass(frozen=True, eq=False)
class Point:
    """What cuts are to cut off.

    Parameters
    ----------
    relaxation : PengWei
        The relaxation, with s super-points.
    y : ndarray, shape (s, s)
        The point.
    known : Cuts
        The cuts in use.
    least : float
        Least violation in units of Z, for families that share the limit of a round.
    most : int
        That limit; of more than that the most violated are wanted.
    rng : Generator
        For families that draw.
    charges, excess : ndarray, shape (m, 2)
        What each soft pair is charged at the point if apart and if together, for each unit of the penalty: by the
        matrix of the penalties, and beyond it.
    """

    relaxation: PengWei
    y: Floats
    known: Cuts
    least: float = 0.0
    most: int = sys.maxsize
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    charges: Floats = field(default_factory=lambda: np.empty((0, 2)))
    excess: Floats = field(default_factory=lambda: np.empty((0, 2)))

    @cached_property
    def z(self) -> Floats:
        """Z at the point, shape (s, s)."""
        return np.asarray(self.y * np.outer(self.relaxation.inverse_roots, self.relaxation.inverse_roots))


@dataclass(frozen=True)
class Family:
    """One kind of inequalities: what is in its file.

    Parameters
    ----------
    name : str
        What it is called.
    code : int
        Negative, in the place of a centre; 0 for the family that has centres.
    num_entries : callable
        From the numbers of members and s, how many entries of Y each cut has.
    fill : kernel
        Writes entries, coefficients, steps and norms of the cuts ``which`` into
        :class:`pcsos.bounds.relaxation.rows.Rows`, from ``indptr`` on, with :func:`put`.
    separate : callable
        Violated cuts and their violations; those of a family with a limit of its own are different ones, the most
        violated first.
    right : callable, optional
        Right-hand sides, not negative and rounded downwards, of cuts of this family in a relaxation; 0 unless given.
    most : callable, optional
        New cuts a round, at most, where they do not share the limit of all.
    contracts : bool
        Whether a cut says the same of contracted super-points if it holds all or nothing of each; otherwise it says so
        where its points stay distinct.
    warm_up : WarmUp, optional
        What compiles kernels that only it needs.
    needs_limits : bool
        Whether there are none without limits of clusters.
    """

    name: str
    code: int
    num_entries: Callable[[Indices, int], Indices]
    fill: Any
    separate: Callable[[Point], tuple[Cuts, Floats]]
    right: Callable[[Cuts, PengWei], Floats] | None = None
    most: Callable[[CutParams], int] | None = None
    contracts: bool = False
    warm_up: WarmUp | None = None
    needs_limits: bool = False

    def which(self, cuts: Cuts) -> Indices:
        """Return the indices of its cuts in a list."""
        return np.flatnonzero(cuts.centre >= 0 if self.code >= 0 else codes_of(cuts) == self.code)


@kernel
def put(at, i, j, s, value, entries, coefficients, steps):  # type: ignore[no-untyped-def]
    """Write a coefficient of Y_ij at a place; return what it adds to the norm of the row."""
    entries[at] = min(i, j) * s + max(i, j)
    coefficients[at] = value
    if i == j:
        steps[at] = value
        return value * value
    steps[at] = 0.5 * value
    return 0.5 * value * value
