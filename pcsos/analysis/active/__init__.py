"""Questions: which pairs to ask about, who answers, and when the answers are enough (docs/questions.md).

What chooses questions is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING

from pcsos.analysis.active.answers import Answer
from pcsos.analysis.active.oracles import AnswersFile, AskUser, LabelOracle
from pcsos.analysis.active.side_by_side import SideBySide
from pcsos.base.loading import loader
from pcsos.evidence.result import CertainPairs, Certainty, Ended, Standing

if TYPE_CHECKING:
    from pcsos.analysis.active.session import ActiveSession, Collected, collect
else:
    __getattr__ = loader(__name__, {"pcsos.analysis.active.session": ("ActiveSession", "Collected", "collect")})

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
