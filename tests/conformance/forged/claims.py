"""Partition and claim (sections 1, 3 and 7)."""

from typing import Any

from tests.conformance.encoding import integers
from tests.conformance.forgery import Forgery, changed, refused


def of(name: str, why: str, base: str = "hand", section: str = "3", **columns: Any) -> Forgery:
    return refused(f"claim-{name}", base, "claim", why, section, changed("claim", **columns))


def labels(name: str, why: str, *own: int) -> Forgery:
    return refused(f"partition-{name}", "hand", "partition", why, "7", changed("claim", labels=integers(own)))


def objective(name: str, why: str, value: float, base: str = "hand", section: str = "7") -> Forgery:
    return refused(f"objective-{name}", base, "partition", why, section, changed("claim", objective=value))


FORGERIES = [
    labels("breaks-must-link", "The labels break a must-link.", 0, 0, 1, 0, 1),
    labels("breaks-cannot-link", "The labels break a cannot-link.", 0, 1, 0, 0, 0),
    labels("one-cluster", "The labels use one cluster, where k = 2.", 0, 0, 0, 0, 0),
    labels("three-clusters", "The labels use three clusters, where k = 2.", 0, 0, 1, 1, 2),
    objective("low", "The labels cost more, by 10^-9 of it.", 3.999999996),
    objective("high", "The labels cost less, by 10^-9 of it.", 4.000000004),
    objective("beyond-tolerance", "The objective is off by 2^-39 of it.", 4.000000000007276),
    objective("not-zero", "The cost is 0, and so must be the objective.", 1e-300, "single-each-point"),
    objective("without-penalties", "The labels pay 1.5 for soft pairs.", 1.0, "soft-single", "13"),
    objective("of-points", "The cost is that of the matrix, not that of the points.", 0.0, "gram-negative", "14"),
    of("above", "The optimum is 4.", lower_bound=4.000000004),
    of("above-open", "Only 2 is proved of what is open.", "open", lower_bound=2.001),
    of(
        "above-open-child",
        "Children without evidence count with what is proved above them: 2.",
        "open-children",
        lower_bound=2.001,
    ),
    of(
        "above-open-child-of-two",
        "A child without evidence counts with what is proved above it: 2.",
        "open-child",
        lower_bound=2.001,
    ),
    of("above-nothing", "Without evidence nothing is proved but 0.", "no-evidence", lower_bound=0.001),
    of("above-of-unknown", "Only 2 is proved.", "unknown", lower_bound=2.001),
    of("above-stated-prices", "Prices prove just what they state.", "prices", lower_bound=1.499995),
    of("above-fixed", "What a fixed pair sets aside costs 2 at least, no more is proved.", "fixed", lower_bound=2.001),
    of("above-far", "What a far pair sets aside is a part of the whole.", "far-inherited", lower_bound=13.9999999),
    of(
        "above-soft",
        "What a soft pair sets aside costs 6.5 at least, and the leaf 5.5.",
        "soft-paid",
        lower_bound=5.501,
    ),
    of("above-cover", "The parts prove 1 together.", "cover", "10", lower_bound=1.001),
    of(
        "above-gram",
        "Costs of the matrix may be lower by 3 than those of the points.",
        "gram-half",
        "14",
        lower_bound=-1.2,
    ),
    of("optimal-open", "The gap is 0.5, where 10^-4 is asked for.", "open", status="OPTIMAL"),
    of("optimal-without-bound", "OPTIMAL needs a lower bound.", "hand", "1", lower_bound=None),
    of("optimal-without-labels", "OPTIMAL needs labels.", "hand", "1", labels=None),
    of("optimal-without-objective", "OPTIMAL needs an objective.", "hand", "1", objective=None),
    of("feasible-without-labels", "FEASIBLE needs labels.", "no-bound", "1", labels=None),
    of("feasible-without-objective", "FEASIBLE needs an objective.", "no-bound", "1", objective=None),
    of("infeasible", "A partition is left, and costs 4.", "hand", "3", status="INFEASIBLE"),
    of(
        "infeasible-open",
        "Where nothing is proved, there may be a partition.",
        "unknown-nothing",
        "3",
        status="INFEASIBLE",
    ),
    of(
        "feasible-of-infeasible",
        "Labels that break a must-link, where there is no partition.",
        "contradiction",
        "7",
        status="FEASIBLE",
        labels=integers([0, 1, 1]),
        objective=0.5,
    ),
    of(
        "optimal-below-zero",
        "With a cost below 0 the gap is infinite, as less is proved.",
        "gram-negative",
        "14",
        status="OPTIMAL",
    ),
    refused(
        "gap-narrower",
        "gap-is-wide",
        "claim",
        "The gap is 0.5, where 0.4 is asked for.",
        "3",
        changed("instance", options='{"gap": 0.4}'),
    ),
    refused(
        "gap-none-left",
        "bound-stars",
        "claim",
        "The gap is 8e-7, where 0 is asked for.",
        "3",
        changed("instance", options='{"gap": 0}'),
    ),
]
