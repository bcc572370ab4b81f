"""Arrays and multipliers as bytes: an explicit little format that nothing is ever executed from.

They are read back by :mod:`pcsos.verify.reading.arrays`. The format is specified in ``docs/certificate.md``, section 2.
An array is a header (kind, bytes per number, number of dimensions, length, shape) and the zlib-compressed byte planes
of its numbers: first the lowest byte of every number, then the next. Integers are folded to non-negative ones (0, -1,
1, -2, ... become 0, 1, 2, 3, ...), and sorted ones are stored as differences.
"""

import math
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcsos.base.exceptions import FormatError
from pcsos.base.typing import Floats
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.evidence.node import Change, Decision
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.reading.database import ABOUT_PAIRS, CLIQUE, LEAST_CODE, MOST_IN_PAIRS, OF_PAIRS
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.multipliers import read_multipliers
from pcsos.verify.reading.payloads import read_decisions

_HEADER = struct.Struct("<cBBI")
_EXPONENTS = struct.Struct("<iiI")
#: Up to so many bytes are compressed well; of more, that takes long and gains little.
_SMALL, _WELL, _FAST = 1 << 24, 6, 1
#: Bytes of a decision as an object, for each of its numbers; of a number in a matrix.
OF_A_DECISION, OF_A_DOUBLE = 60, 8


def encode_multipliers(multipliers: Multipliers) -> bytes:
    """Return quantised multipliers as bytes; see :func:`quantise`. Others, of more than 62 bits, are a ValueError."""
    box, weights = multipliers.box, multipliers.weights
    if not np.array_equal(box, box.T):
        raise ValueError("the box multipliers are not symmetric; quantise them first")
    box_units, box_exponent = _units(np.concatenate([row[first:] for first, row in enumerate(box)]))
    weight_units, weight_exponent = _units(weights)
    blocks = []
    for size, first, last in _runs(np.diff(multipliers.cuts.indptr)):
        members = multipliers.cuts.members[multipliers.cuts.indptr[first] : multipliers.cuts.indptr[last]]
        table = np.vstack([multipliers.cuts.centre[first:last], members.reshape(-1, size).T])
        blocks += [encode_integers(table, differences=True), encode_integers(weight_units[first:last])]
    exponents = _EXPONENTS.pack(box_exponent, weight_exponent, len(blocks) // 2)
    return b"".join([exponents, encode_integers(box_units), *blocks])


def _runs(sizes: NDArray[np.integer]) -> Iterator[tuple[int, int, int]]:
    """Yield each run of cuts of equal size: size, first and last (exclusive)."""
    ends = np.flatnonzero(np.diff(sizes, append=-1)) + 1
    starts = np.concatenate([[0], ends[:-1]])
    yield from zip(sizes[starts[: ends.size]].tolist(), starts.tolist(), ends.tolist(), strict=False)


class Payload:
    """What a row of evidence of n points holds, array by array (:mod:`pcsos.verify.reading.payloads`).

    It is read from the value of the column; ``change_of`` returns the change of a problem, by which it differs from its
    parent.
    """

    def __init__(self, data: object, n: int, memory: Memory, change_of: Callable[[int], Change]) -> None:
        self.arrays, self.n, self.change_of = Arrays(data, "the payload", memory), n, change_of
        self._memory = memory

    def multipliers(self) -> Multipliers:
        """Return multipliers."""
        return decode_multipliers(self.arrays, self.n, self._memory)

    def decisions(self) -> tuple[Decision, ...]:
        """Return decisions about points of the instance."""
        return self.decided(read_decisions(self.arrays, self.n))

    def decided(self, rows: NDArray[np.int64]) -> tuple[Decision, ...]:
        """Return the decisions of an array of them."""
        self._memory.keep(rows.size * OF_A_DECISION, "decisions")
        return tuple(Decision("CL" if kind else "ML", i, j) for kind, i, j in rows.T.tolist())


def listed(lists: Iterable[Sequence[int]]) -> list[int]:
    """Return lists one after the other, each behind its length."""
    return [number for each in lists for number in (len(each), *each)]


def decode_multipliers(arrays: Arrays, most: int, memory: Memory) -> Multipliers:
    """Return the multipliers that :func:`encode_multipliers` wrote, exactly, of at most so many super-points."""
    raw = read_multipliers(arrays, most, memory)
    s = raw.size
    memory.keep(OF_A_DOUBLE * s * s, "multipliers")
    box = np.zeros((s, s))
    box[np.triu_indices(s)] = _scaled(raw.triangle, raw.box_exponent)
    box = np.where(np.tri(s, k=-1, dtype=bool), box.T, box)
    tables = [table for table, _ in raw.cuts]
    for table in tables:
        if table.size and not (_is_known(table[0], s) and table[1:].min() >= 0 and table.max() < s):
            raise FormatError("multipliers: a cut names a super-point that does not exist")
        if table.size and not _fits(table[0], np.sort(table[1:], axis=0), s):
            raise FormatError("multipliers: a cut with members that do not fit")
    sizes = np.concatenate([[0], *(np.full(table.shape[1], len(table) - 1) for table in tables)])
    empty = np.empty(0, np.int32)
    centre = np.concatenate([empty, *(table[0] for table in tables)]).astype(np.int32)
    members = np.concatenate([empty, *(table[1:].T.ravel() for table in tables)]).astype(np.int32)
    weights = np.concatenate([np.empty(0), *(_scaled(units, raw.cut_exponent) for _, units in raw.cuts)])
    return Multipliers(box, Cuts(centre, np.cumsum(sizes).astype(np.int64), members), weights)


def _is_known(centre: NDArray[np.int64], s: int) -> bool:
    """Return whether each of these is a centre, the code of a family, or stands for a pair of s super-points."""
    is_pair = (centre <= ABOUT_PAIRS) & (centre > ABOUT_PAIRS - OF_PAIRS * s * s)
    return bool(((is_pair & (s <= MOST_IN_PAIRS)) | (centre >= LEAST_CODE)).all())


def _fits(centre: NDArray[np.int64], members: NDArray[np.int64], s: int) -> bool:
    """Return whether members, sorted in each column, are different ones, and as many and which their cuts may have."""
    size, number = len(members), ABOUT_PAIRS - centre
    i, j = number // OF_PAIRS // s, number // OF_PAIRS % s
    has_i, has_j = (members == i).any(axis=0), (members == j).any(axis=0)
    weight = (has_i | has_j) & (size == 1) | has_i & has_j & (size == 2)
    of_pair = (i < j) & np.where(number % OF_PAIRS == 0, has_i ^ has_j, weight)
    other = (members != centre).all(axis=0) & ((centre != CLIQUE) | (size > 1))
    return bool((members[1:] > members[:-1]).all() and np.where(number >= 0, of_pair, other).all())


def _scaled(units: NDArray[np.int64], exponent: int) -> Floats:
    """Return integers times a power of two."""
    with np.errstate(over="ignore"):
        values: Floats = np.ldexp(units.astype(np.float64), exponent)
    if not np.isfinite(values).all():
        raise FormatError("multipliers: too large")
    return values


def _units(values: Floats) -> tuple[NDArray[np.int64], int]:
    """Return integers and the exponent e with values = integers * 2^e, the largest such e."""
    finest = math.frexp(float(np.abs(values).max(initial=0.0)))[1] - 62
    integers = np.ldexp(values, -finest).astype(np.int64)
    if not np.array_equal(np.ldexp(integers.astype(np.float64), finest), values):
        raise ValueError("the multipliers span too many bits; quantise them first")
    used = int(np.bitwise_or.reduce(integers, initial=0))
    shift = (used & -used).bit_length() - 1
    return (integers >> shift, finest + shift) if used else (integers, 0)


def encode_decisions(decisions: tuple[Decision, ...]) -> bytes:
    """Return decisions as bytes: three rows, kinds (0 for ML, 1 for CL), first and second points."""
    rows = [(int(d.kind == "CL"), d.i, d.j) for d in decisions]
    return encode_integers(np.array(rows, np.int64).reshape(-1, 3).T, differences=True)


def encode_floats(values: ArrayLike) -> bytes:
    """Return an array of doubles as bytes, every bit kept."""
    array = np.ascontiguousarray(values, np.dtype("<f8"))
    return _encode(b"f", 8, array.shape, array.reshape(-1).view(np.uint8).reshape(-1, 8))


def encode_integers(values: ArrayLike, *, differences: bool = False) -> bytes:
    """Return an array of 64-bit integers as bytes, as differences of neighbours (in C order) if asked for."""
    array = np.asarray(values, np.int64)
    flat = np.diff(array.reshape(-1), prepend=0) if differences else array.reshape(-1)
    folded = (flat.view(np.uint64) << np.uint64(1)) ^ (flat >> np.int64(63)).view(np.uint64)
    width = (int(folded.max(initial=0)).bit_length() + 7) // 8
    planes = np.ascontiguousarray(folded, np.dtype("<u8")).view(np.uint8).reshape(-1, 8)[:, :width]
    return _encode(b"d" if differences else b"i", width, array.shape, planes)


def _encode(kind: bytes, width: int, shape: tuple[int, ...], by_number: NDArray[np.uint8]) -> bytes:
    planes = np.ascontiguousarray(by_number.T).tobytes()
    payload = zlib.compress(planes, _WELL if len(planes) <= _SMALL else _FAST)
    return _HEADER.pack(kind, width, len(shape), len(payload)) + struct.pack(f"<{len(shape)}I", *shape) + payload
