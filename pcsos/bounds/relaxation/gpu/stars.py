"""Stars on a device: a list of them by centre, the projection onto them, and those that a point violates."""

from typing import Any

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.bounds.relaxation.cuts import key_of, mixed
from pcsos.bounds.relaxation.families.stars import LARGEST_STAR
from pcsos.bounds.relaxation.gpu.device import Device
from pcsos.evidence.multipliers import Cuts

#: New cuts of a centre in a round, at most: they are projected onto one after another.
PER_CENTRE = 200
#: Most centres that go at the same time: of more, many do what one is to do.
AT_A_TIME = 2500
#: So many times the limit of stars are kept before those are counted once that were found from several members.
ENOUGH = 2.2


class Stars:
    """Stars, sorted by centre, with their multipliers.

    Those of a centre are in no order to speak of: centres that come to about the same star at the same time would all
    do what one is to do.

    Parameters
    ----------
    device : Device
        Where they are.
    inverse_roots : array of the device, shape (s,)
        1 / sqrt(e_i), in single precision.
    cuts, weights : Cuts, ndarray
        Stars of at most :data:`LARGEST_STAR` members to begin with, and their multipliers.
    clusters : ndarray, shape (s,)
        A cluster of each point; the search for violated stars is faster where few pairs of clusters are together.
    """

    def __init__(self, device: Device, inverse_roots: Any, cuts: Cuts, weights: Floats, clusters: Indices) -> None:
        self._device, self._inverse_roots = device, inverse_roots
        self._order = device.xp.asarray(np.argsort(clusters, kind="stable").astype(np.int32))
        own, sizes = device.xp.asarray, np.diff(cuts.indptr)
        members = np.zeros((len(cuts), LARGEST_STAR), np.int32)
        members[np.arange(LARGEST_STAR) < sizes[:, None]] = cuts.members
        centre, members, sizes = own(cuts.centre), own(members), own(sizes.astype(np.int32))
        self._take(centre, sizes, members, keys(device.xp, centre, sizes, members), own(weights.astype(np.float32)))

    def _take(self, centre: Any, sizes: Any, members: Any, key: Any, weights: Any) -> None:
        xp, s = self._device.xp, self._inverse_roots.size
        order = xp.argsort(key)
        order = order[xp.argsort(centre[order], kind="stable")]
        self.centre, self.sizes, self.members = centre[order], sizes[order], members[order]
        self.key, self.weights = key[order], weights[order]
        self._first = xp.searchsorted(self.centre, xp.arange(s + 1, dtype=np.int32)).astype(np.int32)

    def cuts(self) -> Cuts:
        """Return the same on the processor."""
        xp, host = self._device.xp, self._device.host
        indptr = np.concatenate([[0], np.cumsum(host(self.sizes))]).astype(np.int64)
        return Cuts(host(self.centre), indptr, host(self.members[xp.arange(LARGEST_STAR) < self.sizes[:, None]]))

    def add_to(self, v: Any) -> None:
        """Add the matrix of all multipliers to the upper triangle of v."""
        s = np.int32(self._inverse_roots.size)
        stars = (self.centre, self.sizes, self.members, self._inverse_roots)
        self._device.run("add", self.centre.size, s, *stars, self.weights, v)

    def project(self, v: Any, least: Any, upper: Any, sweeps: int) -> None:
        """Add sum lambda A to the upper triangle of v by sweeps of coordinate ascent, every other over used cuts only.

        Clipped to the box, v is then nearly the projection onto box and cuts.
        """
        self.add_to(v)
        s = self._inverse_roots.size
        groups = -(-s // AT_A_TIME)
        stars = (self._first, self.sizes, self.members, self._inverse_roots)
        for sweep in range(sweeps):
            rest = (np.int32(s), *stars, least, upper, v, self.weights, np.int32(sweep % 2))
            for begin in range(groups):
                self._device.run("sweep", -(-s // groups), np.int32(begin), np.int32(groups), *rest, lanes=32)

    def renew(self, z: Any, least: float, limit: int) -> Floats:
        """Drop stars without a multiplier, and add violated ones that are new; return their violations, descending."""
        xp = self._device.xp
        used = self.weights > 0.0
        known = self.key[used]
        centre, sizes, members, violation = violated(self._device, z, self._order, least, limit)
        key, which = distinct(xp, centre, sizes, members)
        which = which[~xp.isin(key[which], known)]
        which = _spread(xp, which, centre[which], violation[which])
        which = which[xp.argsort(-violation[which])[:limit]]
        added = (centre[which], sizes[which], members[which], key[which], xp.zeros(which.size, np.float32))
        old = (self.centre, self.sizes, self.members, self.key, self.weights)
        self._take(*(xp.concatenate([one[used], other]) for one, other in zip(old, added, strict=True)))
        return np.asarray(self._device.host(violation[which]), np.float64)


def violated(device: Device, z: Any, order: Any, least: float, limit: int) -> tuple[Any, Any, Any, Any]:
    """Return centres, sizes, members and violations of pairs, triangles and grown stars, some of them several times.

    Parameters
    ----------
    z : array of the device, shape (s, s)
        Z in single precision.
    order : array of the device, shape (s,)
        The points, those of a cluster about one after another.
    least : float
        Members are together with the centre, and pairs and triangles violated, by more than that.
    limit : int
        About twice as many pairs and triangles are grown, the most violated.
    """
    xp, s = device.xp, len(z)
    found, partner = xp.full_like(z, -1.0), xp.empty(z.shape, np.int32)
    device.run("gains", s, np.int32(s), z, order, np.float32(least), found, partner, lanes=s // 16 + 1)
    found, partner = found.ravel(), partner.ravel()
    which = xp.flatnonzero(found > least)
    wanted = int(ENOUGH * limit)
    if which.size > wanted:
        which = which[xp.argsort(-found[which])[:wanted]]
    second, violation = partner[which], found[which]
    centre, members = (which // s).astype(np.int32), xp.zeros((which.size, LARGEST_STAR), np.int32)
    sizes = xp.where(second < 0, 1, 2).astype(np.int32)
    members[:, 0] = which % s
    members[:, 1] = xp.maximum(second, 0)
    _, grown = distinct(xp, centre, sizes, members)
    grown = grown[sizes[grown] == 2]
    more = (sizes[grown], members[grown], violation[grown])
    device.run("grow", grown.size, np.int32(s), z, centre[grown], *more, lanes=32)
    larger = more[0] > 2
    parts = zip((centre, sizes, members, violation), (centre[grown], *more), strict=True)
    centre, sizes, members, violation = (xp.concatenate([one, other[larger]]) for one, other in parts)
    return centre, sizes, members, violation


def _by_centre(xp: Any, centre: Any, values: Any) -> Any:
    """Return the order by centre in which the values of each descend."""
    order = xp.argsort(-values)
    return order[xp.argsort(centre[order], kind="stable")]


def _spread(xp: Any, which: Any, centre: Any, violation: Any) -> Any:
    """Return those of some stars that are among the most violated of their centre."""
    order = _by_centre(xp, centre, violation)
    own = centre[order]
    place = xp.arange(own.size) - xp.searchsorted(own, own)
    return which[order[place < PER_CENTRE]]


def distinct(xp: Any, centre: Any, sizes: Any, members: Any) -> tuple[Any, Any]:
    """Return a key of each star, and the indices of those that differ."""
    key = keys(xp, centre, sizes, members)
    return key, xp.unique(key, return_index=True)[1]


def keys(xp: Any, centre: Any, sizes: Any, members: Any) -> Any:
    """Return a hash of each star that does not depend on the order of its members."""
    each = xp.where(xp.arange(LARGEST_STAR) < sizes[:, None], mixed(members), np.uint64(0))
    return key_of(centre, each.sum(axis=1, dtype=np.uint64))
