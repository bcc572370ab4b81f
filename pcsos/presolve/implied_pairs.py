"""Implied pairs: what the cannot-links force together and apart, and whether there are enough clusters at all."""

from pcsos.base.control.stop import ProgramLostError
from pcsos.base.exceptions import InfeasibleError
from pcsos.base.typing import Indices
from pcsos.evidence.kinds import Clique, Forced
from pcsos.evidence.node import Decision
from pcsos.presolve.colouring.feasibility import find_colouring
from pcsos.presolve.colouring.forced_pairs import ForcedPair, forced_pairs
from pcsos.problem.limit_pairs import pairs_beyond_limits, refuse_broken_limits
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.params import ColouringParams
from pcsos.problem.reduction import Reduced, contract

#: Points that a message names at most.
MOST_NAMED = 20


def infer_and_check(reduced: Reduced, *, budget: Budget = AMPLE) -> tuple[Reduced, Forced | None]:
    """Return the problem with its forced pairs, and the argument for them, unless it is proved to have no partition.

    Whether it has one may stay undecided where nothing but an integer program could tell.

    Raises
    ------
    InfeasibleError
        If no partition into k clusters satisfies the cannot-links; points are those of the instance, and the forced
        pairs found so far are part of the argument.
    Interrupted
        If the run has to end before that is known.
    """
    problem, step = infer_pairs(reduced, budget.params)
    find_labels(problem, step, budget=budget)
    return problem, step


def find_labels(problem: Reduced, step: Forced | None, *, budget: Budget = AMPLE) -> Indices | None:
    """Return labels of the super-points that satisfy their cannot-links, or None where it stays undecided.

    That is so, too, where the process that looks for them is gone: they are welcome, but not needed.

    Raises
    ------
    InfeasibleError
        If there are none; points are those of the instance, and ``step``, the argument for the forced pairs of the
        problem, is part of the argument.
    Interrupted
        If the run has to end before that is known.
    """
    try:
        return find_colouring(problem.graph, problem.n_clusters, budget=budget)
    except ProgramLostError:
        return None
    except InfeasibleError as error:
        raise _in_original_points(error, problem, step) from error


def infer_pairs(reduced: Reduced, params: ColouringParams | None = None) -> tuple[Reduced, Forced | None]:
    """Return the problem with every pair that a cheap argument forces (colouring, limits), and the argument.

    For k = 2 this is the transitive closure of the inference in Paper 3.1: two points that cannot be linked to a
    third one are together.

    Raises
    ------
    InfeasibleError
        If the forced pairs, which the error holds, contradict each other or leave fewer than k super-points.
    """
    steps: list[Clique] = []
    try:
        refuse_broken_limits(reduced)
        while found := _forced(reduced, params):
            point = reduced.representative
            for kind, i, j, witness in found:
                a, b = sorted((int(point[i]), int(point[j])))
                steps.append(Clique(Decision(kind, a, b), tuple(int(point[v]) for v in witness)))
            together, apart = ([(i, j) for kind, i, j, _ in found if kind == wanted] for wanted in ("ML", "CL"))
            reduced = contract(reduced, together, apart)
            refuse_broken_limits(reduced)
    except InfeasibleError as error:
        if error.witness["kind"] == "contradiction":
            raise _forced_apart(reduced.n_clusters, steps) from error
        error.step = Forced(tuple(steps)) if steps else None
        raise
    return reduced, Forced(tuple(steps)) if steps else None


def _forced(reduced: Reduced, params: ColouringParams | None) -> list[ForcedPair]:
    """Return what limits force, while the two are different super-points, and then colouring, which may join them."""
    beyond: list[ForcedPair] = [("CL", i, j, []) for i, j in pairs_beyond_limits(reduced).tolist()]
    return beyond + forced_pairs(reduced.graph, reduced.n_clusters, params)


def _forced_apart(n_clusters: int, steps: list[Clique]) -> InfeasibleError:
    """Return the error for forced pairs that contradict each other, in points of the instance."""
    points = sorted({p for forced in steps for p in (forced.decision.i, forced.decision.j, *forced.witness)})
    shown = ", ".join(map(str, points[:MOST_NAMED])) + (", ..." if len(points) > MOST_NAMED else "")
    return InfeasibleError(
        f"{n_clusters} clusters are too few: in so few, the cannot-links of these points (and those they must be "
        f"linked to) contradict each other: {shown}",
        {"kind": "colouring", "points": points},
        Forced(tuple(steps)),
    )


def _in_original_points(error: InfeasibleError, problem: Reduced, step: Forced | None) -> InfeasibleError:
    search = problem.representative[error.search]
    if "points" not in error.witness:
        return InfeasibleError(str(error), error.witness, step, search)
    original = problem.representative[error.witness["points"]].tolist()
    names = ", ".join(map(str, original))
    kind = str(error.witness["kind"]).replace("_", " ")
    return InfeasibleError(
        f"{problem.n_clusters} clusters are too few: the cannot-links of these points (and those they must be linked "
        f"to) form a{'n' if kind[0] in 'aeiou' else ''} {kind}: {names}",
        {**error.witness, "points": original},
        step,
        search,
    )
