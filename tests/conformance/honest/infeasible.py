"""Evidence `infeasible`, by each reason."""

from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import Certificate, Claim, certificate, evidence
from tests.conformance.encoding import Cut, multipliers

NONE = Claim("INFEASIBLE")
TRIANGLE = {"points": [0, 1, 2], "k": 2, "cannot_link": [(0, 1), (1, 2), (2, 0)]}
WHEEL: dict[str, Any] = {
    "points": [0, 1, 2, 3, 4, 5],
    "k": 3,
    "cannot_link": [*((0, i) for i in range(1, 6)), (1, 2), (2, 3), (3, 4), (4, 5), (5, 1)],
}


def searched(order: Sequence[int], apart: Sequence[tuple[int, int]], k: int) -> list[int]:
    """The points that an exhaustive search takes, always the first one of ``order`` that has no colour."""
    around: dict[int, set[int]] = {point: set() for point in order}
    for i, j in apart:
        around[i].add(j)
        around[j].add(i)
    taken: list[int] = []

    def colour(colours: dict[int, int]) -> None:
        point = next(own for own in order if own not in colours)
        taken.append(point)
        for own in range(min(len({*colours.values()}) + 1, k)):
            if all(colours.get(other) != own for other in around[point]):
                colour(colours | {point: own})

    colour({})
    return taken


def refuted(label: str, instance: dict[str, Any], search: Sequence[int] = ()) -> Certificate:
    own = evidence(0, "infeasible", search=search)
    return certificate(label, "infeasible", instance, NONE, [own])


def limited(label: str, limits: dict[str, Any], k: int = 2, **given: Any) -> Certificate:
    own = {"points": [0, 1, 2, 3], "k": k, "conditions": {"limits": limits}} | given
    return refuted(label, own)


def linked(*pairs: tuple[int, int]) -> dict[str, Any]:
    return {"must_link": pairs}


CERTIFICATES = [
    refuted(
        "contradiction: Together and apart. (4)",
        {"points": [0, 1, 2], "k": 2, "must_link": [(0, 1), (1, 2)], "cannot_link": [(2, 0)]},
    ),
    refuted(
        "contradiction-itself: A cannot-link of a point with itself. (4)",
        {"points": [0, 1, 2], "k": 2, "cannot_link": [(1, 1)]},
    ),
    refuted(
        "too-few-points: Fewer super-points than clusters. (4)",
        {"points": [0, 1, 2], "k": 2, "must_link": [(0, 1), (1, 2)]},
    ),
    refuted("odd-cycle: A triangle for two clusters. (4)", TRIANGLE, [0, 1, 2]),
    refuted(
        "odd-cycle-of-five: A cycle of five points, in order. (4)",
        {"points": [0, 1, 2, 3, 4], "k": 2, "cannot_link": [(0, 2), (2, 4), (4, 1), (1, 3), (3, 0)]},
        [0, 2, 4, 1, 3],
    ),
    refuted(
        "clique: Four points that are pairwise apart, for three clusters. (4)",
        {"points": [0, 1, 2, 3, 4], "k": 3, "cannot_link": [(4, 1), (4, 2), (4, 3), (1, 2), (1, 3), (2, 3)]},
        [3, 1, 4, 2],
    ),
    refuted(
        "clique-of-super-points: The same with a super-point, named by either of its points. (4)",
        {
            "points": [0, 1, 2, 3, 4],
            "k": 3,
            "must_link": [(0, 4)],
            "cannot_link": [(4, 1), (0, 2), (4, 3), (1, 2), (1, 3), (2, 3)],
        },
        [0, 1, 2, 3],
    ),
    refuted(
        "one-cluster-apart: k = 1 and a cannot-link. (4)",
        {"points": [0, 1, 2], "k": 1, "cannot_link": [(0, 2)]},
        [0, 2],
    ),
    refuted(
        "colouring: A wheel with five spokes for three clusters: the search goes back. (4)",
        WHEEL,
        searched([1, 2, 3, 4, 5, 0], WHEEL["cannot_link"], 3),
    ),
    limited(
        "limits-too-many: A super-point of three points, where two are the most. (13)",
        {"size_max": 2},
        **linked((0, 1), (1, 2)),
    ),
    limited(
        "limits-too-many-left: A super-point of three points: the other cluster needs two of four. (13)",
        {"size_min": 2},
        **linked((0, 1), (1, 2)),
    ),
    limited(
        "limits-too-heavy: A point that weighs more than a cluster may. (13)",
        {"weight_max": 2.5},
        weights=[1, 1, 3, 0.5],
    ),
    limited(
        "limits-too-many-of-a-group: A super-point has two of a group, of which a cluster may have one. (13)",
        {"groups": ["a", "a", "b", "b"], "group_max": [["a", 1]]},
        **linked((0, 1)),
    ),
    limited(
        "limits-too-few: Point 0 reaches two points, where clusters need three. (13)",
        {"size_min": 3, "size_max": 5},
        points=[0, 1, 2, 3, 4, 5],
        cannot_link=[(0, 1), (0, 2), (0, 3), (0, 4)],
    ),
    limited(
        "limits-too-few-of-a-group: Point 0 reaches none of group b. (13)",
        {"groups": ["a", "a", "b", "b"], "group_min": [["b", 1]]},
        cannot_link=[(0, 2), (0, 3)],
    ),
    limited(
        "limits-load-too-much: A point brings more than a cluster may hold. (13)",
        {"loads": [[1], [1], [3], [0.5]], "load_max": [2.75]},
    ),
    limited(
        "limits-load-too-little: Point 0 reaches 1.5 of the second load, where clusters need 2. (13)",
        {"loads": [[1, 1], [1, 0.5], [1, 2], [1, 2]], "load_min": [None, 2], "load_max": [4, None]},
        cannot_link=[(0, 2), (0, 3)],
    ),
    limited(
        "limits-too-light: Point 0 reaches a weight of 1.5, where clusters need 2. (13)",
        {"weight_min": 2},
        weights=[1, 0.5, 2, 2],
        cannot_link=[(0, 2), (0, 3)],
    ),
    limited(
        "limits-too-light-elsewhere: Point 0 reaches all but what two other clusters need at least. (13)",
        {"weight_min": 2},
        k=3,
        weights=[1, 1, 1, 3],
    ),
    limited(
        "limits-too-light-together: Of 1 and 2, which are what points 3 and 4 leave to 0, one lies elsewhere. (13)",
        {"weight_min": 1},
        k=4,
        points=[0, 1, 2, 3, 4],
        weights=[0.125, 0.75, 0.75, 4.25, 4.25],
        cannot_link=[(0, 3), (0, 4)],
    ),
    limited(
        "limits-single: The one partition that is left has three points and one; two each are asked for. (13)",
        {"sizes": [2, 2]},
        **linked((0, 1), (1, 2)),
    ),
    limited(
        "limits-single-sizes: The one partition that is left has two and two, where sizes are three and one. (13)",
        {"sizes": [3, 1]},
        **linked((0, 1), (2, 3)),
    ),
    limited("limits-one-cluster: k = 1, and all points are more than one cluster may hold. (13)", {"size_max": 3}, k=1),
    certificate(
        "limits-dear: A bound above the cost of all points in one cluster counts as infinity. (13)",
        "infeasible",
        TRIANGLE | {"conditions": {"limits": {"size_max": 2}}},
        NONE,
        [
            evidence(
                0, "bound", 999.0, multipliers=multipliers(3, [0, -500, -500, 0, -500, 0], [Cut(-1, [0, 1, 2], 1000)])
            )
        ],
    ),
]
