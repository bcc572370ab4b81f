"""Whether a result, and the certificate beside it, agree with the exact truth; for the properties and the benchmark."""

import tempfile
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Result
from pcsos.problem.params import Params, TreeParams
from pcsos.verify import Verdict, VerificationError, verify
from tests.agreement import claimed_bounds
from tests.exact_oracle import ExactCosts, ExactTruth
from tests.hard_instances import Hard, draw
from tests.judgement import Judgement, above, shown

Wrong = tuple[str, str]

#: What keeps a single instance from taking long.
NODE_LIMIT, TIME_LIMIT = 60, 60.0
#: Relative error that an objective may have.
OBJECTIVE_ERROR = Fraction(1, 10**12)
LEAST_DOUBLE = Fraction(5e-324)
#: Data within these magnitudes must be solved: coordinates, spreads and weights, and costs.
LEAST, LARGEST = Fraction(1, 10**139), Fraction(10**139)
LEAST_COST, LARGEST_COST = Fraction(1, 10**270), Fraction(10**270)


#: A node gets one round of bounding, so that the tree must branch.
FEW_ROUNDS = Params(tree=TreeParams(root_rounds=1, node_rounds=1))


def judge(seed: int, *, max_points: int = 9) -> Judgement:
    """Solve the hard instance of a seed, verify its run file if it has one, and compare both with the truth."""
    hard = draw(seed, max_points=max_points)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        ending, wrong = _solved(hard, Path(folder) / "run")
    wrong += [("warning", f"{w.category.__name__}: {w.message}") for w in heard[:1]]
    counts = {"instances": 1, ending: 1} | ({"verified": 1} if hard.journaled and ending[0].isupper() else {})
    return Judgement(seed, f"{hard.points_kind}, weights {hard.weights_kind}", counts, tuple(wrong))


def _solved(hard: Hard, path: Path) -> tuple[str, list[Wrong]]:
    """How the solve of an instance ended (status and reason, or a word in lower case), and what is wrong."""
    bounds: list[float] = []
    try:
        result = pcsos.solve(
            hard.points,
            hard.n_clusters,
            must_link=hard.must_link,
            cannot_link=hard.cannot_link,
            weights=hard.weights,
            gap=hard.gap,
            time_limit=TIME_LIMIT,
            workers=1,
            run_file=path if hard.journaled else None,
            options=pcsos.Options(
                params=FEW_ROUNDS if hard.branching else Params(),
                node_limit=NODE_LIMIT,
                on_event=lambda event: bounds.extend(claimed_bounds(event)),
            ),
        )
    except InputError as error:
        return f"refused: {' '.join(str(error).split()[:2])}", list(_unjust_refusal(hard, str(error)))
    except Exception as error:  # whatever else is raised is what this looks for
        return "crash", [("crash", f"{type(error).__name__}: {error}")]
    truth = truth_of(hard)
    wrong = [*contradictions(result, hard.gap, truth), *_false_bounds(bounds, truth)]
    if hard.journaled:
        wrong += certificate_problems(path, hard, truth, result)
    return f"{result.status} {result.reason}", wrong


def truth_of(hard: Hard) -> ExactTruth:
    return ExactTruth(hard.points, hard.weights, hard.n_clusters, hard.must_link, hard.cannot_link)


def contradictions(result: Result, gap: float, truth: ExactTruth) -> Iterator[Wrong]:
    if (result.status == "INFEASIBLE") == truth.feasible:
        yield "status", f"{result.status} ({result.reason}), but there are {len(truth.labels)} feasible partitions"
        return
    if result.reason == "STALLED" and not result.message:
        yield "silent", "STALLED without a word"
    if not truth.feasible:
        return
    named = (("lower bound", result.lower_bound), ("root bound", result.root_lower_bound))
    for name, bound in named:
        if bound is not None and above(bound, truth.optimum):
            yield name, f"{bound!r} is above the optimum {shown(truth.optimum)}"
    if result.labels is None or result.objective is None:
        if result.status in ("OPTIMAL", "FEASIBLE"):
            yield "labels", f"{result.status} without labels"
        return
    if not truth.admits(result.labels):
        yield "labels", f"{result.labels.tolist()} is no feasible partition"
        return
    cost = truth.cost(result.labels)
    if not is_near(result.objective, cost):
        yield "objective", f"{result.objective!r} for labels that cost {shown(cost)}"
    if result.status == "OPTIMAL" and cost * (1 - Fraction(gap)) > truth.optimum:
        yield "gap", f"OPTIMAL within {gap} at a cost of {shown(cost)}; the optimum is {shown(truth.optimum)}"
    if result.status == "OPTIMAL" and (result.gap is None or not result.gap <= gap):
        yield "gap", f"OPTIMAL within {gap} at a gap of {result.gap}"


def certificate_problems(path: Path, hard: Hard, truth: ExactTruth, result: Result) -> Iterator[Wrong]:
    """What the checker says wrongly about the run file of an honest run."""
    try:
        verdict: Verdict = verify(path, hard.points, (hard.must_link, hard.cannot_link), weights=hard.weights)
    except VerificationError as error:
        yield "verify refuses", f"{result.status} {result.reason}: {error}"
        return
    except Exception as error:  # whatever else is raised is what this looks for
        yield "verify crashes", f"{type(error).__name__}: {error}"
        return
    if verdict.status != result.status:
        yield "verified status", f"{verdict.status} for a result that is {result.status}"
    if truth.feasible and above(verdict.lower_bound, truth.optimum):
        yield "verified bound", f"{verdict.lower_bound!r} is above the optimum {shown(truth.optimum)}"
    stated = Fraction(-1 if verdict.objective is None else verdict.objective)
    if result.labels is not None and stated < truth.cost(result.labels):
        yield "verified objective", f"{verdict.objective!r} is not at least the cost of the labels"


def _false_bounds(bounds: list[float], truth: ExactTruth) -> Iterator[Wrong]:
    if truth.feasible and bounds and above(max(bounds), truth.optimum):
        yield "event's bound", f"{max(bounds)!r} is above the optimum {shown(truth.optimum)}"


def is_near(objective: float, cost: Fraction) -> bool:
    """Tell whether an objective is the cost to 12 digits, as far as doubles have them, and 0 only for a cost of 0."""
    if not np.isfinite(objective) or (objective == 0.0) != (cost == 0):
        return False
    return abs(Fraction(objective) - cost) <= max(cost * OBJECTIVE_ERROR, LEAST_DOUBLE if cost else 0)


def _unjust_refusal(hard: Hard, sentence: str) -> Iterator[Wrong]:
    if "\n" in sentence or not sentence:
        yield "refusal", f"not one line: {sentence!r}"
    if is_ordinary(hard):
        yield "refusal", f"data in range are refused: {sentence}"


def is_ordinary(hard: Hard) -> bool:
    """Tell whether the data are clearly within the range of magnitudes in which everything must be solved.

    Besides coordinates, spreads and weights these are the least cost of two points as a cluster that is not 0, and the
    largest weight times the largest squared distance. Whoever forms them in doubles, after a scaling by a constant,
    needs both, and so their ratio, within range.
    """
    costs = ExactCosts(hard.points, hard.weights)
    pairs = [(i, j) for j in range(costs.n) for i in range(j)]
    spread = max(Fraction(float(v)) for v in hard.points.max(axis=0)) - min(map(Fraction, hard.points.ravel().tolist()))
    sizes = [*map(Fraction, hard.weights.tolist()), *([spread] if spread else [])]
    if max(*sizes, Fraction(float(np.abs(hard.points).max()))) > LARGEST or min(sizes) < LEAST:
        return False
    least = min((cost for i, j in pairs if (cost := costs.cluster([i, j]))), default=Fraction(1))
    squares = [costs.squared(i, j) for i, j in pairs if costs.squared(i, j)]
    largest = max(map(Fraction, hard.weights.tolist())) * max(squares, default=Fraction(1))
    return least >= LEAST_COST and largest <= min(LARGEST_COST, least * LARGEST_COST)
