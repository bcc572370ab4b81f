"""Small instances that several certificates are about."""

from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import Evidence, Problem

Instance = dict[str, Any]
Proof = Sequence[Evidence | Problem]

#: Section 8: five points on a line. {0, 1}, {2, 3, 4} costs 4.
HAND: Instance = {"points": [0, 2, 10, 12, 11], "k": 2, "must_link": [(2, 3)], "cannot_link": [(0, 2), (1, 4)]}
HAND_LABELS = (0, 0, 1, 1, 1)
#: Sections 11 and 12: three pairs on a line, which cost 1.5.
PAIRS: Instance = {"points": [0, 1, 5, 6, 20, 21], "k": 3}
PAIRS_LABELS = (0, 0, 1, 1, 2, 2)
#: Two pairs on a line, which cost 1.
FOUR: Instance = {"points": [0, 1, 10, 11], "k": 2}
FOUR_LABELS = (0, 0, 1, 1)
#: Section 12: corners of a rectangle; two short sides cost 1.
CORNERS: Instance = {"points": [[0, 0], [0, 1], [9, 0], [9, 1]], "k": 2}
