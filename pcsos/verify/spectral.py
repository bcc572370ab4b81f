"""The least of <G, Y>, in balls, where little more than the factor of G is kept (docs/certificate.md, section 6)."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Protocol

from flint import arb, arb_mat, fmpz

from pcsos.verify.effort import OF_A_NUMBER, OF_A_STEP, spend
from pcsos.verify.proposal import Panel, Proposal

WIDTH = 64  # of a panel: so many rows or columns are in balls at a time
SMALL = 256  # rows up to which blocks in balls are kept as long as they may be needed again


class Symmetric(Protocol):
    """A symmetric matrix G, blocks of which are formed when they are asked for."""

    size: int

    def block(self, rows: slice, columns: slice) -> arb_mat:
        """Return a block whose rows are not below its columns, or the same; both are panels."""
        ...


def panels(size: int) -> list[slice]:
    """Return the ranges of all panels."""
    return [slice(start, min(start + WIDTH, size)) for start in range(0, size, WIDTH)]


def spectral_minimum(matrix: Symmetric, u: list[arb], rank: int, tolerable: arb) -> arb:
    """Return a lower bound on <G, u u' + R> over all 0 <= R <= I with R u = 0 and tr R = rank.

    A :class:`~pcsos.verify.proposal.Proposal` names integers for a shift t, signs S and a factor F. Whatever they are,
    they prove ``t rank - sum of ||f_i||^2 over the negative signs - sqrt(rank) ||E||`` of <G, R>, where
    ``E = G + w u' + u w' - t I - F' S F`` is formed in balls. Where more than ``tolerable`` is lost to E, the factor
    is corrected once.
    """
    spectrum = Spectrum(matrix, u)
    if rank == 0 or spectrum.is_zero:
        return spectrum.constant
    spectrum.propose(rank)
    value, loss = spectrum.evaluate(rank)
    if not loss <= tolerable:
        spectrum.improve()
        value = max(value, spectrum.evaluate(rank)[0])
    return spectrum.constant + value


class Spectrum:
    """What is known of G and u: ``constant`` is u' G u."""

    def __init__(self, matrix: Symmetric, u: list[arb]) -> None:
        self.matrix, self.panels = matrix, panels(matrix.size)
        self.u = {own.start: arb_mat(own.stop - own.start, 1, u[own]) for own in self.panels}
        self.proposal = Proposal(matrix.size)
        self.product = {own.start: arb_mat(own.stop - own.start, 1) for own in self.panels}
        self._blocks: dict[tuple[int, int], arb_mat] = {}  # of G, and of E below, if they are kept
        self._residuals: dict[tuple[int, int], arb_mat] = {}
        self.factor: dict[int, list[Panel]] = {}
        for rows, columns in self.pairs():
            self._look(rows, columns)
        self.is_zero = self.proposal.is_zero
        self.constant: arb = sum(((self.u[at].transpose() * own)[0, 0] for at, own in self.product.items()), arb(0))

    def pairs(self) -> Iterator[tuple[slice, slice]]:
        """Yield the rows and columns of the blocks on the diagonal and above."""
        return ((a, b) for number, a in enumerate(self.panels) for b in self.panels[number:])

    def _look(self, rows: slice, columns: slice) -> None:
        """Tell the proposal of a block, and add it to G u."""
        block = self.matrix.block(rows, columns)
        if self.matrix.size <= SMALL:
            self._blocks[rows.start, columns.start] = block
        self._tell(rows, columns, block)
        self.product[rows.start] += block * self.u[columns.start]
        if rows != columns:
            self.product[columns.start] += block.transpose() * self.u[rows.start]

    def _tell(self, rows: slice, columns: slice, block: arb_mat) -> None:
        spend(OF_A_NUMBER * block.nrows() * block.ncols())
        largest = max(x.abs_upper() for x in block.entries())
        if largest != 0:
            mantissa, exponent = (int(own) for own in largest.man_exp())
            exponent += mantissa.bit_length()
            self.proposal.tell(rows, columns, block * _power(-exponent), exponent)

    def propose(self, rank: int) -> None:
        """Let the proposal factorise B = G + w u' + u w', of which u is an eigenvector with a large eigenvalue."""
        spend(OF_A_STEP * self.matrix.size + self.matrix.size**3 // 5)
        exponent = self.proposal.exponent()
        half = (self.constant + self.matrix.size * _power(exponent)) / 2
        sides = {at: (own * half - self.product[at]).mid() for at, own in self.u.items()}
        self.left, self.right = {}, {}
        for at, w in sides.items():
            pairs = list(zip(w.entries(), self.u[at].entries(), strict=True))
            self.left[at], self.right[at] = arb_mat(pairs), arb_mat([(u, w) for w, u in pairs]).transpose()
        self.proposal.factorise(_joined(self.u), _joined(sides) * _power(-exponent), exponent, rank)
        self.shift = arb(self.proposal.shift) * _power(-self.proposal.shift_bits)

    def improve(self) -> None:
        """Let the proposal correct its factor, for which the residual is formed once more."""
        for rows, columns in self.pairs():
            kept = self._residuals.pop((rows.start, columns.start), None)
            self._tell(rows, columns, self._residual(rows, columns)[0] if kept is None else kept)
        self.factor = {}
        spend(self.matrix.size**3 // 5)
        self.proposal.improve()

    def evaluate(self, rank: int) -> tuple[arb, arb]:
        """Return what the proposal proves, and what of it is lost to the residual E."""
        self.factor = {own.start: list(self.proposal.panels(own)) for own in self.panels}
        squares, paid = arb(0), arb(0)
        for rows, columns in self.pairs():
            residual, own = self._residual(rows, columns)
            if self.matrix.size <= SMALL:
                self._residuals[rows.start, columns.start] = residual
            squares += (1 if rows == columns else 2) * sum((x * x for x in residual.entries()), arb(0))
            paid += own
        # Squares of balls about 0 reach below 0, where there are no roots: the upper end is what counts.
        loss = (rank * squares.abs_upper()).sqrt()
        return self.shift * rank - paid - loss, loss

    def _shifted(self, rows: slice, columns: slice) -> arb_mat:
        """Return a block of B - t I."""
        kept = self._blocks.get((rows.start, columns.start))
        block = self.matrix.block(rows, columns) if kept is None else kept
        block = block + self.left[rows.start] * self.right[columns.start]
        if rows != columns:
            return block
        size = block.nrows()
        diagonal: list[Any] = [0] * (size * size)
        diagonal[:: size + 1] = [self.shift] * size
        return block - arb_mat(size, size, diagonal)

    def _residual(self, rows: slice, columns: slice) -> tuple[arb_mat, arb]:
        """Return a block of E, and if it is one on the diagonal the trace of its negative part of F' S F."""
        form, paid = self._form(self.factor[rows.start], self.factor[columns.start])
        return self._shifted(rows, columns) - form, paid

    def _form(self, first: list[Panel], second: list[Panel]) -> tuple[arb_mat, arb]:
        """Return a block of F' S F, and if it is one on the diagonal the trace of its negative part."""
        size = first[0][0].ncols(), second[0][0].ncols()
        form, paid = arb_mat(*size), arb(0)
        for (a, left), (b, right) in product(enumerate(first), enumerate(second)):
            spend(size[0] * size[1] * (OF_A_NUMBER + self.matrix.size // 2))  # which is that of each product of columns
            above, below = (x.transpose() * y for x, y in zip(left, right, strict=True))
            unit = _power(self.proposal.unit(a, b))
            form += arb_mat(above - below) * unit
            if first is second:
                paid += sum((below[i, i] for i in range(size[0])), fmpz(0)) * unit
        return form, paid


def _power(exponent: int) -> arb:
    return arb(2) ** exponent


def _joined(blocks: dict[int, arb_mat]) -> arb_mat:
    entries = [x for own in blocks.values() for x in own.entries()]
    return arb_mat(len(entries), 1, entries)
