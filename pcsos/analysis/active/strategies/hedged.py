"""Hedging: now and then a question about the data, whatever the partition of least cost says."""

from pcsos.analysis.active.state import SessionState, Strategy

#: Every so many questions one is left to a strategy that asks about the data whatever costs least.
HEDGE = 5


class Hedged:
    """A strategy that leaves every fifth question, and those it has none for, to another one.

    Parameters
    ----------
    own, other : Strategy
        The strategy, and the one for every fifth question.
    """

    def __init__(self, own: Strategy, other: Strategy) -> None:
        self.own, self.other = own, other

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return the pair of the strategy whose turn it is, or of the other one if it has none."""
        turn = (self.own, self.other) if len(state.answers) % HEDGE < HEDGE - 1 else (self.other, self.own)
        first = turn[0].next_pair(state)
        return turn[1].next_pair(state) if first is None else first
