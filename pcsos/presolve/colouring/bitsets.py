"""Sets of nodes as rows of bits: intersecting two sets of 500 nodes takes eight instructions."""

import numpy as np
from numpy.typing import NDArray

from pcsos.base.numerics.kernels import kernel
from pcsos.base.typing import Indices

Bits = NDArray[np.uint64]


@kernel
def neighbour_sets(indptr: Indices, indices: Indices) -> Bits:
    """Return the neighbours of every node as a set, shape (s, ceil(s / 64))."""
    size = indptr.size - 1
    sets = np.zeros((size, (size + 63) // 64), np.uint64)
    for v in range(size):
        for t in range(indptr[v], indptr[v + 1]):
            w = indices[t]
            sets[v, w >> 6] |= np.uint64(1) << np.uint64(w & 63)
    return sets


@kernel
def contains(members: Bits, v: int) -> bool:
    """Tell whether a node is in a set."""
    return bool((members[v >> 6] >> np.uint64(v & 63)) & np.uint64(1))


@kernel
def keep_common(members: Bits, others: Bits) -> None:
    """Keep of a set what is in the other one, too."""
    for word in range(members.size):
        members[word] &= others[word]


@kernel
def first_member(members: Bits) -> int:
    """Return the smallest node of a set, or -1."""
    for word in range(members.size):
        bits = members[word]
        if bits:
            lowest = bits & (~bits + np.uint64(1))
            return 64 * word + count_bits(lowest - np.uint64(1))
    return -1


@kernel
def count_bits(bits: int) -> int:
    """Return the number of ones of a 64-bit word, adding up neighbouring fields of 1, 2 and 4 bits."""
    x = np.uint64(bits)
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def count_common(a: Bits, b: Bits) -> int:
    """Return the size of the intersection of two sets."""
    total = 0
    for word in range(a.size):
        total += count_bits(a[word] & b[word])
    return total


@kernel
def list_members(members: Bits) -> Indices:
    """Return the nodes of a set in increasing order."""
    total = 0
    for word in members:
        total += count_bits(word)
    nodes = np.empty(total, np.intp)
    filled = 0
    for word in range(members.size):
        bits = members[word]
        while bits:
            lowest = bits & (~bits + np.uint64(1))
            nodes[filled] = 64 * word + count_bits(lowest - np.uint64(1))
            filled += 1
            bits ^= lowest
    return nodes
