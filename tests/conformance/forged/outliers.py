"""Points that are left out: what is none, and what is not proved where points may be (section 15)."""

import json
from typing import Any

from tests.conformance.certificate import evidence
from tests.conformance.encoding import doubles, integers, pairs
from tests.conformance.forgery import Forgery, changed, exchanged, refused, stated


def said(label: str, conditions: dict[str, Any], base: str = "outliers") -> Forgery:
    text = json.dumps(conditions)
    return refused(f"outliers-{label}", base, "conditions", changed("instance", conditions=text))


def may(label: str, z: object, base: str = "outliers") -> Forgery:
    return said(label, {"limits": {"outliers": z}}, base)


def labels(label: str, base: str, own: list[int], objective: float) -> Forgery:
    return refused(f"outliers-{label}", base, "labels", changed("claim", labels=integers(own), objective=objective))


CHAIN, NONE = pairs([(0, 1), (1, 2), (2, 3), (3, 4)]), pairs([])


def fewer(label: str, **links: bytes) -> Forgery:
    claim = changed("claim", status="UNKNOWN", lower_bound=0.0)
    few = changed("instance", n_clusters=4, **links)
    return refused(f"outliers-{label}", "outliers-few", "single", few, claim, stated(0, "single", bound=0.0))


FORGERIES = [
    refused("outliers-claimed: 1/2 is proved. (15)", "outliers", "prices", stated(0, "prices", bound=0.51)),
    refused("outliers-claimed-pair: 2 is proved. (15)", "outliers-pair", "prices", stated(0, "prices", bound=2.01)),
    refused("outliers-claimed-alone: 5/2 is left. (15)", "outliers-alone", "single", stated(0, "single", bound=2.51)),
    refused("outliers-claimed-few: 8 is left. (15)", "outliers-few", "single", stated(0, "single", bound=8.01)),
    refused(
        "outliers-claimed-together: 1/2 lies inside, and nothing is earned. (15)",
        "outliers-branching",
        "prices",
        stated(1, "prices", bound=0.51),
    ),
    refused(
        "outliers-claimed-apart: Without the knot 1/2 is proved. (15)",
        "outliers-branching",
        "prices",
        stated(2, "prices", knots=[]),
    ),
    refused(
        "outliers-may-share: No cannot-link keeps super-points from sharing a cluster. (15)",
        "outliers-alone",
        "single",
        changed("instance", cannot_link=pairs([(0, 2), (2, 4)])),
    ),
    fewer("fewer: There are fewer super-points than clusters. (15)"),
    fewer("far-fewer: There are fewer super-points than clusters, by two. (15)", must_link=CHAIN, cannot_link=NONE),
    refused(
        "outliers-one-cluster: k = 1 leaves more than one partition. (15)",
        "outliers",
        "single",
        exchanged(0, "prices", evidence(0, "single", 0.0)),
    ),
    refused(
        "outliers-line: Intervals do not know of points that are left out. (15)",
        "outliers",
        "line",
        exchanged(0, "prices", evidence(0, "line", 0.0, penalty=0.0)),
    ),
    refused(
        "outliers-equal: Nothing is joined where points may be left out. (15)",
        "outliers",
        "equal",
        exchanged(0, "prices", evidence(0, "equal", 0.0, decisions=[])),
    ),
    may("two: With two left out the prices prove 0. (15)", 2),
    may("two-infeasible: Two of three may be left out. (15)", 2, "outliers-infeasible"),
    may("three: Nothing would be left for the cluster. (15)", 3),
    may("negative: A number below 0. (15)", -1),
    may("half: No whole number. (15)", 1.5),
    may("real: A whole number that is written as another one. (15)", 1.0),
    may("text: A number in quotes. (15)", "1"),
    may("true: No number. (15)", True),
    said("beside-limit: A limit of clusters stands beside. (15)", {"limits": {"outliers": 1, "size_max": 3}}),
    said("beside-soft: A soft pair stands beside. (15)", {"limits": {"outliers": 1}, "soft": [[0, 1, 1.0, 0.0]]}),
    said("nowhere: Nothing is said of outliers, and -1 is a cluster like others. (15)", {}),
    refused(
        "outliers-gram: Inner products stand beside. (15)",
        "outliers",
        "conditions",
        changed("instance", gram=doubles([[0.0, 0.0, 0.0], [0.0, 1.0, 10.0], [0.0, 10.0, 100.0]])),
    ),
    labels("too-many: Two points are left out. (15)", "outliers", [-1, 4, -1], 0.0),
    labels("half-a-pair: One point of a must-link is left out. (15)", "outliers-pair", [0, 0, 0, 0, -1], 62.75),
    labels("no-cluster: A cluster is missing. (15)", "outliers-alone", [0, 0, 0, 0, -1, -1], 115.75),
    labels("other: -2 is a cluster like others. (15)", "outliers", [4, 4, -2], 0.5),
]
