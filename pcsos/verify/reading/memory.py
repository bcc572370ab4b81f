"""Memory: how much a file may make its reader take."""

from pathlib import Path
from typing import Self

from pcsos.verify.errors import FormatError

#: Bytes that any file may take, and for each byte of its own.
FIXED, SHARE = 120_000_000, 36
#: Bytes that it takes to decode a number: the bytes of the file, words, and the number itself.
OF_A_NUMBER = 32


class Memory:
    """What is left of the memory that a file may take, in bytes.

    A few bytes of a file can announce gigabytes. Whatever is about to be expanded, or to become objects, is asked for
    here first.
    """

    def __init__(self, left: int) -> None:
        self.left = left

    @classmethod
    def of_file(cls, path: str | Path, share: int = SHARE) -> Self:
        """Return what a file may take: 120 MB, and 36 bytes, by default, for each byte of its own."""
        return cls(FIXED + share * Path(path).stat().st_size)

    @classmethod
    def without_limit(cls) -> Self:
        """Return more memory than there is, for files of our own."""
        return cls(1 << 62)

    def need(self, size: int, what: str) -> None:
        """Refuse what takes so many bytes for a while, if that is more than is left."""
        if size > self.left:
            raise FormatError(f"{what}: takes {size / 1e6:.0f} MB, more than a file of this size may take")

    def expand(self, count: int, what: str) -> None:
        """Refuse an array of so many numbers, if decoding it takes more than is left."""
        self.need(count * OF_A_NUMBER, what)

    def grant(self, size: int) -> None:
        """Let a file take at least so many bytes, whatever its size."""
        self.left = max(self.left, size)

    def keep(self, size: int, what: str) -> None:
        """Take so many bytes, for good or until they are given back."""
        self.need(size, what)
        self.left -= size

    def give_back(self, size: int) -> None:
        """Give back so many bytes that were kept."""
        self.left += size
