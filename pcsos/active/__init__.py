"""Questions: which pairs to ask about, who answers, and when the answers are enough (docs/questions.md)."""

from pcsos.active.answer import Answer
from pcsos.active.certain_pairs import CertainPairs, Certainty, Ended
from pcsos.active.collection import Collected, collect
from pcsos.active.oracles import AnswersFile, AskUser, LabelOracle
from pcsos.active.session import ActiveSession
from pcsos.active.side_by_side import SideBySide
from pcsos.active.standing import Standing

__all__ = [
    "ActiveSession",
    "Answer",
    "AnswersFile",
    "AskUser",
    "CertainPairs",
    "Certainty",
    "Collected",
    "Ended",
    "LabelOracle",
    "SideBySide",
    "Standing",
    "collect",
]
