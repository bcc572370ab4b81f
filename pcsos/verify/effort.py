"""Effort: how much work a file may make the checker do."""

from pathlib import Path

from pcsos.verify.reader import require

#: Multiplications that any file may ask for, and for each of its bytes: honest files stay far below (suite ``memory``).
FIXED, SHARE = 1 << 31, 1 << 13
#: Multiplications that other steps are worth: a number that is added up exactly, a pair that is decided, a point that
#: is coloured or shared out, a colour that is tried, and a point of a line, for each 64 digits of its sums.
OF_A_NUMBER, OF_A_PAIR, OF_A_POINT, OF_A_COLOUR, OF_A_SUM = 60, 400, 1200, 20, 800


class Effort:
    """What is left of the work that a file may ask for, so that a few bytes do not cost hours.

    Parameters
    ----------
    path : path
        The file.
    """

    def __init__(self, path: str | Path) -> None:
        self.left = FIXED + SHARE * Path(path).stat().st_size

    def spend(self, work: int, what: str) -> None:
        """Take so many multiplications, or refuse the file."""
        self.left -= work
        require(self.left >= 0, f"{what}: more work than a file of this size may ask for")
