"""What commands by themselves have written, judged by computations outside the package."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from benchmarks.soak.judge import Record
from benchmarks.soak.scene import Scene
from benchmarks.soak.truth import SLACK, Truth, cost

#: The gap to which the rows of a path and of a front are solved by default.
GAP = 1e-4
#: Distances that differ by less, relatively, may be the same one.
SAME_DISTANCE = 1e-8
Distances = NDArray[np.float64]


def judge_claims(scene: Scene, name: str, source: str) -> None:
    """Judge every claim in what the last command has written to the output of this name, if it has."""
    record = scene.record(f"{name}.json")
    if record is not None:
        CLAIMS[name](scene, record, source)


def heuristic(scene: Scene, record: Record, source: str) -> None:
    """Judge a partition of which nothing is claimed but its cost."""
    scene.judge.claim(record, scene.truth, 0.0, source)


def path(scene: Scene, record: Record, source: str) -> None:
    """Judge the row of each number of clusters."""
    for row in record["path"]:
        scene.judge.claim(row, scene.truth.of_clusters(row["n_clusters"]), GAP, source)


def front(scene: Scene, record: Record, source: str) -> None:
    """Judge each corner among the partitions that are tighter, or better separated, than the corner before.

    All of those of a small instance are known; of a larger one, the corners that follow.
    """
    criterion, corners, about = record["criterion"], record["corners"], scene.about
    own = [value_of(criterion, about.points, row["labels"]) for row in corners]
    for value, row in zip(own, corners, strict=True):
        same = math.isclose(value, row[criterion], rel_tol=SLACK)
        scene.judge.check("diameter and split", same, f"{criterion} {row[criterion]}, but it is {value}: {source}")
    truths = [scene.truth, *(_beyond(scene, criterion, before, corners[at:]) for at, before in enumerate(own, 1))]
    for row, truth in zip(corners, truths, strict=False):
        scene.judge.claim(row, truth, 2 * GAP, source)  # a corner stands for others that cost less by less than a gap
    if record["reason"] == "INFEASIBLE" and scene.truth.exact is not None and scene.truth.is_feasible:
        last = truths[-1]
        scene.judge.check("front complete", not last.is_feasible, f"{last.most} can be had beyond it: {source}")


def _beyond(scene: Scene, criterion: str, value: float, known: list[dict[str, Any]]) -> Truth:
    """Return what is known of the partitions whose diameter is less, or whose split is greater, than this value."""
    about, exact = scene.about, scene.truth.exact
    if exact is None:
        return Truth(about, 0.0, min((cost(about, row["labels"]) for row in known), default=math.inf), True)
    values = np.array([value_of(criterion, about.points, labels) for labels in exact.labels])
    limit = value * (1 - SAME_DISTANCE) if criterion == "diameter" else value * (1 + SAME_DISTANCE)
    least = exact.least(values < limit if criterion == "diameter" else values > limit)
    best = math.inf if least is None else float(least)
    return Truth(about, best, best, least is not None)


def value_of(criterion: str, points: Distances, labels: Any) -> float:
    """Return the greatest distance within a cluster, or the least one between clusters.

    Examples
    --------
    >>> points = np.array([[0.0], [1.0], [5.0], [7.0]])
    >>> value_of("diameter", points, [0, 0, 1, 1]), value_of("split", points, [0, 0, 1, 1])
    (2.0, 4.0)
    """
    own = np.asarray(labels)
    together, distances = own[:, None] == own, cdist(points, points)
    if criterion == "diameter":
        return float(distances[together].max())
    return float(distances[~together].min(initial=math.inf))


def clusters(scene: Scene, record: Record, source: str) -> None:
    """Judge what labels cost that may break pairs and leave points out, and which pairs they break."""
    labels, about = np.array(record["labels"]), scene.about
    real = cost(about, labels)
    same = math.isclose(record["objective"], real, rel_tol=SLACK, abs_tol=SLACK)
    scene.judge.check("objective", same, f"objective {record['objective']!r}, but the labels cost {real!r}: {source}")
    _judge_broken(scene, record, labels, source)


def compare(scene: Scene, record: Record, source: str) -> None:
    """Judge what the classes cost from which the instance was drawn, and which pairs they break."""
    found = record["clusterings"][0]
    real = cost(scene.about, scene.about.classes)
    same = math.isclose(found["objective"], real, rel_tol=SLACK, abs_tol=SLACK)
    scene.judge.check("objective", same, f"objective {found['objective']!r} instead of {real!r}: {source}")
    _judge_broken(scene, found, scene.about.classes, source)


def _judge_broken(scene: Scene, record: Record, labels: NDArray[np.intp], source: str) -> None:
    """Judge which pairs are said to be broken; between points that are left out there is no broken cannot-link."""
    about = scene.about
    apart = {frozenset(pair) for pair in about.must_link if labels[pair[0]] != labels[pair[1]]}
    together = {frozenset(pair) for pair in about.cannot_link if labels[pair[0]] == labels[pair[1]] >= 0}
    for name, real in (("violated_must_link", apart), ("violated_cannot_link", together)):
        same = {frozenset(pair) for pair in record[name]} == real
        scene.judge.check("broken pairs", same, f"{name} {record[name]} instead of {[*map(sorted, real)]}: {source}")


def info(scene: Scene, record: Record, source: str) -> None:
    """Judge sizes, whether there is a partition, and the cost that no partition avoids."""
    about = scene.about
    sizes = {"n_points": about.n, "n_clusters": about.n_clusters, "feasible": scene.truth.is_feasible}
    said = {name: record[name] for name in sizes}
    scene.judge.check("description", said == sizes, f"{said} instead of {sizes}: {source}")
    if scene.truth.is_feasible and record["feasible"]:
        scene.judge.bound(record["cost_inside_super_points"], scene.truth, source)


def certain(scene: Scene, record: Record, source: str) -> None:
    """Judge the certain pairs of a small instance, where all partitions are known."""
    exact, found = scene.truth.exact, record.get("certain")
    if found is None or exact is None or not exact.feasible:
        return
    factor, costs = 1 + found["epsilon"], np.array([cost(scene.about, labels) for labels in exact.labels])
    near = costs <= max(factor * (1 - SLACK), 1.0) * costs.min()  # more partitions would leave fewer pairs certain
    wide = costs <= factor * record["objective"] * (1 + SLACK)
    groups, share = np.array(found["groups"]), _share(exact.labels[near])
    joined = (share == 1.0)[groups[:, None] == groups].all()
    scene.judge.check("certain pairs", bool(joined), f"groups {found['groups']} are not together: {source}")
    most = _pairs((share == 0.0) | (share == 1.0)), _pairs((_share(exact.labels[wide]) % 1.0) > 0.0)
    said = found["n_certain_pairs"], found["n_uncertain_pairs"]
    right = said[0] <= most[0] and said[1] <= most[1]
    scene.judge.check("certain pairs", right, f"{said} certain and uncertain of {most}: {source}")


def _share(labels: NDArray[np.intp]) -> Distances:
    """Return in which share of the partitions each pair of points is together."""
    return (labels[:, :, None] == labels[:, None, :]).mean(axis=0)


def _pairs(matrix: NDArray[np.bool_]) -> int:
    return int(np.triu(matrix, 1).sum())


CLAIMS: dict[str, Callable[[Scene, Record, str], None]] = {
    "heuristic": heuristic,
    "path": path,
    "front": front,
    "soft": clusters,
    "graph": clusters,
    "compare": compare,
    "info": info,
    "certain": certain,
}
