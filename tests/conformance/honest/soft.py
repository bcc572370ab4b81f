"""Soft pairs: what is paid, evidence `soft`, and bounds with penalties."""

from tests.conformance.certificate import Certificate, Claim, branching, certificate, evidence
from tests.conformance.encoding import multipliers
from tests.conformance.honest.instances import FOUR, FOUR_LABELS, Instance, Proof

JOINED = FOUR | {"must_link": [(0, 1), (2, 3)]}
#: {0, 1} pays 1, and the two clusters pay 1/2 for 0 and 2 in two rows, one of them turned around.
ROWS = [[0, 1, 5, 1], [0, 2, 0.25, 7], [2, 0, 0.25, 0.0], [1, 3, 0, 0]]
PAID = Claim("OPTIMAL", FOUR_LABELS, 2.5, 2.4999)
ONE = {"points": [0, 1, 5], "k": 1}
SIX = {"points": [0, 1, 2, 3, 10, 11], "k": 2}
#: {0, 1, 2, 3}, {10, 11} costs 5.5, where it pays nothing.
APART = Claim("OPTIMAL", (0, 0, 0, 0, 1, 1), 5.5, 5.4999)

LINE = evidence(0, "line", 5.4999, penalty=10.0)


def soft(label: str, instance: Instance, claim: Claim, *proof: Proof, gap: float = 1e-4) -> Certificate:
    return certificate(label, "soft", instance, claim, [own for rows in proof for own in rows], gap=gap)


CERTIFICATES = [
    soft(
        "soft-single: The one partition that is left pays for what it breaks. (13)",
        JOINED | {"conditions": {"soft": ROWS}},
        PAID,
        [evidence(0, "single", 2.5)],
    ),
    soft(
        "soft-decided: Pairs that the state decides are paid in a bound. (13)",
        JOINED | {"cannot_link": [(0, 2)], "conditions": {"soft": ROWS}},
        PAID,
        [evidence(0, "bound", 2.4999, multipliers=multipliers(2))],
    ),
    soft(
        "soft-open: k = 1: of a penalty of 3 for points together two thirds are charged. (13)",
        ONE | {"conditions": {"soft": [[0, 2, 0, 3]]}},
        Claim("FEASIBLE", (0, 0, 0), 17.0, 15.9999),
        [evidence(0, "open", 15.9999, multipliers=multipliers(3))],
    ),
    soft(
        "soft-open-limits: The same under a limit: every cluster weighs 3, and all is charged. (13)",
        ONE | {"conditions": {"soft": [[0, 2, 0, 3]], "limits": {"size_min": 1}}},
        Claim("OPTIMAL", (0, 0, 0), 17.0, 16.9999),
        [evidence(0, "bound", 16.9999, multipliers=multipliers(3))],
    ),
    soft(
        "soft-pay-nothing: Penalties of 0 are none, and lines know of none. (13)",
        SIX | {"conditions": {"soft": [[0, 1, 0, 0], [4, 5, 7, 0.0]], "limits": {}}},
        APART,
        [LINE],
    ),
    soft(
        "soft-together: 2 and 3 are put together: apart they pay 100 in three rows, one of the super-points. (13)",
        SIX | {"must_link": [(0, 2)], "conditions": {"soft": [[2, 3, 50, 1], [3, 0, 30.0, 0], [2, 3, 20, 0]]}},
        Claim("OPTIMAL", (0, 0, 0, 0, 1, 1), 6.5, 5.4999, 5.4999),
        [evidence(0, "soft", 101.0, decisions=["ML 2 3"], multipliers=multipliers(5)), LINE],
        gap=0.5,
    ),
    soft(
        "soft-apart: 0 and 2 are set apart, and 1 and 3: together they pay 1000. (13)",
        FOUR | {"conditions": {"soft": [[0, 2, 0.5, 1000], [3, 1, 0, 2000]]}},
        Claim("OPTIMAL", FOUR_LABELS, 1.5, 1.4999),
        [evidence(0, "soft", 999.0, decisions=["CL 0 2", "CL 1 3"], multipliers=multipliers(4))],
        branching(0, 1, 2, "1 2"),
        [evidence(1, "forced", decisions=["ML 0 3"], cliques=[[1]]), evidence(1, "single", 91.0)],
        [evidence(2, "forced", decisions=["ML 0 1", "ML 2 3"], cliques=[[2], [1]])],
        [evidence(2, "bound", 1.4999, multipliers=multipliers(2))],
    ),
    soft(
        "soft-at-once: All pairs are judged in the state before the first of them. (13)",
        SIX | {"conditions": {"soft": [[0, 1, 50, 0], [1, 2, 60, 0], [0, 2, 70, 0]]}},
        APART,
        [evidence(0, "soft", 49.9, decisions=["ML 0 1", "ML 1 2", "ML 2 0", "ML 0 1"], multipliers=multipliers(6))],
        [LINE],
    ),
    soft(
        "soft-paid: What is set aside pays for pairs that the state decides, too. (13)",
        SIX | {"must_link": [(0, 1)], "conditions": {"soft": [[1, 0, 0, 2], [2, 3, 4, 0]]}},
        Claim("OPTIMAL", (0, 0, 0, 0, 1, 1), 7.5, 5.4999),
        [evidence(0, "soft", 6.4999, decisions=["ML 2 3"], multipliers=multipliers(5)), LINE],
        gap=0.5,
    ),
    soft(
        "soft-inherited: What is set aside costs at least what was proved before, whatever its multipliers say. (13)",
        ONE | {"conditions": {"soft": [[0, 1, 1, 0]]}},
        Claim("OPTIMAL", (0, 0, 0), 14.0, 13.9999),
        [evidence(0, "fixed", 0.0, decisions=[], multipliers=multipliers(3))],
        [evidence(0, "soft", 13.9999, decisions=["ML 1 0"], multipliers=multipliers(3, [0, 0, 0, 0, -1000, 0]))],
        [evidence(0, "bound", 13.9999, multipliers=multipliers(2))],
    ),
    soft(
        "soft-below: What is set aside in one child of a branching, and what is set aside before it. (13)",
        SIX | {"conditions": {"soft": [[0, 1, 50, 0], [1, 2, 60, 0]]}},
        APART,
        [evidence(0, "soft", 49.9, decisions=["ML 0 1"], multipliers=multipliers(6)), *branching(0, 1, 2, "3 4")],
        [
            evidence(2, "soft", 59.9, decisions=["ML 1 2"], multipliers=multipliers(5)),
            evidence(2, "line", 5.4999, penalty=10.0),
        ],
        [evidence(1, "line", 30.0, penalty=10.0)],
    ),
]
