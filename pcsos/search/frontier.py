"""The frontier: open nodes in the order of their bounds, and what closed ones have proved; it owns the lower bound."""

import heapq
import math

from pcsos.search.task import Task


class Frontier:
    """Open nodes, of which the one with the least bound comes first; of equal ones, the oldest.

    A node that is handed out stays open, and its bound counts, until it is closed or pushed back.

    Attributes
    ----------
    closed_bound : float
        The least bound of all that was ever closed or cut off; infinity where that held no partition.
    """

    def __init__(self, root: Task) -> None:
        self.closed_bound = math.inf
        self._waiting: list[tuple[float, int, Task]] = []
        self._handed_out: dict[int, Task] = {}
        self._num_named = 1
        self.push(root)

    def __len__(self) -> int:
        return len(self._waiting) + len(self._handed_out)

    @property
    def lower_bound(self) -> float:
        """The least bound of open nodes and closed ones; infinity if there is no partition at all."""
        handed_out = (task.lower_bound for task in self._handed_out.values())
        return min(self.closed_bound, self.first_bound, *handed_out)

    @property
    def first(self) -> Task:
        """The node with the least bound of those that wait."""
        return self._waiting[0][2]

    @property
    def first_bound(self) -> float:
        """The least bound of the nodes that wait; infinity if none does."""
        return self._waiting[0][0] if self._waiting else math.inf

    def new_node(self) -> int:
        """Return the next unused number of a node."""
        self._num_named += 1
        return self._num_named - 1

    def push(self, task: Task) -> None:
        """Let an open node wait: a new one, or one that was handed out."""
        self._handed_out.pop(task.node, None)
        heapq.heappush(self._waiting, (task.lower_bound, task.node, task))

    def hold(self, task: Task) -> None:
        """Take note of what is known by now of a node that is handed out."""
        self._handed_out[task.node] = task

    def pop(self) -> Task:
        """Hand out the node with the least bound of those that wait."""
        _, _, task = heapq.heappop(self._waiting)
        self._handed_out[task.node] = task
        return task

    def take(self, node: int) -> Task | None:
        """Hand out the node of this number, if it waits."""
        position = next((p for p, (_, number, _) in enumerate(self._waiting) if number == node), None)
        if position is None:
            return None
        _, _, task = self._waiting.pop(position)
        heapq.heapify(self._waiting)
        self._handed_out[node] = task
        return task

    def close(self, node: int, bound: float) -> None:
        """Count a node as done: no partition in what it has closed costs less than the bound."""
        del self._handed_out[node]
        self.count(bound)

    def count(self, bound: float) -> None:
        """Count what was cut off: no partition in it costs less than the bound."""
        self.closed_bound = min(self.closed_bound, bound)
