"""Results: what was found and proved, as values; how they are shown, and what can be asked of them, is handed in."""

from pcsos.result.certain_pairs import CertainPairs, Certainty, Ended
from pcsos.result.certification import Certification
from pcsos.result.doubts import Doubts
from pcsos.result.result import Result
from pcsos.result.standing import Standing
from pcsos.result.status import Reason, Status
from pcsos.result.words import listed_sizes

__all__ = [
    "CertainPairs",
    "Certainty",
    "Certification",
    "Doubts",
    "Ended",
    "Reason",
    "Result",
    "Standing",
    "Status",
    "listed_sizes",
]
