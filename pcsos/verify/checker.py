"""Checks instance, partition, evidence and claim of a run file: whatever it says, what is accepted is true."""

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager
from functools import cached_property, partial
from pathlib import Path
from sqlite3 import Error

import numpy as np
from flint import arb, ctx, fmpq
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import threadpool_limits

from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.digest import digest_of
from pcsos.verify.doubles import DIGITS, read_doubles
from pcsos.verify.effort import OF_AN_ITEM, measured, spend
from pcsos.verify.errors import FormatError, InputError, RunFileError, is_interrupt
from pcsos.verify.evidence import Proof, Run, concluded
from pcsos.verify.exact import exact, image_of_gram, image_of_points, image_of_weights, shown
from pcsos.verify.file import OF_A_PAIR, OF_A_POINT, File
from pcsos.verify.gram import Gram
from pcsos.verify.links import KINDS, Links, differing_pairs
from pcsos.verify.processes import check_beside
from pcsos.verify.reader import VerificationError, finite, gap_of, require, stated, whole
from pcsos.verify.reading.arrays import Arrays, only
from pcsos.verify.reading.database import was_interrupted
from pcsos.verify.reading.rows import Row, only_row
from pcsos.verify.reading.structures import structure
from pcsos.verify.reading.text import number_of
from pcsos.verify.state import State
from pcsos.verify.verdict import Verdict

FOR_A_WHILE = 150  # bytes that a point takes for a while
OF_A_BALL = 48
OF_A_FEATURE = 400  # bytes that a coordinate takes as an exact number or ball, beside its digits
LEFT_OUT = -1  # the label of points in no cluster, where there may be any
OFF, LEAST = fmpq(1, 2**40), fmpq(1, 2**1074)  # by which a stated objective may differ: relatively; the least double
GivenLinks = tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]


def verify(
    run_file: str | Path,
    points: ArrayLike | None = None,
    constraints: GivenLinks | None = None,
    *,
    weights: ArrayLike | None = None,
    off: float = 0,
    gram: ArrayLike | None = None,
    conditions: Mapping[str, object] | None = None,
    n_clusters: int | None = None,
    gap: float | None = None,
    workers: int = 1,
    on_step: Callable[[str], object] | None = None,
) -> Verdict:
    """Check the claim of a run, and that it is about the instance and the gap that are given.

    Parameters
    ----------
    run_file : path
        What a run has written.
    points, weights : array_like, optional
        What the run must be about; weights are 1 unless given with the points or the Gram matrix.
    off : float
        How far any of these points may be off what they stand for, such as decimals: the verdict is about these.
    constraints : pair of sequences of (int, int), optional
        Must-links and cannot-links that the run must be about. Without them only those in the file are checked.
    gram : array_like, shape (n, n), optional
        The inner products that the run must be about, instead of points; for squared distances, -1/2 of them.
    conditions : mapping, optional
        Limits of clusters and soft pairs that the run must be about, as ``pcsos.Instance(...).asked.to_dict()`` has
        them. Where
        points are given, a run that has any is refused without them.
    n_clusters : int, optional
        The k that the run must be about.
    gap : float, optional
        The relative gap that must be proved, whatever the run itself was asked for.
    workers : int
        Processes that check the parts of a certificate, or threads that find eigenvectors; -1 is one for each core.
    on_step : callable, optional
        Called with each check in a sentence.

    Raises
    ------
    VerificationError
        With the first thing that does not hold.
    RunFileError, InputError
        If the file is no run file, or an argument cannot be used.

    Examples
    --------
    >>> import pcsos, tempfile
    >>> from pcsos.verify import verify
    >>> points = [0.0, 1.0, 5.0, 6.0]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = pcsos.solve(points, 2, run_file=f"{folder}/points.run")
    ...     verdict = verify(f"{folder}/points.run", points, ([], []), n_clusters=2, gap=1e-4)
    >>> verdict.status, verdict.objective, verdict.lower_bound <= 1.0
    ('OPTIMAL', 1.0, True)
    """
    if gap is not None and not 0 <= gap < 1:
        raise InputError(f"gap is {gap!r}; give a number from 0 to less than 1")
    if isinstance(workers, bool) or not isinstance(workers, int) or (workers < 1 and workers != -1):
        raise InputError(f"workers is {workers!r}; give a whole number of at least 1, or -1 for all cores")
    if points is None and gram is None and weights is not None:
        raise InputError("weights say nothing without points; give the points too")
    if points is not None and gram is not None:
        raise InputError("points and a Gram matrix are given, but a run is about one of them; leave the other out")
    with _refusals(), measured(run_file), ctx.workprec(128), threadpool_limits(None if workers == -1 else workers):
        file = File.open(run_file)
        with closing(file.connection):
            checker = _Checker(run_file, file, on_step or (lambda sentence: None))
            if points is not None:
                checker.compare_points(image_of_points(points), image_of_weights(weights, checker.n))
                checker.off = exact(off)
            if gram is not None:
                checker.compare_gram(image_of_gram(gram), image_of_weights(weights, checker.n))
            checker.compare(constraints, n_clusters, points is None and gram is None)
            if points is not None or gram is not None or conditions is not None:
                checker.compare_conditions(dict(conditions or {}))
            return checker.judge(None if gap is None else exact(gap), workers)


@contextmanager
def _refusals() -> Iterator[None]:
    """Refuse the file, whatever makes the checker fail."""
    try:
        yield
    except (VerificationError, RunFileError, InputError):
        raise
    except FormatError as error:
        raise VerificationError(str(error)) from error
    except Error as error:
        if was_interrupted(error):
            raise KeyboardInterrupt from error
        raise VerificationError("the database is damaged, or cannot be read") from error
    except BrokenExecutor as error:
        raise VerificationError("a process that checked parts was killed; verify with --workers 1") from error
    except Exception as error:  # a file that makes the checker fail is refused like any other
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        raise VerificationError("the file is damaged, or not as the format says") from error


class _Checker:
    def __init__(self, path: str | Path, file: File, notify: Callable[[str], object]) -> None:
        self.path, self.file, self.notify, memory = path, file, notify, file.memory
        row = only_row(file.connection, "instance", "the instance")
        points = read_doubles(row["points"], "points", memory, ndim=2)
        self.n, d = points.shape
        require(self.n * d, "the points are empty")
        memory.keep((8 * d + OF_A_POINT) * self.n, "points")
        memory.need(max(FOR_A_WHILE * self.n, d * (OF_A_FEATURE + points.bits)), "points")
        weights = read_doubles(row["weights"], "weights", memory, ndim=1, size=self.n)
        require(len(weights.positive()) == self.n, "a weight is not positive")
        self.k = whole(row["n_clusters"], 1, self.n + 1, "the number of clusters")
        self.gap = gap_of(row["options"])
        self.links = Links(self.pairs(row["must_link"]), self.pairs(row["cannot_link"]))
        self.data, self.proved, self.claimed = Data(points, weights), arb(0), arb.neg_inf()
        self.inner = row["gram"]
        self.off: fmpq | None = None  # how far points may be off what was given, if anything was
        self.stated_conditions = row["conditions"]
        self.conditions = Conditions(weights, self.k, structure(self.stated_conditions, "conditions"))
        require(self.inner is None or not self.conditions.outliers, "conditions: outliers beside a Gram matrix")
        total = arb(self.data.weight(range(self.n))).str(6, radius=False)
        more = self.conditions.shown()
        notify(f"the instance: {self.n} points of weight {total}, k = {self.k}, {self.links.number} pairs{more}")

    @cached_property
    def gram(self) -> Gram | None:
        """The inner products that costs are computed from; None where it is the points."""
        return None if self.inner is None else Gram(self.inner, self.n, self.file.memory)

    def digest(self) -> str:
        """Return what tells the instance from any other one, the same for everybody who has it."""
        inner = None if self.gram is None else self.gram.inner
        return digest_of(self.data.points, self.data.weights, self.links, self.k, self.stated_conditions, inner)

    def pairs(self, blob: object) -> NDArray[np.int64]:
        """Return the pairs of points of a blob, shape (m, 2)."""
        pairs = only(Arrays.integers, blob, "constraints", self.file.memory, ndim=2, most=self.n * (self.n + 1))
        require(pairs.shape[1] == 2 and ((pairs >= 0) & (pairs < self.n)).all(), "constraints: not pairs of points")
        self.file.memory.keep(OF_A_PAIR * len(pairs), "constraints")
        return pairs

    def compare_points(self, points: bytes, weights: bytes) -> None:
        """Check that the run is about the points and weights with these images."""
        require(self.inner is None, "the run is about a Gram matrix, not about points; give the matrix to compare with")
        own = self.data.points.image(), self.data.weights.image()
        require((points, weights) == own, "the run is about other points or weights")
        self.notify("the points and weights are those given")

    def compare_gram(self, inner: bytes, weights: bytes) -> None:
        """Check that the run is about the inner products and weights with these images."""
        gram = self.gram
        if gram is None:
            raise VerificationError("the run is about points, not about a Gram matrix; give the points to compare with")
        own = gram.image, self.data.weights.image()
        require((inner, weights) == own, "the run is about other inner products or weights")
        self.notify("the Gram matrix and the weights are those given")

    def compare(self, constraints: GivenLinks | None, n_clusters: int | None, nothing_given: bool) -> None:
        """Check that the run is about the given constraints and number of clusters."""
        if constraints is not None:
            owned = self.links.must_link, self.links.cannot_link
            for kind, given, own in zip(KINDS, constraints, owned, strict=True):
                pairs = np.array(list(given), np.int64).reshape(-1, 2)
                inside = ((pairs >= 0) & (pairs < self.n)).all()
                differing = differing_pairs(pairs, own, self.n) if inside else pairs
                differing = differing[(differing[:, 0] != differing[:, 1]) | (kind == "CL")]  # ML i i says nothing
                shown_pairs = [(kind, i, j) for i, j in differing[:3].tolist()]
                require(not len(differing), f"the run is about other constraints: {shown_pairs}")
            self.notify("the constraints are those given")
        elif not nothing_given:
            self.notify("the constraints are those in the file, unchecked: none were given to compare with")
        if n_clusters is not None:
            require(n_clusters == self.k, f"the run is about {self.k} clusters, not {n_clusters}")
            self.notify("the number of clusters is the one given")

    def compare_conditions(self, given: dict[str, object]) -> None:
        """Check that the run is about these limits and soft pairs."""
        own = self.conditions.stated()
        is_same = own == Conditions(self.data.weights, self.k, given).stated()
        named = self.conditions.shown().removeprefix(", ") or "none"
        require(is_same, f"the run is about other limits or soft pairs than those given: its own are {named}")
        if any(own.values()):
            self.notify("the limits and soft pairs are those given")

    def judge(self, gap_wanted: fmpq | None, num_workers: int) -> Verdict:
        """Check partition and evidence, and return what they prove if that is at least what is claimed."""
        row = only_row(self.file.connection, "claim", "the claim, as if the run had not ended")
        status = row["status"]
        cost = self.cost(row) if status in ("OPTIMAL", "FEASIBLE") else None
        claimed = stated(row, "lower_bound", "the claimed lower bound")
        require(claimed is not None or status != "OPTIMAL", "called optimal, but without a lower bound")
        if status == "INFEASIBLE":
            self.claimed = arb.pos_inf()
        elif claimed is not None:
            self.claimed = arb(claimed)
        counts = self.bound(num_workers)
        self.lower()
        said = f"the lower bound: {shown(self.claimed)} is claimed, but only {shown(self.proved)} is proved"
        require(self.proved >= self.claimed, said)
        self.charge()
        gap = None if cost is None else self.gap_to(cost)
        for wanted in (self.gap if status == "OPTIMAL" else None, gap_wanted if status != "INFEASIBLE" else None):
            holds = wanted is None or (gap is not None and gap <= wanted)
            require(holds, f"the gap should be at most {shown(wanted)}, but only {shown(gap)} is proved")
        self.notify(f"the claim: {status}, lower bound {shown(self.proved)}, cost {shown(cost)}, gap {shown(gap)}")
        return Verdict.of(status, self.proved, cost, gap, (*counts, self.n, self.k), self.gap, self.digest())

    def state(self) -> State:
        """Return the state of the whole."""
        state = State(self.n)
        for link in self.links:
            state.add(*link)
        return state

    def bound(self, num_workers: int) -> tuple[int, int]:
        """Prove what the evidence proves of the whole; return the numbers of problems come to and of open ones."""
        is_alone = num_workers == 1 or multiprocessing.current_process().daemon
        run = Run(self.file, self.notify, None if is_alone else partial(check_beside, self.path, num_workers))
        self.proved = concluded(Proof(run, self.data, self.state(), self.conditions).problem(0, arb(0)))
        problems = number_of(run.num_problems, "problem")
        self.notify(f"the evidence: {problems}, {run.num_open} open, which cover every partition")
        return run.num_problems, run.num_open

    def lower(self) -> None:
        """Lower what is proved of the points by what they can be wrong by, where costs are those of a Gram matrix."""
        if self.gram is not None and self.proved.is_finite():
            n, d = self.data.points.shape
            self.file.memory.need(OF_A_BALL * d * n, "the Gram matrix")
            error = self.gram.error(self.data, self.k)
            self.notify(f"the Gram matrix: costs differ from those of the points by at most {shown(error)}")
            self.proved = (self.proved - error).lower()

    def charge(self) -> None:
        """Lower what is proved of the doubles by what costs of the numbers that they stand for may differ."""
        lost = self.lost(max(self.proved, arb(0))) if self.proved.is_finite() else arb(0)
        if lost > 0:
            self.notify(f"the numbers given: costs differ from those of the doubles by at most {shown(lost)}")
            self.proved = max((self.proved - lost).lower(), min(self.proved, arb(0)))

    def lost(self, cost: arb | fmpq) -> arb:
        """Return by how much a cost of the doubles may differ from that of the numbers given, 0 where none were."""
        if self.off is None:
            return arb(0)
        error = self.off * arb(self.data.weight(range(self.n))).sqrt()  # the root of a cost
        return error * (2 * arb(cost).sqrt() + error) + arb(cost) * self.share_rounded()

    def share_rounded(self) -> fmpq:
        """Return by what share of themselves weights and penalties may be rounded: not at all where all are whole."""
        masses, penalties = self.data.weights, self.conditions.soft.stated().values()
        is_whole = masses.exponent == 0 and masses.bits <= DIGITS
        is_whole &= all(own.q == 1 and own < 1 << DIGITS for pair in penalties for own in pair)
        return fmpq(0) if is_whole else fmpq(1, 1 << DIGITS)

    def gap_to(self, cost: fmpq) -> arb:
        """Return the relative gap, rounded upwards; a bound above the cost of a partition proves nothing."""
        proved = self.proved
        said = f"a lower bound of {shown(proved)} contradicts the labels, which cost less"
        require(proved <= arb(cost).upper(), said)
        if cost > 0:
            most = cost + self.lost(cost)  # what the labels cost in the numbers given
            return (max(most - proved, arb(0)) / most).upper()
        return arb(0) if self.gram is None or proved >= cost else arb.pos_inf()

    def cost(self, row: Row) -> fmpq:
        """Return the cost of the labels after checking them."""
        labels = only(Arrays.integers, row["labels"], "labels", self.file.memory, ndim=1, size=self.n).tolist()
        spend(OF_AN_ITEM * self.n)
        outliers, clusters = self.conditions.outliers, dict[int, list[int]]()
        left_out = {point for point, label in enumerate(labels) if outliers and label == LEFT_OUT}
        require(len(left_out) <= outliers, f"{len(left_out)} points are left out, but only {outliers} may be")
        for point, label in enumerate(labels):
            if point not in left_out:
                clusters.setdefault(label, []).append(point)
        require(len(clusters) == self.k, f"the labels use {len(clusters)} clusters instead of {self.k}")
        name = self.state().name if left_out else ()
        for kind, i, j in self.links:
            together = labels[i] == labels[j] and (i not in left_out or name[i] == name[j])
            require(together == (kind == "ML"), f"the labels break {kind} {i} {j}")
        groups = list(clusters.values())
        require(self.conditions.hold(groups), "the labels break a limit of clusters")
        cost = self.data.cost(groups) if self.gram is None else self.gram.cost(self.data.weights, groups)
        cost += self.conditions.soft.cost(labels)
        said = finite(row, "objective", "the objective")
        close = abs(cost - said) <= (max(abs(cost) * OFF, LEAST) if cost != 0 else 0)
        require(close, f"the objective is said to be {shown(said)}, but the labels cost {shown(cost)}")
        self.notify(f"the labels: {self.k} clusters that satisfy all constraints and cost {shown(cost)}")
        return cost
