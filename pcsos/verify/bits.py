"""Bits: sets of numbers in little memory, whether they are few or many."""

from collections.abc import Iterator

from pcsos.verify.effort import OF_AN_ITEM, spend

WIDTH = 10  # of a mask, as a power of two


class Bits:
    """A set of integers from 0 on, as masks of 1,024 bits: dense sets take a bit a number, sparse ones a mask."""

    __slots__ = ("_masks",)

    def __init__(self) -> None:
        self._masks: dict[int, int] = {}

    def add(self, number: int) -> None:
        """Add a number."""
        place = number >> WIDTH
        self._masks[place] = self._masks.get(place, 0) | 1 << (number & (1 << WIDTH) - 1)

    def discard(self, number: int) -> None:
        """Remove a number, if it is there."""
        place = number >> WIDTH
        mask = self._masks.get(place, 0) & ~(1 << (number & (1 << WIDTH) - 1))
        if mask:
            self._masks[place] = mask
        else:
            self._masks.pop(place, None)

    def __contains__(self, number: int) -> bool:
        return bool(self._masks.get(number >> WIDTH, 0) >> (number & (1 << WIDTH) - 1) & 1)

    def __bool__(self) -> bool:
        return bool(self._masks)

    def __len__(self) -> int:
        return sum(mask.bit_count() for mask in self._masks.values())

    def __iter__(self) -> Iterator[int]:
        spend(2 * OF_AN_ITEM * (len(self) + len(self._masks)))
        for place in sorted(self._masks):
            mask = self._masks[place]
            while mask:
                lowest = mask & -mask
                yield (place << WIDTH) + lowest.bit_length() - 1
                mask ^= lowest
