"""The strategy ``certified``: never ask what is proved."""

from pcsos.active.state import State, Strategy


class Certified:
    """The pair that costs least to turn round, as long as there is one that is not decided within epsilon.

    Parameters
    ----------
    other : Strategy
        What asks where no partition is found in time, so that nothing can be decided.
    """

    def __init__(self, other: Strategy) -> None:
        self.other = other

    def next_pair(self, state: State) -> tuple[int, int] | None:
        """Return an undecided pair; None where all are decided, or nobody can tell about those that are left."""
        standing = state.standing
        return self.other.next_pair(state) if standing is None else standing.pair
