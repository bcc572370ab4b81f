"""The methods as they are told, loop by loop, on a handful of points: slow."""

from dataclasses import dataclass
from itertools import combinations

import networkx as nx
import numpy as np

from pcsos.base.exceptions import InfeasibleError
from pcsos.problem.generate import constraints_from_labels

Pairs = list[tuple[int, int]]


@dataclass(frozen=True)
class Problem:
    """Points with seeds (-1 for none) and pairs."""

    points: np.ndarray
    seeds: np.ndarray
    must_link: Pairs
    cannot_link: Pairs

    @property
    def pairs(self) -> dict[str, Pairs]:
        """What the estimators are given beside points and seeds."""
        return {"must_link": self.must_link, "cannot_link": self.cannot_link}


def draw_problem(number: int) -> Problem:
    """Draw a problem: on a grid with many ties or not, with few or many seeds, pairs from hidden classes."""
    rng = np.random.default_rng(number)
    n, d = int(rng.integers(4, 15)), int(rng.integers(1, 4))
    is_grid = rng.random() < 0.5
    points = rng.integers(0, 5, (n, d)).astype(float) if is_grid else rng.normal(size=(n, d))
    hidden = rng.integers(0, rng.integers(1, 5), n)
    seeds = np.where(rng.random(n) < rng.choice([0.0, 0.2, 0.5]), 3 * hidden + 1, -1)
    same = int((hidden[:, None] == hidden).sum() - n) // 2
    must_link, cannot_link = constraints_from_labels(
        hidden,
        n_must_link=min(same, int(rng.integers(0, 4))),
        n_cannot_link=min(n * (n - 1) // 2 - same, int(rng.choice([0, 2, 5, 12]))),
        seed=rng,
    )
    as_pairs = [[tuple(pair) for pair in pairs.tolist()] for pairs in (must_link, cannot_link)]
    return Problem(points, seeds, *as_pairs)


def neighbours(points: np.ndarray, count: int) -> list[set[int]]:
    """Return the nearest other points of each point, ties by index."""
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    orders = [sorted((square, j) for j, square in enumerate(row) if j != i) for i, row in enumerate(squares)]
    return [{j for _, j in order[:count]} for order in orders]


def shared_neighbour_graph(points: np.ndarray, count: int) -> nx.Graph:
    """Return mutual neighbours, weighed by those that they share."""
    of = neighbours(points, count)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(points)))
    for i, j in combinations(range(len(points)), 2):
        if i in of[j] and j in of[i]:
            graph.add_edge(i, j, weight=len(of[i] & of[j]))
    return graph


def groups_of(problem: Problem) -> list[set[int]]:
    """Return the points that must-links connect, by their first point."""
    links = nx.Graph(problem.must_link)
    links.add_nodes_from(range(len(problem.points)))
    return sorted(map(set, nx.connected_components(links)), key=min)


@dataclass
class State:
    """A graph of points that is cut, labels that are known, and pairs of groups that cannot share a label."""

    graph: nx.Graph
    known: dict[int, int]
    apart: Pairs

    def parts(self) -> list[set[int]]:
        """Return the connected components, by their first point."""
        return sorted(map(set, nx.connected_components(self.graph)), key=min)

    def label(self, part: set[int]) -> int:
        """Return the label of the first seed in a part, -1 without any."""
        return next((self.known[point] for point in sorted(part) if point in self.known), -1)

    def offends(self, part: set[int]) -> bool:
        """Tell whether a cannot-link has both ends in the parts of this label, and one of them in this part."""
        cluster = set(part)
        for other in self.parts():
            if self.label(part) != -1 and self.label(other) == self.label(part):
                cluster |= other
        return any(i in cluster and j in cluster and (i in part or j in part) for i, j in self.apart)

    def cut(self, points: set[int], weight: int) -> None:
        """Delete the edges of this weight among some points."""
        self.graph.remove_edges_from(
            [
                (i, j)
                for i, j, found in self.graph.subgraph(points).edges(data="weight")
                if found is not None and found <= weight
            ]
        )


def mcssgc(problem: Problem, count: int, split: str, leftovers: str) -> tuple[list[int], list[int], int]:
    """Return labels, labels of principal clusters, and the threshold: Algorithm 1 line by line."""
    whole = shared_neighbour_graph(problem.points, count)
    groups = groups_of(problem)
    place = {point: number for number, group in enumerate(groups) for point in group}
    apart = [(i, j) for a, b in problem.cannot_link for i in groups[place[a]] for j in groups[place[b]]]
    if any(i == j for i, j in apart):
        raise InfeasibleError("", {})
    whole.remove_edges_from([pair for pair in apart if whole.has_edge(*pair)])  # line 1
    whole.add_edges_from((min(group), point, {"weight": None}) for group in groups for point in group - {min(group)})
    known = {i: int(problem.seeds[p]) for p in np.flatnonzero(problem.seeds >= 0) for i in groups[place[p]]}
    for i, j in apart:
        if i in known and known.get(i) == known.get(j):
            raise InfeasibleError("", {})
    state = State(whole.copy(), known, apart)
    threshold = 0  # lines 2 to 6
    while any(len({known[point] for point in part if point in known}) > 1 for part in state.parts()):
        state.cut(set(whole), threshold)
        threshold += 1
    components = state.parts()
    weight = threshold  # lines 7 to 14
    while any(map(state.offends, state.parts())):
        guilty = [part for part in state.parts() if state.offends(part)]
        if split == "literal":
            guilty = [component for component in components if any(part <= component for part in guilty)]
        for part in guilty:
            state.cut(part, weight)
        weight += 1
    return (*labels_of(problem.points, state, whole, leftovers), threshold)


def labels_of(points: np.ndarray, state: State, whole: nx.Graph, leftovers: str) -> tuple[list[int], list[int]]:
    """Return labels of the points, and those of principal clusters (lines 15 and 16)."""
    parts = state.parts()
    labels = [state.label(part) for part in parts]
    if max(labels) < 0:
        is_cluster = [len(part) > 1 for part in parts] if any(len(part) > 1 for part in parts) else [True] * len(parts)
        labels = [sum(is_cluster[:number]) if is_cluster[number] else -1 for number in range(len(parts))]
    principal = labels.copy()

    def admits(number: int, label: int) -> bool:
        members = {p for other, part in enumerate(parts) if labels[other] == label for p in part}
        return not any((i in parts[number]) + (j in parts[number]) == 1 and members & {i, j} for i, j in state.apart)

    def shared(number: int, label: int) -> int:
        members = {p for other, part in enumerate(parts) if labels[other] == label for p in part}
        edges = nx.edge_boundary(whole, parts[number], members, data="weight")
        return sum(weight for _, _, weight in edges)

    while True:
        choices = [
            (-shared(number, label), number, label)
            for number in range(len(parts))
            if labels[number] < 0
            for label in sorted(set(labels) - {-1})
            if admits(number, label)
        ]
        if not choices or min(choices)[0] == 0:
            break
        _, number, label = min(choices)
        labels[number] = label
    if leftovers == "nearest":
        place_nearest(points, parts, labels, admits)
    of = {point: number for number, part in enumerate(parts) for point in part}
    return tuple([found[of[point]] for point in range(len(points))] for found in (labels, principal))


def place_nearest(points: np.ndarray, parts: list[set[int]], labels: list[int], admits: object) -> None:
    """Give each part that is left the label of the nearest point that had one before, or a new one."""
    first = [(p, label) for part, label in zip(parts, labels, strict=True) if label >= 0 for p in part]
    old = sorted({label for _, label in first})

    def distances(number: int) -> list[tuple[float, int]]:
        return [
            (
                min(
                    float(((points[p] - points[q]) ** 2).sum()) for p in parts[number] for q, of in first if of == label
                ),
                label,
            )
            for label in old
        ]

    def nearest(number: int) -> tuple[float, int, int, int]:
        return min(
            (float(((points[p] - points[q]) ** 2).sum()), p, q, label) for p in parts[number] for q, label in first
        )

    opened: list[int] = []
    left = sorted((number for number, label in enumerate(labels) if label < 0), key=lambda number: nearest(number)[:2])
    for number in left:
        order = [nearest(number)[3], *(label for _, label in sorted(distances(number))), *opened]
        choice = next((label for label in order if admits(number, label)), None)  # type: ignore[operator]
        if choice is None:
            choice = max([*labels, *old]) + 1
            opened.append(choice)
        labels[number] = choice


def reachability(problem: Problem, count: int) -> np.ndarray:
    """Return the squared lengths of all edges, -1 between points that must-links connect."""
    squares = ((problem.points[:, None] - problem.points) ** 2).sum(axis=2)
    core = np.sort(squares, axis=1)[:, count]  # the point itself comes first
    lengths = np.maximum(squares, np.maximum(core[:, None], core))
    for group in groups_of(problem):
        lengths[np.ix_(sorted(group), sorted(group))] = -1.0
    return lengths


def mcssdbs(problem: Problem, count: int) -> list[int]:
    """Return labels of principal clusters: Prim's algorithm on the complete graph from each seed."""
    lengths = reachability(problem, count)
    groups = groups_of(problem)
    place = {point: number for number, group in enumerate(groups) for point in group}
    apart = {frozenset((place[i], place[j])) for i, j in problem.cannot_link}
    known = {i: int(problem.seeds[p]) for p in np.flatnonzero(problem.seeds >= 0) for i in groups[place[p]]}
    labels = dict(known)
    for seed in sorted(known):
        tree, edges = [seed], []
        while len(tree) < len(lengths) and known.get(tree[-1], known[seed]) == known[seed]:
            outside = [j for j in range(len(lengths)) if j not in tree]
            keys = [(lengths[i, j], min(i, j), max(i, j), j) for i in tree for j in outside]
            length, i, j, entering = min(keys)
            tree.append(entering)
            edges.append((length, i, j))
        met_rival = known.get(tree[-1], known[seed]) != known[seed]
        cuts = [number for number, (_, i, j) in enumerate(edges) if frozenset((place[i], place[j])) in apart]
        if not cuts and met_rival:
            longest = max(length for length, _, _ in edges)
            cuts = [number for number, (length, _, _) in enumerate(edges) if length == longest]
        for point in tree[: cuts[0] + 1] if cuts else tree:
            labels.setdefault(point, known[seed])
    return [labels.get(point, -1) for point in range(len(lengths))]
