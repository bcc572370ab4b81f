"""Nodes apart: a large node is processed in a process of its own, because a single step of it can take minutes."""

from collections.abc import Callable
from typing import Any

from pcsos.base.control.aside import Channel, talk_aside
from pcsos.base.control.stop import GRACE, Interrupted
from pcsos.problem.options import Options
from pcsos.problem.reduction import Reduced
from pcsos.search.tree.bounding import Watch, process
from pcsos.search.tree.task import Outcome, Task


def process_apart(
    root: Reduced,
    task: Task,
    objective: float,
    options: Options,
    watch: Watch,
    meanwhile: Callable[[], None],
) -> Outcome:
    """Process a node as :func:`pcsos.search.tree.bounding.process` does, and leave it once the run should have ended.

    A node that is left stays open, with the bound of its last round. ``meanwhile`` is called many times a second.

    Raises
    ------
    ProgramLostError
        If its process was killed by somebody else.
    """
    known = task.lower_bound

    def on_message(message: tuple[str, tuple[Any, ...]]) -> float | None:
        nonlocal known
        name, content = message
        if name == "round":
            known = max(known, content[2])
            watch.on_round(*content)
        elif name == "incumbent":
            watch.on_incumbent(*content)
        else:
            return watch.best_objective(*content)
        return None

    try:
        arguments = (root, task, objective, options, watch.num_threads)
        return talk_aside(
            _process, *arguments, stop=watch.stop, grace=GRACE, on_message=on_message, meanwhile=meanwhile
        )
    except Interrupted:
        return Outcome.left_open(task, known)


def _process(
    channel: Channel, root: Reduced, task: Task, objective: float, options: Options, num_threads: int
) -> Outcome:
    watch = Watch(
        channel.stop,
        lambda found: channel.send(("incumbent", (found,))),
        lambda bound: channel.send(("best", (bound,))),
        lambda *figures: channel.send(("round", figures)),
        num_threads,
    )
    return process(root, task, objective, options, watch)
