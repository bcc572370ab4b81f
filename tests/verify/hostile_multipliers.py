"""Multipliers made to fool the checker, in states whose exact optimum is known.

Any multipliers prove a bound, so there are no wrong ones; but where adding c X to N costs nothing in exact arithmetic,
for any c however large, every rounding is multiplied by c. Where Y is known in part, such X exist: all of Y is the
identity where there are as many super-points as clusters (s = k), a row and column where one is apart from all others.
"""

import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

import pcsos
from pcsos.evidence import kinds
from pcsos.evidence.codec import encode_integers
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.run_file import RunFile
from pcsos.verify import VerificationError
from pcsos.verify.bound import Bound
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.state import State
from tests.blobs import arrays
from tests.exact_oracle import ExactCosts, ExactTruth
from tests.hard_instances import POINTS, WEIGHTS, Pairs, Points, some_pairs
from tests.judgement import Judgement, shown

#: Multipliers tried in the state of one seed.
TRIALS = 20
#: Bits of the integers in a file, of which a sign and one are kept free.
BITS = 61
LARGEST_EXPONENT = 1900
Box = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Known:
    """A state by its constraints, and what is known about it."""

    kind: str
    points: Points
    weights: Points
    k: int
    must_link: Pairs
    cannot_link: Pairs
    state: State
    optimum: Fraction
    truth: ExactTruth | None  #: None where there is only one partition, and many points

    @property
    def size(self) -> int:
        return self.state.size

    @property
    def isolated(self) -> list[int]:
        groups = self.state.groups()
        return [i for i, g in enumerate(groups) if len(self.state.around(g[0])) == len(groups) - 1]

    def least(self, kind: str, p: int, q: int) -> Fraction | None:
        """Return the least cost with two points together (``ML``) or apart, None if no partition has them so."""
        if self.truth is None:
            return self.optimum if kind == "CL" else None
        return self.truth.least((self.truth.labels[:, p] == self.truth.labels[:, q]) == (kind == "ML"))


def judge(seed: int) -> Judgement:
    """Bound the state of a seed by hostile multipliers of all kinds, and compare with the exact optimum."""
    rng = np.random.default_rng([seed, 30])
    known = draw_state(rng)
    counts: Counter[str] = Counter()
    wrong: list[tuple[str, str]] = []
    with ctx.workprec(128):
        data, start = Data(Doubles(known.points), Doubles(known.weights)), honest_box(known, rng)
        for _ in range(TRIALS if known.truth else 4):
            kind, blob = hostile_blob(rng, known, start)
            try:
                proof = Bound(data, known.state, arrays(blob), known.k)
                found = list(claims(rng, known, proof))
            except VerificationError:
                counts["refused"] += 1
                continue
            except Exception as error:  # in a file it would be refused, so it is no false bound
                counts[f"no bound: {type(error).__name__}"] += 1
                continue
            counts["bounds"] += 1
            counts["bounds of pairs"] += len(found) - 1
            counts["bounds within 1e-9"] += near(proof.value, known.optimum)
            for name, bound, optimum in found:
                if is_above(bound, optimum):
                    wrong.append((kind, f"{name} is bounded by {bound.str(20)}, but {shown(optimum)} is attained"))
    return Judgement(seed, known.kind, counts, tuple(wrong))


def claims(rng: np.random.Generator, known: Known, proof: Bound) -> Iterator[tuple[str, Any, Fraction]]:
    """What a bound says of a state, and of it with a pair together or apart, beside the least cost in truth."""
    yield "the state", proof.value.lower(), known.optimum
    groups = known.state.groups()
    for _ in range(2 if len(groups) > 1 else 0):
        i, j = rng.choice(len(groups), 2, replace=False)
        p, q, kind = groups[i][0], groups[j][0], str(rng.choice(["ML", "CL"]))
        if (optimum := known.least(kind, p, q)) is not None:
            yield f"the state with {kind} {p} {q}", proof.with_pair(kind, p, q).lower(), optimum


def is_above(bound: Any, optimum: Fraction) -> bool:
    """Tell whether the lower end of a ball is above an exact number."""
    if not bound.is_finite():
        return bool(bound > 0)
    mantissa, exponent = (int(part) for part in bound.mid().man_exp())
    return mantissa * Fraction(2) ** exponent > optimum


def near(value: Any, optimum: Fraction) -> bool:
    exact = arb(optimum.numerator) / optimum.denominator
    return bool(abs(value - exact) <= exact * 1e-9)


# States


def draw_state(rng: np.random.Generator) -> Known:
    """Draw points, weights and constraints that leave something to partition."""
    while True:
        kind = str(rng.choice(["s = k", "isolated", "s > k", "many, s = k"], p=[0.45, 0.25, 0.25, 0.05]))
        n = int(rng.integers(9, 31)) if kind == "many, s = k" else int(rng.integers(3, 9))
        must_link = some_pairs(rng, n, int(rng.integers(0, 3)))
        cannot_link = some_pairs(rng, n, int(rng.integers(0, 4))) if kind != "many, s = k" else []
        if kind == "isolated":
            cannot_link += [(i, j) for i in range(int(rng.integers(1, 3))) for j in range(i + 1, n)]
        state = State(n)
        for link, pairs in (("ML", must_link), ("CL", cannot_link)):
            for i, j in pairs:
                state.add(link, i, j)
        s = state.size
        k = s if kind.endswith("s = k") else int(rng.integers(1, max(s, 2)))
        points = POINTS[str(rng.choice([p for p in POINTS if p != "subnormal"]))](rng, n, int(rng.integers(1, 4)))
        weights = WEIGHTS[str(rng.choice(list(WEIGHTS)))](rng, n)
        if state.broken or (kind == "isolated" and k >= s):
            continue
        known = known_state(kind, points, weights, k, must_link, cannot_link, state)
        if known is not None:
            return known


def known_state(
    kind: str, points: Points, weights: Points, k: int, must_link: Pairs, cannot_link: Pairs, state: State
) -> Known | None:
    """Return the state with its optimum, None if no partition belongs to it."""
    if len(points) > 9:
        optimum = ExactCosts(points, weights).cost(state.name)
        return Known(kind, points, weights, k, must_link, cannot_link, state, optimum, None)
    truth = ExactTruth(points, weights, k, must_link, cannot_link)
    if not truth.feasible:
        return None
    return Known(kind, points, weights, k, must_link, cannot_link, state, truth.optimum, truth)


# Multipliers: N as Python integers in units of a power of two


def honest_box(known: Known, rng: np.random.Generator) -> Multipliers | None:
    """Return good multipliers for the state, from a solve; None where it needs none, or says more than the state."""
    if known.kind.endswith("s = k") or known.k == 1 or rng.random() < 0.3:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        try:
            pcsos.solve(
                known.points,
                known.k,
                must_link=known.must_link,
                cannot_link=known.cannot_link,
                weights=known.weights,
                gap=1e-9,
                workers=1,
                run_file=path,
                options=pcsos.Options(node_limit=1),
            )
            with RunFile.open(path) as file:
                root = next(file.records(), None)
        except (pcsos.PcsosError, ArithmeticError):  # this is no test of the solver
            return None
    if root is None or not isinstance(root.evidence[0], kinds.Bound):
        return None
    found = root.evidence[0].multipliers
    return found if len(found.box) == known.size else None


def hostile_blob(rng: np.random.Generator, known: Known, start: Multipliers | None) -> tuple[str, bytes]:
    """Return the kind of some hostile multipliers, and the multipliers in the form of a run file."""
    kind, shape = hostile_matrix(rng, known)
    scale = scale_of(known)
    exponent = int(rng.integers(-60, 91)) + scale
    box = [[int(x) for x in row] for row in np.rint(np.ldexp(shape, 52)).tolist()]
    numbers, unit = np.array(box, object).reshape(shape.shape), exponent - 52
    if start is not None and np.isfinite(start.box).all():
        kind, (numbers, unit) = f"honest + {kind}", added(numbers, int(rng.integers(-60, 40)) + scale - 52, start.box)
    numbers = numbers // 2 ** max(0, max(abs(x) for x in numbers.ravel()).bit_length() - BITS)
    cuts = own_cuts(start) if start is not None and rng.random() < 0.8 else random_cuts(rng, known)
    cut_unit = int(rng.integers(-60, 91)) + scale
    if start is not None and cuts:
        cut_unit = fine_unit(start.weights)
    return kind, blob_of(numbers, unit, cuts, cut_unit)


def hostile_matrix(rng: np.random.Generator, known: Known) -> tuple[str, NDArray[np.float64]]:
    """Return a symmetric X with entries of at most about 1 that costs little or nothing to add, of either sign."""
    likely = known.kind == "isolated" and rng.random() < 0.6
    kind = "isolated" if likely else str(rng.choice([kind for kind in SHAPES if kind != "isolated"]))
    return kind, SHAPES[kind](rng, known) * float(rng.choice([-1.0, 1.0]))


def identity(rng: np.random.Generator, known: Known) -> NDArray[np.float64]:
    return np.eye(known.size) * float(rng.uniform(0.5, 1.0))


def ray(rng: np.random.Generator, known: Known, rank: int = 1) -> NDArray[np.float64]:
    """Return v v^T with v orthogonal to u, or a sum of such matrices of different sizes."""
    vectors = rng.standard_normal((rank, known.size)) * 2.0 ** -rng.integers(0, 20, (rank, 1))
    vectors -= np.outer(vectors @ unit_vector(known), unit_vector(known))
    product = vectors.T @ vectors
    return product / max(float(np.abs(product).max()), 1e-300)


def rays(rng: np.random.Generator, known: Known) -> NDArray[np.float64]:
    return ray(rng, known, known.size)


def anything(rng: np.random.Generator, known: Known) -> NDArray[np.float64]:
    entries = rng.uniform(-1.0, 1.0, (known.size,) * 2) * 2.0 ** -rng.integers(0, 40, (known.size,) * 2)
    return np.triu(entries) + np.triu(entries, 1).T


def diagonal(rng: np.random.Generator, known: Known) -> NDArray[np.float64]:
    return np.diag(anything(rng, known).diagonal())


def huge(rng: np.random.Generator, known: Known) -> NDArray[np.float64]:
    """Return entries nearly all of which are the largest."""
    return np.clip(anything(rng, known) * 2.0**30, -1.0, 1.0)


def free(rng: np.random.Generator, known: Known) -> NDArray[np.float64]:
    return np.where(apart(known), anything(rng, known), 0.0)


def positive(rng: np.random.Generator, known: Known) -> NDArray[np.float64]:
    """Return a diagonal and entries that cost nothing where Y is 0."""
    return np.abs(anything(rng, known)) * float(rng.choice([-1.0, 1.0])) + identity(rng, known)


def isolated(rng: np.random.Generator, known: Known) -> NDArray[np.float64]:
    block = np.zeros((known.size, known.size))
    places = np.ix_(known.isolated, known.isolated)
    block[places] = anything(rng, known)[places]
    return block


SHAPES: dict[str, Callable[[np.random.Generator, Known], NDArray[np.float64]]] = {
    "identity": identity,
    "ray": ray,
    "rays": rays,
    "diagonal": diagonal,
    "free": free,
    "positive": positive,
    "anything": anything,
    "huge": huge,
    "isolated": isolated,
}


def unit_vector(known: Known) -> NDArray[np.float64]:
    """Return u, the roots of the shares of the super-points in the weight."""
    weights = np.array([known.weights[g].sum() for g in known.state.groups()])
    return np.sqrt(weights / weights.sum())


def apart(known: Known) -> NDArray[np.bool_]:
    groups = known.state.groups()
    return np.array([[known.state.apart(g[0], h[0]) for h in groups] for g in groups]).reshape(len(groups), len(groups))


def scale_of(known: Known) -> int:
    """Return the exponent of two of the cost of all points as one cluster, 0 if that is 0."""
    total = ExactCosts(known.points, known.weights).cost(np.zeros(len(known.points), int))
    return total.numerator.bit_length() - total.denominator.bit_length() if total else 0


def added(numbers: Box, unit: int, box: NDArray[np.float64]) -> tuple[Box, int]:
    """Return the sum of two matrices N, and its unit, so coarse that the sum can be written."""
    finest = min(unit, fine_unit(box))
    exact = [[Fraction(x) / Fraction(2) ** finest for x in row] for row in box.tolist()]
    total = np.array([[int(x) for x in row] for row in exact], object) + numbers * 2 ** (unit - finest)
    surplus = max(0, max(abs(x) for x in total.ravel()).bit_length() - BITS)
    return total // 2**surplus, finest + surplus


def fine_unit(values: NDArray[np.float64]) -> int:
    """Return an exponent e so that quantised values are multiples of 2^e."""
    largest = float(np.abs(values).max(initial=0.0))
    return int(np.frexp(largest)[1]) - BITS if largest else 0


def own_cuts(start: Multipliers) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the cuts of honest multipliers as tables, in units of :func:`fine_unit`."""
    unit, cuts = fine_unit(start.weights), start.cuts
    sizes = np.diff(cuts.indptr)
    result = []
    for size in np.unique(sizes).tolist():
        chosen = np.flatnonzero(sizes == size)
        members = np.array([cuts.members[cuts.indptr[t] : cuts.indptr[t + 1]] for t in chosen]).reshape(-1, size)
        table = np.vstack([cuts.centre[chosen], members.T]).astype(np.int64)
        result.append((table, np.ldexp(start.weights[chosen], -unit).astype(np.int64)))
    return result


def random_cuts(rng: np.random.Generator, known: Known) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return no cuts, or a few stars and cliques with multipliers of up to 2^58 units."""
    s = known.size
    result = []
    for _ in range(int(rng.integers(1, 4)) if s > 1 and rng.random() < 0.4 else 0):
        clique = s > known.k and rng.random() < 0.4
        size = known.k + 1 if clique else int(rng.integers(1, s))
        rows = [rng.permutation(s)[: size + 1] for _ in range(3)]
        table = np.array([[-1, *r[:size]] if clique else [r[-1], *r[:size]] for r in rows], np.int64).T
        result.append((table, rng.integers(0, 2 ** int(rng.integers(1, 57)), 3)))
    return result


def blob_of(numbers: Box, unit: int, cuts: list[tuple[NDArray[np.int64], NDArray[np.int64]]], cut_unit: int) -> bytes:
    """Write N and cuts as docs/certificate.md, section 2, has it."""
    exponents = [int(np.clip(e, -LARGEST_EXPONENT, LARGEST_EXPONENT)) for e in (unit, cut_unit)]
    triangle = numbers[np.triu_indices(len(numbers))]
    tables = [encode_integers(part) for table, weights in cuts for part in (table, weights)]
    return b"".join([struct.pack("<iiI", *exponents, len(cuts)), encode_integers(triangle.astype(np.int64)), *tables])
