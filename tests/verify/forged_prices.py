"""Forged price trees: knots that nothing sets apart, axes that are too long, and prices that belong elsewhere."""

import contextlib
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import FormatError
from pcsos.evidence import kinds
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.node import Decision, NodeRecord
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from pcsos.verify.reading.payloads import AXIS_BITS, read_pair, read_prices
from tests import oracle
from tests.blobs import arrays
from tests.exact_oracle import ExactTruth
from tests.judgement import Judgement
from tests.verify.certificates import Linked, Pairs, write
from tests.verify.forgeries import FILES, Found, School
from tests.verify.forgeries import judge as judged_by
from tests.verify.lies import LIES, Forgery, bound_above_the_optimum
from tests.verify.supports import SUPPORTS, children_of

Knots = list[list[int]]
NO_AXES = encode_integers(np.empty((0, 0), np.int64))
Rows = NDArray[np.int64]
#: Steps of the ascent, nodes of a tree, and by which share of all prices a bound stays below what floats say.
STEPS, MOST_NODES, LOSS = 120, 15, 1e-6
KNOT_LISTS = ([], [0], [1, 0], [2, 0, 0], [2, 0, 99], [2, -1, 0], [-2, 0, 1], [2**62, 0, 1], [2, 0, 1] * 9, [3, 0, 1])


def judge(seed: int, *, files: int = FILES) -> Judgement:
    """Forge files from the price tree of a seed, and compare what the checker says with the exact truth."""
    return judged_by(seed, files=files, school=PRICES)


# Sound files


class Leaf(NamedTuple):
    """Super-points of a state, who of them is apart, and what they cost inside."""

    means: NDArray[np.float64]
    weights: NDArray[np.float64]
    apart: NDArray[np.bool_]
    inside: float

    @classmethod
    def of(cls, instance: Instance, decisions: Sequence[Decision]) -> "Leaf":
        pairs: dict[str, Pairs] = {"ML": [], "CL": []}
        for own in decisions:
            pairs[own.kind].append((own.i, own.j))
        state = Linked(instance, pairs["ML"], pairs["CL"])
        means = np.array([np.average(instance.points[g], axis=0, weights=instance.weights[g]) for g in state.groups])
        away = instance.points - means[state.index]
        return cls(means, state.weights, state.apart, float((instance.weights * (away**2).sum(axis=1)).sum()))

    def along(self, axes: Rows | None) -> "Leaf":
        """Return the super-points at their places along axes."""
        return self if axes is None else self._replace(means=self.means @ np.ldexp(axes.astype(float), -AXIS_BITS).T)

    def knots(self, rng: np.random.Generator) -> Knots:
        left, knots = rng.permutation(len(self.weights)).tolist(), []
        while left:
            centre = left.pop()
            leaves = [i for i in left if self.apart[centre, i] and rng.random() < 0.8]
            if leaves:
                knots.append([centre, *leaves])
                left = [i for i in left if i not in leaves]
        return knots

    def raised(self, k: int, knots: Knots, *, is_believed: bool = False) -> tuple[NDArray[np.float64], float]:
        """Return good prices, and what they prove if the knots hold (all apart there, if that is believed)."""
        size = len(self.weights)
        members = np.array(list(itertools.product([0.0, 1.0], repeat=size)))[1:]
        for i, j in (pair for knot in knots for pair in itertools.combinations(knot, 2)):
            if is_believed or self.apart[i, j]:
                members = members[(members[:, i] == 0) | (members[:, j] == 0)]
        mass = members @ self.weights
        squares = members @ (self.weights * (self.means**2).sum(axis=1))
        costs = squares - ((members @ (self.weights[:, None] * self.means)) ** 2).sum(axis=1) / mass
        prices = np.full(size, max(float(costs.max()), 0.0) / size)
        best, found, step = -np.inf, prices, max(float(costs.max()), 1e-300) / size
        for _ in range(STEPS):
            earned = members @ prices - costs
            at = int(earned.argmax())
            value = self.inside + prices.sum() - k * max(earned[at], 0.0) - LOSS * np.maximum(prices, 0.0).sum()
            if value > best:
                best, found = float(value), prices
            else:
                step *= 0.97
            change = 1.0 - k * members[at]
            prices = found + step * change if value >= best else prices + step * change
        return found, best


def by_prices(path: Path, rng: np.random.Generator) -> Found:
    """A tree whose leaves are all closed by prices, with the knots of their states."""
    drawn = oracle.random_instance(rng, max_points=7)
    n = drawn.n_points
    if n < 4 or float(np.abs(drawn.points).max()) > 1e6:
        return None
    cannot = np.sort(rng.integers(0, n, (int(rng.integers(0, 5)), 2)), axis=1)
    pairs = [pair for pair in np.unique(cannot, axis=0).tolist() if pair[0] != pair[1]]
    points = drawn.points[:, :3]  # with many features searches are long
    instance = Instance(points, drawn.n_clusters, drawn.must_link, pairs, drawn.weights)
    truth = ExactTruth.of(instance)
    if not truth.feasible or instance.n_clusters == 1:
        return None
    records, proved = tree_of(instance, rng)
    if not np.isfinite(proved) or proved <= 0.0 or proved > truth.optimum:
        return None
    write(path, instance, records, truth.best_labels.tolist(), proved, status=Status.FEASIBLE)
    return instance, truth, proved


def tree_of(instance: Instance, rng: np.random.Generator) -> tuple[list[NodeRecord], float]:
    """Return a random tree, and what its leaves prove."""
    records: list[NodeRecord] = []
    waiting: list[tuple[int | None, list[Decision]]] = [(None, [])]
    most, proved = int(rng.integers(1, MOST_NODES)), np.inf
    while waiting:
        parent, decisions = waiting.pop(0)
        leaf, number = Leaf.of(instance, decisions), len(records)
        came = decisions[-1] if decisions else None
        i, j = np.sort(rng.choice(instance.n_points, 2, replace=False)).tolist()
        if number + len(waiting) + 2 <= most:
            records.append(NodeRecord(number, parent, came, (kinds.Branching(Decision("ML", i, j)),)))
            waiting += [(number, [*decisions, Decision(kind, i, j)]) for kind in ("ML", "CL")]
            continue
        knots, axes = leaf.knots(rng), axes_of(rng, instance.n_features) if rng.random() < 0.5 else None
        prices, bound = leaf.along(axes).raised(instance.n_clusters, knots)
        end = kinds.Prices(prices, bound, tuple(map(tuple, knots)), axes)
        records.append(NodeRecord(number, parent, came, (end,)))
        proved = min(proved, bound)
    return records, proved


def axes_of(rng: np.random.Generator, d: int) -> Rows:
    """Return features in another order, or nearly orthogonal axes; rarely fewer than features."""
    number = d if rng.random() < 0.8 else int(rng.integers(1, d + 1))
    turn = np.eye(d)[rng.permutation(d)]
    if rng.random() < 0.7:
        turn = np.linalg.qr(rng.normal(size=(d, d)))[0] * (1.0 - 16.0 * 2.0**-AXIS_BITS)
    return np.rint(np.ldexp(turn[:number], AXIS_BITS)).astype(np.int64)


# Lies


def a_little_above(forgery: Forgery) -> None:
    """The bound is above the optimum by one rounding, or a little more."""
    optimum = forgery.truth.optimum
    labels = forgery.truth.best_labels
    share = forgery.any_of([0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3])
    bound = max(float(optimum) * (1.0 + share), float(np.nextafter(float(optimum), np.inf)))
    if forgery.chance(0.5):  # with labels a bound above their cost is refused whatever proves it
        forgery.claim("UNKNOWN", None, None, bound)
    else:
        labels = forgery.truth.worst_labels
        cost = float(forgery.truth.cost(labels))
        forgery.claim("FEASIBLE", labels, cost, bound)


def nothing_but_the_tree(forgery: Forgery) -> None:
    """Nothing is claimed, and what counts is what the checker says that the tree proves, as it is forged."""
    forgery.claim("UNKNOWN", None, None, None)
    optimum = float(forgery.truth.optimum)
    forgery.target = optimum * (1.0 + forgery.any_of([1e-12, 1e-9, 1e-4, 1.0])) + 5e-324


# Supports


class Stored(NamedTuple):
    """What a file has of prices, array by array, and where."""

    position: int
    problem: int
    prices: bytes
    knots: bytes
    axes: bytes


def leaves_of(forgery: Forgery) -> list[Stored]:
    found = []
    query = "SELECT position, problem, payload FROM evidence WHERE kind = 'prices'"
    for position, problem, payload in forgery.run(query):
        with contextlib.suppress(FormatError):
            prices, knots, axes = read_prices(arrays(payload))
            own = np.empty((0, 0), np.int64) if axes is None else axes
            found.append(Stored(position, problem, encode_floats(prices), encode_integers(knots), encode_integers(own)))
    return found


def store(forgery: Forgery, leaf: Stored, bound: float | None = None, **changed: bytes) -> None:
    """Change prices, knots or axes of a leaf, and the bound, if one is given."""
    own = leaf._replace(**changed)
    forgery.run("UPDATE evidence SET payload = ? WHERE position = ?", own.prices + own.knots + own.axes, own.position)
    if bound is not None:
        forgery.run("UPDATE evidence SET bound = ? WHERE position = ?", bound, own.position)


def decisions_of(forgery: Forgery, problem: int) -> list[Decision]:
    """Return the decisions above a problem, as the file has them."""
    found: list[Decision] = []
    at = problem
    for _ in range(3 * MOST_NODES):
        rows = forgery.run("SELECT parent, change, content FROM problems WHERE problem = ?", at)
        if not rows or rows[0][1] == "part":
            break
        at, kind, content = rows[0]
        found.append(Decision(kind, *read_pair(arrays(content), forgery.instance.n_points)))
    return found


def knots_as_stored(forgery: Forgery, listed: Sequence[int]) -> bytes:
    return encode_integers(np.array(listed, np.int64), differences=forgery.chance(0.3))


def flat(knots: Knots) -> list[int]:
    return [number for knot in knots for number in (len(knot), *knot)]


def knots_of_anybody(forgery: Forgery) -> None:
    """Leaves have knots over whomever, and the best prices and the bound that these would prove."""
    for stored in leaves_of(forgery):
        leaf = Leaf.of(forgery.instance, decisions_of(forgery, stored.problem))
        knots, order = leaf.knots(forgery.rng), forgery.rng.permutation(len(leaf.weights)).tolist()
        if forgery.chance(0.5) or not knots:  # any at all, or one leaf more
            cut = int(forgery.rng.integers(2, len(order) + 1)) if len(order) > 1 else 1
            knots = [own for own in (order[:cut], order[cut:]) if len(own) > 1]
        else:
            held = {i for knot in knots for i in knot}
            knots[0] += [i for i in order if i not in held][: int(forgery.rng.integers(1, 3))]
        prices, bound = leaf.raised(forgery.instance.n_clusters, knots, is_believed=True)
        bound = forgery.any_of([bound, forgery.target])
        listed = knots_as_stored(forgery, flat(knots))
        store(forgery, stored, bound, prices=encode_floats(prices), knots=listed, axes=NO_AXES)


def one_more_in_a_knot(forgery: Forgery) -> None:
    """A knot holds somebody more, who is said to be apart from all others."""
    for stored in leaves_of(forgery):
        leaf = Leaf.of(forgery.instance, decisions_of(forgery, stored.problem))
        knots = leaf.knots(forgery.rng)
        others = [i for i in range(len(leaf.weights)) if not any(i in knot for knot in knots)]
        knots = [[*knots[0], *others[:1]], *knots[1:]] if knots else [others[:3]]
        prices, bound = leaf.raised(forgery.instance.n_clusters, knots, is_believed=True)
        listed = knots_as_stored(forgery, flat(knots))
        store(forgery, stored, bound, prices=encode_floats(prices), knots=listed, axes=NO_AXES)


def knots_that_are_none(forgery: Forgery) -> None:
    """The list of knots is none, of another type, huge, or wraps around."""
    blobs = [encode_integers(np.array(own, np.int64), differences=True) for own in KNOT_LISTS]
    blobs += [encode_integers(np.array([2, 0, 2**63 - 1, 2, 0]), differences=True), encode_floats([2.0, 0.0, 1.0])]
    blobs += [encode_integers(np.array([[2, 0, 1]])), b"", forgery.rng.bytes(30)]
    for stored in leaves_of(forgery):
        store(forgery, stored, knots=forgery.any_of(blobs))


def longer_axes(forgery: Forgery) -> None:
    """Axes are longer than they may be, by a unit or by far, or twice the same; prices prove much along them."""
    d, one, axes = forgery.instance.n_features, 1 << AXIS_BITS, axes_of(forgery.rng, forgery.instance.n_features)
    how = forgery.any_of(["by a unit", "by a share", "twice"])
    if how == "by a unit":
        axes = np.eye(d, dtype=np.int64) * one
        axes.flat[int(forgery.rng.integers(axes.size))] += forgery.any_of([-2 * one - 1, -1, 1, 2])
    elif how == "by a share":
        axes = (axes * forgery.any_of([1.0 + 1e-8, 1.01, 1.5, -40.0])).astype(np.int64)
    else:
        axes = np.repeat(axes[: (d + 1) // 2], 2, axis=0)[: d + int(forgery.chance(0.1))]
    for stored in leaves_of(forgery):
        leaf = Leaf.of(forgery.instance, decisions_of(forgery, stored.problem)).along(axes)
        knots = leaf.knots(forgery.rng)
        prices, bound = leaf.raised(forgery.instance.n_clusters, knots)
        listed = knots_as_stored(forgery, flat(knots))
        rows = encode_integers(axes, differences=forgery.chance(0.3))
        store(forgery, stored, bound, prices=encode_floats(prices), knots=listed, axes=rows)


def axes_that_are_none(forgery: Forgery) -> None:
    """What follows the prices is no matrix of a few rows, or huge, or wraps around."""
    d, one = forgery.instance.n_features, 1 << AXIS_BITS
    rows = [
        [[2**62] * d],
        [[-(2**63)] * d],
        [[2**32] * d] * d,
        [[0] * (d + 1)],
        [[0] * d] * 17,
        [[]],
        [[one]],
        [one],
        [],
    ]
    blobs = [encode_integers(np.array(own, np.int64), differences=forgery.chance(0.5)) for own in rows]
    blobs += [encode_floats(np.eye(d)), b"\0", forgery.rng.bytes(30), encode_integers(np.zeros((1, d), np.int64)) * 2]
    for stored in leaves_of(forgery):
        leaf = Leaf.of(forgery.instance, decisions_of(forgery, stored.problem))
        prices, _ = leaf.raised(forgery.instance.n_clusters, [])
        store(forgery, stored, prices=encode_floats(prices), axes=forgery.any_of(blobs))


def exchanged(name: str) -> Callable[[Forgery], None]:
    """Return what gives a leaf prices, knots or axes of another one: of its sibling, of a state above or beside."""

    def support(forgery: Forgery) -> None:
        leaves = leaves_of(forgery)
        for stored in leaves:
            if forgery.chance(0.5):
                store(forgery, stored, **{name: getattr(forgery.any_of(leaves), name)})

    return support


def exchanged_bounds(forgery: Forgery) -> None:
    bounds = [bound for (bound,) in forgery.run("SELECT bound FROM evidence WHERE kind = 'prices'")]
    for stored in leaves_of(forgery):
        if forgery.chance(0.5):
            store(forgery, stored, forgery.any_of(bounds))


def swapped_children(forgery: Forgery) -> None:
    """What is together in one child is apart there, and the other way round; or both are the same."""
    for (parent,) in forgery.run("SELECT DISTINCT parent FROM problems"):
        if forgery.chance(0.5):
            swap = forgery.any_of(["CASE change WHEN 'ML' THEN 'CL' ELSE 'ML' END", "'CL'", "'ML'"])
            forgery.run(f"UPDATE problems SET change = {swap} WHERE parent = ?", parent)


def decided_pairs(forgery: Forgery) -> None:
    """A leaf is divided by a pair that is decided already; one half has no partitions, the other a high bound."""
    leaves = leaves_of(forgery)
    if not leaves:
        return
    stored = forgery.any_of(leaves)
    above = decisions_of(forgery, stored.problem)
    pairs = [(own.i, own.j) for own in above] + forgery.instance.cannot_link.tolist()
    pairs += [forgery.rng.choice(forgery.instance.n_points, 2, replace=False).tolist()]
    i, j = forgery.any_of(pairs)
    children = [forgery.add_problem(stored.problem, kind, encode_integers([i, j])) for kind in ("ML", "CL")]
    for number, kind in zip(children, ("ML", "CL"), strict=True):
        if forgery.chance(0.1):
            continue
        leaf = Leaf.of(forgery.instance, [*above, Decision(kind, i, j)])
        knots = leaf.knots(forgery.rng)
        prices, bound = leaf.raised(forgery.instance.n_clusters, knots)
        bound = forgery.any_of([bound, forgery.target])
        end = forgery.any_of(["prices", "prices", "prices", "infeasible", "single"])
        own = encode_floats(prices) + encode_integers(np.array(flat(knots), np.int64)) + NO_AXES
        forgery.add(number, end, {"prices": own, "infeasible": encode_integers([]), "single": b""}[end])
        forgery.run("UPDATE evidence SET bound = ? WHERE problem = ?", bound, number)
    forgery.replace(stored.position, "branching", children_of(*children))


def raised_leaves(forgery: Forgery) -> None:
    """Bounds of leaves are higher: by one rounding up to a thousandth, or as high as needed."""
    for stored in leaves_of(forgery):
        ((bound,),) = forgery.run("SELECT bound FROM evidence WHERE position = ?", stored.position)
        higher = bound * (1.0 + 10.0 ** float(forgery.rng.uniform(-16.0, -3.0)))
        store(forgery, stored, forgery.any_of([higher, float(np.nextafter(bound, np.inf)), max(bound, forgery.target)]))


def prices_elsewhere(forgery: Forgery) -> None:
    """Evidence of other kinds holds prices, or prices are of another kind."""
    leaves = leaves_of(forgery)
    if leaves and forgery.chance(0.5):
        stored = forgery.any_of(leaves)
        forgery.add(forgery.any_of(forgery.problems()), "prices", stored.prices + stored.knots + stored.axes)
    kind = forgery.any_of(["open", "bound", "line", "single", "infeasible", "branching"])
    forgery.run("UPDATE evidence SET kind = ? WHERE position = ?", kind, forgery.any_of(forgery.positions()))


def damaged_leaves(forgery: Forgery) -> None:
    """A bit of the prices or knots differs, or they end too soon."""
    for stored in leaves_of(forgery):
        data = stored.prices + stored.knots + stored.axes
        at = int(forgery.rng.integers(len(data)))
        flipped = data[:at] + bytes([data[at] ^ (1 << int(forgery.rng.integers(8)))]) + data[at + 1 :]
        payload = forgery.any_of([data[:at], flipped])
        forgery.run("UPDATE evidence SET payload = ? WHERE position = ?", payload, stored.position)


PRICE_SUPPORTS: dict[str, Callable[[Forgery], None]] = {
    "knots of anybody": knots_of_anybody,
    "one more in a knot": one_more_in_a_knot,
    "knots that are none": knots_that_are_none,
    "longer axes": longer_axes,
    "axes that are none": axes_that_are_none,
    "exchanged knots": exchanged("knots"),
    "exchanged prices": exchanged("prices"),
    "exchanged axes": exchanged("axes"),
    "exchanged bounds": exchanged_bounds,
    "swapped children": swapped_children,
    "decided pairs": decided_pairs,
    "raised leaves": raised_leaves,
    "raised leaves once more": raised_leaves,
    "prices elsewhere": prices_elsewhere,
    "damaged leaves": damaged_leaves,
}
GENERAL = ("dropped leaves", "only the whole", "wrong changes", "moved problems", "leaves called infeasible")

#: Files of price trees.
PRICES = School(
    {"by prices": by_prices},
    {
        **LIES,
        "bound above the optimum": (bound_above_the_optimum, 6.0),
        "a little above": (a_little_above, 10.0),
        "nothing but the tree": (nothing_but_the_tree, 10.0),
    },
    {**PRICE_SUPPORTS, **{name: SUPPORTS[name] for name in GENERAL}},
)
