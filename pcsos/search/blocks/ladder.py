"""Ladder: blocks as small as the gap asked for allows, and merged where they are too small (Mathematics 7).

Super-points are distributed over blocks of the smallest size. A few are bounded, and merged two by two as long as they
promise less than what is asked for; then all blocks are merged to that size and bounded. Where the sum still lacks
something, those that lack most are merged and bounded again, up to half of the instance each. Where no size promises
enough, and the instance as a whole can be bounded instead, the rungs between are left out.
"""

import math
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from pcsos.base import tolerances
from pcsos.bounds.relaxation.peng_wei import shortage
from pcsos.evidence.run_file.proof import KnownPart
from pcsos.presolve.presolve import Presolved
from pcsos.problem.params import BlockParams
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced
from pcsos.search.blocks.block import Bounded
from pcsos.search.blocks.distribution import Distribution, distribute
from pcsos.search.blocks.piece import Part, Piece, Pieces, sum_of_bounds


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


#: How all pieces stand, and what has been proved of one.
Progress = tuple[CoverProgress, Piece, Bounded]

#: Merging two blocks is expected to leave this share of what they lack, and the union to take so many times longer.
EXPECTED_REST = 0.4
EXPECTED_GROWTH = 6.0
#: The whole takes so many times longer than a block of half its size: it has to reach no more than the gap asked for.
WHOLE_GROWTH = 4.0
#: The same share where nothing is known yet, for whoever must not give up too soon.
HOPED_REST = 0.25
#: Where the whole has no more super-points, blocks have to promise this share of the gap: their last rung takes half of
#: the time of a whole that is then needed. A larger whole takes too much longer.
SMALL, MARGIN = 1500, 0.5
#: A whole with more super-points takes so long that what the blocks at hand prove counts until it is bounded; one that
#: has no more proves more than blocks that promise too little after this share of its time.
LARGE, EARLY = 2000, 0.1
#: Share of the time left that bounding all blocks of one size may take, where there is a limit.
SHARE_OF_TIME = 0.6
#: Share of it that exchanges may take before.
OF_EXCHANGES = 0.5
#: On this rung, counted from 0, all blocks are bounded if the gap is so many times more than asked for: large blocks
#: will be needed, and until they are bounded the small ones count.
SAFE_RUNG, FAR = 1, 4.0


class Ladder:
    """The rungs of one run.

    Parameters
    ----------
    problem : Presolved
        What is to be bounded.
    partition : Partition
        A good partition of it, of which blocks are likenesses.
    bounder : Pieces
        What bounds pieces.
    known : iterable of KnownPart
        Parts that an earlier part of the run has bounded.
    is_spare : bool
        Whether nothing is lost without blocks: there are none then where the run has to end before they are made.

    Attributes
    ----------
    pieces : list of Piece
        The present cover of the instance.
    parts : dict
        All parts that pieces or their proofs are of, by number.
    """

    def __init__(
        self,
        problem: Presolved,
        partition: Partition,
        bounder: Pieces,
        known: Iterable[KnownPart] = (),
        *,
        is_spare: bool = False,
    ) -> None:
        instance, reduced, options = problem.instance, problem.reduced, bounder.options
        self.instance, self.labels, self.objective = instance, partition.labels, partition.objective
        self.gap, self.params = options.gap, options.params.blocks
        self._bounder, self._component, self._whole = bounder, reduced.component, reduced.size
        self._largest = min(self.params.largest_size, self._whole // 2 + instance.n_clusters)
        self._seconds: list[float] = []
        self.parts: dict[int, Part] = {}
        self._known = {(part.points.tobytes(), part.weights.tobytes()): part for part in known}
        self._num_named = max((part.number for part in self._known.values()), default=0)
        rng = np.random.default_rng([options.seed, 2])
        num_blocks = first_number(reduced, self.params)
        soon = bounder.stop.within(OF_EXCHANGES * bounder.stop.seconds_left)
        distribution = distribute(reduced, reduced.project(self.labels), num_blocks, rng, self.params, soon)
        self.pieces: list[Piece] = []
        for part in parts_of(distribution, reduced):
            if is_spare and bounder.stop.asked():
                self.pieces = []
                break
            self.pieces.append(self._new(part))

    @property
    def lower_bound(self) -> float:
        """No feasible partition of the instance costs less."""
        return sum_of_bounds(self.pieces)

    @property
    def is_done(self) -> bool:
        """Whether the gap asked for is reached."""
        return self.lower_bound >= tolerances.cutoff(self.objective, self.gap)

    def run(self) -> Iterator[Progress]:
        """Bound the instance, if possible to the gap asked for; yield how pieces stand whenever one was bounded."""
        goes_on = yield from self._choose_size()
        while goes_on:
            waiting = [piece for piece in self.pieces if not piece.is_bounded]
            goes_on = yield from self._bound(waiting)
            goes_on = goes_on and not self.is_done and self._merge_worst()

    def _choose_size(self) -> Generator[Progress, None, bool]:
        """Merge all pieces to the size at which a few of them promise to reach the gap, or that there is time for.

        Tells whether to go on with blocks: nothing interrupted that, and they are not hopeless.
        """
        rung, before = 0, math.inf
        while len(self.pieces) > 1:
            self._seconds = []
            probes = [piece for piece in self.pieces[: self.params.probes] if not piece.is_bounded]
            if not (yield from self._bound(probes)):
                return False
            projected = self._projected_gap(self.pieces[: self.params.probes])
            waiting = [piece for piece in self.pieces if not piece.is_bounded]
            if self._is_hopeless(projected, before):
                if self._whole > LARGE:
                    yield from self._bound(waiting)
                return False
            num_pairs = (len(self.pieces) + 1) // 2
            if projected <= self.gap or self._is_too_large(self.pieces[:2]) or self._takes_too_long(num_pairs):
                return True
            if rung == SAFE_RUNG and projected > FAR * self.gap and not (yield from self._bound(waiting)):
                return False
            pairs = [self.pieces[at : at + 2] for at in range(0, len(self.pieces), 2)]
            rung, before = rung + 1, projected
            self.pieces = [self._merged(pair) for pair in pairs]
        return True

    def _is_hopeless(self, projected: float, before: float) -> bool:
        """Tell whether no blocks promise the gap asked for, while the whole is not too much.

        Merging is expected to leave the share of the gap that it has left before.
        """
        if not self._seconds or self._whole > self.params.largest_size or shortage(self._whole):
            return False
        expected = WHOLE_GROWTH ** math.log2(self._whole / self._size()) * self._mean_seconds()
        if self._whole <= LARGE:
            expected *= EARLY
        if expected > SHARE_OF_TIME * self._bounder.seconds_left:
            return False
        rest = projected / before if math.isfinite(before) and before > 0.0 else HOPED_REST
        doublings = round(math.log2(max(self._largest / self._size(), 1.0)))
        return projected * min(rest, 1.0) ** doublings > self.gap * (MARGIN if self._whole <= SMALL else 1.0)

    def _mean_seconds(self) -> float:
        return sum(self._seconds) / len(self._seconds)

    def _size(self) -> int:
        return int(np.unique(self._component[self.pieces[0].part.points]).size)

    def _takes_too_long(self, num_pairs: int) -> bool:
        """Tell whether bounding pairs of the pieces that were just bounded would take most of the time that is left."""
        if not self._seconds:
            return False
        expected = EXPECTED_GROWTH * num_pairs * self._mean_seconds()
        return expected > SHARE_OF_TIME * self._bounder.seconds_left

    def _projected_gap(self, probes: list[Piece]) -> float:
        """Return the gap if all pieces lack as much as these do."""
        restricted = math.fsum(piece.objective for piece in self.pieces)
        probed = math.fsum(piece.objective for piece in probes)
        lacking = math.fsum(piece.loss for piece in probes) / probed if probed > 0.0 else 0.0
        return tolerances.relative_gap(self.objective, restricted * (1.0 - lacking))

    def _merge_worst(self) -> bool:
        """Merge the pieces that lack most, as many as it seems to take; tell whether any could be."""
        pairs = [pair for pair in _worst_with_best(self.pieces) if not self._is_too_large(pair)]
        if not pairs:
            return False
        pairs.sort(key=lambda pair: -pair[0].loss - pair[1].loss)
        missing = tolerances.cutoff(self.objective, self.gap) - self.lower_bound
        chosen: list[list[Piece]] = []
        for pair in pairs:
            if missing <= 0.0:
                break
            chosen.append(pair)
            missing -= (1.0 - EXPECTED_REST) * (pair[0].loss + pair[1].loss)
        gone = {piece.number for pair in chosen for piece in pair}
        self.pieces = [piece for piece in self.pieces if piece.number not in gone] + [self._merged(p) for p in chosen]
        return True

    def _is_too_large(self, pieces: list[Piece]) -> bool:
        points = np.concatenate([piece.part.points for piece in pieces])
        size = np.unique(self._component[points]).size
        return size > self._largest or bool(shortage(size, self._bounder.pool.number))

    def _bound(self, waiting: list[Piece]) -> Generator[Progress, None, bool]:
        """Bound pieces; tell whether the run need not end."""
        at = {piece.number: position for position, piece in enumerate(self.pieces)}
        progress = CoverProgress(self.pieces)
        for piece, found in self._bounder.bound_all(waiting):
            position = at[piece.number]
            self._seconds.append(found.seconds)
            before, after = self.pieces[position], self.pieces[position].bounded(found)
            self.pieces[position] = after
            progress.replace(before, after)
            yield progress, after, found
        return not waiting or not self._bounder.stop.asked()

    def _new(self, part: Part) -> Piece:
        self._num_named += 1
        return self._recalled(Piece.of(self._num_named, part, self.instance, self.labels))

    def _merged(self, pieces: list[Piece]) -> Piece:
        if len(pieces) == 1:
            return pieces[0]
        self._num_named += 1
        return self._recalled(Piece.merged(self._num_named, pieces, self.instance, self.labels))

    def _recalled(self, piece: Piece) -> Piece:
        """Return the piece with what an earlier part of the run has proved of it."""
        self.parts[piece.number] = piece.part
        if not self._known:
            return piece
        known = self._known.get((piece.part.points.tobytes(), piece.part.weights_of(self.instance).tobytes()))
        if known is None or known.lower_bound <= piece.lower_bound:
            return piece
        self.parts[known.number] = piece.part
        number = piece.number if known.is_open else known.number
        return replace(
            piece,
            number=number,
            proof=(known.number,),
            lower_bound=known.lower_bound,
            is_bounded=not known.is_open,
        )


def _worst_with_best(pieces: list[Piece]) -> list[list[Piece]]:
    """Return pairs of pieces of about the same size: the one that lacks most with the one that lacks least, and so on.

    What lacks much holds outliers: two such together would hold enough of them for a cluster of their own, and lack
    more and more.
    """
    total = sum(piece.part.size for piece in pieces)
    levels: dict[int, list[Piece]] = defaultdict(list)
    for piece in pieces:
        levels[round(math.log2(total / piece.part.size))].append(piece)
    pairs: list[list[Piece]] = []
    left: list[Piece] = []
    for level in sorted(levels, reverse=True):
        order = sorted(left + levels[level], key=lambda piece: -piece.loss)
        half = len(order) // 2
        pairs += [[order[at], order[-1 - at]] for at in range(half)]
        left = order[half : len(order) - half]
    return pairs


def first_number(reduced: Reduced, params: BlockParams) -> int:
    """Return the number of blocks, a power of two, whose size is the smallest that makes sense."""
    least = max(params.least_size, params.least_members * reduced.n_clusters)
    return 1 << max(0, int(math.log2(max(reduced.size / least, 1.0))))


def parts_of(distribution: Distribution, reduced: Reduced) -> Iterator[Part]:
    """Yield the points, with their shares, of each block of super-points."""
    order = np.argsort(reduced.component, kind="stable")
    counts = np.bincount(reduced.component, minlength=reduced.size)
    ends = np.cumsum(counts)
    for number in range(distribution.starts.size - 1):
        members, shares = distribution.block(number)
        held = counts[members]
        within = np.arange(held.sum()) - np.repeat(np.cumsum(held) - held, held)
        points = order[np.repeat(ends[members] - held, held) + within]
        sort = np.argsort(points)
        yield Part(points[sort], np.repeat(shares, held)[sort])
