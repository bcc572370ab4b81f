"""Deletion filter: from a proof of infeasibility to an irreducible set of constraints that cannot hold together.

Constraints are left out one after the other (Chinneck and Dravnieks, 1991); what the others can do without stays
out. A proof names few points, so the constraints among their groups are all that it needs: each new proof makes the set
smaller at once, and what cannot be left out of a set is needed in each smaller one, too.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from pcsos.base.control.signals import Signals
from pcsos.base.control.stop import Stop
from pcsos.base.control.subprocess import Channel, try_job
from pcsos.base.exceptions import InfeasibleError, RunFileError
from pcsos.base.typing import Indices
from pcsos.evidence.result import Result
from pcsos.evidence.status import Conflict, Pair
from pcsos.presolve.implied_pairs import find_labels, infer_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.reduction import reduce_instance, refuse_contradictions

if TYPE_CHECKING:
    import networkx as nx  # slow to load, and needed only where there is a conflict

#: Seconds of computing after which the set is taken as it is, and of waiting, for what runs in processes of their own.
MOST_COMPUTING = 10.0
MOST_WAITING = 60.0

#: A must-link (true) or a cannot-link (false) between two points.
Constraint = tuple[bool, Pair]
Core = frozenset[Constraint]


def with_conflict(error: InfeasibleError, instance: Instance, *, budget: Budget = AMPLE) -> InfeasibleError:
    """Return the error with the conflict that its proof leads to, which ends its message, in names where there are any.

    Parameters
    ----------
    error : InfeasibleError
        A proof that the instance, its must-links contracted, has no partition.
    budget : Budget
        What may be spent; ten seconds of computing at most.
    """
    every = core_of(instance.must_link.tolist(), instance.cannot_link.tolist())
    search = Filter(instance.n_points, instance.n_clusters, replace(budget, stop=_soon(budget.stop)))
    core = search.reduce(_core_of(error, every, instance.n_points, instance.n_clusters))
    conflict = conflict_of(core, is_irreducible=search.is_sure)
    message = f"{_in_names(error, instance, conflict)}; {conflict.in_names(instance.names.word)}"
    return InfeasibleError(message, error.witness, error.step, error.search, conflict)


def _in_names(error: InfeasibleError, instance: Instance, conflict: Conflict) -> str:
    """Return the proof in words, by the names of the points or without any of them."""
    if instance.names.are_indices or not conflict.cannot_link:
        return str(error)
    try:
        refuse_contradictions(instance.constraints, instance.names.word)
    except InfeasibleError as contradiction:
        return str(contradiction)
    return f"{instance.n_clusters} clusters cannot satisfy the constraints"


def refuse_false_conflict(claim: Result, path: str | PathLike[str]) -> None:
    """Raise a :class:`RunFileError` if constraints that a run file calls contradictory can hold together.

    Also if they are said to be irreducible and are not; what takes too long to see is left alone. Ctrl-C is heard once
    this is done with what it is doing: kernels are loaded, whose compiler swallows an interrupt.
    """
    conflict, instance = claim.conflict, claim.instance
    if conflict is None or instance is None:
        return
    core = core_of(conflict.must_link, conflict.cannot_link)
    with Signals() as signals:
        search = Filter(instance.n_points, instance.n_clusters, replace(AMPLE, stop=_soon(Stop(signals.asked))))
        is_false = search.contradicts(core) is False
        has_needless = not is_false and conflict.is_irreducible and search.reduce(core) < core
        if signals.asked():
            raise KeyboardInterrupt
    if is_false:
        raise RunFileError(f"{path} names constraints that cannot hold together, but these can; start the run anew")
    if has_needless:
        raise RunFileError(f"{path} says that {len(core)} constraints are all needed; they are not; start the run anew")


def core_of(must_link: Iterable[Sequence[int]], cannot_link: Iterable[Sequence[int]]) -> Core:
    """Return pairs as constraints."""
    return frozenset({(True, (i, j)) for i, j in must_link} | {(False, (i, j)) for i, j in cannot_link})


def conflict_of(core: Core, *, is_irreducible: bool = True) -> Conflict:
    """Return constraints as pairs."""
    must, cannot = (tuple(sorted(pair for is_must, pair in core if is_must is kind)) for kind in (True, False))
    return Conflict(must, cannot, is_irreducible)


def _soon(stop: Stop) -> Stop:
    """Return one that ends with this one, or when the filter has taken long enough; others at work do not count."""
    begun = time.process_time()

    def asked() -> bool:
        return stop.asked() or time.process_time() - begun > MOST_COMPUTING

    return Stop(asked, urgent=stop.urgent, time_limit=MOST_WAITING)


class Filter:
    """Leaves out of a set of constraints that cannot hold together what is not needed for that.

    Attributes
    ----------
    is_sure : bool
        Whether all that is left is known to be needed.
    """

    def __init__(self, n_points: int, n_clusters: int, budget: Budget) -> None:
        self.is_sure = True
        self._n, self._k, self._budget = n_points, n_clusters, budget

    def reduce(self, core: Core) -> Core:
        """Return a smaller set: first all constraints of a group of points at once are left out, then each alone.

        Must-links alone, as many as leave fewer than k groups, are needed all.
        """
        for units in (_by_group, _one_by_one):
            self.is_sure = True
            for unit in units(core):
                if all(is_must for is_must, _ in core):
                    self.is_sure = True
                    return core
                if unit.isdisjoint(core):
                    continue
                if self._budget.stop.asked():
                    self.is_sure = False
                    return core
                smaller = self.conflicting(core - unit)
                core = core if smaller is None else smaller
        return core

    def contradicts(self, core: Core) -> bool | None:
        """Return whether constraints cannot hold together; None where that could not be settled in time."""
        self.is_sure = True
        found = self.conflicting(core)
        return True if found is not None else False if self.is_sure else None

    def conflicting(self, rest: Core) -> Core | None:
        """Return constraints among these that cannot hold together, or None where none are found."""
        points = sorted({point for _, pair in rest for point in pair})
        others = min(self._n - len(points), self._k)  # further points matter only where clusters would stay empty
        position = {point: at for at, point in enumerate(points)}
        local = frozenset((is_must, (position[i], position[j])) for is_must, (i, j) in rest)
        must, cannot = ([pair for is_must, pair in local if is_must is kind] for kind in (True, False))
        part = Instance(np.zeros((len(points) + others, 1)), self._k, must, cannot)
        try:
            if try_job(_labels, part, self._budget, stop=self._budget.stop, is_long=False) is None:
                self.is_sure = False
        except InfeasibleError as error:
            core = _core_of(error, local, part.n_points, self._k)
            return frozenset((is_must, (points[i], points[j])) for is_must, (i, j) in core)
        return None


def _labels(channel: Channel, part: Instance, budget: Budget) -> Indices | None:
    """Return labels that satisfy all pairs of an instance, None where it stays undecided."""
    problem, step = infer_pairs(reduce_instance(part), budget.params)
    return find_labels(problem, step, budget=budget)


def _by_group(core: Core) -> Iterator[Core]:
    """Yield the constraints of each group of points that must-links connect."""
    group = _groups(core)
    of: dict[int, set[Constraint]] = {}
    for constraint in sorted(core):
        for point in constraint[1]:
            of.setdefault(group[point], set()).add(constraint)
    yield from map(frozenset, of.values())


def _one_by_one(core: Core) -> Iterator[Core]:
    """Yield each constraint alone, cannot-links first: without them must-links may lead nowhere."""
    for constraint in sorted(core):
        yield frozenset([constraint])


def _core_of(error: InfeasibleError, constraints: Core, n_points: int, n_clusters: int) -> Core:
    """Return the constraints that a proof is about."""
    witness = error.witness
    if witness["kind"] == "too_few_points" and error.step is None:
        forest = _forest(constraints)
        return frozenset(forest[: n_points - n_clusters + 1])
    if "must_link_path" in witness:
        links = {(True, _pair(i, j)) for i, j in pairwise(witness["must_link_path"])}
        return frozenset(links | {(False, _pair(*witness["cannot_link"]))})
    return _pruned(_between_groups(_points_of(error), constraints))


def _points_of(error: InfeasibleError) -> set[int]:
    """Return the points that a proof names."""
    points = {*error.witness.get("points", ()), *error.search.tolist()}
    for forced in error.step.cliques if error.step else ():
        points.update((forced.decision.i, forced.decision.j, *forced.witness))
    return points


def _between_groups(points: set[int], constraints: Core) -> Core:
    """Return the cannot-links between the groups of some points, and the must-links within these groups."""
    group = _groups(constraints)
    named = {group.get(point, -1) for point in points}
    return frozenset(own for own in constraints if all(group[point] in named for point in own[1]))


def _pruned(core: Core) -> Core:
    """Return the constraints without must-links that connect no cannot-links: only paths between them are left."""
    ends = {point for is_must, pair in core if not is_must for point in pair}
    graph = _must_links(_forest(core))
    while leaves := [point for point, degree in graph.degree if degree == 1 and point not in ends]:
        graph.remove_nodes_from(leaves)
    return frozenset({(True, _pair(i, j)) for i, j in graph.edges} | {own for own in core if not own[0]})


def _forest(core: Core) -> list[Constraint]:
    """Return must-links that connect the same points without a cycle, by breadth-first search from each first point."""
    import networkx as nx

    graph, forest = _must_links(sorted(core)), nx.Graph()
    for start in sorted(graph):
        if start not in forest:
            forest.add_edges_from(nx.bfs_edges(graph, start))
    return [(True, _pair(i, j)) for i, j in forest.edges]


def _groups(core: Core) -> dict[int, int]:
    """Return the group of each point that the constraints name: points that must-links connect."""
    import networkx as nx

    graph = _must_links(core)
    graph.add_nodes_from(point for _, pair in core for point in pair)
    return {point: at for at, group in enumerate(nx.connected_components(graph)) for point in group}


def _must_links(core: Iterable[Constraint]) -> "nx.Graph[int]":
    """Return the graph of the must-links."""
    import networkx as nx

    return nx.Graph([pair for is_must, pair in core if is_must])


def _pair(i: int, j: int) -> Pair:
    return (i, j) if i < j else (j, i)
