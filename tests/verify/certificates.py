"""Certificates without a solver: one by hand, random ones by enumeration, and means to spoil them."""

import sqlite3
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.evidence.kinds import Bound, Branching, Clique, Fixed, Forced, Infeasible, Single
from pcsos.evidence.multipliers import Cuts, Multipliers, quantise
from pcsos.evidence.node import Decision, Evidence, NodeRecord
from pcsos.evidence.result import Reason, Result, Status
from pcsos.evidence.run_file import RunFile
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.partition import Partition
from tests.bounds.relaxation.samples import random_pair_row

Pairs = list[tuple[int, int]]

#: Points 0, 2, 10, 12, 11 on a line, k = 2: explained step by step in docs/certificate.md, section 8.
HAND_MADE = Instance([0.0, 2.0, 10.0, 12.0, 11.0], 2, [(2, 3)], [(0, 2), (1, 4)])
HAND_MADE_LABELS = [0, 0, 1, 1, 1]


def write(
    path: Path,
    instance: Instance,
    records: Sequence[NodeRecord],
    labels: Sequence[int] | None,
    lower_bound: float | None,
    *,
    status: Status = Status.OPTIMAL,
    gap: float = 1e-4,
) -> Path:
    partition = None if labels is None else Partition.of(instance, labels)
    reasons = {Status.OPTIMAL: Reason.GAP_REACHED, Status.INFEASIBLE: Reason.INFEASIBLE}
    reason = reasons.get(status, Reason.NODE_LIMIT)
    result = Result(instance, status, reason, partition, lower_bound=lower_bound, seconds=0.0, seed=0)
    with RunFile.create(path, instance, Options(gap=gap)) as file:
        if partition is not None:
            file.add_incumbent(partition.labels, partition.objective, "K", 0.0)
        for record in records:
            file.add_node(record)
        file.set_claim(result)
    return path


def hand_made_records() -> list[NodeRecord]:
    forced = Forced((Clique(Decision("ML", 1, 2), (0,)),))
    other_forced = Forced((Clique(Decision("ML", 2, 4), (0,)),))
    return [
        NodeRecord(0, None, None, (Branching(Decision("ML", 0, 1)),)),
        NodeRecord(1, 0, Decision("ML", 0, 1), (Branching(Decision("ML", 0, 4)),)),
        NodeRecord(2, 0, Decision("CL", 0, 1), (forced, Bound(Multipliers.none(3), 55.9))),
        NodeRecord(3, 1, Decision("ML", 0, 4), (Infeasible(np.array([], int)),)),
        NodeRecord(4, 1, Decision("CL", 0, 4), (other_forced, Single(4.0))),
    ]


def hand_made(path: Path, **changes: Any) -> Path:
    """Write the hand-made certificate: optimum 4, proved exactly."""
    if changes:
        return write(path, HAND_MADE, hand_made_records(), **{"labels": HAND_MADE_LABELS, "lower_bound": 4.0} | changes)
    path.write_bytes(_hand_made_file())
    return path


@cache
def _hand_made_file() -> bytes:
    with TemporaryDirectory() as folder:
        return write(Path(folder) / "run", HAND_MADE, hand_made_records(), HAND_MADE_LABELS, 4.0).read_bytes()


def edit(path: Path, *statements: tuple[str, tuple[object, ...]]) -> None:
    """Change the database behind the back of everything."""
    connection = sqlite3.connect(path)
    with connection:
        for statement, values in statements:
            connection.execute(statement, values)
    connection.close()


# Certificates of small instances, by enumeration


class Linked:
    """A state by the rules of the documentation, written once more: components and lifted cannot-links."""

    def __init__(self, instance: Instance, must_link: Pairs, cannot_link: Pairs) -> None:
        n = instance.n_points
        together = np.eye(n, dtype=bool)
        for i, j in [*instance.must_link.tolist(), *must_link]:
            together[i, j] = together[j, i] = True
        for _ in range(n.bit_length()):  # paths of twice the length
            together = together @ together
        first = together.argmax(axis=1)
        self.groups = [np.flatnonzero(first == f).tolist() for f in np.unique(first)]
        self.index = np.searchsorted(np.unique(first), first)
        self.size = len(self.groups)
        self.apart = np.zeros((self.size, self.size), bool)
        for i, j in [*instance.cannot_link.tolist(), *cannot_link]:
            a, b = self.index[i], self.index[j]
            self.apart[a, b] = self.apart[b, a] = True
        self.contradicts = bool(self.apart.diagonal().any())
        self.weights = np.array([instance.weights[g].sum() for g in self.groups])

    def largest(self, k: int) -> NDArray[np.float64]:
        """M_i by the definition: all super-points but those that must or may lie outside."""
        out = []
        for i in range(self.size):
            others = sorted(self.weights[j] for j in range(self.size) if j != i and not self.apart[i, j])
            missing = max(0, k - 1 - int(self.apart[i].sum()))
            out.append(self.weights.sum() - self.weights[self.apart[i]].sum() - sum(others[:missing]))
        return np.array(out)


def float_bound(instance: Instance, state: Linked, multipliers: Multipliers) -> float:
    """The bound of section 5 in floats, written from the documentation."""
    k, e = instance.n_clusters, state.weights
    centre = instance.weights @ instance.points / instance.weights.sum()
    centred = instance.points - centre
    total = float(instance.weights @ (centred**2).sum(axis=1))
    sums = np.array([instance.weights[g] @ centred[g] for g in state.groups])
    root = np.sqrt(e)
    c = sums @ sums.T / np.outer(root, root)
    largest = state.largest(k)
    high = np.where(state.apart, 0.0, np.outer(root, root) / (e[:, None] + e[None, :]))
    np.fill_diagonal(high, 1.0)
    low = np.diag(e / largest)
    n = multipliers.box
    value = total + (np.maximum(n, 0) * low).sum() - (np.maximum(-n, 0) * high).sum()
    z = np.zeros_like(c)
    cuts = multipliers.cuts
    for t, mu in enumerate(multipliers.weights):
        centre_, members = cuts.centre[t], cuts.members[cuts.indptr[t] : cuts.indptr[t + 1]]
        for a in members:
            for b in members:
                z[a, b] += 0.5 * mu * (a != b)
        if centre_ < 0:
            value += mu / largest.max()
        else:
            z[centre_, centre_] += mu
            z[centre_, members] -= 0.5 * mu
            z[members, centre_] -= 0.5 * mu
    g = -c - n - z / np.outer(root, root)
    u = root / np.sqrt(e.sum())
    value += u @ g @ u
    basis = np.linalg.svd(u[None, :])[2][1:]
    return float(value + np.linalg.eigvalsh(basis @ g @ basis.T)[: k - 1].sum())


def random_multipliers(
    rng: np.random.Generator, size: int, k: int, scale: float, *, sets: bool = False, pairs: bool = False
) -> Multipliers:
    """Symmetric N of either sign and random stars and cliques, and sets and cuts about pairs if they are wanted."""
    box = rng.standard_normal((size, size)) * (rng.random((size, size)) < 0.7)
    centre, sizes, members = [], [], []
    for _ in range(int(rng.integers(0, 12)) if size > 1 else 0):
        kind = -2 if sets and rng.random() < 0.4 else -1 if size > k and rng.random() < 0.3 else 0
        chosen = rng.permutation(size)
        count = k + 1 if kind == -1 else int(rng.integers(1, size))
        centre.append(kind if kind < 0 else int(chosen[-1]))
        sizes.append(count)
        members += chosen[:count].tolist()
    for _ in range(int(rng.integers(0, 9)) if pairs and size > 1 else 0):
        about, own = random_pair_row(rng, size)
        centre.append(about)
        sizes.append(len(own))
        members += own
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    cuts = Cuts(np.array(centre, np.int32), indptr, np.array(members, np.int32))
    found = Multipliers((box + box.T) * scale, cuts, rng.random(len(centre)) * scale)
    return quantise(found, tolerance=1e-9 * scale)


def enumeration(
    instance: Instance, rng: np.random.Generator, *, bound_share: float = 0.4
) -> tuple[list[NodeRecord], float]:
    """A tree that ends in single partitions, contradictions and crude bounds, and the bound that it proves."""
    records: list[NodeRecord] = []
    scale = float(np.ptp(instance.points)) ** 2 * float(instance.weights.max()) * 0.05

    def grow(node: int, parent: int | None, decision: Decision | None, must_link: Pairs, cannot_link: Pairs) -> float:
        state = Linked(instance, must_link, cannot_link)
        end, bound = close(state)
        fixed: tuple[Fixed, ...] = ()
        if isinstance(end, Branching) and rng.random() < 0.3:
            fixed = (fix(state, end.decision.i, end.decision.j),)
            bound = min(bound, fixed[0].bound)
            cannot_link = cannot_link + [(d.i, d.j) for d in fixed[0].decisions]
        records.append(NodeRecord(node, parent, decision, (*fixed, end)))
        if isinstance(end, Branching):
            first = 1 + 2 * sum(isinstance(record.end, Branching) for record in records[:-1])
            pair = (end.decision.i, end.decision.j)
            bound = min(bound, grow(first, node, end.decision, [*must_link, pair], cannot_link))
            bound = min(bound, grow(first + 1, node, end.decision.opposite, must_link, [*cannot_link, pair]))
        return bound

    def close(state: Linked) -> tuple[Evidence, float]:
        if state.contradicts or state.size < instance.n_clusters:
            return Infeasible(np.array([], int)), np.inf
        if instance.n_clusters in (1, state.size):
            labels = np.zeros(instance.n_points, np.intp) if instance.n_clusters == 1 else state.index
            if instance.n_clusters == 1 and state.apart.any():
                pair = np.argwhere(state.apart)[0]
                return Infeasible(np.array([state.groups[a][0] for a in pair])), np.inf
            bound = cost(instance, labels) * (1.0 - 1e-12)
            return Single(bound), bound
        i, j = rng.choice(state.size, 2, replace=False)
        if state.apart[i, j] or rng.random() < bound_share:
            multipliers = random_multipliers(rng, state.size, instance.n_clusters, scale)
            bound = max(0.0, float_bound(instance, state, multipliers) - 1e-9 * max(scale, 1.0))
            return Bound(multipliers, bound), bound
        return Branching(Decision("ML", min(state.groups[i]), min(state.groups[j]))), np.inf

    def fix(state: Linked, i: int, j: int) -> Fixed:
        multipliers = random_multipliers(rng, state.size, instance.n_clusters, scale)
        a, b = state.index[i], state.index[j]
        largest = state.largest(instance.n_clusters)
        gain = 2 * max(multipliers.box[a, b], 0.0) * np.sqrt(state.weights[a] * state.weights[b]) / min(largest[[a, b]])
        bound = max(0.0, float_bound(instance, state, multipliers) + gain - 1e-9 * max(scale, 1.0))
        return Fixed((Decision("CL", i, j),), multipliers, bound)

    return records, grow(0, None, None, [], [])


def cost(instance: Instance, labels: NDArray[np.intp]) -> float:
    """Sum of squares, from pairwise distances."""
    total = 0.0
    for label in np.unique(labels):
        x, w = instance.points[labels == label], instance.weights[labels == label]
        squares = ((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2)
        total += float(w @ squares @ w / w.sum() / 2.0)
    return total
