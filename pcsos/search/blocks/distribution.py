"""Distribution: super-points over blocks such that every cluster has about the same mean in each of them.

Each cluster of a good partition is spread evenly, so that a block is a small likeness of the whole. What is lost is the
imbalance ``sum_ct W_ct |mu_ct - mu_c|^2`` (Mathematics 7), which turns along the widest direction of a cluster, and
then exchanges of two members of a cluster, make small. A cluster with too few members for all blocks lends each of them
to several blocks, a share of the weight each.
"""

from dataclasses import dataclass

import numpy as np

from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Floats, Indices
from pcsos.problem.params import BlockParams
from pcsos.problem.reduction import Reduced

#: Exchanges that are tried between two questions whether to stop.
TRIES = 1 << 20


@dataclass(frozen=True, eq=False)
class Distribution:
    """Super-points in blocks."""

    starts: Indices  #: shape (T + 1,): block t holds ``members[starts[t]:starts[t + 1]]``
    members: Indices  #: super-points, block after block; one that is shared appears in several blocks
    shares: Floats  #: the share of its weight that each member brings into the block, a power of two

    def block(self, number: int) -> tuple[Indices, Floats]:
        """Return the members of a block, and their shares."""
        inside = slice(self.starts[number], self.starts[number + 1])
        return self.members[inside], self.shares[inside]


def distribute(
    reduced: Reduced, labels: Indices, num_blocks: int, rng: np.random.Generator, params: BlockParams | None = None,
    stop: Stop = NEVER,
) -> Distribution:  # fmt: skip
    """Distribute the super-points over blocks.

    Parameters
    ----------
    reduced : Reduced
        The super-points, s of them.
    labels : ndarray of int, shape (s,)
        A good partition of them.
    num_blocks : int
        Number of blocks T, a power of two.
    stop : Stop
        Whether to leave it at the exchanges that were tried by then.
    """
    params = params or BlockParams()
    points = np.ascontiguousarray(reduced.coordinates)
    placed = _place_components(reduced, labels, num_blocks, rng)
    blocks, members, shares = [], [], []
    for cluster in range(reduced.n_clusters):
        own = np.flatnonzero(labels == cluster)
        copies = _copies(own.size, num_blocks, params.least_members)
        num_slots = num_blocks // copies
        slot = _slots_of(points[own], reduced.weights[own], placed[own], num_slots, rng, params.exchanges, stop)
        for copy in range(copies):
            blocks.append(slot + copy * num_slots)
            members.append(own)
            shares.append(np.full(own.size, 1.0 / copies))
    of = np.concatenate(blocks)
    order = np.lexsort((np.concatenate(members), of))
    starts = np.searchsorted(of[order], np.arange(num_blocks + 1))
    return Distribution(starts, np.concatenate(members)[order], np.concatenate(shares)[order])


def _copies(size: int, num_blocks: int, least: int) -> int:
    """Return the number of blocks, a power of two, that each member of a cluster of this size must be lent to."""
    copies = 1
    while copies < num_blocks and size * copies < least * num_blocks:
        copies *= 2
    return copies


def _place_components(reduced: Reduced, labels: Indices, num_blocks: int, rng: np.random.Generator) -> Indices:
    """Return a block for each super-point with cannot-links, -1 for the others: connected ones stay together.

    Large components come first, each to the block that has the fewest members of its clusters. One that is larger than
    a block is distributed like single super-points.
    """
    component = reduced.graph.component
    placed = np.full(reduced.size, -1, np.intp)
    sizes = np.bincount(component[component >= 0], minlength=reduced.graph.num_components)
    counts = np.zeros((num_blocks, reduced.n_clusters))
    quota = np.maximum(np.bincount(labels, minlength=reduced.n_clusters) / num_blocks, 1.0)
    order = np.argsort(component, kind="stable")
    ends = np.searchsorted(component[order], np.arange(reduced.graph.num_components + 1))
    for number in np.argsort(-sizes, kind="stable"):
        nodes = order[ends[number] : ends[number + 1]]
        if nodes.size * num_blocks > reduced.size:
            continue
        held = np.bincount(labels[nodes], minlength=reduced.n_clusters)
        load = ((counts + held) / quota).max(axis=1, where=held > 0, initial=0.0)
        block = int(rng.choice(np.flatnonzero(load == load.min())))
        counts[block] += held
        placed[nodes] = block
    return placed


def _slots_of(
    rows: Floats, masses: Floats, placed: Indices, num_slots: int, rng: np.random.Generator, exchanges: int, stop: Stop
) -> Indices:
    """Return the slot, from 0 to ``num_slots - 1``, of each member of a cluster."""
    rows = rows - masses @ rows / masses.sum()
    slot = np.where(placed >= 0, placed % num_slots, -1)
    free = np.flatnonzero(slot < 0)
    along = free[np.argsort(rows[free] @ widest_direction(rows * (masses / masses.max())[:, None]), kind="stable")]
    slot[along] = _turns(np.bincount(slot[slot >= 0], minlength=num_slots), along.size, rng)
    if num_slots > 1 and free.size > 1:
        total: Floats = np.asarray(np.bincount(slot, masses, num_slots), np.float64)
        sums = np.column_stack([np.bincount(slot, masses * column, num_slots) for column in rows.T]).astype(np.float64)
        for tried in range(0, exchanges * free.size, TRIES):
            if stop.asked():
                break
            exchange(rows, masses, free, slot, sums, total, min(TRIES, exchanges * free.size - tried), rng)
    return slot


def widest_direction(rows: Floats, steps: int = 8) -> Floats:
    """Return a direction, shape (d,), along which the rows differ most, nearly."""
    largest = float(np.abs(rows).max())
    if largest == 0.0:
        return np.ones(rows.shape[1])
    rows = rows / largest
    direction: Floats = np.ones(rows.shape[1])
    for _ in range(steps):
        image = rows.T @ (rows @ direction)
        length = float(np.linalg.norm(image))
        if length == 0.0 or not np.isfinite(length):
            break
        direction = image / length
    return direction


def _turns(held: Indices, count: int, rng: np.random.Generator) -> Indices:
    """Return whose turn it is, shape (count,), so that slots that hold so many already end up even."""
    turns: list[Indices] = []
    left, level = count, int(held.min())
    while left > 0:
        short = np.flatnonzero(held <= level)
        turn = rng.permutation(short)[:left]
        turns.append(turn)
        left, level = left - turn.size, level + 1
    return np.concatenate(turns) if turns else np.empty(0, np.intp)


@kernel
def exchange(
    rows: Floats, masses: Floats, free: Indices, slot: Indices, sums: Floats, total: Floats, tries: int,
    rng: np.random.Generator,
) -> None:  # fmt: skip
    """Exchange two free members of different slots again and again, wherever that lowers the imbalance."""
    d = rows.shape[1]
    for _ in range(tries):
        a, b = free[rng.integers(0, free.size)], free[rng.integers(0, free.size)]
        t, u = slot[a], slot[b]
        if t == u:
            continue
        change = masses[b] - masses[a]
        if min(total[t] + change, total[u] - change) <= 1e-9 * max(total[t], total[u]):
            continue  # few digits would be left
        before_t, before_u, after_t, after_u = 0.0, 0.0, 0.0, 0.0
        for f in range(d):
            moved = masses[b] * rows[b, f] - masses[a] * rows[a, f]
            before_t += sums[t, f] * sums[t, f]
            before_u += sums[u, f] * sums[u, f]
            one, other = sums[t, f] + moved, sums[u, f] - moved
            after_t += one * one
            after_u += other * other
        before = before_t / total[t] + before_u / total[u]
        if after_t / (total[t] + change) + after_u / (total[u] - change) < before * (1.0 - 1e-12):
            slot[a], slot[b] = u, t
            total[t] += change
            total[u] -= change
            for f in range(d):
                moved = masses[b] * rows[b, f] - masses[a] * rows[a, f]
                sums[t, f] += moved
                sums[u, f] -= moved
