"""Partition and claim (sections 1, 3 and 7)."""

from typing import Any

from tests.conformance.encoding import integers
from tests.conformance.forgery import Forgery, changed, refused


def of(label: str, base: str = "hand", **columns: Any) -> Forgery:
    return refused(f"claim-{label}", base, "claim", changed("claim", **columns))


def labels(label: str, *own: int) -> Forgery:
    return refused(f"partition-{label}", "hand", "partition", changed("claim", labels=integers(own)))


def objective(label: str, value: float, base: str = "hand") -> Forgery:
    return refused(f"objective-{label}", base, "partition", changed("claim", objective=value))


FORGERIES = [
    labels("breaks-must-link: The labels break a must-link. (7)", 0, 0, 1, 0, 1),
    labels("breaks-cannot-link: The labels break a cannot-link. (7)", 0, 1, 0, 0, 0),
    labels("one-cluster: The labels use one cluster, where k = 2. (7)", 0, 0, 0, 0, 0),
    labels("three-clusters: The labels use three clusters, where k = 2. (7)", 0, 0, 1, 1, 2),
    objective("low: The labels cost more, by 10^-9 of it. (7)", 3.999999996),
    objective("high: The labels cost less, by 10^-9 of it. (7)", 4.000000004),
    objective("beyond-tolerance: The objective is off by 2^-39 of it. (7)", 4.000000000007276),
    objective("least: The cost is 0, and the objective is the least double. (7)", 5e-324, "single-each-point"),
    objective("not-zero: The cost is 0, and so must be the objective. (7)", 1e-300, "single-each-point"),
    objective("without-penalties: The labels pay 1.5 for soft pairs. (13)", 1.0, "soft-single"),
    objective("of-points: The cost is that of the matrix, not that of the points. (14)", 0.0, "gram-negative"),
    of("above: The optimum is 4. (3)", lower_bound=4.000000004),
    of("above-open: Only 2 is proved of what is open. (3)", "open", lower_bound=2.001),
    of(
        "above-open-child: Children without evidence count with what is proved above them: 2. (3)",
        "open-children",
        lower_bound=2.001,
    ),
    of(
        "above-open-child-of-two: A child without evidence counts with what is proved above it: 2. (3)",
        "open-child",
        lower_bound=2.001,
    ),
    of("above-nothing: Without evidence nothing is proved but 0. (3)", "no-evidence", lower_bound=0.001),
    of("above-of-unknown: Only 2 is proved. (3)", "unknown", lower_bound=2.001),
    of("above-stated-prices: Prices prove just what they state. (3)", "prices", lower_bound=1.499995),
    of(
        "above-fixed: What a fixed pair sets aside costs 2 at least, no more is proved. (3)", "fixed", lower_bound=2.001
    ),
    of("above-far: What a far pair sets aside is a part of the whole. (3)", "far-inherited", lower_bound=13.9999999),
    of(
        "above-soft: What a soft pair sets aside costs 6.5 at least, and the leaf 5.5. (3)",
        "soft-paid",
        lower_bound=5.501,
    ),
    of("above-cover: The parts prove 1 together. (10)", "cover", lower_bound=1.001),
    of(
        "above-gram: Costs of the matrix may be lower by 3 than those of the points. (14)",
        "gram-half",
        lower_bound=-1.2,
    ),
    of("optimal-open: The gap is 0.5, where 10^-4 is asked for. (3)", "open", status="OPTIMAL"),
    of("optimal-without-bound: OPTIMAL needs a lower bound. (1)", "hand", lower_bound=None),
    of("optimal-without-labels: OPTIMAL needs labels. (1)", "hand", labels=None),
    of("optimal-without-objective: OPTIMAL needs an objective. (1)", "hand", objective=None),
    of("feasible-without-labels: FEASIBLE needs labels. (1)", "no-bound", labels=None),
    of("feasible-without-objective: FEASIBLE needs an objective. (1)", "no-bound", objective=None),
    of("infeasible: A partition is left, and costs 4. (3)", "hand", status="INFEASIBLE"),
    of(
        "infeasible-open: Where nothing is proved, there may be a partition. (3)",
        "unknown-nothing",
        status="INFEASIBLE",
    ),
    of(
        "feasible-of-infeasible: Labels that break a must-link, where there is no partition. (7)",
        "contradiction",
        status="FEASIBLE",
        labels=integers([0, 1, 1]),
        objective=0.5,
    ),
    of(
        "optimal-below-zero: With a cost below 0 the gap is infinite, as less is proved. (14)",
        "gram-negative",
        status="OPTIMAL",
    ),
    refused(
        "gap-narrower: The gap is 0.5, where 0.4 is asked for. (3)",
        "gap-is-wide",
        "claim",
        changed("instance", options='{"gap": 0.4}'),
    ),
    refused(
        "gap-none-left: The gap is 8e-7, where 0 is asked for. (3)",
        "bound-stars",
        "claim",
        changed("instance", options='{"gap": 0}'),
    ),
]
