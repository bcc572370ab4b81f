"""Run files that claim something false, and a judge: whatever the checker accepts must be true.

A forgery is a sound file to begin with (found by enumeration, by a solve, or made of states in which huge multipliers
cost nothing), a lie in its claim, and changes in its tree that are to support the lie.
"""

import contextlib
import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np
from flint import ctx

import pcsos
from pcsos.base.exceptions import FormatError, PcsosError, RunFileError
from pcsos.evidence import kinds
from pcsos.evidence.codec import encode_multipliers
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import Decision, NodeRecord
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params
from pcsos.verify import VerificationError, verify
from pcsos.verify.bound import Bound
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.state import State
from tests import oracle
from tests.blobs import arrays
from tests.conditioned import random_conditioned
from tests.exact_agreement import FEW_ROUNDS
from tests.exact_oracle import ExactTruth
from tests.hard_instances import POINTS, Pairs, some_pairs
from tests.judgement import Judgement
from tests.verify.certificates import enumeration, write
from tests.verify.claims import false_verdict, falsehoods, read_claim
from tests.verify.lies import LIES, Forgery, rounded
from tests.verify.supports import SUPPORTS

#: Forged files of one seed, all from the same sound file.
FILES = 50
#: Multipliers tried for each leaf, of which the one counts by which the checker proves most.
TRIES = 12
MEMORY = Path("/dev/shm")
WORDS = "refused in Python's words"
#: Not every column takes everything, and not every change can follow every other.
NOT_TOGETHER = (
    sqlite3.IntegrityError,
    sqlite3.OperationalError,
    RunFileError,
    FormatError,
    TypeError,
    ValueError,
    LookupError,
)


@dataclass(frozen=True, eq=False)
class Base:
    """A sound file, and the truth about its instance."""

    kind: str
    content: bytes
    instance: Instance
    truth: ExactTruth
    proved: float  #: lower bound that the tree proves, by the word of the checker


@dataclass(frozen=True, eq=False)
class School:
    """What sound files there are to begin with, the lies with their shares, and by which changes they are supported."""

    bases: Mapping[str, Callable[[Path, np.random.Generator], "Found"]]
    lies: Mapping[str, tuple[Callable[[Forgery], None], float]]
    supports: Mapping[str, Callable[[Forgery], None]]


def judge(seed: int, *, files: int = FILES, school: School | None = None) -> Judgement:
    """Forge files from the sound file of a seed, and compare what the checker says with the exact truth."""
    school = school or TREES
    base = base_of(seed, school)
    counts: Counter[str] = Counter()
    wrong: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        path = Path(folder) / "forged.run"
        for number in range(files):
            forgery, problem = _judged(path, base, seed, number, counts, school)
            if problem is not None:
                wrong.append((forgery.lie, f"file {number} ({', '.join(forgery.supports)}): {problem}"))
    return Judgement(seed, base.kind, counts, tuple(wrong))


def _judged(
    path: Path, base: Base, seed: int, number: int, counts: Counter[str], school: School
) -> tuple[Forgery, str | None]:
    forgery = forge(path, base, seed, number, school)
    claim = read_claim(path)
    lie = forgery.other_instance or (claim is not None and any(falsehoods(claim)))
    counts.update(files=1, **{"false claims": int(lie)})
    given = base.instance if forgery.other_instance or number % 2 else None
    pairs = None if given is None else (given.must_link.tolist(), given.cannot_link.tolist())
    asked = None if given is None else given.asked.to_dict()
    try:
        verdict = verify(
            path, given and given.points, pairs, weights=given and given.weights, conditions=asked
        )  # fmt: skip
    except VerificationError as error:
        counts.update(refused=1, **{WORDS: int(bool(re.search(r"[Ee]rror\(", str(error))))})
        return forgery, None
    except Exception as error:  # whatever else is raised is what this looks for
        return forgery, f"{type(error).__name__}: {error}"
    counts["accepted"] += 1
    if forgery.other_instance:
        return forgery, "accepted for another instance"
    if claim is None:
        return forgery, "accepted, but no claim can be read"
    return forgery, next(false_verdict(claim, verdict), None)


def forge(path: Path, base: Base, seed: int, number: int, school: School | None = None) -> Forgery:
    lies, supports = (school or TREES).lies, (school or TREES).supports
    rng = np.random.default_rng([seed, number, 100])
    path.write_bytes(base.content)
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("synchronous = OFF", "journal_mode = OFF"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.execute("BEGIN")
    forgery = Forgery(connection, rng, base.instance, base.truth, base.proved)
    shares = np.array([share for _, share in lies.values()])
    lie = str(rng.choice(list(lies), p=shares / shares.sum()))
    lies[lie][0](forgery)
    forgery.lie = lie
    for name in rng.choice(list(supports), int(rng.integers(0, 5)), replace=False).tolist():
        with contextlib.suppress(*NOT_TOGETHER):
            supports[name](forgery)
            forgery.supports.append(name)
    connection.execute("COMMIT")
    connection.close()
    return forgery


# Sound files


@lru_cache(maxsize=2)
def base_of(seed: int, school: School | None = None) -> Base:
    bases = (school or TREES).bases
    rng = np.random.default_rng([seed, 50])
    kind = str(rng.choice(list(bases)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        while (found := bases[kind](path, rng)) is None:
            path.unlink(missing_ok=True)
        instance, truth, proved = found
        return Base(kind, path.read_bytes(), instance, truth, proved)


Found = tuple[Instance, ExactTruth, float] | None


def by_enumeration(path: Path, rng: np.random.Generator) -> Found:
    """A tree of all kinds of leaves and steps, proved in floats."""
    instance = oracle.random_instance(rng, max_points=6)
    truth = ExactTruth.of(instance)
    if instance.n_points < 4 or not truth.feasible:
        return None
    records, bound = enumeration(instance, rng, bound_share=0.2)
    if len(records) == 1:
        return None
    write(path, instance, records, truth.best_labels.tolist(), bound, status=Status.FEASIBLE)
    return instance, truth, bound


def by_solving(path: Path, rng: np.random.Generator) -> Found:
    """What the solver writes, of feasible and infeasible instances."""
    instance = oracle.random_instance(rng, max_points=7)
    return None if instance.n_points < 4 else solved(instance, path, rng)


def by_solving_under_conditions(path: Path, rng: np.random.Generator) -> Found:
    """The same with limits of clusters, soft pairs, or both."""
    return solved(random_conditioned(int(rng.integers(2**31))).instance, path, rng)


def solved(instance: Instance, path: Path, rng: np.random.Generator) -> Found:
    """What the solver writes of an instance; a run that fails is left to the tests of the solver."""
    try:
        params = FEW_ROUNDS if rng.random() < 0.7 else Params()
        result = pcsos.solve(
            instance, gap=1e-9, workers=1, run_file=path, options=pcsos.Options(node_limit=20, params=params)
        )
    except (PcsosError, ArithmeticError):
        return None
    return instance, ExactTruth.of(instance), 0.0 if result.lower_bound is None else result.lower_bound


def by_chain(path: Path, rng: np.random.Generator) -> Found:
    """One super-point more than clusters, and a leaf for each two that may be together, closed by N = c I."""
    n = int(rng.integers(4, 8))
    names = ["Gaussian", "scaled", "grid", "collinear", "mixed magnitudes", "offset"]
    points = POINTS[str(rng.choice(names))](rng, n, 2)
    weights = np.ones(n) if rng.random() < 0.5 else rng.integers(1, 10, n).astype(float)
    try:
        instance = Instance(points, n - 1, weights=weights)
    except PcsosError:
        return None
    truth = ExactTruth.of(instance)
    records, proved = chain(instance, lambda data, state: best_identity(rng, instance, data, state))
    write(path, instance, records, truth.best_labels.tolist(), proved, status=Status.FEASIBLE)
    return instance, truth, proved


def by_a_line(path: Path, rng: np.random.Generator) -> Found:
    """A root that a penalty closes."""
    n = int(rng.integers(4, 9))
    names = ["Gaussian", "scaled", "grid", "mixed magnitudes", "offset"]
    points = POINTS[str(rng.choice(names))](rng, n, 1)
    pairs = some_pairs(rng, n, int(rng.integers(0, 3)))
    weights = np.ones(n) if rng.random() < 0.5 else rng.integers(1, 10, n).astype(float)
    try:
        instance = Instance(points, int(rng.integers(1, n)), pairs, weights=weights)
        result = pcsos.solve(instance, gap=1e-9, workers=1, run_file=path)
    except PcsosError:
        return None
    return None if result.partition is None else (instance, ExactTruth.of(instance), result.lower_bound or 0.0)


def chain(
    instance: Instance, choose: Callable[[Data, State], tuple[Multipliers, float]]
) -> tuple[list[NodeRecord], float]:
    """Return a tree for k = n - 1 in which each leaf puts two points together, and what it proves."""
    n = instance.n_points
    pairs = [(i, j) for j in range(n) for i in range(j)]
    records: list[NodeRecord] = []
    least = float("inf")
    with ctx.workprec(128):
        data = Data(Doubles(instance.points), Doubles(instance.weights))
        for t, (i, j) in enumerate(pairs):
            parent, came = (2 * t - 2, Decision("CL", *pairs[t - 1])) if t else (None, None)
            records.append(NodeRecord(2 * t, parent, came, (kinds.Branching(Decision("ML", i, j)),)))
            multipliers, bound = choose(data, together(n, pairs[:t], (i, j)))
            end = kinds.Bound(multipliers, bound)
            records.append(NodeRecord(2 * t + 1, 2 * t, Decision("ML", i, j), (end,)))
            least = min(least, bound)
    last, number = kinds.Infeasible(np.arange(n)), 2 * len(pairs)
    records.append(NodeRecord(number, number - 2, Decision("CL", *pairs[-1]), (last,)))
    return records, least


def together(n: int, apart: Pairs, pair: tuple[int, int]) -> State:
    """Return the state with some pairs apart and one together."""
    state = State(n)
    for i, j in apart:
        state.add("CL", i, j)
    state.add("ML", *pair)
    return state


def best_identity(rng: np.random.Generator, instance: Instance, data: Data, state: State) -> tuple[Multipliers, float]:
    """Return N = c I, with the c by which the checker proves most, and what it proves."""
    size = instance.n_clusters
    scale = max(float(np.ptp(instance.points)) ** 2, 1e-280)
    best = Multipliers.none(size), 0.0
    for _ in range(TRIES):
        c = scale * rng.uniform(1.0, 2.0) * 2.0 ** rng.integers(20, 91)
        multipliers = Multipliers(c * np.eye(size), best[0].cuts, best[0].weights)
        value = Bound(data, state, arrays(encode_multipliers(multipliers)), size).value.lower()
        if value.is_finite() and value > best[1]:
            mantissa, exponent = (int(part) for part in value.mid().man_exp())
            best = multipliers, rounded(mantissa * Fraction(2) ** exponent, down=True)
    return best


BASES: dict[str, Callable[[Path, np.random.Generator], Found]] = {
    "by enumeration": by_enumeration,
    "by solving": by_solving,
    "by solving under conditions": by_solving_under_conditions,
    "by a chain": by_chain,
    "by a line": by_a_line,
}

#: Files of solves, and of trees that nobody searched.
TREES = School(BASES, LIES, SUPPORTS)
