"""The strategy ``certified``: never ask what is proved, but try now and then whether the expert agrees.

Proofs are about least squares, and the expert may have something else in mind, such as long groups, which least squares
cuts across. So a fifth of the questions goes to a strategy that does not look at costs, one in ten is about a pair that
is decided (an audit), and where all pairs are decided, the questions go on until the best partition has foretold five
answers in a row.
"""

import numpy as np

from pcsos.analysis.active.state import SessionState, Strategy
from pcsos.analysis.active.strategies.hedged import HEDGE
from pcsos.analysis.certainty.relaxed import good_partition
from pcsos.evidence.result import Standing

#: The first questions are left to the other strategy: its share of the first twenty, when they tell most.
OPENING = 4
#: Every so many questions one is about a pair that is decided, if there are some: the seventh of ten.
AUDIT, AUDIT_TURN = 10, 7
#: Pairs that are drawn for it.
DRAWS = 50
#: Answers in a row that the best partition has to foretell before the questions end.
FORETOLD = 5


class Certified:
    """The pair that costs least to turn round, as long as there is one that is not decided within epsilon.

    Parameters
    ----------
    other : Strategy
        What asks the first four questions and every fifth after the twentieth, and goes on where all pairs are decided
        or no partition is found in time.
    """

    def __init__(self, other: Strategy) -> None:
        self.other = other

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return a pair; None where all are decided and the last answers predicted, or the rest cannot be known."""
        number = len(state.answers) + 1
        if number <= OPENING or (number > OPENING * HEDGE and number % HEDGE == 0):
            pair = self.other.next_pair(state)
            if pair is not None:
                return pair
        standing = state.standing
        if standing is None or (standing.pair is None and not _is_foretold(state)):
            return self.other.next_pair(state)
        audit = _decided_pair(state, standing) if number % AUDIT == AUDIT_TURN else None
        return standing.pair if standing.pair is None or audit is None else audit


def _is_foretold(state: SessionState) -> bool:
    """Tell whether the best partition before the last answers agrees with them; what is not known agrees with all."""
    last = state.answers[-FORETOLD:]
    if len(last) < FORETOLD:
        return False
    before = state.shared.first.knowledge.with_answers(state.answers[:-FORETOLD])
    partition = good_partition(before, state.seed, state.stop)
    if partition is None:
        return True
    labels = partition.labels
    return all(same is None or (labels[i] == labels[j]) == same for i, j, same in last)


def _decided_pair(state: SessionState, standing: Standing) -> tuple[int, int] | None:
    """Return a pair that is decided though not known, drawn at random; None where such pairs are rare."""
    rng, n = state.rng, state.knowledge.instance.n_points
    for _ in range(DRAWS):
        i, j = np.sort(rng.choice(n, 2, replace=False)).tolist()
        if standing.relation(i, j) is not None and state.is_open(i, j):
            return i, j
    return None
