"""The strategy ``certified``: never ask what is proved."""

from pcsos.active.relaxed import good_partition
from pcsos.active.standing import standing_of
from pcsos.active.state import State, Strategy


class Certified:
    """The pair that costs least to turn round, as long as there is one that is not decided within epsilon.

    Parameters
    ----------
    epsilon : float
        Within which relative distance of the best cost partitions count.
    other : Strategy
        What asks where no partition is found in time, so that nothing can be decided.
    """

    def __init__(self, epsilon: float, other: Strategy) -> None:
        self.epsilon, self.other = epsilon, other

    def next_pair(self, state: State) -> tuple[int, int] | None:
        """Return an undecided pair; None where all are decided, or nobody can tell about those that are left."""
        partition = good_partition(state.knowledge, state.seed, state.stop)
        if partition is None:
            return self.other.next_pair(state)
        return standing_of(
            state.knowledge, partition, self.epsilon, stop=state.stop, may_ask=state.is_open
        ).pair  # fmt: skip
