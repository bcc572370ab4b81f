"""Every dealing of small instances into blocks, against the exact truth: no sum of bounds above the optimum.

An instance has few super-points, some of them lent to two or three blocks with a share of their weight each: these are
the *cards*. Every non-empty hand of cards is bounded once, as a block, and must not claim more than its own least cost
over at most k clusters. Then the dealing whose bounds add up to most is found by dynamic programming over all set
partitions of the cards; what it proves must not be above the optimum of the whole.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.control.subprocess import Here
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Certification, Reason, Status
from pcsos.evidence.run_file import RunFile
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.params import Params
from pcsos.problem.partition import Partition
from pcsos.search.blocks.block import Bounded, bound_block
from pcsos.search.blocks.piece import Part
from pcsos.verify import VerificationError, verify
from tests.exact_agreement import FEW_ROUNDS
from tests.exact_oracle import ExactCosts, ExactTruth
from tests.hard_instances import POINTS, WEIGHTS
from tests.judgement import Judgement, above, shown

Wrong = tuple[str, str]
Generator = np.random.Generator

MOST_POINTS = 9
#: Numbers of cards, and how often they are drawn: with one more there are twice as many blocks to bound.
CARDS = {3: 0.25, 4: 0.4, 5: 0.25, 6: 0.1}
#: Ways to lend a super-point, and how often: the last one leaves a part of its weight to nobody.
SHARES = {(1.0,): 0.75, (0.5, 0.5): 0.1, (0.25, 0.75): 0.05, (0.5, 0.25, 0.25): 0.05, (0.3, 0.6): 0.05}
#: Share of the instances whose best dealing is written down and verified.
VERIFIED = 0.2
NODE_LIMIT = 3
GAP = 1e-4
#: Blocks of so many of the instances are stopped before they begin.
STOPPED = 0.1


@dataclass(frozen=True, eq=False)
class Table:
    """An instance and its cards.

    Parameters
    ----------
    instance : Instance
        A feasible instance.
    truth : ExactTruth
        All of its partitions.
    cards : tuple of Part
        Super-points with the share of their weight that each card brings.
    params : Params
        How its blocks are bounded.
    stop : Stop
        Whether they are stopped before they begin.
    about : str
        How it was drawn.
    """

    instance: Instance
    truth: ExactTruth
    cards: tuple[Part, ...]
    params: Params
    stop: Stop
    about: str

    @cached_property
    def labels(self) -> np.ndarray:
        """An optimal partition."""
        return self.truth.best_labels

    @property
    def is_complete(self) -> bool:
        """Tell whether the cards bring all of the weights."""
        every = self.part((1 << len(self.cards)) - 1)
        return every.size == self.instance.n_points and bool((every.shares == 1.0).all())

    @property
    def hands(self) -> range:
        """All sets of cards but the empty one, as bits."""
        return range(1, 1 << len(self.cards))

    def part(self, hand: int) -> Part:
        """Return what a hand brings."""
        return Part.union([card for at, card in enumerate(self.cards) if hand >> at & 1])


def judge(seed: int) -> Judgement:
    """Bound every block of the instance of a seed, and deal it in every way."""
    rng = np.random.default_rng([seed, 70])
    table, num_infeasible = draw(rng)
    bounded = {hand: bound_of(table, hand) for hand in table.hands}
    wrong = [fault for hand in table.hands for fault in _false_block(table, hand, bounded[hand])]
    most, dealing = best_dealing(len(table.cards), {hand: Fraction(own.lower_bound) for hand, own in bounded.items()})
    if most > table.truth.optimum:
        wrong.append(("sum", f"{dealing} proves {shown(most)}, above the optimum {shown(table.truth.optimum)}"))
    counts = {
        "instances": 1,
        "redrawn because infeasible": num_infeasible,
        "blocks": len(bounded),
        "blocks that prove something": sum(own.lower_bound > 0.0 for own in bounded.values()),
        "dealings": num_partitions(len(table.cards)),
        "dealings that lose nothing": int(most >= table.truth.optimum * (1 - Fraction(GAP))),
        "instances with shares": int(any(card.shares[0] < 1.0 for card in table.cards)),
        "instances that are stopped": int(table.stop is not NEVER),
    }
    if table.is_complete and rng.random() < VERIFIED:
        counts["verified"] = 1
        wrong += _unverified(table, bounded, dealing, most)
    return Judgement(seed, table.about, counts, tuple(wrong))


def bound_of(table: Table, hand: int) -> Bounded:
    """Bound a block as a certification does; nothing is proved of one that is no instance by itself."""
    part = table.part(hand)
    options = Options(GAP, workers=1, node_limit=NODE_LIMIT, params=table.params)
    try:
        return bound_block(Here(table.stop), part.instance_of(table.instance), table.labels[part.points], options)
    except InputError:
        return Bounded(0.0, np.inf, None, (), 0, 0.0)


def best_dealing(num_cards: int, bounds: dict[int, Fraction]) -> tuple[Fraction, tuple[int, ...]]:
    """Return the most that the bounds of any set partition of the cards add up to, and that partition."""
    best: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(0), ())]
    for cards in range(1, 1 << num_cards):
        least = cards & -cards
        hands = (hand for hand in submasks(cards) if hand & least)
        found = ((bounds[hand] + best[cards ^ hand][0], (hand, *best[cards ^ hand][1])) for hand in hands)
        best.append(max(found, key=lambda own: own[0]))
    return best[-1]


def submasks(cards: int) -> list[int]:
    """Return all subsets but the empty one, as bits."""
    found, hand = [], cards
    while hand:
        found.append(hand)
        hand = (hand - 1) & cards
    return found


@cache
def num_partitions(n: int) -> int:
    """Return the number of set partitions of n things."""
    row = [1]
    for _ in range(n - 1):
        before, row = row, [row[-1]]
        for value in before:
            row.append(row[-1] + value)
    return row[-1]


# What must hold


def least_cost(instance: Instance, k: int) -> Fraction:
    """Return the least cost of an instance over partitions into at most k clusters, exactly.

    Super-points are taken one by one; the first that is left and any others make up a cluster.
    """
    at = instance.constraints.groups
    groups = [np.flatnonzero(at == g).tolist() for g in range(num_groups(instance))]
    apart = [0] * len(groups)
    for i, j in (at[instance.cannot_link]).tolist():
        apart[i] |= 1 << j
        apart[j] |= 1 << i
    costs = ExactCosts(instance.points, instance.weights)

    @cache
    def cluster(members: int) -> Fraction | None:
        inside = [g for g in range(len(groups)) if members >> g & 1]
        if any(apart[g] & members for g in inside):
            return None
        return costs.cluster([point for g in inside for point in groups[g]])

    @cache
    def least(left: int, clusters: int) -> Fraction | None:
        if not left or not clusters:
            return None if left else Fraction(0)
        first, found = left & -left, []
        for members in submasks(left):
            own = cluster(members) if members & first else None
            rest = None if own is None else least(left ^ members, clusters - 1)
            if own is not None and rest is not None:
                found.append(own + rest)
        return min(found, default=None)

    cost = least((1 << len(groups)) - 1, k)
    if cost is None:
        raise ValueError("no partition is feasible")
    return cost


def num_groups(instance: Instance) -> int:
    """Return the number of super-points."""
    return int(instance.constraints.groups.max()) + 1


def _false_block(table: Table, hand: int, found: Bounded) -> list[Wrong]:
    """What is wrong with the bound of a block."""
    part = table.part(hand)
    try:
        own = part.instance_of(table.instance)
    except InputError:
        return []
    least = least_cost(own, table.instance.n_clusters)
    wrong = []
    if above(found.lower_bound, least):
        wrong.append(("block", f"hand {hand}: {found.lower_bound!r} is above the least cost {shown(least)}"))
    if found.labels is not None:
        wrong += _false_labels(own, hand, found)
    return wrong


def _false_labels(own: Instance, hand: int, found: Bounded) -> list[Wrong]:
    truth = ExactTruth.of(own)
    if found.labels is None or not truth.admits(found.labels):
        return [("labels", f"hand {hand}: no feasible partition")]
    return []


def _unverified(table: Table, bounded: dict[int, Bounded], dealing: Sequence[int], most: Fraction) -> list[Wrong]:
    """What the checker says wrongly about the certificate of a dealing."""
    given = table.instance
    claimed = float(most) * (1.0 - 2.0**-50)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        partition = Partition.of(given, table.labels)
        with RunFile.create(path, given, Options(GAP), partition) as file:
            dealt = [(table.part(hand), bounded[hand].records) for hand in dealing]
            file.add_cover([file.add_part(part.points, part.weights_of(given), records) for part, records in dealt])
            file.set_claim(certification(given, partition, min(claimed, partition.objective), len(dealing)))
        try:
            verdict = verify(path, given.points, (given.must_link, given.cannot_link), weights=given.weights)
        except VerificationError as error:
            return [("verify refuses", str(error))]
    if above(verdict.lower_bound, table.truth.optimum):
        return [("verified bound", f"{verdict.lower_bound!r} is above the optimum {shown(table.truth.optimum)}")]
    return []


def certification(instance: Instance, partition: Partition, lower_bound: float, n_blocks: int) -> Certification:
    """Return what a certification claims that has not reached its gap."""
    return Certification(
        instance, Status.FEASIBLE, Reason.STALLED, partition, lower_bound=lower_bound,
        n_super_points=num_groups(instance), seconds=0.0, seed=0, message="", better=None, n_blocks=n_blocks,
    )  # fmt: skip


# Instances


def draw(rng: Generator) -> tuple[Table, int]:
    """Return a table with a feasible instance, and how many were drawn before it that are not."""
    num_infeasible = 0
    while True:
        try:
            table = _drawn(rng)
        except InputError:
            continue
        if table.truth.feasible:
            return table, num_infeasible
        num_infeasible += 1


def _drawn(rng: Generator) -> Table:
    lent = _lent(rng)
    n = int(rng.integers(len(lent), MOST_POINTS + 1))
    group = rng.permutation(np.r_[np.arange(len(lent)), rng.integers(len(lent), size=n - len(lent))])
    points_kind, weights_kind = str(rng.choice(list(PLACES))), str(rng.choice(list(WEIGHTS), p=WEIGHT_SHARES))
    points = PLACES[points_kind](rng, n, int(rng.choice([1, 2, 3], p=[0.25, 0.55, 0.2])))
    held = [np.flatnonzero(group == g) for g in range(len(lent))]
    must_link = [(members[0], other) for members in held for other in members[1:]]
    cannot_link = _cannot_links(rng, group)
    k = int(rng.integers(1, n + 1)) if rng.random() < 0.15 else int(rng.integers(2, 4))
    instance = Instance(points, min(k, n), must_link, cannot_link, WEIGHTS[weights_kind](rng, n))
    cards = [
        Part(members, np.full(members.size, share))
        for members, shares in zip(held, lent, strict=True)
        for share in shares
    ]
    params = FEW_ROUNDS if rng.random() < 0.3 else Params()
    stop = Stop(lambda: True) if rng.random() < STOPPED else NEVER
    about = f"{points_kind}, weights {weights_kind}, {n} points, {len(lent)} groups, {len(cards)} cards, k = {k}"
    return Table(instance, ExactTruth.of(instance), tuple(cards), params, stop, about)


def _lent(rng: Generator) -> list[tuple[float, ...]]:
    """Return for each super-point the shares in which it is lent, so that there are as many cards as are drawn."""
    num_cards = int(rng.choice(list(CARDS), p=list(CARDS.values())))
    lent: list[tuple[float, ...]] = []
    while (left := num_cards - sum(map(len, lent))) > 0:
        shares = list(SHARES)[int(rng.choice(len(SHARES), p=list(SHARES.values())))]
        lent.append(shares if len(shares) <= left else (1.0,))
    return lent


def _cannot_links(rng: Generator, group: np.ndarray) -> list[tuple[int, int]]:
    """Return no pairs, a few, or so many that they connect most of the points."""
    share = float(rng.choice([0.0, 0.15, 0.5], p=[0.35, 0.45, 0.2]))
    n = group.size
    return [(i, j) for j in range(n) for i in range(j) if group[i] != group[j] and rng.random() < share]


def equal(rng: Generator, n: int, d: int) -> np.ndarray:
    """All at one place."""
    return np.repeat(rng.standard_normal((1, d)), n, axis=0)


def clusters(rng: Generator, n: int, d: int) -> np.ndarray:
    """Two or three places with points around them."""
    centres = 4.0 * rng.standard_normal((int(rng.integers(2, 4)), d))
    return centres[rng.integers(len(centres), size=n)] + rng.standard_normal((n, d))


PLACES: dict[str, Callable[[Generator, int, int], np.ndarray]] = {
    **{kind: place for kind, place in POINTS.items() if kind not in ("all magnitudes", "subnormal")},
    "equal": equal,
    "clusters": clusters,
}
WEIGHT_SHARES = [0.45, 0.25, 0.1, 0.08, 0.06, 0.06]
