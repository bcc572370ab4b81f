"""MCSSGC as Dang, Vu, Do and Le (2021) print it: must-links make neighbours, and labels travel over them.

Sets, lists and dictionaries on a handful of points: nothing of the package but the problem that is drawn takes part.
"""

from collections import Counter

from tests.clusterers.graph.oracle import Problem

Edges = dict[frozenset[int], int]


def lists_of_neighbours(problem: Problem, count: int) -> list[set[int]]:
    """Return the nearest points of each point, ties by index, and those that must-links add (section 3.2)."""
    lists = []
    for i, point in enumerate(problem.points):
        order = sorted((float(((point - other) ** 2).sum()), j) for j, other in enumerate(problem.points) if j != i)
        lists.append({j for _, j in order[:count]})
    for i, j in problem.must_link:
        lists[i].add(j)
        lists[j].add(i)
    return lists


def weighed_edges(problem: Problem, count: int) -> Edges:
    """Return the edges with their weights, equation (1); the two points of a cannot-link get none (line 1)."""
    lists = lists_of_neighbours(problem, count)
    apart = {frozenset(pair) for pair in problem.cannot_link}
    return {
        frozenset((i, j)): len(lists[i] & lists[j])
        for i in range(len(lists))
        for j in lists[i]
        if i in lists[j] and frozenset((i, j)) not in apart
    }


def reached(n: int, edges: Edges) -> list[frozenset[int]]:
    """Return the connected components, by their first point."""
    left, found = set(range(n)), []
    while left:
        component, fringe = set(), {min(left)}
        while fringe:
            component |= fringe
            fringe = {j for edge in edges if edge & fringe for j in edge} - component
        found.append(frozenset(component))
        left -= component
    return found


def mcssgc_as_published(
    problem: Problem, count: int, split: str, leftovers: str
) -> tuple[list[int], list[int], int, int]:
    """Return labels, labels of principal clusters, the threshold, and the number of broken pairs: Algorithm 1."""
    n = len(problem.points)
    edges = weighed_edges(problem, count)
    whole = dict(edges)
    seeds = {point: int(label) for point, label in enumerate(problem.seeds) if label >= 0}
    theta = 0
    while any(len({seeds[p] for p in part if p in seeds}) > 1 for part in reached(n, edges)):  # lines 2 to 6
        edges = {edge: weight for edge, weight in edges.items() if weight > theta}
        theta += 1
    edges = cut_where_cannot_links_are(problem, edges, theta, split)
    parts = reached(n, edges)
    labels = {part: next((seeds[p] for p in sorted(part) if p in seeds), -1) for part in parts}
    if not seeds:
        large = [part for part in parts if len(part) > 1] or parts
        labels = {part: large.index(part) if part in large else -1 for part in parts}
    join(problem, labels, Counter(map(frozenset, problem.must_link)))  # line 15
    principal = dict(labels)
    join(problem, labels, whole)  # line 16
    if leftovers == "nearest":
        join_nearest(problem, labels)
    of = [next(labels[part] for part in parts if p in part) for p in range(n)]
    broken = sum(of[i] != of[j] for i, j in set(map(tuple, map(sorted, problem.must_link))))
    broken += sum(of[i] == of[j] != -1 for i, j in set(map(tuple, map(sorted, problem.cannot_link))))
    return of, [next(principal[part] for part in parts if p in part) for p in range(n)], theta, broken


def cut_where_cannot_links_are(problem: Problem, edges: Edges, theta: int, split: str) -> Edges:
    """Delete edges of rising weight in components that hold a cannot-link, until none does (lines 7 to 14)."""
    n = len(problem.points)

    def holds_one(part: frozenset[int]) -> bool:
        return any(i in part and j in part for i, j in problem.cannot_link)

    for component in reached(n, edges):
        alpha, inside = theta, {edge: weight for edge, weight in edges.items() if edge <= component}
        while any(holds_one(part) and part <= component for part in reached(n, inside)):
            guilty = component
            if split == "offending":
                guilty = frozenset().union(*(part for part in reached(n, inside) if holds_one(part)))
            inside = {edge: weight for edge, weight in inside.items() if weight != alpha or not edge <= guilty}
            alpha += 1
        edges = {edge: weight for edge, weight in edges.items() if not edge <= component or edge in inside}
    return edges


def may_join(problem: Problem, labels: dict[frozenset[int], int], part: frozenset[int], label: int) -> bool:
    """Tell whether no cannot-link leads from a part into the cluster of a label."""
    cluster = {p for other, own in labels.items() if own == label for p in other}
    return not any((i in part and j in cluster) or (j in part and i in cluster) for i, j in problem.cannot_link)


def join(problem: Problem, labels: dict[frozenset[int], int], weights: dict[frozenset[int], int]) -> None:
    """Let the part with the heaviest links to a cluster which it may join do so, again and again."""
    parts = list(labels)
    while True:
        sums: Counter[tuple[int, int]] = Counter()
        for edge, weight in weights.items():
            i, j = tuple(edge)
            for here, there in ((i, j), (j, i)):
                number = next(at for at, part in enumerate(parts) if here in part)
                label = next(labels[part] for part in parts if there in part)
                if labels[parts[number]] == -1 != label:
                    sums[number, label] += weight
        choices = [
            (-total, number, label)
            for (number, label), total in sums.items()
            if total > 0 and may_join(problem, labels, parts[number], label)
        ]
        if not choices:
            return
        _, number, label = min(choices)
        labels[parts[number]] = label


def join_nearest(problem: Problem, labels: dict[frozenset[int], int]) -> None:
    """Let what is left join the nearest cluster which it may join, the nearest part first, or open a new one."""
    squares = ((problem.points[:, None] - problem.points) ** 2).sum(axis=2)
    labelled = [(p, label) for part, label in labels.items() if label != -1 for p in part]
    left = [part for part, label in labels.items() if label == -1]
    opened: list[int] = []
    firsts = [(min((squares[p, q], p, q, label) for p in part for q, label in labelled), part) for part in left]
    for (*_, nearest), part in sorted(firsts, key=lambda first: first[0][:2]):
        distances = {
            label: min(squares[p, q] for p in part for q, own in labelled if own == label) for _, label in labelled
        }
        order = [nearest, *sorted(distances, key=lambda label: (distances[label], label)), *opened]
        choice = next((label for label in order if may_join(problem, labels, part, label)), None)
        if choice is None:
            choice = max(label for label in labels.values()) + 1
            opened.append(choice)
        labels[part] = choice
