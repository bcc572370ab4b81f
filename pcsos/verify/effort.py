"""Effort: how much work a file may make the checker do, charged where it is done.

Whatever goes through many numbers spends what it costs from the one account of the file that is being checked, so that
a caller who forgets that work can be much is charged all the same. Work is counted in nanoseconds, roughly.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

from pcsos.verify.reader import require
from pcsos.verify.reading.database import refuse_missing

#: What any file may ask for, which is what the bound of 4,096 super-points takes, and for each of its bytes.
FIXED, SHARE = 1 << 37, 1 << 16
#: What it takes to go past an item, to hand out a number of up to 64 digits, to do more with an item than that, and to
#: fetch a row of the file.
OF_AN_ITEM, OF_A_NUMBER, OF_A_STEP, OF_A_ROW = 200, 600, 4000, 100_000

Item = TypeVar("Item")

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)  # one number, of the file that is checked


def begin(path: str | Path) -> None:
    """Charge a file with all that is done from now on."""
    refuse_missing(path)
    _left.set([FIXED + SHARE * Path(path).stat().st_size])


@contextmanager
def measured(path: str | Path) -> Iterator[None]:
    """Charge a file with all that is done within."""
    before = _left.get()
    begin(path)
    try:
        yield
    finally:
        _left.set(before)


def spend(work: int) -> None:
    """Take so much from what the file that is checked may ask for, if one is, or refuse it."""
    left = _left.get()
    if left is not None:
        left[0] -= work
        require(left[0] >= 0, "more work than a file of this size may ask for")


def charged(items: Iterable[Item], price: int) -> Iterator[Item]:
    """Yield items, each of which costs something."""
    for item in items:
        spend(price)
        yield item
