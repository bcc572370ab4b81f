"""Strategies: what chooses questions, by name; those that place points one after the other are in a file of their own.

``certified`` never asks what is proved, but tries now and then whether the expert agrees. Proofs are about least
squares, and the expert may have something else in mind, such as long groups, which least squares cuts across. So a
fifth of the questions goes to a strategy that does not look at costs, one in ten is about a pair that is decided (an
audit), and where all pairs are decided, the questions go on until the best partition has foretold five answers in a
row.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pcsos.analysis.active.farthest_first import FarthestFirst, SkeletonFirst
from pcsos.analysis.active.relaxed import LargestDrop, LargestScore
from pcsos.analysis.active.state import SessionState, Strategy
from pcsos.analysis.certainty.relaxed import good_partition
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Standing
from pcsos.heuristics.neighbours import SharedNeighbourGraph
from pcsos.problem.instance import Instance
from pcsos.problem.validation.arrays import one_of

#: Pairs that are drawn before all are gone through, because those that are looked for are few.
DRAWS = 50


def _drawn_pair(rng: np.random.Generator, n: int, is_wanted: Callable[[int, int], bool]) -> tuple[int, int] | None:
    """Return the first of some random pairs of n points that is wanted, None without one."""
    for _ in range(DRAWS if n > 1 else 0):
        i, j = np.sort(rng.choice(n, 2, replace=False)).tolist()
        if is_wanted(i, j):
            return i, j
    return None


class Uniform:
    """Questions drawn uniformly from all open pairs."""

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return an open pair."""
        n, rng = state.knowledge.instance.n_points, state.rng
        pair = _drawn_pair(rng, n, state.is_open)
        if pair is not None:
            return pair
        counts = np.array([np.count_nonzero(state.open_points(i)[i + 1 :]) for i in range(n)])
        if not counts.any():
            return None
        number = int(rng.integers(counts.sum()))
        i = int(np.searchsorted(np.cumsum(counts), number, side="right"))
        rest = number - int(counts[:i].sum())
        return i, i + 1 + int(np.flatnonzero(state.open_points(i)[i + 1 :])[rest])


#: Neighbours of a point, and the share of them from which on an edge is strong.
NEIGHBOURS, STRONG = 10, 0.5


class SharedNeighbours:
    """The strategy ``asc``: edges with few shared neighbours, between points in dense places first.

    Dang, Vu, Do and Le (2021) give the graph (section 3.1, equation (1)) and name active constraint selection (ASC), a
    method of Vu, Labroche and Bouchon-Meunier (*Improving constrained clustering with active query selection*, Pattern
    Recognition 45, 2012), without its formulas; that source was not at hand. The candidates (edges below a threshold),
    the densities and the utility are what is recalled of it. The number of neighbours, the threshold of half of them,
    and the other edges, which follow when the candidates are used up, are a choice made here.

    The utility of an edge between u and v that share w of K neighbours is ``K - w + 1 + min(D(u), D(v))``, where the
    density D of a point is the sum of the weights of its edges, divided by K.
    """

    def __init__(self, instance: Instance) -> None:
        number = min(NEIGHBOURS, instance.n_points - 1)
        self.edges = np.empty((0, 2), np.intp)
        if number > 0:
            graph = SharedNeighbourGraph.of(instance.points, number)
            edges, weights = graph.edges, graph.weights
            density = np.bincount(edges.ravel(), np.repeat(weights, 2), instance.n_points) / number
            utility = (number - weights) + 1.0 + density[edges].min(axis=1)
            is_strong = weights >= STRONG * number
            self.edges = edges[np.lexsort((edges[:, 1], edges[:, 0], -utility, is_strong))]

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return the open edge of largest utility."""
        return next(((i, j) for i, j in self.edges.tolist() if state.is_open(i, j)), None)


#: Every so many questions one is left to a strategy that asks about the data and not about costs.
HEDGE = 5


@dataclass(frozen=True)
class Hedged:
    """A strategy that leaves every fifth question, and those it has none for, to another one."""

    own: Strategy
    other: Strategy

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return the pair of the strategy whose turn it is, or of the other one if it has none."""
        turn = (self.own, self.other) if len(state.answers) % HEDGE < HEDGE - 1 else (self.other, self.own)
        first = turn[0].next_pair(state)
        return turn[1].next_pair(state) if first is None else first


#: The first questions are left to the other strategy: its share of the first twenty, when they tell most.
OPENING = 4
#: Every so many questions one is about a pair that is decided, if there are some: the seventh of ten.
AUDIT, AUDIT_TURN = 10, 7
#: Answers in a row that the best partition has to foretell before the questions end.
FORETOLD = 5


@dataclass(frozen=True)
class Certified:
    """The pair that costs least to turn round, as long as there is one that is not decided within epsilon."""

    #: what asks the first four questions and every fifth after the twentieth, and goes on where all pairs are decided
    #: or no partition is found in time
    other: Strategy

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return a pair; None where all are decided and the last answers predicted, or the rest cannot be known."""
        number = len(state.answers) + 1
        if number <= OPENING or (number > OPENING * HEDGE and number % HEDGE == 0):
            pair = self.other.next_pair(state)
            if pair is not None:
                return pair
        standing = state.standing
        if standing is None or (standing.pair is None and not _is_foretold(state)):
            return self.other.next_pair(state)
        audit = _decided_pair(state, standing) if number % AUDIT == AUDIT_TURN else None
        return standing.pair if standing.pair is None or audit is None else audit


def _is_foretold(state: SessionState) -> bool:
    """Return whether the best partition before the last answers agrees with them; what is not known agrees with all."""
    last = state.answers[-FORETOLD:]
    if len(last) < FORETOLD:
        return False
    before = state.shared.first.knowledge.with_answers(state.answers[:-FORETOLD])
    partition = good_partition(before, state.seed, state.stop)
    if partition is None:
        return True
    labels = partition.labels
    return all(same is None or (labels[i] == labels[j]) == same for i, j, same in last)


def _decided_pair(state: SessionState, standing: Standing) -> tuple[int, int] | None:
    """Return a pair that is decided though not known, drawn at random; None where such pairs are rare."""
    n = state.knowledge.instance.n_points
    return _drawn_pair(state.rng, n, lambda i, j: standing.relation(i, j) is not None and state.is_open(i, j))


#: What makes a strategy for points and a number of clusters, with a seed.
STRATEGIES: dict[str, Callable[[Instance, int], Strategy]] = {
    "random": lambda instance, seed: Uniform(),
    "mmffqs": FarthestFirst,
    "kmmffqs": SkeletonFirst,
    "asc": lambda instance, seed: SharedNeighbours(instance),
    "sdp-branch": lambda instance, seed: Hedged(LargestScore(), SkeletonFirst(instance, seed)),
    "sdp-entropy": lambda instance, seed: Hedged(LargestDrop(), SkeletonFirst(instance, seed)),
    "certified": lambda instance, seed: Certified(FarthestFirst(instance, seed)),
}


def strategy_of(strategy: str | Strategy, instance: Instance, seed: int) -> Strategy:
    """Return a strategy, given its name or itself; refuse what is neither."""
    if isinstance(strategy, str):
        one_of("strategy", strategy, STRATEGIES)
        return STRATEGIES[strategy](instance, seed)
    if not callable(getattr(strategy, "next_pair", None)):
        raise InputError(
            f"strategy is {strategy!r}; give one of {', '.join(STRATEGIES)}, or an object with a method next_pair"
        )
    return strategy
