"""Infeasibility in words: why there is no partition, with the user's own constraints and where they are."""

from collections.abc import Iterator

from pcsos.cli.instance_files import Inputs
from pcsos.cli.messages import say, write
from pcsos.evidence.status import MOST_NAMED, Conflict
from pcsos.problem.validation.names import PointNames


def say_infeasible(message: str, conflict: Conflict | None, inputs: Inputs | None) -> None:
    """Say on standard error why an instance is infeasible, and which constraints of its file are to blame.

    Parameters
    ----------
    message : str
        The proof, which ends with the conflict where there is one.
    """
    if conflict is None or inputs is None:
        say(f"the instance is infeasible: {message}")
        return
    say(f"the instance is infeasible: {why(message, conflict, inputs.names)}; {conflict.headline}:")
    lines = list(conflict_lines(conflict, inputs))
    for line in lines[:MOST_NAMED]:
        write(f"  {line}\n")
    if len(lines) > MOST_NAMED:
        write(f"  and {len(lines) - MOST_NAMED} more, which `pcsos info` lists\n")


def why(message: str, conflict: Conflict, names: PointNames) -> str:
    """Return the proof without the conflict that ends it."""
    return message.removesuffix(f"; {conflict.in_names(names.word)}")


def conflict_lines(conflict: Conflict, inputs: Inputs) -> Iterator[str]:
    """Yield the constraints of a conflict as they are in their file, with their places."""
    rows = [
        (f"{keyword} {inputs.names[i]} {inputs.names[j]}", inputs.place(keyword, i, j))
        for keyword, pairs in (("ML", conflict.must_link), ("CL", conflict.cannot_link))
        for i, j in pairs
    ]
    width = max(len(constraint) for constraint, _ in rows)
    for constraint, place in rows:
        yield f"{constraint:{width}}  {place}"
