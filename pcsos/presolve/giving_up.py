"""Pairs that contradict one another, and a smallest set of them to give up, so that the others can be satisfied.

What any labels break may be given up; few such pairs are found by simulated annealing. What is given up has a pair of
each contradiction: the cheapest pairs of which every contradiction found so far has one, by an integer program, bound
the cost from below, and are a smallest set if nothing among the other pairs contradicts; otherwise more contradictions
are found there (Moreno-Centeno and Karp, The implicit hitting set approach, Operations Research 61, 2013).
"""

import math
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, chain, compress
from typing import Any

import numpy as np

from pcsos.base.control.signals import Signals
from pcsos.base.control.stop import Stop
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.evidence.status import Conflict
from pcsos.presolve.deletion_filter import Constraint, Core, Filter, conflict_of, core_of
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.role import Condition
from pcsos.problem.instance import Instance, instance_of, refuse_outliers
from pcsos.problem.options import CERTAIN_SECONDS, Budget, Options, in_familiar_words
from pcsos.verify.reading.text import number_of

#: What the integer program may leave of its bound, relative to that, and its seconds; and its largest cost beside the
#: least: a larger one counts so much, by which the bound is no less true.
ROUNDING, MOST_SECONDS, LARGEST_COST = 1e-6, 10.0, 1e6
#: Searches for labels that break little, and how often each goes through the points.
STARTS, SWEEPS = 5, 400

#: How much each pair is trusted.
Trust = dict[Constraint, float]


@dataclass(frozen=True, eq=False)
class Conflicts:
    """Contradictions among the pairs of an instance, and pairs to give up; printed as a sentence."""

    contradictions: tuple[Conflict, ...]  #: no two of which have a pair in common
    given_up: Constraints  #: the pairs to give up
    left: Constraints  #: the other pairs, which can be satisfied
    cost: float  #: the trust in what is given up: the number of pairs, unless they have penalties
    at_least: float  #: what has to be given up in any case

    @property
    def is_smallest(self) -> bool:
        """Whether it is proved that nothing cheaper will do."""
        return self.cost <= self.at_least * (1.0 + ROUNDING)

    def __str__(self) -> str:
        number = len(self.given_up.must_link) + len(self.given_up.cannot_link)
        if not number:
            return "the pairs do not contradict one another"
        least = "nothing cheaper will do" if self.is_smallest else f"at least {self.at_least:g} have to go"
        return (
            f"{number_of(len(self.contradictions), 'contradiction')} without a common pair; give up "
            f"{number_of(number, 'pair')} at the cost of {self.cost:g} ({least})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        pairs = {
            name: {"must_link": own.must_link.tolist(), "cannot_link": own.cannot_link.tolist()}
            for name, own in (("given_up", self.given_up), ("left", self.left))
        }
        figures = {name: getattr(self, name) for name in ("cost", "at_least", "is_smallest")}
        return {"contradictions": [own.to_dict() for own in self.contradictions], **pairs, **figures}


@in_familiar_words
def conflicts(
    points: Any,
    n_clusters: int | None = None,
    *,
    must_link: Pairs = (),
    cannot_link: Pairs = (),
    conditions: Iterable[Condition] = (),
    time_limit: float = CERTAIN_SECONDS,
) -> Conflicts:
    """Find contradictions among pairs, and a smallest set of pairs to give up so that the others can be satisfied.

    Parameters
    ----------
    points, n_clusters, must_link, cannot_link
        As for :func:`pcsos.solve`; or a whole instance.
    conditions : list of conditions, optional
        Likewise. :class:`pcsos.SoftPairs` are pairs, too, trusted as much as their penalties say; others are then given
        up only where they contradict one another. Limits of clusters do not count.
    time_limit : float, optional
        Seconds for the proof that nothing cheaper will do.

    Raises
    ------
    InputError
        If points or constraints cannot be used, or points may be left out.

    Examples
    --------
    >>> import pcsos
    >>> found = pcsos.conflicts([0.0, 1.0, 5.0, 9.0], 2, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2), (0, 1)])
    >>> found.given_up.must_link.tolist(), found.is_smallest
    ([[0, 1]], True)
    """
    seconds = Options(time_limit=time_limit).time_limit
    instance = instance_of(
        points, n_clusters, must_link=must_link, cannot_link=cannot_link, conditions=conditions
    )  # fmt: skip
    refuse_outliers(instance.outliers, "conflicts")
    with Signals() as signals:
        return _given_up(instance, Stop(signals.asked, urgent=signals.urgent, time_limit=seconds))


def _given_up(instance: Instance, stop: Stop) -> Conflicts:
    """Return the contradictions of an instance that are found in time, and pairs to give up."""
    trust, n, k = _trust(instance), instance.n_points, instance.n_clusters
    search, every = Filter(n, k, Budget(stop)), frozenset(trust)
    best, bound, hits = _broken(n, k, trust, stop), 0.0, Core()
    found: list[Core] = []
    disjoint: list[Conflict] = []
    while True:
        rest, before, search.is_sure = every - hits, len(found), True
        while (core := search.conflicting(rest)) is not None:
            found.append(search.reduce(core))
            if not hits:
                disjoint.append(conflict_of(found[-1], is_irreducible=search.is_sure))
            rest, search.is_sure = rest - found[-1], True
        if len(found) == before and search.is_sure:  # what is left can be satisfied
            best = min(best, hits, key=lambda own: _cost(own, trust))
        if len(found) == before:
            break
        hits, least = _cheapest_hits(found, trust, stop)
        bound = max(bound, least)
        if stop.asked() or _cost(best, trust) <= bound * (1.0 + ROUNDING):
            break
    parts = [conflict_of(own) for own in (best, every - best)]
    given_up, left = (Constraints(n, own.must_link, own.cannot_link) for own in parts)
    return Conflicts(tuple(disjoint), given_up, left, _cost(best, trust), bound)


def _cost(core: Core, trust: Trust) -> float:
    """Return the trust in some pairs."""
    return math.fsum(trust[own] for own in core)


def _trust(instance: Instance) -> Trust:
    """Return how much each pair is trusted: by its penalty if it is soft, and otherwise more than all of these."""
    soft, trust = instance.soft, Trust()
    for is_must, values in ((True, soft.apart), (False, soft.together)):
        of_kind = zip(soft.pairs.tolist(), values.tolist(), strict=True)
        trust |= {(is_must, (i, j)): value for (i, j), value in of_kind if value > 0.0}
    hard = core_of(instance.must_link.tolist(), instance.cannot_link.tolist())
    return trust | dict.fromkeys(hard, 1.0 + soft.total)


def _broken(n: int, k: int, trust: Trust, stop: Stop) -> Core:
    """Return the pairs that labels break, the cheapest that a few searches have found."""
    points, ends = np.unique([pair for _, pair in trust], return_inverse=True)
    pairs, is_must = ends.reshape(-1, 2), np.array([own for own, _ in trust], bool)
    size = points.size + min(n - points.size, k)  # further points matter only where clusters would stay empty
    best = frozenset(trust)
    for seed in range(STARTS):
        if not best or (seed and stop.asked()):
            break
        labels = _labels(size, k, pairs, np.where(is_must, 1.0, -1.0) * [*trust.values()], seed)
        together = labels[pairs[:, 0]] == labels[pairs[:, 1]]
        best = min(best, frozenset(compress(trust, together != is_must)), key=lambda own: _cost(own, trust))
    return best


def _labels(size: int, k: int, pairs: Indices, pull: Floats, seed: int) -> Indices:
    """Return labels of non-empty clusters by simulated annealing: points go, one by one, where pairs pull them."""
    around: list[list[tuple[int, float]]] = [[] for _ in range(size)]
    for (i, j), own in zip(pairs.tolist(), pull.tolist(), strict=True):
        around[i].append((j, own))
        around[j].append((i, own))
    rng = np.random.default_rng(seed)
    labels = (rng.permutation(size) % k).tolist()
    sizes = [labels.count(cluster) for cluster in range(k)]
    for heat in np.geomspace(np.abs(pull).max(), 0.1 * np.abs(pull).min(), SWEEPS).tolist():
        for point, draw in zip(rng.permutation(size).tolist(), rng.random(size).tolist(), strict=True):
            if sizes[labels[point]] == 1:
                continue
            pulls = [0.0] * k
            for other, own in around[point]:
                pulls[labels[other]] += own
            most = max(pulls)
            chances = [*accumulate(math.exp((own - most) / heat) for own in pulls)]
            sizes[labels[point]] -= 1
            labels[point] = bisect_left(chances, draw * chances[-1])
            sizes[labels[point]] += 1
    return np.array(labels)


def _cheapest_hits(found: list[Core], trust: Trust, stop: Stop) -> tuple[Core, float]:
    """Return the cheapest pairs of which every contradiction has one, and what such pairs cost at least."""
    from scipy.optimize import LinearConstraint, milp  # slow to load
    from scipy.sparse import coo_array

    pairs = sorted(frozenset(chain.from_iterable(found)))
    position = {own: at for at, own in enumerate(pairs)}
    places = [(row, position[own]) for row, core in enumerate(found) for own in core]
    unit = min(trust[own] for own in pairs)
    costs = np.minimum(np.array([trust[own] for own in pairs]) / unit, LARGEST_COST)
    rows = coo_array((np.ones(len(places)), np.transpose(places)), shape=(len(found), len(pairs)))
    options = {"mip_rel_gap": 0.0, "time_limit": min(max(stop.seconds_left, 1.0), MOST_SECONDS)}
    answer = milp(costs, integrality=1, bounds=(0, 1), constraints=LinearConstraint(rows.tocsr(), 1.0), options=options)
    bound = max(answer.mip_dual_bound or 0.0, 0.0)
    if (costs == np.rint(costs)).all():
        bound = math.ceil(bound * (1.0 - ROUNDING))
    hits = pairs if answer.x is None else compress(pairs, answer.x > 0.5)
    return frozenset(hits), bound * unit
