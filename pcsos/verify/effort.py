"""Effort: how much work a file may make the checker do."""

from pathlib import Path

from pcsos.verify.reader import require

#: Multiplications that any file may ask for, and for each of its bytes: honest files stay far below (suite ``memory``).
FIXED, SHARE = 1 << 31, 1 << 13
#: Points of boxes in which prices are searched, likewise: a single search takes no more than the first.
BOXES, SHARE_OF_BOXES = 1 << 30, 1 << 10
#: Multiplications that other steps are worth: a number that is added up exactly, a pair that is decided, a point that
#: is coloured or shared out, a colour that is tried, and a point of a line, for each 64 digits of its sums.
OF_A_NUMBER, OF_A_PAIR, OF_A_POINT, OF_A_COLOUR, OF_A_SUM = 60, 400, 1200, 20, 800
TOO_MUCH = "more work than a file of this size may ask for"


class Effort:
    """What is left of the work that a file may ask for, so that a few bytes do not cost hours.

    Parameters
    ----------
    path : path
        The file.
    """

    def __init__(self, path: str | Path) -> None:
        size = Path(path).stat().st_size
        self.left, self.boxes_left = FIXED + SHARE * size, BOXES + SHARE_OF_BOXES * size

    def spend(self, work: int, what: str) -> None:
        """Take so many multiplications, or refuse the file."""
        self.left -= work
        require(self.left >= 0, f"{what}: {TOO_MUCH}")

    def search(self, points: int) -> None:
        """Take so many points of boxes, or refuse the file."""
        self.boxes_left -= points
        require(self.boxes_left >= 0, f"prices: {TOO_MUCH}")
