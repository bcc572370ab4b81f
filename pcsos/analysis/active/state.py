"""Session state: what a strategy looks at when it chooses a question."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from pcsos.analysis.active.answers import Answer
from pcsos.analysis.certainty.deciding import standing_of
from pcsos.analysis.certainty.relaxed import Knowledge, SharedRelaxation
from pcsos.base.control.stop import Stop
from pcsos.base.typing import Flags
from pcsos.evidence.result import Standing
from pcsos.problem.reduction import OPEN


@dataclass(frozen=True, eq=False)
class SessionState:
    """Where a session stands. A strategy chooses from this and its seed alone, so that a session can be replayed."""

    shared: SharedRelaxation  #: what is known, with the partition and the relaxation that all share who look at it
    answers: tuple[Answer, ...]  #: the answers so far, in order, those without knowledge included
    stop: Stop  #: whether choosing has to end

    @property
    def knowledge(self) -> Knowledge:
        """What is known."""
        return self.shared.knowledge

    @property
    def seed(self) -> int:
        """Seed of all random choices."""
        return self.shared.seed

    @property
    def standing(self) -> Standing | None:
        """What is proved about the partitions within epsilon, None where no partition is found in time."""
        known = self.shared.standings
        if self._unknown not in known:
            known[self._unknown] = standing_of(self.shared, stop=self.stop, may_ask=self.is_open)
        return known[self._unknown]

    def decided(self, i: int, j: int) -> bool | None:
        """Return how points i and j are in all partitions within epsilon, as far as that was proved before."""
        standing = self.shared.standings.get(self._unknown)
        return None if standing is None else standing.relation(i, j)

    @property
    def rng(self) -> np.random.Generator:
        """A generator for this question."""
        return np.random.default_rng([self.seed, len(self.answers)])

    def is_open(self, i: int, j: int) -> bool:
        """Return whether it makes sense to ask about points i and j: nothing is known, and no answer said so."""
        if self.knowledge.relation(i, j) is not None:
            return False
        component = self.knowledge.problem.component
        return (*sorted((int(component[i]), int(component[j]))),) not in self._unknown

    def open_points(self, i: int) -> Flags:
        """Return for each point whether it makes sense to ask about it and point i, shape (n,)."""
        component = self.knowledge.problem.component
        flags = np.asarray(self.knowledge.row(i) == OPEN)
        for a, b in self._unknown:
            if component[i] in (a, b):
                flags &= component != (b if component[i] == a else a)
        return flags

    @cached_property
    def _unknown(self) -> frozenset[tuple[int, ...]]:
        """Groups of points about which a question was answered with unknown."""
        component = self.knowledge.problem.component.tolist()
        return frozenset((*sorted((component[i], component[j])),) for i, j, same in self.answers if same is None)


class Strategy(Protocol):
    """What chooses the next question."""

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return an open pair of points, or None where there is nothing left that is worth a question."""
