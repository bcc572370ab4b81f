"""Checks instance, partition, tree and claim of a run file: whatever it says, what is accepted is true."""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import cached_property
from pathlib import Path
from sqlite3 import Row
from typing import cast

from flint import arb, ctx, fmpq
from numpy.typing import ArrayLike
from threadpoolctl import threadpool_limits

from pcsos.exceptions import InputError, RunFileError
from pcsos.verify.conditions import Conditions, conditions_in
from pcsos.verify.cover import Part, check_part, parts_of_cover, read_part
from pcsos.verify.data import Data
from pcsos.verify.doubles import read_doubles
from pcsos.verify.exact import exact, fraction_of, image_of_gram, image_of_points, image_of_weights, shown
from pcsos.verify.gram import Gram
from pcsos.verify.reader import Blob, VerificationError, connect, finite, gap_of, only_row, require, stated, whole
from pcsos.verify.tree import KINDS, Tree
from pcsos.verify.verdict import Verdict

STATUSES = ("OPTIMAL", "FEASIBLE", "INFEASIBLE", "UNKNOWN")
OFF, LEAST = fmpq(1, 2**40), fmpq(1, 2**1074)  # by which a stated objective may differ: relatively; the least double
Links = tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]


def verify(
    run_file: str | Path,
    points: ArrayLike | None = None,
    constraints: Links | None = None,
    *,
    weights: ArrayLike | None = None,
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
    constraints : pair of sequences of (int, int), optional
        Must-links and cannot-links that the run must be about. Without them only those in the file are checked.
    gram : array_like, shape (n, n), optional
        The inner products that the run must be about, instead of points; for squared distances, -1/2 of them.
    conditions : mapping, optional
        Limits of clusters and soft pairs that the run must be about: what ``pcsos.Instance(...).conditions`` is. Where
        points are given, a run that has any is refused without them.
    n_clusters : int, optional
        The k that the run must be about.
    gap : float, optional
        The relative gap that must be proved, whatever the run itself was asked for.
    workers : int
        Processes that check the parts of a certificate.
    on_step : callable, optional
        Told each check in a sentence.

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
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise InputError(f"workers is {workers!r}; give a whole number of at least 1")
    if points is None and gram is None and weights is not None:
        raise InputError("weights say nothing without points; give the points too")
    if points is not None and gram is not None:
        raise InputError("points and a Gram matrix are given, but a run is about one of them; leave the other out")
    try:
        with ctx.workprec(128), threadpool_limits(1):
            checker = _Checker(run_file, on_step or (lambda sentence: None))
            if points is not None:
                checker.compare_points(image_of_points(points), image_of_weights(weights, checker.n))
            if gram is not None:
                checker.compare_gram(image_of_gram(gram), image_of_weights(weights, checker.n))
            checker.compare(constraints, n_clusters, points is None and gram is None)
            if points is not None or gram is not None or conditions is not None:
                checker.compare_conditions(dict(conditions or {}))
            return checker.judge(None if gap is None else exact(gap), workers)
    except (VerificationError, RunFileError, InputError):
        raise
    except BrokenExecutor as error:
        raise VerificationError("a process that checked parts was killed; verify with --workers 1") from error
    except Exception as error:  # a file that makes the checker fail is refused like any other
        raise VerificationError("the file is damaged, or not as the format says") from error


class _Checker:
    def __init__(self, path: str | Path, say: Callable[[str], object]) -> None:
        self.path, self.connection, self.say = path, connect(path), say
        row = only_row(self.connection, "instance", "the instance")
        blobs = Blob(row["points"], "points"), Blob(row["weights"], "weights")
        points, weights = read_doubles(blobs[0], 2), read_doubles(blobs[1], 1)
        self.n, self.images = len(points), (points.image(), weights.image())
        require(min(points.shape) > 0, "the points are empty")
        require(len(weights) == self.n, f"not one weight for each of {self.n} points")
        require(all(weight > 0 for weight in weights), "a weight is not positive")
        self.k = whole(row["n_clusters"], 1, self.n + 1, "the number of clusters")
        self.gap = gap_of(row["options"])
        self.links = [("ML", i, j) for i, j in self.pairs(row["must_link"])]
        self.links += [("CL", i, j) for i, j in self.pairs(row["cannot_link"])]
        self.data, self.proved, self.claimed = Data(points, weights), arb(0), arb.neg_inf()
        self.inner = row["gram"] if "gram" in row.keys() else None  # noqa: SIM118 - a row is no mapping
        self.conditions = conditions_in(row, weights, self.k)
        total = arb(sum(weights, fmpq(0))).str(6, radius=False)
        more = self.conditions.shown()
        say(f"the instance: {self.n} points of weight {total}, k = {self.k}, {len(self.links)} pairs{more}")

    @cached_property
    def gram(self) -> Gram | None:
        """The inner products that costs are computed from; None where it is the points."""
        return None if self.inner is None else Gram(self.inner, self.n)

    def pairs(self, blob: object) -> list[list[int]]:
        pairs = Blob(blob, "constraints").integers(2)
        require(pairs.shape[1] == 2 and ((pairs >= 0) & (pairs < self.n)).all(), "constraints: not pairs of points")
        return list(pairs.tolist())

    def compare_points(self, points: bytes, weights: bytes) -> None:
        """Check that the run is about the points and weights with these images."""
        require(self.inner is None, "the run is about a Gram matrix, not about points; give the matrix to compare with")
        require((points, weights) == self.images, "the run is about other points or weights")
        self.say("the points and weights are those given")

    def compare_gram(self, inner: bytes, weights: bytes) -> None:
        """Check that the run is about the inner products and weights with these images."""
        gram = self.gram
        if gram is None:
            raise VerificationError("the run is about points, not about a Gram matrix; give the points to compare with")
        require((inner, weights) == (gram.image, self.images[1]), "the run is about other inner products or weights")
        self.say("the Gram matrix and the weights are those given")

    def compare(self, constraints: Links | None, n_clusters: int | None, nothing_given: bool) -> None:
        """Check that the run is about the given constraints and number of clusters."""
        if constraints is not None:
            wanted = {(kind, *sorted(p)) for kind, pairs in zip(KINDS, constraints, strict=True) for p in pairs}
            differing = wanted ^ {(kind, *sorted(pair)) for kind, *pair in self.links}
            differing -= {("ML", p, p) for p in range(self.n)}  # says nothing
            require(not differing, f"the run is about other constraints: {sorted(differing)[:3]}")
            self.say("the constraints are those given")
        elif not nothing_given:
            self.say("the constraints are those in the file, unchecked: none were given to compare with")
        if n_clusters is not None:
            require(n_clusters == self.k, f"the run is about {self.k} clusters, not {n_clusters}")
            self.say("the number of clusters is the one given")

    def compare_conditions(self, given: dict[str, object]) -> None:
        """Check that the run is about these limits and soft pairs."""
        own = self.conditions.stated()
        if own != Conditions(self.data.weights, self.k, given).stated():
            raise VerificationError(
                "the run is about other limits or soft pairs than those given: its own are "
                f"{self.conditions.shown().removeprefix(', ') or 'none'}"
            )
        if any(own.values()):
            self.say("the limits and soft pairs are those given")

    def judge(self, gap_wanted: fmpq | None, num_workers: int) -> Verdict:
        """Check partition and tree, and return what they prove if that is at least what is claimed."""
        row = only_row(self.connection, "claim", "the claim, as if the run had not ended")
        status = row["status"]
        require(status in STATUSES, f"{status!r} is no status")
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
        gap = None if cost is None else self.gap_to(cost)
        for wanted in (self.gap if status == "OPTIMAL" else None, gap_wanted if status != "INFEASIBLE" else None):
            holds = wanted is None or (gap is not None and gap <= wanted)
            require(holds, f"the gap should be at most {shown(wanted)}, but only {shown(gap)} is proved")
        self.say(f"the claim: {status}, lower bound {shown(self.proved)}, cost {shown(cost)}, gap {shown(gap)}")
        return Verdict.of(status, self.proved, cost, gap, (*counts, self.n, self.k), self.gap)

    def bound(self, num_workers: int) -> tuple[int, int]:
        """Prove what the tree of the whole and the last cover prove; return the numbers of nodes and of open ones."""
        total, num_nodes, num_open = arb(0), 0, 0
        parts = parts_of_cover(self.connection, self.data.weights)
        for found, own_nodes, own_open in self.checked(parts, num_workers):
            total, num_nodes, num_open = (total + found).lower(), num_nodes + own_nodes, num_open + own_open
        has_parts = self.connection.execute("SELECT 1 FROM covers LIMIT 1").fetchone() is not None
        if has_parts:
            self.say(f"the cover: {num_nodes} nodes, {num_open} open; no partition costs less than {shown(total)}")
            self.proved = total
        if not has_parts or self.connection.execute("SELECT 1 FROM nodes WHERE part = 0 LIMIT 1").fetchone():
            claimed = arb.neg_inf() if has_parts else self.claimed
            tree = Tree(self.connection, 0, self.data, self.links, self.conditions, claimed, self.say)
            self.say(f"the tree: {tree.num_nodes} nodes, {tree.num_open} open, which cover every partition")
            self.proved = max(self.proved, tree.proved)
            num_nodes, num_open = num_nodes + tree.num_nodes, num_open + tree.num_open
        return num_nodes, num_open

    def lower(self) -> None:
        """Lower what is proved of the points by what they can be wrong by, where costs are those of a Gram matrix."""
        if self.gram is not None and self.proved.is_finite():
            error = self.gram.error(self.data, self.k)
            self.say(f"the Gram matrix: costs differ from those of the points by at most {shown(error)}")
            self.proved = (self.proved - error).lower()

    def checked(self, parts: Iterator[Part], num_workers: int) -> Iterator[tuple[arb, int, int]]:
        """Yield what is proved of each part."""
        if num_workers == 1 or multiprocessing.current_process().daemon:
            for part in parts:
                yield check_part(self.connection, part, self.data.points, self.links, self.k, self.say)
            return
        numbers = [number for number, _, _ in parts]
        num_processes = max(1, min(num_workers, len(numbers), os.cpu_count() or 1))
        with ProcessPoolExecutor(num_processes, initializer=_open, initargs=(self.path, os.getpid())) as pool:
            for number, found in zip(numbers, pool.map(_check_beside, numbers), strict=True):
                self.say(f"part {number}: checked")
                yield arb.pos_inf() if found[0] is None else arb(fmpq(*found[0])), *found[1:]

    def gap_to(self, cost: fmpq) -> arb:
        """Return the relative gap, rounded upwards; a bound above the cost of a partition proves nothing."""
        proved = self.proved
        require(
            proved <= arb(cost).upper(), f"a lower bound of {shown(proved)} contradicts the labels, which cost less"
        )
        if cost > 0:
            return (max(cost - proved, arb(0)) / cost).upper()
        return arb(0) if self.gram is None or proved >= cost else arb.pos_inf()

    def cost(self, row: Row) -> fmpq:
        """Return the cost of the labels after checking them."""
        labels = Blob(row["labels"], "labels").integers(1, self.n).tolist()
        clusters: dict[int, list[int]] = {}
        for point, label in enumerate(labels):
            clusters.setdefault(label, []).append(point)
        require(len(clusters) == self.k, f"the labels use {len(clusters)} clusters instead of {self.k}")
        for kind, i, j in self.links:
            require((labels[i] == labels[j]) == (kind == "ML"), f"the labels break {kind} {i} {j}")
        groups = list(clusters.values())
        require(self.conditions.hold(groups), "the labels break a limit of clusters")
        cost = self.data.cost(groups) if self.gram is None else self.gram.cost(self.data.weights, groups)
        cost += self.conditions.cost(labels)
        said = finite(row, "objective", "the objective")
        close = abs(cost - said) <= (max(abs(cost) * OFF, LEAST) if cost != 0 else 0)
        require(close, f"the objective is said to be {shown(said)}, but the labels cost {shown(cost)}")
        self.say(f"the labels: {self.k} clusters that satisfy all constraints and cost {shown(cost)}")
        return cost


_checker: _Checker | None = None


def _open(path: str | Path, parent: int) -> None:
    """Read the instance once in a process that checks parts, and goes when its parent is gone."""
    global _checker  # noqa: PLW0603 - such a process belongs to one check
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    _checker = _Checker(path, lambda sentence: None)


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _check_beside(number: int) -> tuple[tuple[int, int] | None, int, int]:
    """Return what is proved of a part as a fraction, None if no partition is left, and its numbers of nodes."""
    own = _checker
    require(own is not None, "nobody has read the instance")
    with ctx.workprec(128), threadpool_limits(1):
        own = cast(_Checker, own)
        part = read_part(own.connection, number, own.n)
        proved, *counts = check_part(own.connection, part, own.data.points, own.links, own.k, own.say)
        fraction = None if not proved.is_finite() else fraction_of(proved)
    return fraction, counts[0], counts[1]
