"""Evidence: what it proves of problems, by one recursion with a rule for each kind (docs/certificate.md, section 3).

Problems may be nested thousands deep. So a problem is a generator that yields the problems which it depends on, and
is sent what is proved of each; :func:`concluded` goes through them with a stack.
"""

from array import array
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from pcsos.verify.bound import OF_AN_ENTRY, Bound
from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.effort import OF_A_ROW, OF_A_STEP, OF_AN_ITEM, charged, spend
from pcsos.verify.errors import FormatError
from pcsos.verify.exact import exact, shown
from pcsos.verify.file import OF_A_PAIR, OF_A_POINT, File
from pcsos.verify.left_out import LeftOut
from pcsos.verify.line import line_bound
from pcsos.verify.links import AT_ONCE, KINDS
from pcsos.verify.parts import Part, parts_of
from pcsos.verify.prices import check_prices
from pcsos.verify.reader import VerificationError, finite, read_penalty, require
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.reading.multipliers import LARGEST
from pcsos.verify.reading.payloads import (
    read_branching,
    read_children,
    read_decisions,
    read_forced,
    read_pair,
    read_search,
    read_weight_bound,
)
from pcsos.verify.reading.rows import Row, only_row
from pcsos.verify.reading.text import number_of
from pcsos.verify.state import State, refute
from pcsos.verify.weight_bounds import WEIGHT_KINDS

LARGE, OF_A_BLOCK = 2000, 1000  # super-points whose bound takes long; nanoseconds to form and look at an entry of G
OF_A_BALL, OF_AN_OBJECT = 48, 100  # bytes of a ball in a matrix, and by itself
PANEL = 64  # rows that are formed at a time
OF_A_LINE = 64  # binary digits beyond those of the points; bytes of a point
OF_A_SHARE = 64  # bytes of what is left of the weight of a point, beside its digits
OF_A_CHANGE = 160  # bytes of a change of the state, which is taken back later

Decision = tuple[str, int, int]
Change = tuple[str, Any, Any]  # a decision, or a bound: its kind, a point and a weight
Visit = Generator[Any, arb, arb]  # it yields other visits, and is sent what they return
#: What is proved of each part, and how many problems were come to and were open; checked in other processes.
Beside = Callable[["Proof", Iterator[Part]], Iterator[tuple[arb, int, int]]]


@dataclass
class Run:
    """A run file that is checked, and what was come to in it so far."""

    file: File
    notify: Callable[[str], object]  #: called with a sentence about each problem
    beside: Beside | None = None  #: checks the parts of the whole in other processes
    come_to: set[int] = field(default_factory=set)  #: problems, but for those in other processes
    num_problems: int = 0
    num_open: int = 0


class Given(NamedTuple):
    """A row of evidence: of which problem, what was proved before of what is left of it, and what the row holds."""

    problem: int
    best: arb
    row: Row
    arrays: Arrays

    @property
    def stated(self) -> fmpq:
        """The bound that is stated."""
        return finite(self.row, "bound", "the bound")


class Found(NamedTuple):
    """What a row of evidence proves: of what was left, and the least of what it sets aside, if it is of that kind."""

    left: arb = arb(0)
    aside: arb | None = None


def concluded(visit: Visit) -> arb:
    """Return what a visit returns, after all visits that it yields."""
    stack, proved = [visit], cast(arb, None)  # what is sent to a visit that begins
    while stack:
        try:
            stack.append(stack[-1].send(proved))
            proved = cast(arb, None)
        except StopIteration as end:
            stack.pop()
            proved = end.value
    return proved


class Proof:
    """What is proved of problems that have the same points: those of the instance, or of a part of it.

    The state is that of the instance or the part to begin with, and then of the problem that is gone through.
    """

    def __init__(self, run: Run, data: Data, state: State, conditions: Conditions) -> None:
        self.run, self.file, self.data, self.state, self.conditions = run, run.file, data, state, conditions
        self.n, self.k = len(data.points), conditions.k
        self.left_out = None
        if conditions.outliers:
            self.left_out = LeftOut(conditions.outliers, [len(state.points(name)) for name in state.name], self.k)
        self._most_paid = conditions.soft.most_paid(state)

    def problem(self, number: int, inherited: arb) -> Visit:
        """Return what is proved of a problem: ``best`` of what is left in its state, and ``aside`` of all else."""
        try:
            require(number not in self.run.come_to, "it is come to twice")
            self.run.come_to.add(number)
            self.run.num_problems += 1
            best, aside, kind = inherited, arb.pos_inf(), "open"
            for position in self._positions(number):
                row = self._row("evidence", "its evidence", "WHERE problem = ? AND position = ?", number, position)
                kind = row["kind"]
                require(
                    self.left_out is None or kind in LEAVING_OUT, f"{kind} does not know of points that are left out"
                )
                given = Given(number, best, row, Arrays(row["payload"], kind, self.file.memory))
                found = RULES[kind](self, given)
                if isinstance(found, Generator):
                    found = yield from found
                given.arrays.finished()
                self._remember()
                best = max(best, self._counted(found.left))
                proved, name = best, "the bound"
                if found.aside is not None:
                    proved, name = self._counted(found.aside), f"the bound of {kind} pairs"
                    aside = min(aside, proved)
                if kind in STATED:
                    said = f"{name}: {shown(given.stated)} is claimed, but only {shown(proved)} is proved"
                    require(proved >= given.stated, said)
        except (VerificationError, FormatError) as error:
            raise VerificationError(f"problem {number}: {error}") from error
        self.run.num_open += kind == "open"
        self.run.notify(f"problem {number}: closed ({kind})" if kind != "open" else f"problem {number}: left open")
        return min(best, aside)

    def _positions(self, number: int) -> list[object]:
        """Return where the evidence of a problem stands; of covers only the last one."""
        query = "SELECT position, kind = 'cover' FROM evidence WHERE problem = ? ORDER BY position"
        found = list(charged(self.file.connection.execute(query, (number,)), OF_A_STEP))
        last = max((at for at, (_, is_cover) in enumerate(found) if is_cover), default=None)
        return [position for at, (position, is_cover) in enumerate(found) if not is_cover or at == last]

    def _row(self, table: str, name: str, clause: str, *parameters: object) -> Row:
        spend(OF_A_ROW)
        return only_row(self.file.connection, table, name, clause, *parameters)

    def _counted(self, bound: arb) -> arb:
        """Return a bound, or infinity where it is above what any partition costs."""
        is_limited = self.conditions.limits or self.left_out
        return arb.pos_inf() if is_limited and bound > self._most else bound

    @cached_property
    def _most(self) -> fmpq:
        """What no partition costs more than: all points in one cluster, and all penalties (section 13)."""
        return self.data.cost([range(self.n)]) + self._most_paid

    def _remember(self) -> None:
        """Refuse more changes of the state, to be taken back later, than fit into memory."""
        self.file.memory.need(self.state.num_changes * OF_A_CHANGE, "the pairs of all problems above")

    # Leaves

    def multipliers(self, given: Given) -> Found:
        """Multipliers bound the cost of every partition that is left."""
        return Found(self._bound(given.arrays).value.lower())

    def _bound(self, arrays: Arrays, *, has_open_pairs: bool = True) -> Bound:
        d = self.data.points.shape[1]
        self.file.memory.need(self.state.size * d * OF_A_BALL + PANEL * d * OF_AN_OBJECT, "multipliers")
        memory = self.file.matrices
        memory.grant(OF_AN_ENTRY * min(self.state.size, LARGEST) ** 2)
        if (s := self.state.size) >= LARGE:
            seconds = s * s * (s // 2 + OF_A_BLOCK) // 10**9
            self.run.notify(f"multipliers of {s} super-points, which take about {seconds} s")
        own = self.data, self.state, arrays, self.k, self.conditions, memory
        return Bound(*own, has_open_pairs=has_open_pairs)

    def prices(self, given: Given) -> Found:
        """Prices prove just what is stated."""
        own = self.data, self.state, given.arrays, given.stated, self.k, self.file.memory
        has_tolls = self.conditions.limits and not len(self.conditions.soft)
        check_prices(*own, self.left_out, self.conditions.ends[1] if has_tolls else None)
        return Found(arb(given.stated).lower())

    def line(self, given: Given) -> Found:
        """Intervals of a line cost no more than any partition."""
        penalty = read_penalty(given.arrays)
        bits = self.data.weights.bits + 2 * self.data.points.bits + OF_A_LINE
        self.file.memory.need(self.n * (4 * bits // 8 + 3 * OF_A_LINE), "a line")
        return Found(arb(line_bound(self.data, self.state, penalty, self.conditions)).lower())

    def single(self, given: Given) -> Found:
        """One partition is left, and has a cost, or all that is open is which super-points are left out."""
        if self.left_out is not None:
            lost = self._lost_alone(self.left_out)
            if lost is None:
                raise VerificationError("no partition is left, or super-points may share a cluster")
            return Found(arb(self.data.cost(self.state.groups()) - lost).lower())
        require(self.k in (1, self.state.size) and not self.state.broken, "more than one partition is left, or none")
        clusters = [range(self.n)] if self.k == 1 else self.state.groups()
        spend(OF_AN_ITEM * self.n)
        cluster_of = {p: number for number, cluster in enumerate(clusters) for p in cluster}
        paid = self.conditions.soft.cost([cluster_of[p] for p in range(self.n)])
        return Found(arb(self.data.cost(clusters) + paid).lower())

    def _lost_alone(self, left_out: LeftOut) -> fmpq | None:
        """Return what is not paid where each super-point is a cluster or left out; None if no partition is like that.

        There are k super-points, or more that are all apart.
        """
        size = self.state.size
        require(not self.state.broken, "no partition is left")
        is_alone = size == self.k or (size > self.k and self.state.num_apart == size * (size - 1))
        require(is_alone, "two super-points may share a cluster, or fewer than clusters are left")
        return left_out.greatest(self.data, self.state.groups(), None, exactly=True)

    def infeasible(self, given: Given) -> Found:
        """No partition is left, which can be seen, or is shown by a search for a colouring."""
        if self.state.broken or self.state.size < self.k or self.conditions.refute(self.state):
            given.arrays.skip()
        elif self.left_out is not None:
            require(self._lost_alone(self.left_out) is None, "a partition is left")
            given.arrays.skip()
        else:
            search = read_search(given.arrays)
            self.file.memory.need(len(np.unique(search)) ** 2 // 4, "the search for a colouring")
            refute(self.state, self.k, array("q", search.tobytes()))
        return Found(arb.pos_inf())

    # Deductions

    def forced(self, given: Given) -> Found:
        """Decisions hold for all partitions, as cliques or limits show."""
        decisions, cliques = read_forced(given.arrays, self.n)
        state, conditions = self.state, self.conditions
        held = cache(lambda name, size: conditions.held(state.points(name)))  # those of one name grow
        for (kind, i, j), clique in zip(_listed(decisions), cliques, strict=True):
            spend(OF_A_STEP * (1 + len(clique)))
            ends = {state.name[i], state.name[j]}
            by_limits = kind == "CL" and not clique and conditions.limits and len(ends) == 2
            if by_limits and conditions.beyond(*(held(name, len(state.points(name))) for name in ends)):
                state.add(kind, i, j)
            else:
                state.force(kind, i, j, clique, self.k)
        return Found()

    def fixed(self, given: Given) -> Found:
        """Multipliers bound what the opposite of each decision costs."""
        decisions = read_decisions(given.arrays, self.n)
        proof, least = self._bound(given.arrays), arb.pos_inf()
        for kind, i, j in _listed(decisions):
            least = min(least, max(given.best, proof.with_pair(KINDS[kind == "ML"], i, j).lower()))
        self._add(decisions)
        return Found(proof.value.lower(), least)

    def soft(self, given: Given) -> Found:
        """Whoever breaks a pair pays its penalty, beside what multipliers prove without any that is open."""
        decisions = read_decisions(given.arrays, self.n)
        hard, state = self._bound(given.arrays, has_open_pairs=False).value, self.state
        open_pairs, least = self.conditions.soft.open(state, state.name), arb.pos_inf()
        for kind, i, j in charged(_listed(decisions), OF_A_STEP):
            first, second = sorted((state.name[i], state.name[j]))
            require(first != second and not state.apart(i, j), f"points {i} and {j} are decided already")
            apart, together = open_pairs.get((first, second), (0, 0))
            least = min(least, max(given.best, (hard + (apart if kind == "ML" else together)).lower()))
        self._add(decisions)
        return Found(aside=least)

    def far(self, given: Given) -> Found:
        """A partition that has a pair of these together pays at least for that pair."""
        decisions, state = read_decisions(given.arrays, self.n), self.state
        require(decisions.size, "far pairs: none")
        inside = self.data.cost_below(state.groups())
        merged = cache(lambda name: self.data.super_point(sorted(state.points(name))))
        least = arb.pos_inf()
        for kind, i, j in charged(_listed(decisions), OF_A_STEP):
            first, second = state.name[i], state.name[j]
            require(kind == "CL" and first != second, f"points {i} and {j} are far pairs, but not apart")
            cost = arb(inside + self.data.pair_cost(merged(first), merged(second))).lower()
            least = min(least, max(given.best, cost))
        self._add(decisions)
        state.moved = state.blocks()
        return Found(aside=least)

    def equal(self, given: Given) -> Found:
        """Points at the same place that no cannot-link holds are put together: the best of the state loses nothing."""
        state, points = self.state, self.data.points
        is_plain = not self.conditions.stated_any and not state.bounds
        require(is_plain, "points are joined, but there are limits, soft pairs or bounds of weights")
        at_one_place: set[int] = set()
        for kind, i, j in _listed(read_decisions(given.arrays, self.n)):
            for point in (i, j):
                name = state.name[point]
                require(not state.around(name), f"point {point} is joined, but has a cannot-link")
                if name not in at_one_place:
                    places = points.take(state.points(name))
                    require(places.is_constant(), f"points {i} and {j} are joined, but are not at one place")
            is_same = points.take([i, j]).is_constant()
            require(kind == "ML" and is_same, f"points {i} and {j} are joined, but are not at one place")
            state.add(kind, i, j)
            at_one_place.add(state.name[i])
        require(state.size >= self.k, "too many points are joined")
        return Found()

    def _add(self, decisions: NDArray[np.int64]) -> None:
        for decision in _listed(decisions):
            self.state.add(*decision)

    # Other problems

    def branching(self, given: Given) -> Generator[Visit, arb, Found]:
        """Every partition that is left belongs to one of two problems.

        A pair is together, or apart; or the cluster of a point weighs at most so much, or at least so much.
        """
        numbers = read_branching(given.arrays)[:2]
        changes = [self._change(number, given.problem) for number in numbers]
        (first, *own), (second, *other) = changes
        covering = {first, second} == {*KINDS} and {*own} == {*other}
        covering |= {first, second} == {*WEIGHT_KINDS} and own == other
        require(covering, f"{changes[0]} and {changes[1]} are not the children of a branching")
        least, mark = arb.pos_inf(), self.state.mark()
        for number, (kind, point, what) in zip(numbers, changes, strict=True):
            if kind in KINDS:
                self.state.add(kind, point, what)
            else:
                self.state.bound(kind, point, exact(what))
            self._remember()
            least = min(least, (yield self.problem(number, given.best)))
            self.state.undo(mark)
        return Found(least)

    def _change(self, number: int, parent: int) -> Change:
        """Return what a child of a problem knows more."""
        row = self._row("problems", f"problem {number}", "WHERE problem = ?", number)
        kind, arrays = row["change"], Arrays(row["content"], f"problem {number}", self.file.memory)
        require(row["parent"] == parent and kind != "part", f"problem {number} is not a child of this one")
        is_pair = kind in KINDS
        require(is_pair or self.left_out is None, f"{kind} does not know of points that are left out")
        what: tuple[int, Any] = read_pair(arrays, self.n) if is_pair else read_weight_bound(arrays, self.n)
        arrays.finished()
        return kind, *what

    def cover(self, given: Given) -> Generator[Visit, arb, Found]:
        """What a partition costs is no less than the sum of what it costs in parts that share out all weights."""
        numbers, memory, weights = read_children(given.arrays), self.file.memory, self.data.weights
        total = arb(0)
        kept = self.n * (OF_A_SHARE + (weights.bits - weights.exponent) // 8) + self.state.num_changes * OF_A_CHANGE
        memory.keep(kept, "a cover")
        parts = parts_of(self.file, given.problem, numbers, weights)
        if self.run.beside is not None and given.problem == 0:
            for proved, num_problems, num_open in self.run.beside(self, parts):
                total = (total + proved).lower()
                self.run.num_problems += num_problems
                self.run.num_open += num_open
        else:
            for part in parts:
                total = (total + (yield self.part(part))).lower()
        memory.give_back(kept)
        if given.problem == 0:
            covering = number_of(len(numbers), "part")
            self.run.notify(f"the cover: {covering}; no partition costs less than {shown(total)}")
        return Found(total)

    def part(self, part: Part) -> Visit:
        """Return what is proved of a part of the problem whose state this is."""
        state = self.state.of_part(part.points)
        if state.size < self.k:
            self.run.num_problems += 1
            self.run.notify(f"part {part.number}: counts 0")
            return arb(0)
        self.data.forget()
        data, memory = Data(self.data.points.take(part.points), part.weights), self.file.memory
        kept = data.points.memory + data.weights.memory + OF_A_POINT * len(part.points) + OF_A_PAIR * state.num_apart
        memory.keep(kept, f"part {part.number}")
        own = Proof(self.run, data, state, Conditions(part.weights, self.k))
        proved = yield from own.problem(part.number, arb(0))
        memory.give_back(kept)
        self.run.notify(f"part {part.number}: {own.n} points")
        return proved


def _listed(decisions: NDArray[np.int64]) -> Iterator[Decision]:
    """Yield decisions, with few of them as objects at a time."""
    for start in range(0, decisions.shape[1], AT_ONCE):
        own = decisions[:, start : start + AT_ONCE].T.tolist()
        spend(OF_AN_ITEM * len(own))
        for kind, i, j in own:
            yield KINDS[kind], i, j


#: What each kind of evidence proves.
RULES: dict[str, Callable[[Proof, Given], Found | Generator[Visit, arb, Found]]] = {
    "bound": Proof.multipliers,
    "open": Proof.multipliers,
    "prices": Proof.prices,
    "line": Proof.line,
    "single": Proof.single,
    "infeasible": Proof.infeasible,
    "forced": Proof.forced,
    "fixed": Proof.fixed,
    "soft": Proof.soft,
    "far": Proof.far,
    "equal": Proof.equal,
    "branching": Proof.branching,
    "cover": Proof.cover,
}
#: Kinds that hold where points may be left out.
LEAVING_OUT = ("prices", "single", "infeasible", "branching")
#: Kinds of which a bound is stated.
STATED = ("bound", "open", "prices", "line", "single", "fixed", "soft", "far")
