"""What clusters weigh at least and at most in a state (docs/certificate.md, sections 5 and 13)."""

from collections.abc import Collection, Iterable, Sequence

from flint import fmpq

from pcsos.verify.effort import OF_A_NUMBER, spend
from pcsos.verify.state import State, largest_clusters

#: What the two children of a branching say of the cluster of a point, and a weight.
WEIGHT_KINDS = ("lighter", "heavier")
Ends = tuple[fmpq, fmpq]


def cluster_weights(
    state: State, weights: Sequence[fmpq], neighbours: Iterable[Collection[int]], k: int, ends: Ends
) -> tuple[list[fmpq], list[fmpq]]:
    """Return L_i and M_i: the cluster of super-point i weighs no less, and no more.

    Super-points are in the order of their smallest points; ``neighbours`` are those that are apart from each, and
    ``ends`` bound the weight of every cluster.
    """
    least, most = [ends[0]] * len(weights), [min(own, ends[1]) for own in largest_clusters(weights, neighbours, k)]
    if not state.bounds:
        return least, most
    names, bounded = state.names(), set[int]()
    position = {name: at for at, name in enumerate(names)}
    for kind, point, weight in state.bounds:
        spend(OF_A_NUMBER)
        at = position[state.name[point]]
        bounded.add(at)
        if kind == "lighter":
            most[at] = min(most[at], weight)
        else:
            least[at] = max(least[at], weight)
    anchors = _anchors(state, names, [*sorted(bounded), *range(len(names))], k)
    if len(anchors) == k:
        _share(state, names, weights, anchors, least, most)
    return least, most


def _anchors(state: State, names: Sequence[int], order: Sequence[int], k: int) -> list[int]:
    """Return super-points, taken in this order, each of which is apart from those before, until there are k."""
    spend(OF_A_NUMBER * k * len(order))
    found: list[int] = []
    for at in order:
        if len(found) < k and all(names[q] in state.around(names[at]) for q in found):
            found.append(at)
    return found


def _share(
    state: State, names: Sequence[int], weights: Sequence[fmpq], anchors: Sequence[int], least: list[fmpq],
    most: list[fmpq],
) -> None:  # fmt: skip
    """Narrow all ranges by those of k anchors: every cluster holds one, and together they weigh as much as all."""
    spend(OF_A_NUMBER * (1 + len(anchors)) * len(names))
    total = sum(weights, fmpq(0))
    lows, highs = {q: max(least[q], weights[q]) for q in anchors}, {q: most[q] for q in anchors}
    left = total - sum(highs.values(), fmpq(0)), total - sum(lows.values(), fmpq(0))
    own = {q: (max(lows[q], left[0] + highs[q]), min(highs[q], left[1] + lows[q])) for q in anchors}
    for at, name in enumerate(names):
        near = [own[q] for q in anchors if names[q] not in state.around(name)]
        if near:
            least[at] = max(least[at], min(low for low, _ in near))
            most[at] = min(most[at], max(high for _, high in near))
