"""Work: what the checker does, counted in lines of Python, and what a file is charged with it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pcsos
from pcsos.verify import effort

FOLDERS = tuple(str(Path(pcsos.__file__).parent / name) for name in ("verify", "reading"))


class Work(NamedTuple):
    """Lines that were run in the checker, and work that was charged."""

    lines: int
    charged: int


class Account(list[int]):
    """An account that is never empty."""

    def __init__(self) -> None:
        super().__init__([1 << 62])

    @property
    def charged(self) -> int:
        return (1 << 62) - self[0]


@contextmanager
def account() -> Iterator[Account]:
    own, before = Account(), effort._left.get()
    effort._left.set(own)
    try:
        yield own
    finally:
        effort._left.set(before)


def work_of(action: Callable[[], object]) -> Work:
    """Return what an action takes: the same on any machine."""
    lines = 0

    def within(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return within

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        return within if frame.f_code.co_filename.startswith(FOLDERS) else None

    before = sys.gettrace()
    with account() as own:
        sys.settrace(trace)
        try:
            action()
        finally:
            sys.settrace(before)
    return Work(lines, own.charged)
