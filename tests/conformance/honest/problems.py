"""Small problems that several certificates are about."""

from typing import Any

Problem = dict[str, Any]

#: Section 8: five points on a line. {0, 1}, {2, 3, 4} costs 4.
HAND: Problem = {"points": [0, 2, 10, 12, 11], "k": 2, "must_link": [(2, 3)], "cannot_link": [(0, 2), (1, 4)]}
HAND_LABELS = (0, 0, 1, 1, 1)
#: Sections 11 and 12: three pairs on a line, which cost 1.5.
PAIRS: Problem = {"points": [0, 1, 5, 6, 20, 21], "k": 3}
PAIRS_LABELS = (0, 0, 1, 1, 2, 2)
#: Two pairs on a line, which cost 1.
FOUR: Problem = {"points": [0, 1, 10, 11], "k": 2}
FOUR_LABELS = (0, 0, 1, 1)
#: Section 12: corners of a rectangle; two short sides cost 1.
CORNERS: Problem = {"points": [[0, 0], [0, 1], [9, 0], [9, 1]], "k": 2}
