"""Gram matrices: costs are those of the matrix, trees prove bounds for points."""

from typing import Any

from tests.conformance.certificate import Certificate, Claim, branching, certificate, evidence
from tests.conformance.encoding import multipliers
from tests.conformance.honest.instances import Proof

ROOT_2, ROOT_6 = 1.4142135623730951, 2.449489742783178
#: The example of section 14: {0, 1}, {2} costs 2.
MATRIX = [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 6.0]]
FACTOR = [[ROOT_2, 0, 0], [0, ROOT_2, 0], [0, 0, ROOT_6]]
#: Every partition of three points into two clusters.
TREE = [
    *branching(0, 1, 2, "0 1"),
    *branching(2, 3, 4, "0 2"),
    evidence(1, "single", 1.99),
    evidence(3, "single", 0.0),
    evidence(4, "forced", decisions=["ML 1 2"], cliques=[[0]]),
    evidence(4, "single", 0.0),
]


def of_matrix(label: str, claim: Claim, proof: Proof = TREE, gap: float = 1e-4, **instance: Any) -> Certificate:
    own = {"points": FACTOR, "k": 2, "gram": MATRIX} | instance
    return certificate(label, "gram", own, claim, proof, gap=gap)


ZEROS = [[0.0, 0.0, 0.0]] * 3
JOINED = [evidence(0, "equal", decisions=["ML 0 1"]), evidence(0, "single", 0.0)]

CERTIFICATES = [
    of_matrix(
        "gram: The example of section 14, with points that are its factor. (14)",
        Claim("OPTIMAL", (0, 0, 1), 2.0, 1.9999),
    ),
    of_matrix(
        "gram-half: The same with half of the last point: the bound is lowered by 3. (14)",
        Claim("FEASIBLE", (0, 0, 1), 2.0, -1.2501),
        points=[*FACTOR[:2], [0, 0, ROOT_6 / 2]],
    ),
    of_matrix(
        "gram-weights: Weights, and a soft pair. (14)",
        Claim("OPTIMAL", (0, 0, 1), 3.6666666666666665, 3.6666),
        weights=[1, 2, 3],
        conditions={"soft": [[0, 1, 0.5, 1.0], [1, 2, 0, 0]]},
    ),
    of_matrix(
        "gram-one-cluster: k = 1. (14)",
        Claim("OPTIMAL", (0, 0, 0), 6.666666666666667, 6.6666),
        [evidence(0, "bound", 6.6666, multipliers=multipliers(3))],
        k=1,
    ),
    of_matrix(
        "gram-moved: A matrix that is another one of the same points: the origin is elsewhere. (14)",
        Claim("OPTIMAL", (0, 0, 1), 2.0, 1.9999),
        gram=[[4.0, 2.0, 2.0], [2.0, 4.0, 2.0], [2.0, 2.0, 8.0]],
    ),
    of_matrix(
        "gram-zero: All inner products are 0, and so are the cost and the gap. (14)",
        Claim("OPTIMAL", (0, 0, 1), 0.0, 0.0),
        JOINED,
        points=[0, 0, 0],
        gram=ZEROS,
        gap=0.0,
    ),
    of_matrix(
        "gram-negative: A matrix that is not positive semidefinite: a cost below 0. (14)",
        Claim("FEASIBLE", (0, 0, 1), -1.0, -1.0541),
        JOINED,
        points=[0, 0, 0],
        gram=[[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
    ),
]
