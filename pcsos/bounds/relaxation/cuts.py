"""Lists of cuts: some of one, two as one, and a hash of each cut."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.typing import Flags, Indices
from pcsos.evidence.multipliers import Cuts


def listed(centre: NDArray[np.integer], members: Sequence[Indices] | Indices) -> Cuts:
    """Return cuts with these centres, or what stands in their place, and these members each."""
    indptr = np.cumsum([0, *map(len, members)]).astype(np.int64)
    return Cuts(centre.astype(np.int32), indptr, np.concatenate([np.empty(0), *members]).astype(np.int32))


def select(cuts: Cuts, keep: Flags | NDArray[np.integer]) -> Cuts:
    """Return some of the cuts, by mask or by index."""
    index = np.flatnonzero(keep) if keep.dtype == np.bool_ else keep
    sizes = np.diff(cuts.indptr)[index]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    take = np.repeat(cuts.indptr[index] - indptr[:-1], sizes) + np.arange(indptr[-1])
    return Cuts(cuts.centre[index], indptr, cuts.members[take])


def join(first: Cuts, second: Cuts) -> Cuts:
    """Return the cuts of both, in order."""
    return Cuts(
        np.concatenate([first.centre, second.centre]),
        np.concatenate([first.indptr, first.indptr[-1] + second.indptr[1:]]),
        np.concatenate([first.members, second.members]),
    )


def keys(cuts: Cuts) -> NDArray[np.uint64]:
    """Return a hash of each cut that does not depend on the order of its members (for dropping duplicates)."""
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(mixed(cuts.members), dtype=np.uint64)])
    return np.asarray(key_of(cuts.centre, np.diff(sums[cuts.indptr])))


def key_of(centre: Any, sums: Any) -> Any:
    """Return the hash of cuts with these centres, given the sums of what their members are mixed to."""
    return mixed(sums ^ mixed(centre.astype(np.int64) + 1_000_000_007))


def mixed(values: Any) -> Any:
    """Return the values as splitmix64 mixes them (Steele, Lea and Flood, OOPSLA 2014)."""
    z = values.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
