"""Results: what was found and proved, as values; how they are shown, and what can be asked of them, is handed in."""

from pcsos.evidence.result.certain_pairs import CertainPairs, Certainty, Doubts, Ended, Standing
from pcsos.evidence.result.certification import Certification
from pcsos.evidence.result.result import Result
from pcsos.evidence.status import Reason, Status

__all__ = ["CertainPairs", "Certainty", "Certification", "Doubts", "Ended", "Reason", "Result", "Standing", "Status"]
