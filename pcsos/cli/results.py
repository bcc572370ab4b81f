"""Results on their way out: files, summary, exit status, and in words why there is no partition."""

from collections.abc import Iterator
from typing import Any

from pcsos.base.control.signals import SIGNALS, Signals
from pcsos.cli.inputs import Inputs
from pcsos.cli.messages import ExitStatus, say
from pcsos.cli.outputs import Destinations, Safekeeping, keep, show, write_or_rescue
from pcsos.evidence.result import Certification, Reason, Result, Status
from pcsos.evidence.result.words import shown, summary_of
from pcsos.evidence.status import MOST_NAMED, Conflict
from pcsos.io.labels import labels_data, labels_text
from pcsos.io.outputs import STDOUT, json_text
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.validation.names import PointNames
from pcsos.verify.reading.text import write


def finish(
    result: Result,
    to: Destinations,
    inputs: Inputs | None = None,
    *,
    log_failure: str = "",
    more: dict[str, Any] | None = None,
    safe: Safekeeping | None = None,
) -> int:
    """Write the outputs that are asked for and return the exit status.

    ``inputs`` says what the user calls the points, and where the constraints are; ``more`` goes into the JSON beside
    the figures of the result; ``log_failure`` says why the log is incomplete; ``safe`` keeps labels that go nowhere
    else. What cannot be written goes elsewhere in full, and a signal meanwhile is put off, so that no result is lost.
    """
    better = result.better if isinstance(result, Certification) else None
    with Signals(SIGNALS):
        names = result.instance.names
        lost = to.lost(result.partition, better)
        place = None if safe is None or lost is None else safe.keep(labels_text(lost.labels.tolist(), names))
        values = result.to_dict() | (more or {})
        summary = summary_of(result.figures())  # the message goes to standard error
        is_written = write_outputs(values, summary, sentence(result), to, names, log_failure, place)
        if to.better is not None and better is None:
            say(f"no better partition was met, so {to.better} is not written")
        if result.status is Status.INFEASIBLE:
            proof = result.message or "every node of the tree is closed without a partition"
            say_infeasible(proof, result.conflict, inputs)
            if result.conflict is not None and not to.quiet:
                write("`pcsos info` with --conflicts names all contradictions at once, and pairs to give up\n")
        elif result.partition is None:
            say(f"no partition was found: {result.message or result.reason}")
        elif result.message:
            say(result.message)
    return exit_status(result) if is_written else ExitStatus.FAILURE


def write_outputs(
    values: dict[str, Any],
    summary: str,
    line: str,
    to: Destinations,
    names: PointNames,
    log_failure: str = "",
    place: str | None = None,
) -> bool:
    """Write labels, JSON and a summary, and tell whether all that is needed could be written where it should.

    ``values`` are the figures for JSON, ``labels`` among them, and ``line`` those of the summary that matter most;
    ``place`` is where labels are that no option has asked for.
    """
    written = []
    outputs = [(to.labels, values["labels"], ".labels.csv")]
    if values.get("better_labels") is not None:
        outputs.append((to.better, values["better_labels"], ".better.csv"))
    for path, labels, suffix in outputs:
        if path is not None:
            text, data = labels_text(labels, names), labels_data(path, labels, names)
            written.append(write_or_rescue(path, text, data=data, run_file=to.run_file, suffix=suffix))
    if to.json is not None:
        text = json_text(values) + "\n"
        written.append(write_or_rescue(to.json, text, run_file=to.run_file, suffix=".result.json"))
    is_lost = to.log == STDOUT and bool(log_failure) and not written
    if is_lost:
        keep(f"{summary}\n", log_failure, run_file=to.run_file, suffix=".summary.txt")
    elif log_failure:
        say(log_failure)
    if STDOUT not in to.asked and not (to.quiet and to.asked):
        if to.quiet:
            text = line + ("" if place is None else f"; labels in {place}")
        elif place is not None:
            text = f"{summary}\n{'labels':12} in {place}"
        else:
            is_known = values["labels"] is None or {to.labels_in, to.labels, to.json} != {None}
            text = summary if is_known else f"{summary}\n{'labels':12} with {to.labels_option} FILE"
        is_shown = show(f"{text}\n", run_file=to.run_file, suffix=".summary.txt")
        return all(written) and (is_shown or any(written))  # what is in a file is not lost with the summary
    if place is not None:
        say(f"the labels are in {place}")
    return all(written) and not is_lost


def exit_status(result: Result) -> ExitStatus:
    """Return the exit status that tells what is proved, or for a heuristic whether it ended by itself."""
    if result.status is Status.INFEASIBLE:
        return ExitStatus.INFEASIBLE
    has_ended = result.reason is Reason.HEURISTIC_FINISHED and result.partition is not None
    return ExitStatus.OPTIMAL if result.status is Status.OPTIMAL or has_ended else ExitStatus.STOPPED


def sentence(result: Result) -> str:
    """Return the figures that matter most in one line."""
    gap = "" if result.gap is None else f"{100.0 * result.gap:.6f} %"
    figures = {"objective": shown(result.objective), "lower bound": shown(result.lower_bound), "gap": gap}
    known = ", ".join(f"{name} {value}" for name, value in figures.items() if value)
    return f"{result.status} ({result.reason})" + (f": {known}" if known else "")


def say_infeasible(message: str, conflict: Conflict | None, inputs: Inputs | None) -> None:
    """Say on standard error why an instance is infeasible, and which constraints of its file are to blame.

    The message is the proof, which ends with the conflict where there is one.
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


def conflict_lines(conflict: Conflict | Constraints, inputs: Inputs) -> Iterator[str]:
    """Yield constraints as they are in their file, with their places."""
    rows = [
        (f"{keyword} {inputs.names[i]} {inputs.names[j]}", inputs.place(keyword, i, j))
        for keyword, pairs in (("ML", conflict.must_link), ("CL", conflict.cannot_link))
        for i, j in pairs
    ]
    width = max((len(constraint) for constraint, _ in rows), default=0)
    for constraint, place in rows:
        yield f"{constraint:{width}}  {place}"
