"""Digest: 64 characters that tell an instance from any other, for people to compare (docs/certificate.md, 1)."""

import hashlib
import json
import struct

import numpy as np
from numpy.typing import NDArray

from pcsos.verify.doubles import Doubles
from pcsos.verify.links import Links


def digest_of(points: Doubles, weights: Doubles, links: Links, k: int, conditions: str, inner: Doubles | None) -> str:
    """Return the SHA-256 digest of an instance, from what the file holds and not from the digest in it."""
    n, d = points.shape
    digest = hashlib.sha256(b"pcsos instance 1" + struct.pack("<QQQ", n, d, k))
    together = links.must_link[links.must_link[:, 0] != links.must_link[:, 1]]
    pairs = (_sorted(own, n) for own in (together, links.cannot_link))
    for entries in (points.entries(), weights.entries(), *pairs):
        digest.update(struct.pack("<Q", entries.size))
        digest.update(entries.data)
    stated = json.loads(conditions, parse_float=Number, parse_int=Number)  # was found to be JSON before
    if stated:
        digest.update(canonical(stated).encode())
    if inner is not None:
        digest.update(b"gram")
        digest.update(inner.entries().data)
    return digest.hexdigest()


class Number(str):
    """A number of JSON as it is written."""


def canonical(value: object) -> str:
    """Return JSON with names in order and texts in ASCII, and each number as it was written."""
    if isinstance(value, Number):
        return value
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)}: {canonical(value[name])}" for name in sorted(value)) + "}"
    return "[" + ", ".join(map(canonical, value)) + "]" if isinstance(value, list) else json.dumps(value)


def _sorted(pairs: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Return the ends of pairs of n points, sorted within and among themselves, without duplicates."""
    codes = np.unique(pairs.min(axis=1) * n + pairs.max(axis=1))
    return np.stack([codes // n, codes % n], axis=1).astype("<i8").reshape(-1)
