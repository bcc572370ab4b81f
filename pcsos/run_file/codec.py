"""Arrays and multipliers as bytes: an explicit little format that nothing is ever executed from.

The format is specified in ``docs/certificate.md``, section 2. An array is a header (kind, bytes per number, number of
dimensions, length, shape) and the zlib-compressed byte planes of its numbers: first the lowest byte of every
number, then the next. Integers are folded to non-negative ones (0, -1, 1, -2, ... become 0, 1, 2, 3, ...), and
sorted ones are stored as differences.
"""

import math
import struct
import zlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcsos.exceptions import RunFileError
from pcsos.multipliers import Cuts, Multipliers
from pcsos.proof import Decision
from pcsos.typing import Floats

_HEADER = struct.Struct("<cBBI")
_EXPONENTS = struct.Struct("<iiI")
_LEVEL = 6
_LARGEST_ARRAY = 1 << 31


def encode_multipliers(multipliers: Multipliers) -> bytes:
    """Return quantised multipliers as bytes.

    Raises
    ------
    ValueError
        If a multiplier is not a multiple of a power of two by an integer of at most 62 bits; see :func:`quantise`.
    """
    box, weights = multipliers.box, multipliers.weights
    if not np.array_equal(box, box.T):
        raise ValueError("the box multipliers are not symmetric; quantise them first")
    box_units, box_exponent = _units(box[np.triu_indices(len(box))])
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


def decode_multipliers(data: bytes) -> Multipliers:
    """Return the multipliers that :func:`encode_multipliers` wrote, exactly."""
    try:
        box_exponent, weight_exponent, num_runs = _EXPONENTS.unpack_from(data)
        triangle, at = _decode(data, _EXPONENTS.size)
        tables, units = [], [np.empty(0)]
        for _ in range(num_runs):
            table, at = _decode(data, at)
            weights, at = _decode(data, at)
            tables.append(table)
            units.append(weights.astype(np.float64))
    except (struct.error, zlib.error, ValueError) as error:
        raise RunFileError(f"the run file holds multipliers that cannot be decoded ({error})") from error
    s = (math.isqrt(8 * triangle.size + 1) - 1) // 2
    box = np.zeros((s, s))
    box[np.triu_indices(s)] = np.ldexp(triangle.astype(np.float64), box_exponent)
    box = np.where(np.tri(s, k=-1, dtype=bool), box.T, box)
    sizes = np.concatenate([[0], *(np.full(table.shape[1], len(table) - 1) for table in tables)])
    empty = np.empty(0, np.int32)
    centre = np.concatenate([empty, *(table[0] for table in tables)]).astype(np.int32)
    members = np.concatenate([empty, *(table[1:].T.ravel() for table in tables)]).astype(np.int32)
    weights = np.ldexp(np.concatenate(units), weight_exponent)
    return Multipliers(box, Cuts(centre, np.cumsum(sizes).astype(np.int64), members), weights)


def _units(values: Floats) -> tuple[NDArray[np.int64], int]:
    """Return integers and the exponent e with values = integers * 2^e, the largest such e."""
    mantissas, exponents = np.frexp(values)
    integers = np.ldexp(mantissas, 53).astype(np.int64)
    used = integers != 0
    if not used.any():
        return np.zeros(values.size, np.int64), 0
    lowest = np.log2((integers & -integers)[used].astype(np.float64)).astype(np.int64)
    exponent = int((lowest + exponents[used]).min()) - 53
    if int(exponents[used].max()) - exponent > 62:
        raise ValueError("the multipliers span too many bits; quantise them first")
    return np.ldexp(values, -exponent).astype(np.int64), exponent


def encode_decisions(decisions: tuple[Decision, ...]) -> bytes:
    """Return decisions as bytes: three rows, kinds (0 for ML, 1 for CL), first and second points."""
    rows = [(int(d.kind == "CL"), d.i, d.j) for d in decisions]
    return encode_integers(np.array(rows, np.int64).reshape(-1, 3).T, differences=True)


def decode_decisions(data: bytes) -> tuple[Decision, ...]:
    """Return the decisions that :func:`encode_decisions` wrote."""
    rows = decode_array(data)
    return tuple(Decision("CL" if kind else "ML", i, j) for kind, i, j in rows.T.tolist())


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


def decode_array(data: bytes) -> NDArray[np.int64] | Floats:
    """Return the only array of a blob.

    Raises
    ------
    RunFileError
        If the bytes are not exactly one array.
    """
    try:
        array, end = _decode(data, 0)
    except (struct.error, zlib.error, ValueError) as error:
        raise RunFileError(f"the run file holds an array that cannot be decoded ({error})") from error
    if end != len(data):
        raise RunFileError("the run file holds an array with more bytes than it should have")
    return array


def _encode(kind: bytes, width: int, shape: tuple[int, ...], by_number: NDArray[np.uint8]) -> bytes:
    payload = zlib.compress(np.ascontiguousarray(by_number.T).tobytes(), _LEVEL)
    return _HEADER.pack(kind, width, len(shape), len(payload)) + struct.pack(f"<{len(shape)}I", *shape) + payload


def _decode(data: bytes, at: int) -> tuple[NDArray[np.int64] | Floats, int]:
    """Return the array that begins at this byte, and where it ends."""
    kind, width, ndim, length = _HEADER.unpack_from(data, at)
    shape = struct.unpack_from(f"<{ndim}I", data, at + _HEADER.size)
    start = at + _HEADER.size + 4 * ndim
    count = math.prod(shape)
    if kind not in (b"f", b"i", b"d") or width > 8 or 8 * count > _LARGEST_ARRAY:
        raise ValueError("unknown kind or size")
    decompressor = zlib.decompressobj()
    content = decompressor.decompress(data[start : start + length], width * count + 1)
    if len(content) != width * count or not decompressor.eof:
        raise ValueError("unexpected size")
    numbers = np.zeros((count, 8), np.uint8)
    numbers[:, :width] = np.frombuffer(content, np.uint8).reshape(width, count).T
    if kind == b"f":
        return numbers.reshape(-1).view("<f8").astype(np.float64).reshape(shape), start + length
    folded = numbers.reshape(-1).view("<u8").astype(np.uint64)
    flat = (folded >> np.uint64(1)).view(np.int64) ^ -(folded & np.uint64(1)).view(np.int64)
    if kind == b"d":
        flat = np.cumsum(flat)
    return flat.reshape(shape), start + length
