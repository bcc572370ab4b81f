"""S-HG-MEANS: a genetic search for the likeliest clustering under pairs that may be wrong (SSC-IPA).

Gribel, Gendreau and Vidal (2022), with the parameters of its published program; the name is that of the S-MDEClust
paper, section 4.3. It minimises the criterion of :mod:`benchmarks.comparators.pair_likelihood`, not the sum of squares.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.comparators.clustering import Clustering, refuse_weights
from benchmarks.comparators.empty_clusters import nearest_centres
from benchmarks.comparators.pair_descent import descend
from benchmarks.comparators.pair_likelihood import Model, fit_of, model_of
from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.baselines.unreduced import unreduced
from pcsos.heuristics.centres import Costs, kmeans_pp_centres
from pcsos.heuristics.crossover import match_centres
from pcsos.heuristics.ipc_kmeans import ipc_kmeans
from pcsos.problem.instance import Instance

#: Members that survive a round, and offspring of a round.
POPULATION = 10
ROUNDS = 50
#: Members of the same sizes are clones if their criteria differ by no more.
CLONE = 1e-7


@dataclass(frozen=True, eq=False)
class Member:
    """A local optimum: labels (n,), centres (k, d), sizes of the clusters in increasing order, and its criterion."""

    labels: Indices
    centres: Floats
    sizes: Floats
    cost: float


def s_hg_means(instance: Instance, *, seed: int, rounds: int = ROUNDS, stop: Stop = NEVER) -> Clustering:
    """Return the clustering with the least criterion of a genetic search; it may violate pairs.

    Parameters
    ----------
    instance : Instance
        The problem; all weights must be equal.
    seed : int
        Seed of all random choices.
    rounds : int
        Rounds of ten offspring each.
    stop : Stop
        When to end before that, asked after every local search.

    Raises
    ------
    InputError
        If the weights differ.

    Examples
    --------
    >>> from pcsos import Instance
    >>> instance = Instance([0.0, 1.0, 8.0, 9.0], 2, must_link=[(0, 1)], cannot_link=[(1, 2)])
    >>> s_hg_means(instance, seed=0).labels.tolist()
    [0, 0, 1, 1]
    """
    refuse_weights(instance, "S-HG-MEANS")
    search = _Search(instance, np.random.default_rng(seed), stop)
    search.begin()
    for _ in range(rounds):
        if stop.asked():
            break
        search.next_round()
    best = search.members[0]
    return Clustering.of(
        instance, best.labels, criterion=best.cost, local_searches=search.calls, num_repairs=search.num_repairs
    )


class _Search:
    """The population, best member first, and what it took."""

    def __init__(self, instance: Instance, rng: np.random.Generator, stop: Stop) -> None:
        self.instance, self.rng, self.stop = instance, rng, stop
        self.model: Model = model_of(instance)
        is_annotated = np.diff(self.model.indptr) > 0
        self.annotated, self.others = np.flatnonzero(is_annotated), np.flatnonzero(~is_annotated)
        self.members: list[Member] = []
        self.calls = self.num_repairs = 0

    def begin(self) -> None:
        """Fill the population from k-means, started by k-means++."""
        problem = unreduced(self.instance)
        costs = Costs.of(problem)
        while len(self.members) < POPULATION and not (self.members and self.stop.asked()):
            optimum = ipc_kmeans(problem, kmeans_pp_centres(problem, self.rng), costs=costs).solution
            assert optimum is not None, "k-means without constraints always ends with labels"
            self.members.append(self.local_search(optimum.labels))
        self.members = survivors(self.members)

    def next_round(self) -> None:
        """Add offspring and keep the survivors."""
        grown = list(self.members)
        while len(grown) < len(self.members) + POPULATION and not self.stop.asked():
            grown.append(self.local_search(self.offspring(grown)))
        self.members = survivors(grown)

    def offspring(self, members: list[Member]) -> Indices:
        """Return labels from the centres of two parents, one of which is then moved to a random point."""
        first, second = (members[p] for p in self.rng.choice(len(members), 2, replace=False))
        matched = match_centres(second.centres, first.centres)
        coins = self.rng.random(len(matched)) < 0.5
        centres = np.where(coins[:, None], first.centres, matched)
        self.nearest(centres)
        points = self.model.points
        centres[self.rng.integers(len(centres))] = points[self.rng.integers(len(points))]
        return self.nearest(centres)

    def nearest(self, centres: Floats) -> Indices:
        """Return the nearest centre of each point; centres without a point are moved to one."""
        labels, repairs = nearest_centres(self.model.points, centres)
        self.num_repairs += repairs
        return labels

    def local_search(self, labels: Indices) -> Member:
        """Return the local optimum reached from these labels."""
        fit = fit_of(self.model, labels.astype(np.intp), self.instance.n_clusters)
        cost = descend(self.model, fit, self.rng.permutation(self.annotated), self.others)
        self.calls += 1
        return Member(fit.labels, fit.centres, np.sort(fit.sizes), float(cost))


def survivors(members: list[Member]) -> list[Member]:
    """Return the best members, clones of better ones last."""
    members = sorted(members, key=lambda member: member.cost)
    unlike: list[Member] = []
    clones: list[Member] = []
    for member in members:
        (clones if any(_is_clone(member, other) for other in unlike) else unlike).append(member)
    return [*unlike, *clones][:POPULATION]


def _is_clone(first: Member, second: Member) -> bool:
    return abs(first.cost - second.cost) <= CLONE and np.array_equal(first.sizes, second.sizes)
