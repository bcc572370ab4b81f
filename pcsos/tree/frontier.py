"""The frontier: open nodes in the order of their bounds, and what closed ones have proved; it owns the lower bound."""

import heapq
import math

from pcsos.tree.task import Task


class Frontier:
    """Open nodes, of which the one with the least bound comes first; of equal ones, the oldest.

    Attributes
    ----------
    closed_bound : float
        The least bound of all that was ever closed or cut off; infinity where that held no partition.
    """

    def __init__(self, root: Task) -> None:
        self.closed_bound = math.inf
        self._open: list[tuple[float, int, Task]] = []
        self._num_named = 1
        self.push(root)

    def __len__(self) -> int:
        return len(self._open)

    @property
    def lower_bound(self) -> float:
        """The least bound of open nodes and closed ones; infinity if there is no partition at all."""
        return min(self.closed_bound, self._open[0][0] if self._open else math.inf)

    @property
    def first(self) -> Task:
        """The open node with the least bound."""
        return self._open[0][2]

    def new_node(self) -> int:
        """Return the next unused number of a node."""
        self._num_named += 1
        return self._num_named - 1

    def push(self, task: Task) -> None:
        """Add an open node."""
        heapq.heappush(self._open, (task.lower_bound, task.node, task))

    def pop(self, count: int) -> list[Task]:
        """Take out as many open nodes, those with the least bounds."""
        return [heapq.heappop(self._open)[2] for _ in range(count)]

    def take(self, node: int) -> Task | None:
        """Take out the open node of this number, if there is one."""
        position = next((p for p, (_, number, _) in enumerate(self._open) if number == node), None)
        if position is None:
            return None
        _, _, task = self._open.pop(position)
        heapq.heapify(self._open)
        return task

    def close(self, bound: float) -> None:
        """Count a part of the tree as done: no partition in it costs less than the bound."""
        self.closed_bound = min(self.closed_bound, bound)
